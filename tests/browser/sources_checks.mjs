// The link beside each reply: which line of the engine answered, and where it leads.
import * as fs from 'node:fs';
import * as path from 'node:path';
import { ROOT, SITE, check, equal, native, test } from './harness.mjs';

const table = () => JSON.parse(fs.readFileSync(path.join(SITE, 'sources.json'), 'utf8'));

function lineAt(place) {
  const [file, line] = place.split('#L');
  return fs.readFileSync(path.join(ROOT, file), 'utf8').split('\n')[line - 1];
}

test('source: each command of the engine has the line of its handler', () => {
  const { commands } = JSON.parse(native(path.join(ROOT, 'build/release/hotkv-docgen'), []));
  const { base, commands: places } = table();
  equal(base, '', 'base');
  equal(Object.keys(places), commands.map(({ name }) => name), 'commands');
  for (const [name, place] of Object.entries(places)) {
    check(/^void \w+\(Call&/.test(lineAt(place)), `${name}: ${place}`);
  }
  // By hand, from the files.
  for (const [name, file, handler] of [
    ['SET', 'strings_set.cc', 'set'], ['DELEX', 'strings.cc', 'delex'],
    ['PTTL', 'keys_expire.cc', 'pttl'], ['UNLINK', 'keys.cc', 'del'], ['LOCK', 'locks.cc', 'lock'],
    ['OBJECT HELP', 'object.cc', 'help'],
  ]) {
    check(places[name].startsWith(`core/command/${file}#L`), `${name}: ${places[name]}`);
    check(lineAt(places[name]).startsWith(`void ${handler}(Call&`), `${name}: ${places[name]}`);
  }
});

test('source: beside each reply of the engine, to the entry of the command', async (t) => {
  const page = await t.session('ro/fencing/');
  await page.evaluate(() => document.querySelector('hotkv-player').seek({ end: true }));
  const lines = await page.$$eval('[data-part="log"] .entry', (entries) => entries.map((entry) => ({
    line: entry.querySelector('pre').textContent.split(/(?:hotkv|db)> /)[1].split('\n')[0],
    href: entry.querySelector('.source')?.href ?? null,
    title: entry.querySelector('.source')?.title,
  })));
  const { commands } = table();
  for (const { line, href, title } of lines) {
    const name = line.split(' ')[0];
    if (!(name in commands)) {
      equal(href, null, `${line}: the database of the lesson is not the engine`);
      continue;
    }
    equal(href, `${t.url}ro/reference/commands/#${name.toLowerCase()}`, line);
    equal(title, commands[name].replace('#L', ':'), line);
  }
  check(lines.some(({ href }) => href) && lines.some(({ href }) => !href), 'both kinds');
  const [opened] = await Promise.all([
    page.waitForEvent('popup'), page.locator('.entry .source').first().click(),
  ]);
  await opened.waitForSelector('#set:target');
  check((await opened.textContent('#set .place')).startsWith('core/command/strings_set.cc:'),
    'the reference names the line');
});

test('source: with an address of the source the links lead to its lines', async (t) => {
  const base = 'https://code.example/hotkv/blob/0123abc/';
  const page = await t.session('locks/#lock@3/step=2', {
    before: (one) => one.route('**/sources.json', (route) =>
      route.fulfill({ json: { ...table(), base } })),
  });
  const link = page.locator('.entry .source').first();
  equal(await link.getAttribute('href'), base + table().commands.SET, 'the link');
});
