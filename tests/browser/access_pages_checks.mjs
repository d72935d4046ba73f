// Every page for everybody: axe in light and dark, and no page wider than a small phone.
import AxeBuilder from '@axe-core/playwright';
import { LANGUAGES, check, equal, test } from './harness.mjs';
import { allPages } from './site_pages.mjs';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const pages = allPages();

test('pages: none is wider than 320 px', async (t) => {
  for (const where of pages.filter((page) => !page.includes('decisions/'))) {
    const page = await t.open(where, { context: { viewport: { width: 320, height: 640 } } });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    check(wide <= 320, `${where} is ${wide} px wide`);
    await t.closePages();
  }
});

for (const [i, { file, path: below }] of LANGUAGES.entries()) {
  test(`axe: every page, ${file}`, async (t) => {
    const isOwn = (page) => (below ? page.startsWith(below) : !/^(ro|zh-cn)\//.test(page));
    const own = pages.filter(isOwn);
    for (const [n, where] of own.entries()) {
      const colorScheme = (n + i) % 2 ? 'dark' : 'light';
      const page = await t.open(where, { context: { colorScheme } });
      await page.evaluate(() =>
        document.querySelectorAll('details').forEach((d) => (d.open = true)),
      );
      // Before axe, which tries its own style sheets, against the page's policy.
      equal(page.faults, [], `${where}: console`);
      const { violations } = await new AxeBuilder({ page }).withTags(TAGS).analyze();
      const said = violations.flatMap(({ id, nodes }) =>
        nodes.map((node) => `${id}: ${node.target} ${node.failureSummary}`),
      );
      equal(said, [], `${where} (${colorScheme})`);
      await t.closePages();
    }
    console.log(`        ${own.length} pages`);
  });
}
