// The page when something is missing: no script, no engine, a plain host below a path, an
// address that
// does not exist; and what is shipped.
import * as fs from 'node:fs';
import * as path from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import {
  LANGUAGES,
  LESSON,
  ROOT,
  SIM,
  SITE,
  check,
  equal,
  native,
  startStatic,
  test,
} from './harness.mjs';

const WASM_BR_MAX = 200 * 1024;
const PAGE_BR_MAX = 95 * 1024;
const FACADE_BR_MAX = 8 * 1024;

const recordedTranscript = () => native(SIM, ['--scenario', LESSON, '--transcript']);

test('fallback: without script the transcript is there, from the same engine', async (t) => {
  for (const { locks: where, file } of LANGUAGES) {
    const page = await t.open(where, { context: { javaScriptEnabled: false } });
    const recorded = page.locator('hotkv-player > pre');
    check(await recorded.isVisible(), `${file}: the transcript is not visible`);
    equal(
      (await recorded.textContent()).trim(),
      recordedTranscript().trim(),
      `${file}: transcript`,
    );
    const build = await recorded.getAttribute('data-build');
    const note = await page.textContent('noscript .note');
    check(
      /^[0-9a-f]{7,}$/.test(build) && note.includes(`hotkv`) && note.includes(build),
      `${file}: ${note}`,
    );
    check(await page.locator('noscript .note').isVisible(), `${file}: nothing about the script`);
    const controls = await page.locator('main button, main input').count();
    equal(controls, 0, `${file}: dead controls`);
    await t.closePages();
  }
});

test('fallback: without the engine it says recorded, and Play is disabled', async (t) => {
  for (const blocked of ['**/hotkv-core.wasm*', '**/hotkv-core.js*', '**/*.scenario*']) {
    const before = (p) => p.route(blocked, (route) => route.abort());
    const page = await t.open('locks/', { before });
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

test('fallback: works on a plain host below any path', async (t) => {
  const host = await startStatic('/some/where/');
  for (const { locks: where } of LANGUAGES) {
    const page = await t.session(host.url + where);
    await page.click('[data-act="step"]');
    await page.waitForSelector('[data-step="1"][aria-current="step"]');
    equal(page.faults, [], 'console');
    const broken = await page.$$eval('a[href]:not([href^="#"])', async (links) => {
      const bad = [];
      for (const { href } of links) if (!(await fetch(href)).ok) bad.push(href);
      return bad;
    });
    equal(broken, [], 'links');
  }
  await t.closePages();
  host.stop();
});

test('fallback: an address that does not exist', async (t) => {
  const response = await fetch(`${t.url}no/such/page`);
  equal(response.status, 404, 'status');
  const page = await t.open('no/such/page');
  await page.click('main a');
  await page.waitForSelector('#session');
});

test('shipped: sent with a strict policy, and kept by it', async (t) => {
  const response = await fetch(t.url);
  const policy = response.headers.get('content-security-policy') ?? '';
  check(policy.includes("script-src 'self' 'wasm-unsafe-eval'"), `policy: ${policy}`);
  check(
    !policy.includes("'unsafe-inline'") && !policy.includes("'unsafe-eval'"),
    `policy: ${policy}`,
  );
  equal(response.headers.get('x-content-type-options'), 'nosniff', 'x-content-type-options');
  for (const [name, type] of [
    ['hotkv-core.wasm', 'application/wasm'],
    ['page.js', 'text/javascript'],
    ['player.css', 'text/css'],
    ['favicon.svg', 'image/svg+xml'],
  ]) {
    const file = await fetch(t.url + name);
    check(
      file.headers.get('content-type')?.startsWith(type),
      `${name}: ${file.headers.get('content-type')}`,
    );
  }
  const page = await t.open('locks/', {
    before: (p) =>
      p.addInitScript(() => {
        window.violations = [];
        document.addEventListener('securitypolicyviolation', (e) =>
          window.violations.push(e.violatedDirective),
        );
      }),
  });
  await page.waitForSelector('[data-status="ready"]');
  equal(await page.evaluate(() => window.violations), [], 'violations');
});

/** The player's own files; those of the site around it are in _astro/ and pagefind/. */
function shipped(extension) {
  return fs
    .readdirSync(SITE, { recursive: true })
    .filter((name) => name.endsWith(extension) && !/^(_astro|pagefind)\//.test(name))
    .map((name) => path.join(SITE, name));
}

test('shipped: no expectation and no reply of a step outside the recorded transcript', () => {
  const replies = fs.readFileSync(LESSON, 'utf8').match(/expect\s+(.*)$/gm) ?? [];
  check(replies.length >= 5, 'the lesson expects nothing');
  for (const file of [...shipped('.js'), ...shipped('.scenario')]) {
    const text = fs.readFileSync(file, 'utf8');
    check(!/\bexpect\b/.test(text), `${file} holds "expect"`);
    check(!/\(integer\) \d|\(nil\)/.test(text), `${file} holds a reply`);
  }
});

test('shipped: small enough', () => {
  const size = (file) => brotliCompressSync(fs.readFileSync(file)).length;
  const wasm = size(path.join(SITE, 'hotkv-core.wasm'));
  check(wasm <= WASM_BR_MAX, `hotkv-core.wasm has ${wasm} bytes brotli; at most ${WASM_BR_MAX}`);
  const facade = size(path.join(SITE, 'hotkv-player.js'));
  check(facade <= FACADE_BR_MAX, `the facade has ${facade} bytes brotli; at most ${FACADE_BR_MAX}`);
  const own = [...shipped('.js'), ...shipped('.css')].reduce((sum, file) => sum + size(file), 0);
  const page = own + size(path.join(SITE, 'lessons/lock.scenario'))
    + size(path.join(SITE, 'i18n/zh.json'));
  check(page <= PAGE_BR_MAX, `scripts, styles, lesson, texts: ${page}; at most ${PAGE_BR_MAX}`);
  console.log(`        brotli: hotkv-core.wasm ${wasm}, facade ${facade}, all else ${page} bytes`);
});

test('texts: the three languages have the same keys, values and markup', () => {
  const read = (file) =>
    JSON.parse(fs.readFileSync(path.join(ROOT, `assets/i18n/${file}.json`), 'utf8'));
  const english = read('en');
  const all = (text) => (typeof text === 'string' ? [text] : Object.values(text));
  const marks = (text) => (text.match(/\{\w+\}|`[^`]*`/g) ?? []).sort();
  for (const file of ['ro', 'zh']) {
    const other = read(file);
    equal(Object.keys(other).sort(), Object.keys(english).sort(), `${file}: keys`);
    for (const key of Object.keys(english)) {
      const wanted = marks(all(english[key]).at(-1));
      for (const text of all(other[key])) equal(marks(text), wanted, `${file}: ${key}`);
    }
  }
  check(!/[şţŞŢ]/.test(JSON.stringify(read('ro'))), 'ro: a cedilla instead of a comma below');
});

test('texts: plural forms', async () => {
  const { formatted } = await import(path.join(ROOT, 'web/texts.js'));
  const texts = JSON.parse(fs.readFileSync(path.join(ROOT, 'assets/i18n/ro.json'), 'utf8'));
  const forms = [0, 1, 2, 19, 20, 101].map((n) =>
    formatted(texts['ui.counter.commands'], { n }, 'ro'),
  );
  equal(
    forms,
    ['0 comenzi', '1 comandă', '2 comenzi', '19 comenzi', '20 de comenzi', '101 comenzi'],
    'Romanian',
  );
});
