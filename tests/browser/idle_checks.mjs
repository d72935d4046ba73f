// Calm: a session that nobody touches, sees or wants costs nothing. What is measured is a span of
// real time, so these tests run alone; they begin when nothing is pending, and wait for nothing.
import { setTimeout as span } from 'node:timers/promises';
import { check, equal, test } from './harness.mjs';

const SPAN_MS = 3000;
const TASKS_MS_MAX = 15;
// The compiler of the browser learns from the first rounds, and what it learns stays.
const WARM_UP_ROUNDS = 10;
const ROUNDS = 5;
const GROWTH_MAX = 1.02;

/** Counts the timers and frames that the scripts of a page ask for, and those not yet over. */
function countWaiting() {
  const waiting = new Set();
  window.asked = 0;
  window.waiting = waiting;
  const counted = (set, clear) => {
    const [realSet, realClear] = [window[set].bind(window), window[clear].bind(window)];
    window[set] = (run, ...rest) => {
      window.asked++;
      const id = realSet((...given) => {
        waiting.delete(`${set} ${id}`);
        run(...given);
      }, ...rest);
      waiting.add(`${set} ${id}`);
      return id;
    };
    window[clear] = (id) => {
      waiting.delete(`${set} ${id}`);
      realClear(id);
    };
  };
  counted('setTimeout', 'clearTimeout');
  counted('requestAnimationFrame', 'cancelAnimationFrame');
  const { setInterval } = window;
  window.setInterval = (...given) => {
    window.asked++;
    waiting.add('setInterval');
    return setInterval(...given);
  };
}

async function counters(page, devtools) {
  const { metrics } = await devtools.send('Performance.getMetrics');
  const tasks_s = metrics.find((one) => one.name === 'TaskDuration').value;
  return page.evaluate((tasks) => ({
    tasks_ms: tasks * 1000,
    frames: document.querySelector('hotkv-player').stats().frames,
    asked: window.asked,
  }), tasks_s);
}

/** Holds that a page which has settled does nothing for three seconds. */
async function staysCalm(page, what) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable');
  while ((await page.evaluate(() => window.waiting.size)) > 0);
  await counters(page, devtools);
  const before = await counters(page, devtools);
  await span(SPAN_MS);
  const after = await counters(page, devtools);
  equal(after.frames - before.frames, 0, `${what}: frames`);
  equal(after.asked - before.asked, 0, `${what}: timers and frames asked for`);
  const tasks_ms = after.tasks_ms - before.tasks_ms;
  check(tasks_ms < TASKS_MS_MAX, `${what}: ${tasks_ms.toFixed(1)} ms of tasks`);
  console.log(`        ${what}: ${tasks_ms.toFixed(1)} ms of tasks in ${SPAN_MS} ms`);
}

const playing = (page) => page.evaluate(async () => {
  const el = document.querySelector('hotkv-player');
  el.scrollIntoView();
  await el.play();
  // It plays when it has drawn something that was not there before.
  const { frames } = el.stats();
  while (el.stats().frames < frames + 5) await new Promise(requestAnimationFrame);
  return el.status;
});

const paused = (page) => page.waitForFunction(
  () => document.querySelector('hotkv-player').status !== 'playing');

test('idle: paused, scrolled away while it played, hidden while it played', async (t) => {
  const page = await t.session('locks/', { before: (one) => one.addInitScript(countWaiting) });
  await page.click('[data-act="step"]');
  await page.waitForSelector('[data-step="1"][aria-current="step"]');
  await staysCalm(page, 'paused');

  equal(await playing(page), 'playing', 'status');
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await paused(page);
  await staysCalm(page, 'out of sight');

  equal(await playing(page), 'playing', 'status');
  await page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { get: () => true, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await paused(page);
  await staysCalm(page, 'hidden');
  equal(page.faults, [], 'console');
});

test('idle: what is disposed of is let go', async (t) => {
  const page = await t.open('locks/');
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable');
  const used = [];
  for (let round = 0; round <= WARM_UP_ROUNDS + ROUNDS; round++) {
    await page.evaluate(async () => {
      const el = document.createElement('hotkv-player');
      Object.assign(el, { lesson: 'lock', loading: 'eager' });
      document.querySelector('main').prepend(el);
      await el.ready;
      await el.seek({ end: true });
      el.dispose();
      el.remove();
    });
    await devtools.send('HeapProfiler.collectGarbage');
    const { metrics } = await devtools.send('Performance.getMetrics');
    const { backingStorageSize } = await devtools.send('Runtime.getHeapUsage');
    const of = (name) => metrics.find((one) => one.name === name).value;
    // The memory of an engine is in the buffers.
    used.push({ heap: of('JSHeapUsedSize'), nodes: of('Nodes'), buffers: backingStorageSize });
  }
  const [first, last] = [used[WARM_UP_ROUNDS], used.at(-1)];
  for (const name of ['heap', 'nodes', 'buffers']) {
    const grown = `${name}: from ${first[name]} to ${last[name]}`;
    console.log(`        ${grown}`);
    check(last[name] <= first[name] * GROWTH_MAX, grown);
  }
});
