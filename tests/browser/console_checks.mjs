// The console line: what it prints is what hotkv-cli prints, and completion is the command table.
import * as path from 'node:path';
import { CLI, check, equal, native, playerOf, shownTranscript, test } from './harness.mjs';

// Replies of every shape, none that depends on time or on who asks.
const COMMANDS = [
  'PING',
  'PING "hello world"',
  'ECHO "a\\nb\\x00c\\"d"',
  'SET k v',
  'GET k',
  'GET none',
  'SET k w IFEQ v',
  'SET k w IFEQ v',
  'DIGEST k',
  'DELEX k IFEQ v',
  'DELEX k IFEQ w',
  'MSET a 1 b 2 c 3',
  'MGET a none b',
  'INCR a',
  'INCRBYFLOAT a 0.1',
  'INCR k2',
  'APPEND k2 xyz',
  'GETRANGE k2 0 1',
  'STRLEN k2',
  'SETRANGE k2 2 "\\xc8\\x99"',
  'GET k2',
  'LCS a k2',
  'LCS a k2 IDX',
  'EXISTS a b none',
  'TYPE a',
  'TYPE none',
  'DEL a b none',
  'TTL c',
  'PTTL none',
  'EXPIRE none 10',
  'PERSIST c',
  'RENAME none x',
  'COPY c d',
  'GET d',
  'SCAN 0 MATCH c*',
  'KEYS [c]',
  'SET',
  'SET k',
  'SET k v XX NX',
  'SET k v PX 0',
  'NOSUCH a b',
  'GET',
  'MULTI',
  'SET t 1',
  'INCR t',
  'EXEC',
  'DISCARD',
  'SELECT 1',
  'DBSIZE',
  'SET x y',
  'DBSIZE',
  'SELECT 0',
  'INCREX lim BYINT 5 UBOUND 7',
  'INCREX lim BYINT 5 UBOUND 7',
  'MSETEX 2 e 1 f 2 NX',
  'GETDEL e',
  'GET e',
  'SET lock:x tok NX',
  'DELIFEQ lock:x other',
  'DELIFEQ lock:x tok',
  'UNLOCK lock:x tok',
  'LOCKINFO lock:x',
  'LOCK lock:x tok',
  'OBJECT ENCODING c',
  'COMMAND GETKEYS SET k v',
  'CLIENT GETNAME',
  'CONFIG GET maxclients',
];

/** The typed entries; simulated time runs while a reply is awaited, so the lesson's go on too. */
const typed = async (page) => (await shownTranscript(page)).filter((entry) => entry.typed);
const last = async (page) => (await typed(page)).at(-1);

async function type(page, line) {
  const count = (await typed(page)).length;
  await page.fill('[data-part="line"]', line);
  await page.press('[data-part="line"]', 'Enter');
  await page.waitForSelector(`:nth-match(.entry.mine, ${count + 1})`);
}

test('console: typed commands print what hotkv-cli and redis-cli print', async (t) => {
  const page = await t.session();
  const player = await playerOf(page);
  // The lesson's own key is gone at its end, so the keyspace is empty as the server's is.
  await player.evaluate((p) => p.seek({ end: true }));
  await page.selectOption('[data-part="client"]', 'B');
  const got = [];
  for (const command of COMMANDS) {
    await type(page, command);
    const { actor, text } = await last(page);
    equal(actor, 'Worker B', 'actor');
    const [first, ...reply] = text.split('\n');
    equal(first, `hotkv> ${command}`, 'command');
    got.push(reply.join('\n'));
  }
  for (const program of [CLI, 'redis-cli']) {
    const options = ['-p', String(t.servers.resp), '--no-raw'];
    native('redis-cli', [...options, 'FLUSHALL']);
    const expected = native(program, options, `${COMMANDS.join('\n')}\n`);
    equal(got.join('\n').trimEnd(), expected.trimEnd(), `replies of ${path.basename(program)}`);
  }
  equal(page.faults, [], 'console');
});

test('console: completion is the command table', async (t) => {
  const page = await t.session();
  const player = await playerOf(page);
  const offered = await player.evaluate((p) => p.complete(''));
  const table = native(CLI, ['-p', String(t.servers.resp), 'COMMAND', 'LIST'])
    .trim()
    .split('\n');
  equal(
    offered.map((w) => w.trim().toLowerCase()).sort(),
    table.sort(),
    'completion of an empty line',
  );
  await page.focus('[data-part="line"]');
  await page.keyboard.type('setr');
  await page.keyboard.press('Tab');
  equal((await page.inputValue('[data-part="line"]')).trim(), 'setrange', 'setr Tab');
  await page.fill('[data-part="line"]', 'SET k v ');
  const ghost = await page.textContent('[data-part="ghost"]');
  check(ghost.includes('NX') && ghost.includes('PX'), `ghost: ${ghost}`);
});

