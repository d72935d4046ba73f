// What visitors do to messages, links, nodes and clients, through the menus that everybody has:
// each is a branch, the lesson stays as it was, and the checks agree with the native build.
import { check, equal, focused, playerOf, test } from './harness.mjs';
import { verdictsAgree } from './verdicts.mjs';

/** Opens the menu of an item and chooses the entry with this text. */
async function choose(page, id, text) {
  await page.press(`[data-item="${id}"]`, 'Enter');
  await page.getByRole('menuitem', { name: text, exact: true }).click();
}

test('faults: every message in flight of the lesson is dropped through its menu', async (t) => {
  const page = await t.session();
  const session = await playerOf(page);
  const length = await session.evaluate((s) => s.state().length);
  const lesson = await session.evaluate(async (s) => {
    await s.seek({ end: true });
    return s.hash();
  });
  const dropped = new Set();
  for (let event = 0; event < length; event++) {
    await session.evaluate((s, at) => s.seek({ event: at }), event);
    const ids = await session.evaluate((s) => s.state().messages.map((one) => one.id));
    for (const id of ids.filter((one) => !dropped.has(one))) {
      dropped.add(id);
      await choose(page, id, 'Drop');
      await page.waitForSelector(`[data-item="${id}"]`, { state: 'detached' });
      const [status, inputs, trace] = await session.evaluate((s) => [
        s.status, s.inputs, s.trace(),
      ]);
      equal(status, 'branch', `status after ${id}`);
      equal(inputs, [{ at: event, do: 'drop', id }], `inputs after ${id}`);
      check(trace.includes(`"lost"`) && trace.includes(id), `the trace does not tell of ${id}`);
      await verdictsAgree(page, session, 'lock', id);
      await page.focus('[data-act="play"]');
      await page.keyboard.press('b');
      await page.waitForSelector('[data-lane="0"][aria-pressed="true"]');
      await session.evaluate((s) => s.seek({ end: true }));
      equal(await session.evaluate((s) => s.hash()), lesson, `the lesson after ${id}`);
      await session.evaluate((s, at) => s.seek({ event: at }), event);
    }
  }
  check(dropped.size >= 10, `only ${dropped.size} messages: ${[...dropped]}`);
  equal(page.faults, [], 'console');
});

test('faults: kill, restart, pause, cut, heal, clock, delay, duplicate, deliver', async (t) => {
  const page = await t.session();
  const session = await playerOf(page);
  const at = (event) => session.evaluate((s, place) => s.seek({ event: place }), event);
  await session.evaluate((s) => s.act('', 'lesson'));
  // To the first event with a message in flight.
  let [event, message] = [0, null];
  while (!message && event < 20) {
    await at(++event);
    [message] = await session.evaluate((s) => s.state().messages);
  }
  await choose(page, message.id, 'Delay by 100 ms');
  const due = (id) => session.evaluate((s, wanted) =>
    s.state().messages.find((one) => one.id === wanted)?.due_us, id);
  equal(await due(message.id), message.due_us + 100000, 'due after the delay');
  await choose(page, message.id, 'Duplicate');
  equal(await session.evaluate((s) => s.state().messages.length), 2, 'messages after "duplicate"');
  await choose(page, message.id, 'Deliver now');
  const now = await session.evaluate((s) => s.state().time_us);
  equal(await due(message.id), now, 'due after "deliver now"');
  await choose(page, 'n1', 'Kill');
  await page.waitForSelector('.actor.node[data-dead]');
  await choose(page, 'n1', 'Restart');
  await page.waitForSelector('.actor.node:not([data-dead])');
  await choose(page, message.link, 'Cut the link');
  await page.waitForSelector(`[data-item="${message.link}"][data-cut]`);
  await choose(page, message.link, 'Heal the link');
  await page.waitForSelector(`[data-item="${message.link}"]:not([data-cut])`);
  await choose(page, 'A', 'Pause 5 s');
  await page.waitForSelector('.actor.client[data-paused]');
  await choose(page, 'n1', 'Clock 1 s ahead');
  const actions = await session.evaluate((s) => s.inputs.map((input) => input.do));
  equal(actions, ['delay', 'dup', 'deliver', 'kill', 'restart', 'cut', 'heal', 'pause', 'clock'],
    'inputs');
  // The same again from the link alone.
  const [hash, link] = await session.evaluate(async (s) => {
    await s.seek({ end: true });
    return [s.hash(), s.link()];
  });
  const second = await t.session(link);
  equal(await (await playerOf(second)).evaluate((s) => s.hash()), hash, 'the world of the link');
  equal([...page.faults, ...second.faults], [], 'console');
});

test('faults: what the engine cannot do yet is dimmed and says so', async (t) => {
  const page = await t.session();
  await page.press('[data-item="n1"]', 'Enter');
  const entry = page.getByRole('menuitem', { name: /Stall fsync/ });
  equal(await entry.getAttribute('aria-disabled'), 'true', 'fsync stall');
  check((await entry.textContent()).includes('Comes with persistence'), 'it does not say why');
  const restart = page.getByRole('menuitem', { name: 'Restart', exact: true });
  equal(await restart.getAttribute('aria-disabled'), 'true', 'restart of a node that is up');
  await page.keyboard.press('Escape');
  equal(await focused(page), 'n1', 'focus after Esc');
});

test('faults: three branches stay beside the lesson, and tell their difference', async (t) => {
  const page = await t.session();
  const session = await playerOf(page);
  for (const event of [1, 2, 3, 4]) {
    await session.evaluate(async (s, at) => {
      await s.act('', 'lesson');
      await s.seek({ event: at });
      await s.act('A', 'kill');
    }, event);
  }
  equal(await page.locator('[data-lane]').count(), 4, 'lanes');
  await session.evaluate((s) => s.seek({ end: true }));
  await page.click('[data-part="difference"] summary');
  const list = page.locator('[data-part="difference-list"]');
  await list.getByText(/First different at event \d+/).waitFor();
  await page.click('[data-lane="0"]');
  await page.waitForSelector('[data-lane="0"][aria-pressed="true"]');
  equal(await session.evaluate((s) => s.isBranch), false, 'a branch after choosing the lesson');
});
