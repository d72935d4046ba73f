// The canvas's pixels: as many as the screen has, in the colours of the theme, there again after
// the context was lost.
import { check, equal, test } from './harness.mjs';
import { drawnItem } from './canvas_checks.mjs';

const canvasOf = (page) => page.locator('[data-part="canvas"]');

for (const deviceScaleFactor of [1, 1.25, 2, 3]) {
  test(`pixels: at ${deviceScaleFactor} the canvas has the screen's own`, async (t) => {
    const page = await t.session('locks/', { context: { deviceScaleFactor } });
    await drawnItem(page, 'node');
    const { got, wanted } = await canvasOf(page).evaluate((canvas) => ({
      got: [canvas.width, canvas.height],
      wanted: [canvas.clientWidth, canvas.clientHeight].map((one) =>
        Math.round(one * devicePixelRatio)),
    }));
    equal(got, wanted, 'backing size');
  });
}

test('pixels: dark and light differ, and follow a change', async (t) => {
  const page = await t.session('locks/', { context: { colorScheme: 'light' } });
  await drawnItem(page, 'node');
  const light = await canvasOf(page).screenshot();
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.waitForSelector('.session[data-scheme="dark"]');
  const dark = await canvasOf(page).screenshot();
  check(!light.equals(dark), 'the same picture');
});

test('pixels: a lost context comes back with the same world', async (t) => {
  const page = await t.session();
  await drawnItem(page, 'node');
  const hash = await page.evaluate(() => document.querySelector('hotkv-player').hash());
  const back = await canvasOf(page).evaluate(async (canvas) => {
    const loser = canvas.getContext('webgl2').getExtension('WEBGL_lose_context');
    const heard = (name) => new Promise((done) => {
      canvas.addEventListener(name, done, { once: true });
    });
    const lost = heard('webglcontextlost');
    loser.loseContext();
    await lost;
    const restored = heard('webglcontextrestored');
    // A context may be asked back only after the page has heard of its loss.
    await new Promise((done) => { setTimeout(done); });
    loser.restoreContext();
    await restored;
    const before = document.querySelector('hotkv-player').stats().frames;
    while (document.querySelector('hotkv-player').stats().frames === before) {
      await new Promise(requestAnimationFrame);
    }
    return !canvas.getContext('webgl2').isContextLost();
  });
  check(back, 'still lost');
  equal(await page.evaluate(() => document.querySelector('hotkv-player').hash()), hash, 'hash');
});
