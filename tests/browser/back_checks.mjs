// Back is as if it had never happened: playing, stepping, going back, links, what-ifs.
import { check, equal, playerOf, shownTranscript, stepToEnd, test } from './harness.mjs';

const label = (page) => page.textContent('[data-part="label"]');

test('session: plays to its end, says so, and plays again', async (t) => {
  const page = await t.session();
  await page.selectOption('[data-part="speed"]', '8');
  await page.click('[data-act="play"]');
  await page.waitForSelector('[data-status="playing"]');
  equal(await page.textContent('[data-part="play-name"]'), 'Pause', 'the button while it plays');
  await page.waitForSelector('[data-status="ended"]');
  equal(await label(page), 'Session example – ended', 'label');
  const entries = await shownTranscript(page);
  equal(entries.length, await page.locator('[data-step]').count(), 'entries');
  await page.click('[data-act="play"]');
  await page.waitForSelector('[data-status="playing"]');
  await page.click('[data-act="play"]');
  await page.waitForSelector('[data-status="paused"], [data-status="ready"]');
  check((await shownTranscript(page)).length < entries.length, 'it did not begin anew');
  equal(page.faults, [], 'console');
});

test('session: step, back and the list of steps tell the same story', async (t) => {
  const page = await t.session();
  await stepToEnd(page);
  const whole = await shownTranscript(page);
  await page.click('[data-act="start"]');
  await page.waitForSelector('[data-status="ready"]');
  await page.click('[data-step="3"]');
  await page.waitForSelector('[data-step="3"][aria-current="step"]');
  equal(await shownTranscript(page), whole.slice(0, 3), 'after a click on step 3');
  await page.click('[data-act="back"]');
  await page.waitForSelector('[data-step="2"][aria-current="step"]');
  equal(await shownTranscript(page), whole.slice(0, 2), 'one step back');
  await page.click('[data-go="5"]');
  await page.waitForSelector('[data-step="5"][aria-current="step"]');
  equal(await shownTranscript(page), whole, 'from the prose');
});

test('session: what-ifs open a branch, play, and b returns to the same lesson', async (t) => {
  const page = await t.session();
  const player = await playerOf(page);
  await player.evaluate((p) => p.seek({ step: 2 }));
  const before = await player.evaluate((p) => p.hash());
  const tries = await player.evaluate((p) => p.lesson.tries.map((one) => one.id));
  check(tries.length >= 5, `only ${tries.length} what-ifs`);
  await page.selectOption('[data-part="speed"]', '8');
  for (const id of tries) {
    await page.click(`[data-try="${id}"]`);
    await page.waitForSelector('[data-part="branch"]:not([hidden])');
    await player.evaluate((p) => p.seek({ end: true }));
    equal(await label(page), 'Session example – your branch', `label of ${id}`);
    await page.focus('[data-act="play"]');
    await page.keyboard.press('b');
    await page.waitForSelector('[data-lane="0"][aria-pressed="true"]');
    await player.evaluate((p) => p.seek({ step: 2 }));
    equal(await player.evaluate((p) => p.hash()), before, `hash after ${id}`);
  }
  equal(page.faults, [], 'console');
});

test('session: a link brings back seed, parameters, actions and place', async (t) => {
  const page = await t.session();
  const player = await playerOf(page);
  await player.evaluate(async (p) => {
    await p.act('', 'seed', { value: 42 });
    await p.act('key', 'param', { value: 'lock:é,&~=%' });
    await p.seek({ step: 2 });
    await p.exec('B', 'n1', 'SET "a b" "c~&,%"');
    await p.exec('A', 'n1', 'GET "a b"');
  });
  const link = await player.evaluate((p) => p.link());
  const [hash, transcript] = await player.evaluate((p) => [p.hash(), p.transcript()]);
  await page.waitForFunction((wanted) => location.hash === wanted, link);
  const second = await t.session(link);
  await second.waitForFunction((wanted) => {
    return document.querySelector('hotkv-player').hash() === wanted;
  }, hash);
  const other = await playerOf(second);
  equal(await other.evaluate((p) => p.transcript()), transcript, 'transcript');
  equal(await other.evaluate((p) => p.status), 'branch', 'it waits for Play');
});

test('session: a link that makes no sense does no harm', async (t) => {
  for (const link of [
    '#lock',
    '#lock@99/step=2',
    '#lock/step=99',
    '#lock/x=1.Z.exec.n1.PING',
    '#lock/params=ttl:x',
    '#lock/params=ttl:,key:&seed=&x=~~',
    '#nothing',
    '#lock/at=999999',
  ]) {
    const page = await t.session(link);
    equal(page.faults, [], `console with ${link}`);
    check(/^Session example – /.test(await label(page)), `label with ${link}`);
    await t.closePages();
  }
});
