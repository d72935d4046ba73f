// From the first page of each language: every address of the site that a page, a style or a script
// names is there, says what it is, and no page asks another host for anything.
import { LANGUAGES, check, equal, startStatic, test } from './harness.mjs';
import { BELOW, siteBelow } from './site_pages.mjs';

const LOCALE = /^(ro|zh-cn)\//;
const LANG = { 'ro/': 'ro', 'zh-cn/': 'zh-CN' };

/** What a page or a style names, as it stands there. */
function named(type, text) {
  if (type.startsWith('text/html')) {
    return [...text.matchAll(/<(?!!)[a-z][^>]*?\s(?:href|src|data-bundle)="([^"]*)"[^>]*>/g)]
      .map(([tag, address]) => ({ tag, address: address.replaceAll('&amp;', '&') }));
  }
  if (type.startsWith('text/css')) {
    return [...text.matchAll(/url\(["']?([^"')]+)["']?\)/g)].map(([tag, address]) =>
      ({ tag, address }));
  }
  if (!/javascript/.test(type)) return [];
  return [...text.matchAll(/(?:from|import)\s*\(?["'](\.{1,2}\/[^"']+)["']/g)].map(
    ([tag, address]) => ({ tag, address }));
}

/** Each address below `start` that can be reached: [{url, status, type, text, from}]. */
async function crawled(start) {
  const seen = new Map();
  const queue = LANGUAGES.map(({ path: below }) => ({ url: start + below, from: '' }));
  for (let next; (next = queue.shift());) {
    const { url, from } = next;
    if (seen.has(url)) continue;
    const response = await fetch(url);
    const type = response.headers.get('content-type') ?? '';
    const text = /^text\/|javascript/.test(type) ? await response.text() : '';
    seen.set(url, { url, from, status: response.status, type, text });
    for (const { address } of named(type, text)) {
      const target = new URL(address, response.url);
      target.hash = '';
      if (target.href.startsWith(start)) queue.push({ url: target.href, from: url });
    }
  }
  return [...seen.values()];
}

/** Whether a tag makes the browser ask by itself; a link is asked when a visitor follows it. */
const isAsked = (tag) => !/^<a\s/.test(tag) && !/rel="(alternate|canonical|sitemap)/.test(tag);

function checkLanguage(start, { url, text }) {
  const below = url.slice(start.length);
  const lang = /<html[^>]*\slang="([^"]+)"/.exec(text)?.[1];
  equal(lang, LANG[LOCALE.exec(below)?.[0]] ?? 'en', `${below}: lang`);
  const page = below.replace(LOCALE, '');
  const others = [...text.matchAll(/<link rel="alternate" hreflang="([^"]+)" href="([^"]+)"/g)];
  const wanted = LANGUAGES.map((one) => [one.lang, start + one.path + page]);
  equal(others.map(([, name, href]) => [name, new URL(href, url).href]).sort(), wanted.sort(),
    `${below}: hreflang`);
}

async function checkSite(start) {
  const found = await crawled(start);
  const bad = found.filter(({ status }) => status !== 200);
  equal(bad.map(({ url, status, from }) => `${status} ${url} from ${from}`), [], 'addresses');
  const pages = found.filter(({ type, text }) => type.startsWith('text/html')
    && text.includes('hreflang='));
  for (const page of pages) checkLanguage(start, page);
  const foreign = found.flatMap(({ url, type, text }) => named(type, text)
    .filter(({ tag, address }) => /^(https?:)?\/\//.test(address) && isAsked(tag))
    .filter(({ address }) => !new URL(address, url).href.startsWith(start))
    .map(({ address }) => `${url}: ${address}`));
  equal(foreign, [], 'other hosts');
  return { found, pages };
}

test('crawl: every address answers, in each language, from hotkv-server', async (t) => {
  const { found, pages } = await checkSite(t.url);
  check(pages.length >= 45, `only ${pages.length} pages`);
  for (const name of ['hotkv-player.js', 'page.js', 'embed.html', 'oembed/lock.ro.json']) {
    check(found.some(({ url }) => url.split('?')[0] === t.url + name), `${name} is named nowhere`);
  }
  console.log(`        ${found.length} addresses, ${pages.length} pages`);
});

test('crawl: the same below a path of a plain static host', async () => {
  const host = await startStatic(BELOW, siteBelow());
  const { found, pages } = await checkSite(host.url);
  console.log(`        ${found.length} addresses, ${pages.length} pages`);
  host.stop();
});

test('crawl: pages of each kind ask this host alone, also when a session runs', async (t) => {
  for (const { path: below } of LANGUAGES) {
    const asked = [];
    const page = await t.open(below, {
      before: (one) => one.on('request', (request) => asked.push(request.url())),
    });
    for (const name of ['locks/', 'guides/embed/', 'reference/commands/', 'no/such/page']) {
      await page.goto(t.url + below + name);
    }
    await page.goto(`${t.url}${below}fencing/`);
    await page.evaluate(() => document.querySelector('hotkv-player').activate().then(() => true));
    equal(asked.filter((url) => !/^(data|blob):/.test(url) && !url.startsWith(t.url)), [], below);
    await t.closePages();
  }
});

test('404: in the language of the address, with a way home; without script in all', async (t) => {
  for (const { path: below, lang } of LANGUAGES) {
    const response = await fetch(`${t.url}${below}no/such/page`);
    equal(response.status, 404, `${below}: status`);
    const page = await t.open(`${below}no/such/page`);
    equal(await page.locator('.own h1:visible').count(), 1, `${below}: headings`);
    equal(await page.locator('.own .hero:visible').getAttribute('lang'), lang, `${below}: text`);
    equal(await page.evaluate(() => document.documentElement.lang), lang, `${below}: lang`);
    equal(await page.locator('.own .go:visible').evaluate((a) => a.href), t.url + below, 'home');
    await t.closePages();
  }
  const plain = await t.open('nowhere', { context: { javaScriptEnabled: false } });
  equal(await plain.locator('.own h1:visible').count(), LANGUAGES.length, 'without script');
});
