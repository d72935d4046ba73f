// axe: what it finds wrong in a page, also inside the players. Only that is fetched, and the page
// stays as it is, so that one page can be asked again and again.
import * as fs from 'node:fs';
import { createRequire } from 'node:module';

const FILE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const SOURCE = fs.readFileSync(FILE, 'utf8');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
// The rules whose verdict depends on the colours.
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/** A list of sentences, empty where all is well. axe must not be asked twice at a time. */
async function found(page, runOnly) {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(SOURCE);
  return page.evaluate(async (rules) => {
    const { violations } = await window.axe.run(document, {
      runOnly: rules, resultTypes: ['violations'], iframes: false,
    });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.target} ${node.failureSummary}`));
  }, runOnly);
}

export const violations = (page) => found(page, { type: 'tag', values: TAGS });

/** Waits until the page and its player, if there is one, have this scheme. */
async function inScheme(page, scheme) {
  await page.emulateMedia({ colorScheme: scheme });
  await page.waitForFunction((wanted) => {
    const player = document.querySelector('hotkv-player');
    const drawn = player?.shadowRoot.querySelector('.session, .poster');
    return !drawn || drawn.dataset.scheme === wanted;
  }, scheme);
}

/** In the scheme of the page everything; in the other one what depends on colours. */
export async function violationsInBoth(page) {
  await inScheme(page, 'light');
  const light = await violations(page);
  await inScheme(page, 'dark');
  const dark = await found(page, { type: 'rule', values: OF_COLOURS });
  return [...light, ...dark.map((one) => `dark: ${one}`)];
}
