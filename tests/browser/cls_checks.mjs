// Layout shift, as the browser counts it (PerformanceObserver, `layout-shift`): none while a page
// with a player is loading, and none of the page around the player when its session starts.
import { equal, test } from './harness.mjs';

const PAGES = ['', 'locks/', 'stampede/', 'fencing/', 'redlock/'];
const SIZES = [{ width: 1280, height: 900 }, { width: 360, height: 740 }];

/** Keeps every shift that no input has just asked for, with what moved, in self.shifts. */
function observe() {
  self.shifts = [];
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) {
      if (hadRecentInput) continue;
      // What is inside a player is not told to the page: its node is null.
      const moved = sources.map(({ node }) => node && (node.id || node.className || node.nodeName));
      self.shifts.push({ value, moved: moved.filter(Boolean) });
    }
  }).observe({ type: 'layout-shift', buffered: true });
}

/** What is laid out now has been counted when two frames have passed. */
const settled = (page) => page.evaluate(() => document.fonts.ready.then(() =>
  new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))));

async function shiftsOf(page) {
  await settled(page);
  const shifts = await page.evaluate(() => self.shifts.splice(0));
  return { sum: shifts.reduce((all, { value }) => all + value, 0), shifts };
}

for (const viewport of SIZES) {
  test(`layout shift: none of a page that loads or starts, ${viewport.width} px`, async (t) => {
    for (const where of PAGES) {
      const page = await t.open(where, {
        context: { viewport }, before: (one) => one.addInitScript(observe),
      });
      const loading = await shiftsOf(page);
      equal(loading.shifts, [], `${where || '/'}: while loading`);
      await page.evaluate(() => document.querySelector('hotkv-player').activate());
      const { sum, shifts } = await shiftsOf(page);
      const around = shifts.filter(({ moved }) => moved.length > 0);
      equal(around, [], `${where || '/'}: around the session`);
      console.log(`        ${where || '/'}: inside the player ${sum.toFixed(4)}`);
      await t.closePages();
    }
  });
}
