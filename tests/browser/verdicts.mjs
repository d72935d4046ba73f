// What holds in a run to its end and what is broken: as the panel of a page shows it, and as the
// native checker says it of the same run.
import { equal } from './harness.mjs';
import { simPrints } from './lessons.mjs';

/** What the page shows of its run at the end, and its link's log of inputs. */
async function shownAtEnd(page, session) {
  const said = await session.evaluate(async (s) => {
    await s.seek({ end: true });
    const { invariants } = s.state();
    const broken = invariants.filter((one) => !one.holds).map((one) => one.id).sort();
    return { broken, hash: s.hash(), x: /[/&]x=([^&]*)/.exec(s.link())[1], seed: s.seed };
  });
  const marked = await page.locator('[data-part="invariants"] .broken').count();
  return { ...said, marked };
}

/** The same run natively: which invariants its trace tells broken, and its digest. */
function native(lesson, { seed, x }) {
  const lines = simPrints(lesson, { seed, x }, '--trace', 'json', '--digest').trim().split('\n');
  const broken = lines.filter((line) => line.includes('"invariant-broken"'))
    .map((line) => JSON.parse(line).invariant);
  return { broken: [...new Set(broken)].sort(), hash: lines.at(-1).replace('digest ', '') };
}

/** Runs to the end and compares; the number of broken invariants. */
export async function verdictsAgree(page, session, lesson, what) {
  const shown = await shownAtEnd(page, session);
  const oracle = native(lesson, shown);
  equal([shown.broken, shown.hash], [oracle.broken, oracle.hash], `${what}: ${shown.x}`);
  equal(shown.marked, oracle.broken.length, `${what}: marks in the panel`);
  return shown.marked;
}
