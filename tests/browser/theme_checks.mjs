// The colours of the page: light, dark, remembered.
import * as fs from 'node:fs';
import * as path from 'node:path';
import { ROOT, check, equal, test } from './harness.mjs';

test('theme: the page and the player have the same colours, light and dark', () => {
  const text = (file) => fs.readFileSync(path.join(ROOT, file), 'utf8');
  const page = [...text('site/src/styles/palette.css').matchAll(
    /^ {2}(--[\w-]+): light-dark\((#\w+), (#\w+)\);$/gm)].map((one) => one.slice(1));
  check(page.length >= 16, `only ${page.length} colours`);
  const player = text('web/player.css');
  // A page that embeds the player may set two of them.
  const colours = (block) => Object.fromEntries([...block.matchAll(
    /^ {2}(--[\w-]+): (?:var\(--hotkv-\w+, )?(#\w+)\)?;$/gm)].map((one) => one.slice(1)));
  const [, light] = /^\.session \{([^}]*)\}/m.exec(player);
  const [, dark] = /^\.session\[data-scheme='dark'\] \{([^}]*)\}/m.exec(player);
  equal(colours(light), Object.fromEntries(page.map(([name, one]) => [name, one])), 'light');
  equal(colours(dark), Object.fromEntries(page.map(([name, , one]) => [name, one])), 'dark');
});

test('theme: follows the system, and the choice is remembered', async (t) => {
  const page = await t.session('locks/', { context: { colorScheme: 'dark' } });
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await ground();
  await page.click('[data-part="theme"]');
  const light = await ground();
  check(dark !== light, 'the theme did not change');
  await page.reload();
  equal(await ground(), light, 'after loading again');
});
