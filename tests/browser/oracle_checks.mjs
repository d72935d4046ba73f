// The native build of the same engine as the oracle: what the page shows is what hotkv-sim prints,
// for other seeds, other parameters and each what-if.
import { LESSON, SIM, check, equal, native, playerOf, shownTranscript, test } from './harness.mjs';
import { quickSession } from './lessons.mjs';

const SEEDS = [7, 1, 42, 20260101, 4294967295];

const PARAMS = [
  {},
  { key: 'lock:nightly' },
  { token_a: 'a', token_b: 'b', stale: 'c' },
  { ttl: '5' },
  { ttl: '1', key: 'k' },
  { token_b: 'tok-a81f' },
  { key: 'lock:plăți-锁' },
];

function words(seed, params, attempt) {
  const given = Object.entries(params).flatMap(([name, value]) => ['--param', `${name}=${value}`]);
  return ['--scenario', LESSON, '--seed', String(seed), ...given,
    ...(attempt ? ['--try', attempt] : [])];
}

/** Other parameters may break what the lesson expects (exit code 1); what is printed counts. */
const printed = (...options) => native(SIM, options, undefined, [0, 1]);

/** Runs the lesson in the page to its end: what it shows, its trace and its hash. */
function runInPage(player, seed, params, attempt) {
  return player.evaluate(async (p, [seedText, values, id]) => {
    await p.act('', 'lesson');
    await p.act('', 'seed', { value: seedText });
    for (const [name, value] of Object.entries(values)) await p.act(name, 'param', { value });
    if (id) await p.act(id);
    await p.seek({ end: true });
    const names = Object.fromEntries(p.lesson.clients.map((one) => [one.id, one.name]));
    const transcript = p.transcript().map((entry) => {
      const step = entry.step ? `: ${entry.step}` : '';
      const reply = entry.text === null ? '' : `${entry.text}\n`;
      return `# ${names[entry.client]}${step}\nhotkv> ${entry.line}\n${reply}`;
    });
    return { transcript: transcript.join(''), trace: p.trace('json'), hash: p.hash() };
  }, [String(seed), params, attempt]);
}

async function compare(player, seed, params, attempt) {
  const options = words(seed, params, attempt);
  const got = await runInPage(player, seed, params, attempt);
  const what = options.slice(2).join(' ');
  equal(got.transcript, printed(...options, '--transcript'), `transcript, ${what}`);
  equal(got.hash, printed(...options, '--digest').trim().split(/\s+/).at(-1), `hash, ${what}`);
  equal(got.trace, printed(...options, '--trace', 'json'), `trace, ${what}`);
  return got;
}

test('oracle: seeds and parameters, transcript, trace and hash', async (t) => {
  const player = await quickSession(t, 'lock');
  const hashes = new Set();
  for (const seed of SEEDS) {
    for (const params of PARAMS) hashes.add((await compare(player, seed, params)).hash);
  }
  check(hashes.size === SEEDS.length * PARAMS.length, `only ${hashes.size} different runs`);
});

test('oracle: every what-if', async (t) => {
  const player = await quickSession(t, 'lock');
  const tries = await player.evaluate((p) => p.lesson.tries.map((one) => one.id));
  for (const id of tries) {
    for (const seed of SEEDS.slice(0, 2)) await compare(player, seed, {}, id);
    await compare(player, 3, { ttl: '70', key: 'other' }, id);
  }
});

test('oracle: the log on the page shows what hotkv-sim prints', async (t) => {
  const page = await t.session();
  for (const params of [{}, { key: 'lock:x', token_a: 'me' }, { ttl: '5' }]) {
    for (const [name, value] of Object.entries(params)) {
      await page.fill(`[data-param="${name}"]`, value);
      await page.press(`[data-param="${name}"]`, 'Enter');
    }
    const player = await playerOf(page);
    await player.evaluate((p) => p.seek({ end: true }));
    const entries = await shownTranscript(page);
    const shown = entries.map(({ text }) => text.split('\n').slice(1).join('\n'));
    const wanted = printed(...words(7, params), '--transcript').split(/^# .*\n/m).slice(1);
    equal(shown, wanted.map((text) => text.trimEnd()), JSON.stringify(params));
    await page.click('[data-act="copy"]');
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    const bare = copied.replace(/^# .*\n/gm, '');
    equal(bare, wanted.join(''), 'what is copied, without its comments');
    await player.evaluate((p) => p.act('', 'lesson'));
  }
});
