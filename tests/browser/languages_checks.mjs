// Three languages, each complete: keys, values, plural forms.
import * as fs from 'node:fs';
import * as path from 'node:path';
import { formatted } from '../../web/texts.js';
import { ROOT, check, equal, test } from './harness.mjs';

const tables = Object.fromEntries(['en', 'ro', 'zh'].map((file) => [
  file, JSON.parse(fs.readFileSync(path.join(ROOT, `assets/i18n/${file}.json`), 'utf8')),
]));

/** What a translation lacks, or says with other values or commands than English: sentences. */
function faultsOf(english, other) {
  const all = (text) => (typeof text === 'string' ? [text] : Object.values(text));
  const marks = (text) => String(text.match(/\{\w+\}|`[^`]*`/g)?.sort() ?? '');
  const missing = Object.keys(english).filter((key) => !(key in other));
  const unknown = Object.keys(other).filter((key) => !(key in english));
  const both = Object.keys(english).filter((key) => key in other);
  const different = both.filter((key) => {
    const wanted = marks(all(english[key]).at(-1));
    return all(other[key]).some((text) => text === '' || marks(text) !== wanted);
  });
  return [
    ...missing.map((key) => `${key} is missing`), ...unknown.map((key) => `${key} is unknown`),
    ...different.map((key) => `${key}: other values or commands`),
  ];
}

test('texts: the three languages have the same keys, values and markup', () => {
  for (const file of ['ro', 'zh']) {
    equal(faultsOf(tables.en, tables[file]), [], file);
    const { 'ui.play': _, ...less } = tables[file];
    equal(faultsOf(tables.en, less), ['ui.play is missing'], `${file} without ui.play`);
  }
  check(!/[şţŞŢ]/.test(JSON.stringify(tables.ro)), 'ro: a cedilla instead of a comma below');
});

// By the rules of the languages themselves: Romanian says "1 comandă", "2 comenzi", and from 20 on
// "de", but not where the last two digits are 01 to 19; Chinese has one form.
const FORM = {
  en: (n) => (n === 1 ? 'one' : 'other'),
  ro: (n) => (n === 1 ? 'one' : n === 0 || (n % 100 > 0 && n % 100 < 20) ? 'few' : 'other'),
  zh: () => 'other',
};

for (const file of ['en', 'ro', 'zh']) {
  test(`texts: plural forms, ${file}`, () => {
    const table = tables[file];
    const counted = Object.keys(tables.en).filter((key) => typeof tables.en[key] !== 'string');
    check(counted.length >= 6, `only ${counted}`);
    for (const key of counted) {
      for (const n of [0, 1, 2, 19, 20, 101]) {
        const text = table[key];
        const wanted = typeof text === 'string' ? text : text[FORM[file](n)];
        const told = formatted(text, { n }, table['meta.lang']);
        equal(told, wanted.replaceAll('{n}', n), `${key} ${n}`);
      }
      if (file === 'ro') {
        const says = ({ one, few, other }) => [one, few, other].map((text) => /\} de /.test(text));
        equal(says(table[key]), [false, false, true], `${key}: "de" in its forms`);
      }
    }
  });
}

test('texts: Romanian counts as its speakers do', () => {
  const forms = [0, 1, 2, 19, 20, 101].map((n) =>
    formatted(tables.ro['ui.counter.commands'], { n }, 'ro'));
  equal(
    forms,
    ['0 comenzi', '1 comandă', '2 comenzi', '19 comenzi', '20 de comenzi', '101 comenzi'],
    'forms',
  );
});

test('element: its words are those of the translations', async () => {
  const source = fs.readFileSync(path.join(ROOT, 'web/hotkv-player.js'), 'utf8');
  for (const file of ['en', 'ro', 'zh']) {
    const texts = tables[file];
    const keys = ['facade.start', 'ui.session.recorded', 'ui.session.loading', 'embed.title'];
    for (const key of keys) {
      check(source.includes(`'${texts[key]}'`), `${file}: ${key} is another text`);
    }
  }
});
