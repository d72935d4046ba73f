// The texts of one language, for the pages that are built here; web/texts.js does the same at run
// time. The player's texts are in assets/i18n, those of the pages in site/src/texts; commands and
// replies are in neither: they stay English.
import { readFileSync, readdirSync } from 'node:fs';
import { formatted, inlineParts } from '../../../web/texts.js';

export const LANGUAGES = ['en', 'ro', 'zh'];

const ESCAPES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
export const escaped = (text) => String(text).replace(/[&<>"]/g, (c) => ESCAPES[c]);

/** A piece of HTML that needs no more escaping. */
export class Html {
  constructor(text) {
    this.text = text;
  }
  toString() {
    return this.text;
  }
}

function inserted(value) {
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map(inserted).join('');
  if (value === undefined || value === null || value === false) return '';
  return escaped(value);
}

/** html`<p>${text}</p>`: text is escaped, Html and lists of Html are not. */
export function html(strings, ...values) {
  return new Html(strings.reduce((all, part, i) => all + inserted(values[i - 1]) + part));
}

export const code = (text) => html`<code lang="en" translate="no">${text}</code>`;

function pageTexts(root, language) {
  const folder = `${root}/site/src/texts/${language}`;
  const tables = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(`${folder}/${name}`, 'utf8')));
  return Object.assign({}, ...tables);
}

export class Texts {
  constructor(root, language) {
    this.language = language;
    this.player = JSON.parse(readFileSync(`${root}/assets/i18n/${language}.json`, 'utf8'));
    this.table = { ...this.player, ...pageTexts(root, language) };
    this.lang = this.player['meta.lang'];
  }

  plain(key, values) {
    if (!(key in this.table)) throw new Error(`no text ${key} in ${this.language}`);
    return formatted(this.table[key], values, this.lang);
  }

  /** The text with `code` and **strong** as elements, as HTML. */
  rich(key, values) {
    return inlineParts(this.plain(key, values))
      .map(({ kind, text }) => {
        if (kind === 'code') return code(text).text;
        return kind === 'strong' ? `<strong>${this.#codes(text)}</strong>` : escaped(text);
      })
      .join('');
  }

  #codes(text) {
    return inlineParts(text)
      .map((part) => (part.kind === 'code' ? code(part.text).text : escaped(part.text)))
      .join('');
  }

  has(key) {
    return key in this.table;
  }

  /** The keys `prefix.1.title`, `prefix.2.title` ...: 1 to how many there are. */
  numbers(prefix, suffix) {
    const list = [];
    while (this.has(`${prefix}.${list.length + 1}.${suffix}`)) list.push(list.length + 1);
    return list;
  }

  /** What the player needs at run time. */
  forPage() {
    const needed = /^(ui|fact|canvas|lesson|embed|meta\.lang)/;
    return Object.fromEntries(Object.entries(this.player).filter(([key]) => needed.test(key)));
  }
}
