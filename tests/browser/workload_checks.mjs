// The use cases' sections and the last of them: a visitor's own workload in the sandbox.
import { COMMANDS_MAX, workloadOf } from '../../web/workload.js';
import { CLI, LANGUAGES, check, equal, native, test } from './harness.mjs';
import { pageText } from './site_pages.mjs';

const USE_CASES = ['locks', 'stampede', 'fencing', 'redlock'];
const SECTIONS = ['problem', 'how', 'walk', 'where', 'get', 'faq', 'related', 'own'];

const read = (...lines) => workloadOf(lines.join('\n'), ['A', 'B', 'C']).commands
  .map(({ client, line }) => `${client}> ${line}`);

test('workload: what is pasted becomes commands of clients', () => {
  equal(read('SET a 1', '', '# a note', '  GET a  '), ['A> SET a 1', 'A> GET a'], 'plain lines');
  equal(read('127.0.0.1:6379> SET a "x y"', 'OK', 'db.example:7000[2]> GET a', '"x y"',
    'hotkv> PING', 'PONG', 'hotkv(n2)> TTL a'),
  ['A> SET a "x y"', 'A> GET a', 'A> PING', 'A> TTL a'], 'a session with replies');
  equal(read('$ redis-cli -h db -p 7000 SET a 1', 'OK', 'redis-cli --raw GET a', 'hotkv-cli PING'),
    ['A> SET a 1', 'A> GET a', 'A> PING'], 'a shell');
  equal(read('OK', '1339518083.107412 [0 127.0.0.1:60866] "SET" "a" "\\x00b"',
    '1339518087.877697 [0 127.0.0.1:60867] "GET" "a"',
    '1339518087.877698 [0 lua] "GET" "b"',
    '1339518088.1 [3 127.0.0.1:60867] "GET" "c"',
    '1339518089.1 [0 unix:/run/kv.sock] "PING"', '1339518089.2 [0 10.0.0.9:1] "PING"'),
  ['A> "SET" "a" "\\x00b"', 'B> "GET" "a"', 'B> SELECT 3', 'B> "GET" "c"', 'C> "PING"',
    'A> "PING"'], 'MONITOR');
  equal(read('', '# nothing', '  '), [], 'nothing');
  const many = workloadOf('PING\n'.repeat(COMMANDS_MAX + 7), ['A']);
  equal([many.commands.length, many.total], [COMMANDS_MAX, COMMANDS_MAX + 7], 'many');
});

/** The text of each section of a page, by its name. */
function sectionsOf(text) {
  const parts = text.split(/<section aria-labelledby="/).slice(1);
  return new Map(parts.map((part) => [part.split('"')[0], part.split('</section>')[0]]));
}

test('use cases: sections in their order, with scenarios, chips and questions', () => {
  for (const { path: below } of LANGUAGES) {
    for (const name of USE_CASES) {
      const where = `${below}${name}/`;
      const text = pageText(where);
      const sections = sectionsOf(text);
      equal([...sections.keys()], SECTIONS, where);
      check(text.indexOf('<hotkv-player') < text.indexOf('<section'), `${where}: playground first`);
      const count = (section, what) => sections.get(section).split(what).length - 1;
      check(count('where', '<li') >= 2, `${where}: scenarios`);
      check(count('faq', '<details') >= 3, `${where}: questions`);
      equal(count('get', 'class="chips"'), count('get', '<li'), `${where}: chips`);
      const steps = count('walk', 'data-seek=');
      check(steps >= 4 && steps <= 8, `${where}: ${steps} steps`);
      check(count('own', 'data-workload=') === 1, `${where}: no sandbox`);
    }
  }
});

test('workload: the sandbox answers as a server, the page\'s commands and pasted', async (t) => {
  const page = await t.open('ro/locks/');
  const run = async (said) => {
    await page.getByRole('button', { name: 'Rulează în spațiul de probă' }).click();
    await page.locator('.workload [role=status]', { hasText: said }).waitFor();
    return page.evaluate(() => document.querySelector('.sandbox').transcript()
      .map(({ client, line, text }) => [client, line, text]));
  };
  const replies = (lines) => {
    native(CLI, ['-p', String(t.servers.resp), 'FLUSHALL']);
    return lines.map((line) =>
      native(CLI, ['-p', String(t.servers.resp), '--no-raw'], `${line}\n`).replace(/\n$/, ''));
  };
  const own = (await page.inputValue('#workload')).split('\n').filter((line) => !/PTTL/.test(line));
  const shown = (await run('Au rulat 5 comenzi.')).filter(([, line]) => !/PTTL/.test(line));
  equal(shown.map(([, line]) => line), own, 'the page\'s commands');
  equal(shown.map(([, , text]) => text), replies(own), 'their replies');
  const pasted = ['SET a 1', 'INCR a', 'GETRANGE a x y', 'NOSUCH'];
  await page.fill('#workload', pasted.map((line, i) =>
    `1700000000.${i} [0 10.0.0.${i % 2}:55] ${line}`).join('\n'));
  equal(await run('Au rulat 4 comenzi.'),
    replies(pasted).map((text, i) => ['AB'[i % 2], pasted[i], text]), 'pasted commands');
  await page.fill('#workload', '# nothing');
  await run('nicio comandă');
  equal(page.faults, [], 'console');
});
