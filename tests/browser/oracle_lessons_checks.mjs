// Every lesson, its seeds and what visitors do to it: the page's trace and hash are those that
// hotkv-sim prints when it is given the input log of the page's link.
import { spawnSync } from 'node:child_process';
import { ROOT, SIM, check, equal, test } from './harness.mjs';
import { LESSONS, VISITS, quickSession, simPrints, simWords, visit } from './lessons.mjs';

const SEEDS = [1, 7, 42, 20260101, 4294967295];

for (const lesson of LESSONS) {
  test(`oracle: lesson ${lesson}, every visit and what-if, five seeds`, async (t) => {
    const player = await quickSession(t, lesson);
    const tries = await player.evaluate((p) => p.lesson.tries.map((one) => one.id));
    const visits = [
      ...Object.entries(VISITS).map(([name, moves]) => ({ name, moves })),
      ...tries.map((attempt) => ({ name: `try ${attempt}`, attempt })),
    ];
    if (tries.length > 0) {
      visits.push({ name: 'a line in a what-if', attempt: tries[0], moves: VISITS['a line'] });
    }
    const done = new Set();
    for (const seed of SEEDS) {
      const hashes = new Set();
      for (const { name, attempt, moves } of visits) {
        const run = await visit(player, { seed, attempt, moves });
        const printed = simPrints(lesson, { seed, x: run.x }, '--trace', 'json', '--digest');
        equal(`${run.trace}digest ${run.hash}\n`, printed, `seed ${seed}, ${name}: ${run.x}`);
        for (const action of run.done) done.add(action);
        hashes.add(run.hash);
      }
      check(hashes.size === visits.length, `seed ${seed}: only ${hashes.size} different runs`);
    }
    equal([...done].sort().join(' '),
      'clock cut delay deliver drop dup exec heal kill pause restart', 'what visitors did');
  });
}

// A log, what the page keeps of it, and what hotkv-sim says of it.
const WRONG_LOGS = [
  ['x~1.A.exec.n1.PING', [{ at: 1, do: 'exec', client: 'A', node: 'n1', line: 'PING' }],
    /input 1, 'x': the event is no number/],
  ['1.kill.A~2.burn.A', [{ at: 1, do: 'kill', id: 'A' }],
    /input 2, '2.burn.A': the action is unknown/],
  ['5.pause.A.500~3.kill.A', [{ at: 5, do: 'pause', id: 'A', arg: 500 }],
    /input 2, '3.kill.A': the event lies before/],
  ['1.A.exec.n1.GET+%ff', [], /input 1, '1.A.exec.n1.GET\+%ff': the line is no text/],
  ['1.drop.A-n1', [], /the number of the message is no number/],
  ['0.try.no%20px', [], /the what-if is no id/],
  ['1.pause.A.soon~', [], /the milliseconds are no number/],
];

test('oracle: a wrong log is refused natively, and the page keeps what is readable', async (t) => {
  const player = await quickSession(t, 'lock');
  for (const [x, kept, said] of WRONG_LOGS) {
    const words = simWords('lock', { seed: 7, x });
    const { status, stderr } = spawnSync(SIM, words, { encoding: 'utf8', cwd: ROOT });
    equal(status, 2, `exit code of ${x}`);
    check(said.test(stderr), `${x}: ${stderr}`);
    const [inputs, hash] = await player.evaluate(async (p, log) => {
      await p.restore({ x: log });
      await p.seek({ end: true });
      return [p.inputs, p.hash()];
    }, x);
    equal(inputs, kept, `inputs of ${x}`);
    const good = x.split('~').filter((one) => kept.some(({ at }) => one.startsWith(`${at}.`)));
    const printed = simPrints('lock', { seed: 7, x: good.join('~') }, '--digest');
    equal(printed, `digest ${hash}\n`, `the world of ${good}`);
  }
});
