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

test('session: going back is as if it had never happened', async (t) => {
  const page = await t.session();
  const player = await playerOf(page);
  const wrong = await player.evaluate(async (p) => {
    const steps = p.lesson.steps.length;
    const direct = [];
    for (let n = 0; n <= steps; n++) {
      await p.seek({ step: 0 });
      await p.seek({ step: n });
      direct.push([p.hash(), p.trace(), JSON.stringify(p.transcript())].join('|'));
    }
    const found = [];
    for (let i = 0; i <= steps; i++) {
      for (let j = 0; j <= steps; j++) {
        await p.seek({ step: i });
        await p.seek({ step: j });
        const now = [p.hash(), p.trace(), JSON.stringify(p.transcript())].join('|');
        if (now !== direct[j]) found.push(`${i} then ${j}`);
      }
    }
    if (new Set(direct.map((one) => one.split('|')[0])).size !== steps + 1)
      found.push('equal hashes');
    return found;
  });
  equal(wrong, [], 'pairs of steps that differ from a direct way');
});

test('session: a random walk of 200 moves ends where a direct way ends', async (t) => {
  const page = await t.session();
  const player = await playerOf(page);
  const wrong = await player.evaluate(async (p) => {
    // A walk that is the same at each run: a linear congruential generator of its own.
    let seed = 20260101;
    const below = (n) => (seed = (seed * 1103515245 + 12345) % 2147483648) % n;
    await p.seek({ end: true });
    const length = p.state().event;
    const direct = new Map();
    for (let event = 0; event <= length; event++) {
      await p.seek({ event: 0 });
      await p.seek({ event });
      direct.set(event, p.hash());
    }
    const found = [];
    for (let move = 0; move < 200; move++) {
      const kind = below(6);
      if (kind === 0) await p.seek({ event: below(length + 1) });
      else if (kind === 1) await p.seek({ step: below(p.lesson.steps.length + 1) });
      else if (kind === 2) await p.stepBy(below(2) ? 1 : -1);
      else if (kind === 3) await p.eventBy(below(2) ? 1 : -1);
      else if (kind === 4) await p.seek({ ms: below(200) });
      else p.speed = [0.25, 1, 8][below(3)];
      if (p.hash() !== direct.get(p.state().event)) found.push([move, kind, p.state().event]);
    }
    return found;
  });
  equal(wrong, [], 'moves that led to another world');
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
