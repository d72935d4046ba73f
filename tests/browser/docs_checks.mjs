// The pages around the player: complete, linked, in three languages, usable by everybody, and every
// transcript on them is what the engine prints now.
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import {
  CLI,
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
import {
  BELOW, allPages, brokenAddresses, headFaults, pageText, siteBelow, transcripts,
} from './site_pages.mjs';
import { transcriptOf } from '../../site/src/lib/session_blocks.mjs';

const LESSONS = path.join(ROOT, 'assets/lessons');
const pages = allPages();
const recordedTranscript = () => native(SIM, ['--scenario', LESSON, '--transcript']);

test('pages: the same in three languages, and at least those that were promised', () => {
  const english = pages.filter((page) => !/^(ro|zh-cn)\//.test(page));
  for (const { path: below } of LANGUAGES.slice(1)) {
    const others = pages.filter((page) => page.startsWith(below));
    equal(others.map((page) => page.slice(below.length)), english, below);
  }
  const wanted = ['', 'locks/', 'guides/quick-start/', 'guides/console/', 'guides/embed/'];
  wanted.push('guides/lessons/', 'guides/configuration/', 'reference/commands/');
  wanted.push('reference/options/', 'reference/metrics/', 'reference/events/');
  for (const page of wanted) check(english.includes(page), `no page ${page}`);
  for (const lesson of ['stampede', 'fencing', 'redlock']) {
    const isThere = fs.existsSync(path.join(LESSONS, `${lesson}.scenario`));
    if (isThere) check(english.includes(`${lesson}/`), `no page of the lesson ${lesson}`);
  }
});

test('pages: head, policy and heading of each', () => {
  equal(pages.flatMap((page) => headFaults(page, pageText(page))), [], 'faults');
});

test('pages: no address in them leads nowhere', () => {
  const broken = pages.flatMap((page) =>
    brokenAddresses(page, pageText(page)).map((address) => `${page || '/'}: ${address}`),
  );
  equal(broken, [], 'broken addresses');
});

test('pages: guides and use cases are translated, not only framed', () => {
  const prose = (page) =>
    pageText(page)
      .replace(/<(script|pre|code)[\s\S]*?<\/\1>/g, ' ')
      .replace(/<[^>]*>/g, '\n');
  const translated = /^(ro|zh-cn)\/(guides|locks|stampede|fencing|redlock|$)/;
  for (const page of pages.filter((one) => translated.test(one))) {
    const own = prose(page);
    const english = prose(page.replace(/^(ro|zh-cn)\//, ''));
    const sentences = english.split(/[.\n]/).map((one) => one.trim());
    // The records of decisions, named in the menu, are English in every language.
    const long = sentences.filter((one) => one.split(' ').length > 5 && !/^\d{4}: /.test(one));
    const same = long.filter((one) => own.includes(one));
    equal(same, [], `${page}: English sentences`);
  }
});

test('transcripts: each is what hotkv-sim prints now', () => {
  let count = 0;
  for (const page of pages) {
    for (const { kind, text } of transcripts(pageText(page))) {
      count++;
      const commands = [...text.matchAll(/^hotkv> (.*)$/gm)].map(([, command]) => command);
      const wanted =
        kind === 'session'
          ? transcriptOf(ROOT, commands)
          : native(SIM, ['--scenario', path.join(LESSONS, `${kind}.scenario`), '--transcript']);
      equal(text.trim(), wanted.trim(), `${page}: ${kind}`);
    }
  }
  check(count >= 20, `only ${count} transcripts on the site`);
  console.log(`        ${count} transcripts compared`);
});

/** Replies without the milliseconds that PTTL counts down meanwhile. */
function timeless(replies, text) {
  return text.includes('> PTTL') ? replies.trim().replace(/\b\d{3,}$/gm, 'ms') : replies.trim();
}

test('transcripts: hotkv-server answers the same as the pages show', async (t) => {
  const port = String(t.servers.resp);
  for (const page of pages) {
    for (const { kind, text } of transcripts(pageText(page))) {
      if (kind !== 'session' || /CONFIG SET|LOCKINFO|^hotkv> LOCK/m.test(text)) continue;
      const commands = [...text.matchAll(/^hotkv> (.*)$/gm)].map(([, command]) => command);
      const wanted = text.split('\n').filter((line) => !line.startsWith('hotkv> ')).join('\n');
      execFileSync(CLI, ['-p', port, 'FLUSHALL']);
      const said = native(CLI, ['-p', port, '--no-raw'], `${commands.join('\n')}\n`);
      equal(timeless(said, text), timeless(wanted, text), `${page}: replies`);
    }
  }
});

test('search: finds in each language, with the policy kept', async (t) => {
  for (const [where, words, wanted] of [
    ['', 'DELEX', 'reference/commands/'],
    ['ro/guides/console/', 'lecție', 'ro/guides/lessons/'],
    ['zh-cn/', '课程', 'zh-cn/guides/lessons/'],
  ]) {
    const page = await t.open(where);
    await page.keyboard.press('Control+k');
    await page.fill('site-search input', words);
    await page.waitForSelector('site-search li a');
    const found = await page.$$eval('site-search li a', (links) => links.map((a) => a.href));
    check(found.some((href) => href.includes(`/${wanted}`)), `${words}: ${found}`);
    equal((await fetch(found[0])).status, 200, found[0]);
    await page.fill('site-search input', 'qqqqwwww');
    await page.waitForFunction(() => !document.querySelector('site-search li'));
    check((await page.textContent('site-search [role=status]')).length > 3, 'says nothing');
    equal(page.faults, [], 'console');
    await t.closePages();
  }
});

test('menu: on a phone it opens, holds languages and theme, and closes with Esc', async (t) => {
  const context = { viewport: { width: 360, height: 740 } };
  const page = await t.open('ro/guides/console/', { context });
  await page.click('starlight-menu-button button');
  for (const name of ['English', '简体中文']) {
    check(await page.locator(`.sidebar-pane a:text-is("${name}")`).isVisible(), `no ${name}`);
  }
  check(await page.locator('.sidebar-pane [data-part=theme]').isVisible(), 'no theme');
  await page.keyboard.press('Escape');
  check(!(await page.locator('.sidebar-pane a:text-is("English")').isVisible()), 'stays open');
});

test('oEmbed: one answer per lesson and language, with a frame that is the embed page', () => {
  const below = (folder, extension) =>
    fs.readdirSync(path.join(SITE, folder)).filter((name) => name.endsWith(extension));
  const names = below('oembed', '.json');
  const lessons = below('lessons', '.scenario');
  equal(names.length, lessons.length * LANGUAGES.length, 'answers');
  for (const name of names) {
    const answer = JSON.parse(fs.readFileSync(path.join(SITE, 'oembed', name), 'utf8'));
    equal([answer.version, answer.type], ['1.0', 'rich'], name);
    check(answer.width > 0 && answer.height > 0 && answer.title.length > 5, `${name}: size, title`);
    check(/^<iframe src="[^"]*embed\.html\?lesson=[a-z]+&amp;lang=/.test(answer.html), answer.html);
    check(answer.html.includes('sandbox="allow-scripts allow-popups"'), `${name}: sandbox`);
  }
});

test('site map: lists every page', () => {
  const text = fs.readFileSync(path.join(SITE, 'sitemap-0.xml'), 'utf8');
  const listed = [...text.matchAll(/<loc>https?:\/\/[^/]+\/([^<]*)<\/loc>/g)].map((one) => one[1]);
  equal(listed.sort(), pages, 'pages');
});

test('base: built for a path, the pages work there', async (t) => {
  const out = siteBelow();
  const host = await startStatic(BELOW, out);
  for (const where of ['', 'ro/locks/', 'zh-cn/guides/embed/', 'reference/options/']) {
    const page = await t.open(host.url + where);
    const links = await page.$$eval('a[href]', (all) => all.map((a) => a.href.split('#')[0]));
    for (const link of new Set(links.filter((one) => one.startsWith(host.url)))) {
      equal((await fetch(link)).status, 200, link);
    }
    equal(page.faults, [], `${where}: console`);
  }
  const missing = fs.readFileSync(path.join(out, '404.html'), 'utf8');
  check(missing.includes(`href="${BELOW}"`), 'the page of a missing address knows its base');
  const reference = fs.readFileSync(path.join(out, 'reference/commands/index.html'), 'utf8');
  check(/href="https:\/\/code\.example\/hotkv\/blob\/0123abc\/core\/\S+\.cc#L\d+"/.test(reference),
    'the reference leads to the lines of the source');
  host.stop();
});

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
