// No lesson is a script: other names, another order and other times give what the engine makes of
// them, and every figure on the screen can be counted again from the trace.
import { check, equal, playerOf, shownTranscript, stepToEnd, test } from './harness.mjs';
import { LESSONS, lessonPage, simPrints, textOf } from './lessons.mjs';
import { brokenOf, countersOf, goalsOf } from './recount.mjs';

const STORIES = LESSONS.filter((lesson) => /^step /m.test(textOf(lesson)));

/** The log on the page as hotkv-sim prints it: without titles, which are of the language. */
async function shownText(page) {
  const entries = await shownTranscript(page);
  const said = (text) => text.replace(/^# .*\n(?=.)/, '');
  return entries.map(({ actor, text }) => `${actor}: ${said(text)}\n`).join('');
}

/** What hotkv-sim prints of the same run, with the actor in front as on the page. */
function printedText(lesson, run) {
  const lines = simPrints(lesson, run, '--transcript').split('\n');
  let text = '';
  while (lines.length > 1) {
    // "# Client 1: step", then what was said, or "# what a program came to".
    const line = lines.shift();
    const header = /^# ([^:]*)/.exec(line);
    text += header ? `${header[1]}: ${lines.shift()}\n` : `${line}\n`;
  }
  return text;
}

const isNumber = (value) => /^\d+$/.test(value);

/** Another word of the same length: fencing numbers grow with the bytes that are written. */
const rotated = (value) => value.replace(/[a-z]/g, (c) =>
  String.fromCharCode(97 + ((c.charCodeAt(0) - 97 + 13) % 26)));

/** Other words for all parameters that are words. */
const renamed = (params, other) => Object.fromEntries(params
  .filter(({ value }) => !isNumber(value)).map(({ name, value }) => [name, other(value)]));

for (const lesson of STORIES) {
  test(`script: lesson ${lesson}, other names are shown, and change nothing else`, async (t) => {
    const page = await lessonPage(t, lesson);
    const player = await playerOf(page);
    const { params, seed } = await player.evaluate((p) => p.lesson);
    await player.evaluate((p) => p.seek({ end: true }));
    const before = await shownText(page);
    equal(before, printedText(lesson, { seed }), 'the lesson itself');
    const withNames = async (names) => {
      for (const [name, value] of Object.entries(names)) {
        await page.fill(`[data-param="${name}"]`, value);
        await page.press(`[data-param="${name}"]`, 'Enter');
        await player.evaluate((p) => p.seek({ end: true }));
      }
      const text = await shownText(page);
      equal(text, printedText(lesson, { seed, params: names }), 'what hotkv-sim prints');
      return text;
    };
    let replaced = before;
    for (const { value } of params.filter((one) => !isNumber(one.value))) {
      replaced = replaced.replaceAll(value, rotated(value));
    }
    equal(await withNames(renamed(params, rotated)), replaced, 'the lesson with other words');
    await withNames(renamed(params, (value) => `ș锁${value}`));
    equal(page.faults, [], 'console');
  });

  test(`script: lesson ${lesson}, what-ifs, checks, goals and counters`, async (t) => {
    const page = await lessonPage(t, lesson);
    const player = await playerOf(page);
    const { tries, steps, invariants, goals } = await player.evaluate((p) => p.lesson);
    check(steps.length >= 4 && steps.length <= 8, `${steps.length} steps`);
    check(invariants.length >= 1 && goals.length === 1, 'an invariant and a goal');
    check(await page.locator('[data-act="roll"]').isVisible(), 'no button for another seed');
    const recount = async (what) => {
      await player.evaluate((p) => p.seek({ end: true }));
      const trace = await player.evaluate((p) => p.trace());
      const figures = await page.$$eval('[data-part="counters"] dd', (all) =>
        all.map((one) => parseInt(one.textContent.replace(/[^0-9]/g, ''), 10)));
      // A line of a megabyte is cut in the trace, so nobody can count its words.
      if (what !== 'try digest') equal(figures, countersOf(textOf(lesson), trace), what);
      const signs = await page.$$eval('[data-part="invariants"] li', (all) =>
        all.map((one) => one.className));
      const broken = brokenOf(trace);
      const reached = goalsOf(trace);
      equal(signs, [
        ...invariants.map(({ id }) => (broken.has(id) ? 'broken' : 'holds')),
        ...goals.map(({ id }) => (reached.has(id) ? 'reached' : 'open')),
      ], `checks, ${what}`);
      return { broken, reached };
    };
    const told = await recount('the lesson');
    equal([...told.broken, ...told.reached], [], 'broken or reached without a visitor');
    const reached = new Set();
    for (const { id } of tries) {
      await page.click(`[data-try="${id}"]`);
      await page.waitForSelector(`[data-try="${id}"][aria-pressed="true"]`);
      for (const goal of (await recount(`try ${id}`)).reached) reached.add(goal);
    }
    equal([...reached], goals.map(({ id }) => id), 'goals that some what-if reaches');
    for (const seed of [1, 42]) {
      await player.evaluate((p, value) => p.act('', 'seed', { value }), String(seed));
      await recount(`seed ${seed}`);
    }
    equal(page.faults, [], 'console');
  });
}

test('script: B first, and A is the one that is refused', async (t) => {
  const page = await t.session();
  const player = await playerOf(page);
  const { key, token_b, ttl } = await player.evaluate((p) => p.params);
  await page.selectOption('[data-part="client"]', 'B');
  await page.fill('[data-part="line"]', `SET ${key} ${token_b} NX PX ${ttl}`);
  await page.press('[data-part="line"]', 'Enter');
  await page.waitForSelector('.entry.mine');
  await stepToEnd(page);
  const replies = (await shownTranscript(page)).map(({ text }) => text.split('\n').at(-1));
  equal(replies.slice(0, 3), ['OK', '(nil)', '(nil)'], "B's own, A's and the lesson's B");
  equal(replies.slice(4), ['(integer) 0', '(integer) 0'], "A's releases");
  const x = /[/&]x=([^&]*)/.exec(await player.evaluate((p) => p.link()))[1];
  equal(await shownText(page), printedText('lock', { seed: 7, x }), 'what hotkv-sim prints');
});

test('script: without jitter all copies of an entry are gone at once', async (t) => {
  const page = await lessonPage(t, 'stampede');
  const player = await playerOf(page);
  const gone = async () => {
    await player.evaluate((p) => p.seek({ end: true }));
    const entries = await player.evaluate((p) => p.transcript().filter((one) =>
      one.step === 'jitter'));
    const nil = entries.filter((one) => one.line.startsWith('GET') && one.text === '(nil)').length;
    const ttls = new Set(entries.map((one) => / PX (\d+)/.exec(one.line)?.[1]).filter(Boolean));
    return [nil, ttls.size];
  };
  const [some, ttls] = await gone();
  check(some > 0 && some < 11 && ttls > 1, `with jitter ${some} are gone, ${ttls} times to live`);
  await page.fill('[data-param="jitter"]', '0');
  await page.press('[data-param="jitter"]', 'Enter');
  await page.waitForSelector('[data-status="branch"]');
  equal(await gone(), [11, 1], 'copies that are gone, times to live');
});
