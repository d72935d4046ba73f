// Three languages, each complete: keys, values, plural forms.
import * as fs from 'node:fs';
import * as path from 'node:path';
import { ROOT, check, equal, test } from './harness.mjs';

test('texts: the three languages have the same keys, values and markup', () => {
  const read = (file) =>
    JSON.parse(fs.readFileSync(path.join(ROOT, `assets/i18n/${file}.json`), 'utf8'));
  const english = read('en');
  const all = (text) => (typeof text === 'string' ? [text] : Object.values(text));
  const marks = (text) => (text.match(/\{\w+\}|`[^`]*`/g) ?? []).sort();
  for (const file of ['ro', 'zh']) {
    const other = read(file);
    equal(Object.keys(other).sort(), Object.keys(english).sort(), `${file}: keys`);
    for (const key of Object.keys(english)) {
      const wanted = marks(all(english[key]).at(-1));
      for (const text of all(other[key])) equal(marks(text), wanted, `${file}: ${key}`);
    }
  }
  check(!/[şţŞŢ]/.test(JSON.stringify(read('ro'))), 'ro: a cedilla instead of a comma below');
});

test('texts: plural forms', async () => {
  const { formatted } = await import(path.join(ROOT, 'web/texts.js'));
  const texts = JSON.parse(fs.readFileSync(path.join(ROOT, 'assets/i18n/ro.json'), 'utf8'));
  const forms = [0, 1, 2, 19, 20, 101].map((n) =>
    formatted(texts['ui.counter.commands'], { n }, 'ro'),
  );
  equal(
    forms,
    ['0 comenzi', '1 comandă', '2 comenzi', '19 comenzi', '20 de comenzi', '101 comenzi'],
    'Romanian',
  );
});

test('element: its words are those of the translations', async () => {
  const source = fs.readFileSync(path.join(ROOT, 'web/hotkv-player.js'), 'utf8');
  for (const file of ['en', 'ro', 'zh']) {
    const texts = JSON.parse(fs.readFileSync(path.join(ROOT, `assets/i18n/${file}.json`), 'utf8'));
    const keys = ['facade.start', 'ui.session.recorded', 'ui.session.loading', 'embed.title'];
    for (const key of keys) {
      check(source.includes(`'${texts[key]}'`), `${file}: ${key} is another text`);
    }
  }
});
