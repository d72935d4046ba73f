// In the other lessons a message of each step is dropped, as visitors drop it: a branch opens, the
// panel of invariants says what the native checker says of the same run, and `b` brings the lesson
// back.
import { check, equal, playerOf, test } from './harness.mjs';
import { LESSONS, lessonPage, textOf } from './lessons.mjs';
import { verdictsAgree } from './verdicts.mjs';

/** The sandbox has no steps; of the lock, faults_checks.mjs drops every message. */
const TOLD = LESSONS.filter((one) => one !== 'lock' && /^step /m.test(textOf(one)));

/** Whether nobody says anything in step n (from 1): somebody pauses, or time passes. */
function isQuiet(lesson, n) {
  const steps = textOf(lesson).match(/^step .*$/gm);
  return !/[\w*]> | runs? /.test(steps[n - 1]);
}

/** To the first event of step n (from 1) after which a message is on its way: its id, or null. */
function toMessageOf(session, n) {
  return session.evaluate(async (s, step) => {
    await s.act('', 'lesson');
    await s.seek({ step: step - 1 });
    while (s.state().step < step && s.state().messages.length === 0) await s.eventBy(1);
    const on = s.state().messages;
    return s.state().step < step ? (on.find((one) => one.kind === 'request') ?? on[0]).id : null;
  }, n);
}

async function dropOne(page, session, id) {
  await page.press(`[data-item="${id}"]`, 'Enter');
  await page.getByRole('menuitem', { name: 'Drop', exact: true }).click();
  await page.waitForSelector(`[data-item="${id}"]`, { state: 'detached' });
  const { status, last } = await session.evaluate((s) =>
    ({ status: s.status, last: s.inputs.at(-1) }));
  equal([status, last.do, last.id], ['branch', 'drop', id], `after dropping ${id}`);
}

for (const lesson of TOLD) {
  test(`faults: lesson ${lesson}, a message of each step is dropped`, async (t) => {
    const page = await lessonPage(t, lesson);
    const session = await playerOf(page);
    const { steps, untouched } = await session.evaluate(async (s) => {
      await s.seek({ end: true });
      return { steps: s.lesson.steps.length, untouched: s.hash() };
    });
    let broken = 0;
    for (let n = 1; n <= steps; n++) {
      const id = await toMessageOf(session, n);
      equal(id === null, isQuiet(lesson, n), `step ${n} has no message`);
      if (id === null) continue;
      await dropOne(page, session, id);
      broken += await verdictsAgree(page, session, lesson, `step ${n}`);
      await page.focus('[data-act="play"]');
      await page.keyboard.press('b');
      await page.waitForSelector('[data-lane="0"][aria-pressed="true"]');
      const back = await session.evaluate(async (s) => {
        await s.seek({ end: true });
        return [s.isBranch, s.hash()];
      });
      equal(back, [false, untouched], `step ${n}: the lesson afterwards`);
    }
    equal(page.faults, [], 'console');
    console.log(`        ${steps} steps, ${broken} broken invariants`);
  });
}

// A run in which the checker has something to say, so that agreement above is not silence.
test('faults: the panel tells a broken invariant as the native checker does', async (t) => {
  const page = await lessonPage(t, 'lock');
  const session = await playerOf(page);
  const tries = await session.evaluate((s) => s.lesson.tries.map((one) => one.id));
  let broken = 0;
  for (const id of tries) {
    await session.evaluate((s, name) => s.act(name), id);
    broken += await verdictsAgree(page, session, 'lock', `what-if ${id}`);
  }
  check(broken > 0, 'no what-if breaks anything');
});
