// A session without a pointer: every action has a key, the focus is seen and never caught; and with
// reduced motion nothing moves.
import { check, equal, focused, playerOf, test } from './harness.mjs';

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
