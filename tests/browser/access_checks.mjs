// For everybody: axe on what a session shows, narrow screens, fingers, zoom.
import { violationsInBoth } from './axe.mjs';
import { LANGUAGES, check, equal, playerOf, stepToEnd, test } from './harness.mjs';

const PHONE = { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true };

for (const { file, locks: where } of LANGUAGES) {
  test(`axe: ${file}, what a session shows`, async (t) => {
    // How it is before the first step, access_pages_checks.mjs has seen.
    const page = await t.session(where);
    await stepToEnd(page);
    await page.evaluate(() => document.querySelectorAll('details').forEach((d) => (d.open = true)));
    equal(await violationsInBoth(page), [], 'at the end');
    const player = await playerOf(page);
    await player.evaluate((p) => p.exec('B', 'n1', 'NOSUCH'));
    await page.fill('[data-param="ttl"]', 'x');
    await page.press('[data-param="ttl"]', 'Enter');
    equal(await violationsInBoth(page), [], 'on a branch, with a refused parameter');
    await page.click('[data-act="help"]');
    equal(await violationsInBoth(page), [], 'with the list of keys');
  });

  test(`axe: ${file}, recorded`, async (t) => {
    const page = await t.open(where, {
      before: (p) => p.route('**/*.wasm', (route) => route.abort()),
    });
    await page.click('[data-act="activate"]');
    await page.waitForSelector('[data-status="recorded"]');
    equal(await violationsInBoth(page), [], 'recorded');
  });

  test(`layout: ${file} fits 320 px, and has targets that a finger meets`, async (t) => {
    const page = await t.session(where, { context: PHONE });
    await stepToEnd(page);
    await page.tap('[data-act="back"]');
    await page.waitForSelector('[data-step="4"][aria-current="step"]');
    equal(await violationsInBoth(page), [], 'axe');
    const player = await playerOf(page);
    await player.evaluate((p) => p.exec('A', 'n1', `SET k ${'x'.repeat(300)}`));
    await player.evaluate((p) => p.exec('A', 'n1', 'GET k'));
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    check(wide <= 320, `the page is ${wide} px wide`);
    const small = await page.$$eval('button, select, input, summary, nav a', (all) =>
      all
        .filter((one) => one.checkVisibility() && one.type !== 'checkbox')
        .map((one) => [one.outerHTML.slice(0, 80), one.getBoundingClientRect()])
        .filter(([, box]) => box.width > 0 && (box.height < 43.5 || box.width < 24))
        .map(([html, box]) => `${html} ${box.width}x${box.height}`),
    );
    equal(small, [], 'targets below 44 px');
  });
}

test('layout: nothing is cut at 200 % zoom', async (t) => {
  // A viewport of half the size is what zooming to 200 % gives.
  const page = await t.session('locks/', { context: { viewport: { width: 640, height: 450 } } });
  check(
    (await page.evaluate(() => document.documentElement.scrollWidth)) <= 640,
    'scrolls sideways',
  );
});
