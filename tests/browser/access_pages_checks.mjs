// Every page for everybody: axe in light and dark, and no page wider than a small phone. One page
// of the browser visits them all, so that scripts and engine are loaded once.
import { violationsInBoth } from './axe.mjs';
import { LANGUAGES, WAIT_MS, check, equal, test } from './harness.mjs';
import { allPages } from './site_pages.mjs';

const pages = allPages();

/** Goes there; a session on the page is ready afterwards. */
async function visit(t, page, where) {
  await page.goto(t.url + where, { waitUntil: 'load', timeout: WAIT_MS });
  await page.evaluate(() => document.querySelector('hotkv-player')?.activate().then(() => true));
}

test('pages: none is wider than 320 px', async (t) => {
  const page = await t.open('', { context: { viewport: { width: 320, height: 640 } } });
  for (const where of pages.filter((one) => !one.includes('decisions/'))) {
    await visit(t, page, where);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    check(wide <= 320, `${where} is ${wide} px wide`);
  }
});

for (const { file, path: below } of LANGUAGES) {
  test(`axe: every page, ${file}`, async (t) => {
    const isOwn = (page) => (below ? page.startsWith(below) : !/^(ro|zh-cn)\//.test(page));
    const own = pages.filter(isOwn);
    const page = await t.open('');
    for (const where of own) {
      await visit(t, page, where);
      await page.evaluate(() =>
        document.querySelectorAll('details').forEach((d) => (d.open = true)),
      );
      // Before axe, which tries its own style sheets, against the page's policy.
      equal(page.faults, [], `${where}: console`);
      equal(await violationsInBoth(page), [], where);
      page.faults.length = 0;
    }
    console.log(`        ${own.length} pages`);
  });
}

const FRAMES = [
  ...LANGUAGES.map(({ file }) => `lesson=lock&step=2&lang=${file}`),
  'lesson=redlock&step=1&lang=ro', 'lesson=stampede&step=2&lang=zh', 'lesson=fencing&step=3',
  'lesson=lock&console=off&panels=stage,steps&lang=ro', 'lesson=sandbox&panels=transcript',
];

test('axe: the page for frames, each lesson, three languages', async (t) => {
  const page = await t.open('embed.html?loading=click');
  equal(await violationsInBoth(page), [], 'not started');
  for (const query of FRAMES) {
    await visit(t, page, `embed.html?loading=eager&${query}`);
    equal(await violationsInBoth(page), [], query);
  }
});
