// Three languages on the screen: every character has a glyph, commands and replies are the same in
// each and kept from translators, and a language of longer words still fits.
import * as fs from 'node:fs';
import * as path from 'node:path';
import {
  LANGUAGES, ROOT, SITE, equal, native, playerOf, shownTranscript, test,
} from './harness.mjs';

const read = (file) =>
  JSON.parse(fs.readFileSync(path.join(ROOT, `assets/i18n/${file}.json`), 'utf8'));

// Glyphs.

const CMAP = `
import json, sys
from fontTools.ttLib import TTFont
print(json.dumps([sorted(TTFont(name).getBestCmap()) for name in sys.argv[1:]]))`;

test('glyphs: the fonts of the canvas have every letter of its words', () => {
  const names = ['inter.otf', 'inter-semibold.otf', 'jetbrains-mono.ttf'];
  const files = names.map((name) => path.join(SITE, 'fonts', name));
  const cmaps = JSON.parse(native('/usr/bin/python3', ['-c', CMAP, ...files]));
  const words = ['en', 'ro'].flatMap((file) =>
    Object.entries(read(file)).filter(([key]) => key.startsWith('canvas.')).flat());
  const needed = new Set(`${words.join('')}ăâîșțĂÂÎȘȚ…–→`);
  names.forEach((name, i) => {
    const has = new Set(cmaps[i]);
    equal([...needed].filter((one) => !has.has(one.codePointAt(0))), [], `${name} lacks`);
  });
});

/** The characters of the page that this browser can only draw as an empty box. */
function boxed() {
  const characters = new Map();
  const walk = (node) => {
    if (node.nodeType === Node.TEXT_NODE) {
      const parent = node.parentElement ?? node.getRootNode().host;
      // The name of a language is in its own letters; the visitor who reads it has the font.
      const isOther = parent.closest('[lang^=zh]');
      if (!isOther && !/^(SCRIPT|STYLE|NOSCRIPT|TEMPLATE)$/.test(parent.tagName)) {
        for (const one of node.data) characters.set(one, parent);
      }
    }
    if (node.shadowRoot) walk(node.shadowRoot);
    node.childNodes.forEach(walk);
  };
  walk(document.body);
  const probe = document.createElement('canvas');
  [probe.width, probe.height] = [40, 40];
  const context = probe.getContext('2d', { willReadFrequently: true });
  const picture = (text, font) => {
    context.clearRect(0, 0, 40, 40);
    context.font = font;
    context.fillText(text, 4, 30);
    return context.getImageData(0, 0, 40, 40).data.join();
  };
  const fontOf = (element) => `20px ${getComputedStyle(element).fontFamily}`;
  // Code points that are no characters: what has no glyph looks like one of these.
  const isBox = (one, font) => ['\u{10FFFE}', '\u{FFFFE}']
    .some((none) => picture(one, font) === picture(none, font));
  return {
    missing: [...characters].filter(([one, parent]) => one.trim() && isBox(one, fontOf(parent)))
      .map(([one]) => one),
    seen: characters.size,
    knows: isBox('\u{10FFFD}', fontOf(document.body)) && !isBox('a', fontOf(document.body)),
  };
}

for (const { file, locks: where } of LANGUAGES.filter(({ file: one }) => one !== 'zh')) {
  test(`glyphs: ${file} has no empty boxes`, async (t) => {
    const page = await t.session(where);
    await page.evaluate(() => document.querySelector('hotkv-player').seek({ end: true }));
    const { missing, seen, knows } = await page.evaluate(boxed);
    equal([missing, knows, seen > 60], [[], true, true], `of ${seen} characters`);
  });
}

// Commands.

/** What is of the wire (commands, replies, keys, code) and is not kept from translators. */
function unguarded() {
  const found = [];
  const roots = [document, document.querySelector('hotkv-player').shadowRoot];
  for (const root of roots) {
    for (const one of root.querySelectorAll('pre, code, .line, .name, .prompt, [data-part=line]')) {
      const guard = one.closest('[translate]');
      if (one.textContent.trim() && guard?.translate !== false) {
        found.push(one.outerHTML.slice(0, 120));
      }
    }
  }
  return found;
}

