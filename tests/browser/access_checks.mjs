// For everybody: axe, the keyboard alone, narrow screens, zoom, reduced motion, forced colours.
import AxeBuilder from '@axe-core/playwright';
import { LANGUAGES, check, equal, focused, playerOf, stepToEnd, test } from './harness.mjs';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const PHONE = { viewport: { width: 360, height: 780 }, hasTouch: true, isMobile: true };

async function violations(page) {
  const { violations: found } = await new AxeBuilder({ page }).withTags(TAGS).analyze();
  return found.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target} ${node.failureSummary}`),
  );
}

for (const { file, path: root, locks: where } of LANGUAGES) {
  // Contrast is the same in each language, so the dark theme is looked at in one.
  const schemes = file === 'en' ? ['light', 'dark'] : ['light'];
  for (const colorScheme of schemes) {
    test(`axe: ${file}, ${colorScheme}`, async (t) => {
      const page = await t.session(where, { context: { colorScheme } });
      equal(await violations(page), [], 'before the first step');
      await stepToEnd(page);
      await page.evaluate(() =>
        document.querySelectorAll('details').forEach((d) => (d.open = true)),
      );
      equal(await violations(page), [], 'at the end');
      const player = await playerOf(page);
      await player.evaluate((p) => p.exec('B', 'n1', 'NOSUCH'));
      await page.fill('[data-param="ttl"]', 'x');
      await page.press('[data-param="ttl"]', 'Enter');
      equal(await violations(page), [], 'on a branch, with a refused parameter');
      await page.click('[data-act="help"]');
      equal(await violations(page), [], 'with the list of keys');
    });
  }

  test(`axe: ${file}, phone`, async (t) => {
    const page = await t.session(where, { context: PHONE });
    await page.tap('[data-act="step"]');
    await page.waitForSelector('[data-step="1"][aria-current="step"]');
    equal(await violations(page), [], 'violations');
  });

  test(`axe: ${file}, recorded, reference`, async (t) => {
    const page = await t.open(where, {
      before: (p) => p.route('**/*.wasm', (route) => route.abort()),
    });
    await page.waitForSelector('[data-status="recorded"]');
    equal(await violations(page), [], 'recorded');
    for (const colorScheme of schemes) {
      const reference = await t.open(`${root}reference/commands/`, { context: { colorScheme } });
      equal(reference.faults, [], 'console');
      equal(await violations(reference), [], `reference, ${colorScheme}`);
    }
  });

  test(`layout: ${file} fits 320 px, and has targets that a finger meets`, async (t) => {
    const page = await t.session(where, {
      context: { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true },
    });
    await stepToEnd(page);
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
    const reference = await t.open(`${root}reference/commands/`, {
      context: { viewport: { width: 320, height: 640 } },
    });
    const far = await reference.evaluate(() => document.documentElement.scrollWidth);
    check(far <= 320, `the reference is ${far} px wide`);
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

test('keyboard: the whole session without a pointer', async (t) => {
  const page = await t.session();
  const current = (n) => page.waitForSelector(`[data-step="${n}"][aria-current="step"]`);
  await page.keyboard.press('Tab');
  equal(
    await page.evaluate(() => document.activeElement.getAttribute('href')),
    '#_top',
    'first in tab order: the way past the navigation',
  );
  for (let i = 0; i < 12; i++) {
    if ((await focused(page)) === 'play') break;
    await page.keyboard.press('Tab');
  }
  const key = (name) => page.keyboard.press(name);
  await key(']');
  await current(1);
  await key('ArrowRight');
  await current(2);
  await key('[');
  await current(1);
  await key('4');
  await current(4);
  await key('ArrowLeft');
  await current(3);
  await key('Home');
  await page.waitForSelector('[data-status="ready"]');
  await key('.');
  await page.waitForSelector('[data-status="paused"]');
  await key(',');
  await page.waitForSelector('[data-status="ready"]');
  await key('End');
  await page.waitForSelector('[data-status="ended"]');
  await key('+');
  equal(await page.inputValue('[data-part="speed"]'), '2', 'speed');
  await key('?');
  await page.waitForSelector('dialog[open]');
  await key('Escape');
  await page.waitForSelector('dialog:not([open])', { state: 'attached' });
  await key('/');
  equal(await focused(page), 'line', 'focus after /');
  await page.keyboard.type('PING');
  await key('Enter');
  await page.waitForSelector('.entry.mine');
  await key('Escape');
  equal(await focused(page), 'play', 'focus after Esc');
  await key('b');
  await page.waitForSelector('[data-lane="0"][aria-pressed="true"]');
  await key('Space');
  await page.waitForSelector('[data-status="playing"]');
  await key('Space');
  await page.waitForSelector(
    '[data-status="paused"], [data-status="ready"], [data-status="ended"]',
  );
  equal(page.faults, [], 'console');
});

test('keyboard: no key works outside the session or in a field, and none is a trap', async (t) => {
  const page = await t.session();
  for (const key of [' ', ']', '3', 'End', '.']) await page.keyboard.press(key);
  await page.focus('[data-part="line"]');
  for (const key of [']', '3', '.', '?']) await page.keyboard.press(key);
  equal(await page.getAttribute('#session', 'data-status'), 'ready', 'status');
  await page.fill('[data-part="line"]', '');
  await page.keyboard.press('Tab');
  check(
    (await focused(page)) !== 'line',
    'Tab is trapped',
  );
  await page.focus('[data-part="line"]');
  await page.keyboard.type('SE');
  await page.keyboard.press('Shift+Tab');
  check(
    (await focused(page)) !== 'line',
    'Shift+Tab too',
  );
  await page.click('[data-act="help"]');
  await page.uncheck('[data-part="single-keys"]');
  await page.click('[data-part="help"] [data-act="close"]');
  await page.focus('[data-act="play"]');
  await page.keyboard.press(']');
  equal(await page.getAttribute('#session', 'data-status'), 'ready', 'with single keys off');
});

test('keyboard: the focus can be seen, in forced colours too', async (t) => {
  for (const forcedColors of ['none', 'active']) {
    const page = await t.session('locks/', { context: { forcedColors } });
    await page.keyboard.press('Tab');
    for (let i = 0; i < 15; i++) {
      const [outline, html] = await page.evaluate(() => {
        let one = document.activeElement;
        while (one.shadowRoot?.activeElement) one = one.shadowRoot.activeElement;
        return [getComputedStyle(one).outlineStyle, one.outerHTML.slice(0, 100)];
      });
      check(outline !== 'none', `no outline on ${html}`);
      await page.keyboard.press('Tab');
    }
  }
});

test('motion: with reduced motion nothing moves but by whole events', async (t) => {
  const page = await t.session('locks/', { context: { reducedMotion: 'reduce' } });
  const moving = await page.evaluate(
    () =>
      document.getAnimations().length +
      [...document.querySelectorAll('#session *')].filter((one) => {
        return parseFloat(getComputedStyle(one).transitionDuration) > 0;
      }).length,
  );
  equal(moving, 0, 'animations and transitions');
  const player = await playerOf(page);
  equal(await player.evaluate((p) => p.motion), 'reduce', 'motion');
});
