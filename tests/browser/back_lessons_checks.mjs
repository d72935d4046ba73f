// Back is as if it had never happened, in every lesson: pairs of steps, random walks, links.
import { equal, playerOf, test } from './harness.mjs';
import { LESSONS, VISITS, lessonPage, quickSession, visit } from './lessons.mjs';

const MOVES = 200;

/**
 * 200 moves in the lesson and in the branch beside it, the same at each run: those that led to
 * another world than the direct way. `kinds` counts what was done.
 */
function walk(player) {
  return player.evaluate(async (p, moves) => {
    // A linear congruential generator; its low bits are poor, so the high ones are taken.
    let seed = 20260101;
    const below = (n) => {
      seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
      return Math.floor((seed / 2 ** 32) * n);
    };
    const lane = () => p.state().lanes.find((one) => one.current).name;
    await p.seek({ end: true });
    const end_ms = p.state().time_us / 1000;
    const played = () => new Promise((resolve) => {
      const before = p.state().event;
      const look = () => {
        if (p.state().event === before && p.status === 'playing') return;
        p.removeEventListener('statechange', look);
        p.pause();
        resolve();
      };
      p.addEventListener('statechange', look);
      p.speed = 8;
      p.play();
    });
    const kinds = {
      event: () => p.seek({ event: below(p.state().length + 1) }),
      step: () => p.seek({ step: below(p.lesson.steps.length + 1) }),
      ms: () => p.seek({ ms: below(end_ms) }),
      stepBy: () => p.stepBy(below(2) ? 1 : -1),
      eventBy: () => p.eventBy(below(2) ? 1 : -1),
      play: () => (below(4) ? p.eventBy(-1) : played()),
      speed: () => { p.speed = [0.25, 1, 8][below(3)]; },
      lane: () => p.act(String(below(2) ? 0 : p.state().lanes.at(-1).name), 'branch'),
    };
    const names = Object.keys(kinds);
    const seen = {};
    const done = {};
    for (let move = 0; move < moves; move++) {
      const kind = names[below(names.length)];
      await kinds[kind]();
      done[kind] = (done[kind] ?? 0) + 1;
      (seen[lane()] ??= []).push({ move, kind, event: p.state().event, hash: p.hash() });
    }
    // The direct way: once from the start to the end, in each lane.
    const found = [];
    for (const [name, places] of Object.entries(seen)) {
      await p.act(name, 'branch');
      await p.seek({ step: 0 });
      for (const place of places.sort((a, b) => a.event - b.event)) {
        await p.seek({ event: place.event });
        if (p.hash() !== place.hash) found.push({ lane: name, ...place });
      }
    }
    return { found, done };
  }, MOVES);
}

/** The session in the middle of its run, what its link is there, and the world at other places. */
function worldsOf(player) {
  return player.evaluate(async (p) => {
    const hashAt = async (target) => {
      await p.seek(target);
      return p.hash();
    };
    const middle = { event: Math.floor(p.state().length / 2) };
    const places = [{ step: 0 }, { step: 1 }, { end: true }];
    const others = [];
    for (const place of places) others.push(await hashAt(place));
    const hash = await hashAt(middle);
    const { inputs, seed } = p;
    return { link: p.link(), hash, others, inputs, seed, transcript: p.transcript() };
  });
}

function untilAt(page, hash) {
  return page.waitForFunction((wanted) => {
    return document.querySelector('hotkv-player').hash() === wanted;
  }, hash);
}

for (const lesson of LESSONS) {
  test(`back: lesson ${lesson}, all pairs of steps`, async (t) => {
    const player = await quickSession(t, lesson);
    const wrong = await player.evaluate(async (p) => {
      const world = () => [p.hash(), p.trace(), JSON.stringify(p.transcript())].join('|');
      const steps = p.lesson.steps.length;
      const direct = [];
      for (let n = 0; n <= steps; n++) {
        await p.seek({ step: 0 });
        await p.seek({ step: n });
        direct.push(world());
      }
      const found = [];
      for (let i = 0; i <= steps; i++) {
        for (let j = 0; j <= steps; j++) {
          await p.seek({ step: i });
          await p.seek({ step: j });
          if (world() !== direct[j]) found.push(`${i} then ${j}`);
        }
      }
      if (new Set(direct).size !== steps + 1) found.push('two steps are the same world');
      return found;
    });
    equal(wrong, [], 'pairs of steps that differ from a direct way');
  });

  test(`back: lesson ${lesson}, a walk of ${MOVES} moves`, async (t) => {
    const player = await quickSession(t, lesson);
    await visit(player, { seed: 42, moves: VISITS.messages });
    const { found, done } = await walk(player);
    equal(found, [], 'moves that led to another world');
    equal(Object.keys(done).sort(), ['event', 'eventBy', 'lane', 'ms', 'play', 'speed', 'step',
      'stepBy'], 'kinds of moves');
  });

  test(`back: lesson ${lesson}, links bring back its places and branches`, async (t) => {
    const player = await quickSession(t, lesson);
    const page = await lessonPage(t, lesson);
    const other = await playerOf(page);
    const visits = Object.entries(VISITS).map(([name, moves]) => ({ name, moves, seed: 42 }));
    const tries = await player.evaluate((p) => p.lesson.tries.map((one) => one.id));
    visits.push(...tries.map((attempt) => ({ name: `try ${attempt}`, attempt, seed: 1 })));
    for (const { name, ...what } of visits) {
      await visit(player, what);
      const wanted = await worldsOf(player);
      await page.evaluate((hash) => { location.hash = hash; }, wanted.link);
      await untilAt(page, wanted.hash);
      equal(await worldsOf(other), wanted, name);
    }
    // The last one again, in a page that knows nothing but its address.
    const { link, hash } = await worldsOf(player);
    await page.evaluate((text) => history.replaceState(null, '', text), link);
    await page.reload();
    await untilAt(page, hash);
    equal(await worldsOf(await playerOf(page)), await worldsOf(player), 'after a reload');
    equal(page.faults, [], 'console');
  });
}