test('commands: the same in each language, and kept from translators', async (t) => {
  const shown = [];
  for (const { file, locks: where } of LANGUAGES) {
    const page = await t.session(where);
    await page.evaluate(async () => {
      const player = document.querySelector('hotkv-player');
      await player.seek({ end: true });
      await player.exec('B', 'n1', 'OBJECT');
    });
    const texts = (await shownTranscript(page)).map((entry) =>
      entry.text.split('\n').filter((line) => !line.startsWith('#')).join('\n'));
    shown.push(texts);
    equal(await page.evaluate(unguarded), [], `${file}: can be translated`);
  }
  equal(shown[0].length, 6, 'entries');
  equal(shown[1], shown[0], 'in Romanian');
  equal(shown[2], shown[0], 'in Chinese');
});

// Longer words.

const ACCENTED = { a: 'á', e: 'é', i: 'í', o: 'ó', u: 'ú', A: 'Á', E: 'É', I: 'Í', O: 'Ó', U: 'Ú' };

/** 40 % longer, in letters with accents; values, commands and markup stay. */
function longer(text) {
  if (typeof text !== 'string') {
    return Object.fromEntries(Object.entries(text).map(([form, one]) => [form, longer(one)]));
  }
  const parts = text.split(/(\{\w+\}|`[^`]*`|\*\*)/);
  return parts.map((part, i) => {
    if (i % 2) return part;
    let rest = Math.ceil(part.trim().length * 0.4);
    return part.replace(/\p{L}+/gu, (word) => {
      const more = Math.min(rest, Math.ceil(word.length * 0.4));
      rest -= more;
      const accented = word.replace(/[aeiou]/gi, (one) => ACCENTED[one]);
      return accented + 'éáíóú'.repeat(word.length).slice(0, more);
    });
  }).join('');
}

/** Words in the session that are cut off by their box, or lie outside of the session. */
function cut() {
  const root = document.querySelector('hotkv-player').shadowRoot.querySelector('.session');
  const frame = root.getBoundingClientRect();
  const range = document.createRange();
  const isUnseen = (one) => getComputedStyle(one).clipPath === 'inset(50%)';
  const isWire = (one) => one.closest('[translate=no], canvas, .mirror, .ghost');
  const found = [];
  for (const one of root.querySelectorAll('*')) {
    if (!one.checkVisibility() || isUnseen(one) || isWire(one)) continue;
    const style = getComputedStyle(one);
    const own = [...one.childNodes].filter((node) => node.nodeType === 3 && node.data.trim());
    const clips = own.length > 0 && /hidden|clip/.test(style.overflow)
      && (one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1);
    const spills = one.matches('button') && one.scrollWidth > one.clientWidth + 1;
    const outside = own.some((node) => {
      range.selectNodeContents(node);
      return [...range.getClientRects()].some(({ left, right }) =>
        left < frame.left - 1 || right > frame.right + 1);
    });
    if (clips || spills || outside) found.push(`${one.outerHTML.slice(0, 150)}`);
  }
  return found;
}

for (const width of [360, 1280]) {
  test(`texts: a language 40 % longer fits ${width} px`, async (t) => {
    const english = JSON.parse(fs.readFileSync(path.join(SITE, 'i18n/en.json'), 'utf8'));
    const pseudo = Object.fromEntries(Object.entries(english).map(([key, text]) =>
      [key, key.startsWith('meta.') ? text : longer(text)]));
    const page = await t.session('locks/', {
      context: { viewport: { width, height: 800 } },
      before: (one) => one.route('**/i18n/en.json', (route) => route.fulfill({ json: pseudo })),
    });
    const fits = async (what) => {
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      equal([wide <= width, await page.evaluate(cut)], [true, []], `${what}: ${wide} px`);
    };
    await fits('ready');
    equal((await page.textContent('[data-part="play-name"]')).trim(), pseudo['ui.play'], 'Play');
    const session = await playerOf(page);
    const steps = await session.evaluate((s) => s.lesson.steps.length);
    for (let n = 1; n <= steps; n++) {
      await session.evaluate((s, step) => s.seek({ step }), n);
      await fits(`step ${n}`);
    }
    await session.evaluate((s) => s.act(s.lesson.tries[0].id));
    await fits('in a what-if');
    await page.click('[data-act="share"]');
    await fits('the dialog of links');
    await page.keyboard.press('Escape');
    await page.click('[data-act="help"]');
    await fits('the list of keys');
    equal(page.faults, [], 'console');
  });
}