test('console: history, pasted lines, another client, comments', async (t) => {
  const page = await t.session();
  await type(page, 'PING one');
  await type(page, 'PING two');
  await page.press('[data-part="line"]', 'ArrowUp');
  await page.press('[data-part="line"]', 'ArrowUp');
  equal(await page.inputValue('[data-part="line"]'), 'PING one', 'two up');
  await page.press('[data-part="line"]', 'ArrowDown');
  equal(await page.inputValue('[data-part="line"]'), 'PING two', 'one down');
  await page.press('[data-part="line"]', 'Escape');
  equal(await page.inputValue('[data-part="line"]'), '', 'Esc');
  await type(page, '@B PING three');
  equal((await last(page)).actor, 'Worker B', '@B');
  const text = '# a comment\r\nredis> SET p "ș 锁"\n\nhotkv> GET p\n127.0.0.1:6379> DEL p\n';
  await page.evaluate((pasted) => navigator.clipboard.writeText(pasted), text);
  await page.focus('[data-part="line"]');
  await page.keyboard.press('Control+V');
  await page.waitForSelector(':nth-match(.entry.mine, 6)');
  equal(
    (await typed(page)).slice(3).map((e) => e.text.split('\n')[0]),
    ['hotkv> SET p "ș 锁"', 'hotkv> GET p', 'hotkv> DEL p'],
    'pasted lines',
  );
});

test('console: a pasted bomb of markup stays text', async (t) => {
  const page = await t.session();
  await type(page, 'ECHO "<img src=x onerror=alert(1)><b>bold</b>"');
  equal(await page.locator('[data-part="log"] img, [data-part="log"] b').count(), 0, 'elements');
  check((await last(page)).text.endsWith('"<img src=x onerror=alert(1)><b>bold</b>"'), 'text');
});

test('console: typing while it plays pauses first', async (t) => {
  const page = await t.session();
  await page.click('[data-act="play"]');
  await page.waitForSelector('[data-status="playing"]');
  await type(page, 'PING');
  equal(await page.getAttribute('#session', 'data-status'), 'branch', 'status');
});

// A generator of its own, so that the commands are the same at each run.
function generated(count) {
  let seed = 20260101;
  const below = (n) => (seed = (seed * 1103515245 + 12345) % 2147483648) % n;
  const key = () => ['a', 'b', 'c', 'k:1', '"with blank"', 'ș'][below(6)];
  const value = () => ['1', '-7', '10', '"x y"', '"\\x00\\xff"', 'ț锁', '3.5', '""'][below(8)];
  const number = () => String(below(40) - 10);
  const shapes = [
    () => `SET ${key()} ${value()}`, () => `SET ${key()} ${value()} NX`,
    () => `SET ${key()} ${value()} XX GET`, () => `SET ${key()} ${value()} IFEQ ${value()}`,
    () => `GET ${key()}`, () => `GETSET ${key()} ${value()}`, () => `APPEND ${key()} ${value()}`,
    () => `STRLEN ${key()}`, () => `INCRBY ${key()} ${number()}`, () => `DECR ${key()}`,
    () => `GETRANGE ${key()} ${number()} ${number()}`, () => `MSET ${key()} 1 ${key()} 2`,
    () => `SETRANGE ${key()} ${below(20)} ${value()}`, () => `MGET ${key()} ${key()} none`,
    () => `DEL ${key()}`, () => `EXISTS ${key()} ${key()}`, () => `TYPE ${key()}`,
    () => `DELEX ${key()} IFEQ ${value()}`, () => `DIGEST ${key()}`, () => `RENAME ${key()} b`,
    () => `COPY ${key()} c REPLACE`, () => `TTL ${key()}`, () => `LCS a b`, () => `ECHO ${value()}`,
    () => `GETDEL ${key()}`, () => `NOSUCH ${key()}`, () => `SET ${key()}`,
    () => `SETNX ${key()} 5`,
  ];
  return Array.from({ length: count }, () => shapes[below(shapes.length)]());
}

test('console: 1,000 commands print what hotkv-cli prints of the server', async (t) => {
  const page = await t.session();
  const player = await playerOf(page);
  await player.evaluate((p) => p.seek({ end: true }));
  const commands = generated(1000);
  await page.evaluate((text) => navigator.clipboard.writeText(text), `${commands.join('\n')}\n`);
  await page.focus('[data-part="line"]');
  await page.keyboard.press('Control+V');
  await page.waitForSelector(':nth-match(.entry.mine, 1000)', { timeout: 300000 });
  const shown = (await typed(page)).map(({ text }) => text);
  const got = shown.map((text) => text.split('\n').slice(1).join('\n')).join('\n');
  equal(shown.map((text) => text.split('\n')[0].slice('hotkv> '.length)), commands, 'commands');
  const options = ['-p', String(t.servers.resp), '--no-raw'];
  native('redis-cli', [...options, 'FLUSHALL']);
  const expected = native(CLI, options, `${commands.join('\n')}\n`);
  equal(got.trimEnd(), expected.trimEnd(), 'replies');
  equal(page.faults, [], 'console');
});
