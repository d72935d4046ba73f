// Calm: a page that nobody touches costs nothing.
import { equal, playerOf, test } from './harness.mjs';

test('idle: a paused session does nothing', async (t) => {
  const page = await t.session();
  await page.click('[data-act="step"]');
  await page.waitForSelector('[data-step="1"][aria-current="step"]');
  const player = await playerOf(page);
  const events = () => player.evaluate((p) => p.stats().events);
  const before = await events();
  await page.evaluate(
    () =>
      new Promise((done) => {
        let frames = 0;
        const count = () => (++frames === 30 ? done() : requestAnimationFrame(count));
        count();
      }),
  );
  equal(await events(), before, 'events run while paused');
});
