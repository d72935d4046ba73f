// Nothing on the screen is a script: other parameters give other replies, the counters are those of
// the trace, no reply is in what is shipped, and without the engine nothing pretends to run.
import * as fs from 'node:fs';
import { check, equal, shipped, shownTranscript, stepToEnd, test } from './harness.mjs';
import { LESSONS, simPrints, textOf } from './lessons.mjs';

const label = (page) => page.textContent('[data-part="label"]');

test('session: an expiry of 5 ms lets B win, and A releases nothing', async (t) => {
  const page = await t.session();
  await page.fill('[data-param="ttl"]', '5');
  await page.press('[data-param="ttl"]', 'Enter');
  await page.waitForSelector('[data-status="branch"]');
  await stepToEnd(page);
  const replies = (await shownTranscript(page)).map(({ text }) => text.split('\n').at(-1));
  equal(replies[1], 'OK', "B's SET");
  equal(replies[3], '(integer) 0', "A's DELEX");
  await page.waitForSelector('[data-part="invariants"] .reached');
  await page.click('[data-act="lesson"]');
  await page.waitForSelector('[data-lane="0"][aria-pressed="true"]');
  equal(await page.inputValue('[data-param="ttl"]'), '30000', 'the expiry, back in the lesson');
});

test('session: a wrong parameter is refused beside its field', async (t) => {
  const page = await t.session();
  for (const [name, value] of [
    ['ttl', '0'],
    ['ttl', 'soon'],
    ['key', ''],
    ['token_a', 'a b'],
  ]) {
    await page.fill(`[data-param="${name}"]`, value);
    await page.press(`[data-param="${name}"]`, 'Enter');
    await page.waitForSelector('[data-part="param-problem"]:not([hidden])');
    await page.waitForSelector(`[data-param="${name}"][aria-invalid="true"]`);
  }
  equal(await label(page), 'Session example – ready', 'label');
});

test('session: counters are those of the trace', async (t) => {
  const page = await t.session();
  await stepToEnd(page);
  const figures = await page.$$eval('[data-part="counters"] dd', (all) =>
    all.map((d) => d.textContent),
  );
  equal(figures, ['1 command', '1 command', '0 scripts'], 'counters');
  const broken = await page.locator('[data-part="invariants"] .broken').count();
  equal(broken, 0, 'broken invariants');
});

test('fallback: without the engine it says recorded, and Play is disabled', async (t) => {
  for (const blocked of ['**/hotkv-*.wasm*', /\/hotkv-(core|play)\.js/, '**/*.scenario*']) {
    const before = (p) => p.route(blocked, (route) => route.abort());
    const page = await t.open('locks/', { before });
    await page.click('[data-act="activate"]');
    await page.waitForSelector('[data-status="recorded"]');
    const label = await page.textContent('[data-part="label"]');
    check(/recorded by hotkv build [0-9a-f]{7}/.test(label), `label: ${label}`);
    check(await page.locator('[data-act="play"]').isDisabled(), 'Play is not disabled');
    check(await page.locator('hotkv-player > pre').isVisible(), 'no transcript');
    await page.focus('[data-part="log"]');
    await page.keyboard.press('Space');
    equal(await page.getAttribute('#session', 'data-status'), 'recorded', 'status after Space');
    await t.closePages();
  }
});

/** What a page holds without the transcripts that were recorded for readers without the engine. */
const withoutRecorded = (html) => html
  .replace(/<(pre|template)\b[^>]*(slot="?transcript|data-lesson)[^>]*>.*?<\/\1>/gs, '');

/** What is shipped as text: [file, text]. */
function shippedTexts() {
  return ['.js', '.scenario', '.json', '.css', '.html'].flatMap(shipped).map((file) => {
    const text = fs.readFileSync(file, 'utf8');
    return [file, file.endsWith('.html') ? withoutRecorded(text) : text];
  });
}

/** The replies and remarks of a lesson, as the engine gives them: natively, in its own language. */
function repliesOf(lesson) {
  const lines = simPrints(lesson, { seed: /seed (\d+)/.exec(textOf(lesson))[1] }, '--transcript')
    .split('\n');
  return [...new Set(lines.filter((line) => !/^(# [^:]*:|hotkv|db>)|^$/.test(line)))];
}

test('shipped: no expectation and no reply of any lesson outside the recorded transcripts', () => {
  const texts = shippedTexts();
  const scripts = texts.filter(([file]) => /\.(js|scenario)$/.test(file));
  check(texts.length > 50 && scripts.length >= 10, 'too few files');
  for (const [file, text] of scripts) {
    check(!/\bexpect\b/.test(text), `${file} holds "expect"`);
    check(!/\(integer\) \d|\(nil\)/.test(text), `${file} holds a reply`);
    // A goal and a counter may name the reply that ends them; nothing else may.
    const lesson = file.endsWith('.scenario') ? text : '';
    check(!/^(?!goal |count ).*\bOK\b/m.test(lesson), `${file}: OK`);
  }
  for (const lesson of LESSONS) {
    const expected = [...textOf(lesson).matchAll(/ expect (.*)$/gm)].map(([, text]) => text);
    // What nobody could write by chance: with a number that the run made, or a whole sentence.
    const telling = [...expected, ...repliesOf(lesson)].map((text) => text.replace(/^# /, ''))
      .filter((text) => /\d{4}|\w+ \w+ \w+/.test(text) && !text.includes('..'));
    check(lesson === 'sandbox' || telling.length > 0, `${lesson} says nothing telling`);
    for (const [file, text] of texts) {
      const found = telling.find((reply) => text.includes(reply));
      check(!found, `${file} holds a reply of ${lesson}: ${found}`);
    }
  }
});
