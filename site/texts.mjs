// The texts of one language, for the pages that are built here; web/texts.js does the same at run
// time. All prose is in assets/i18n, commands and replies are not: they stay English.
import { readFileSync } from 'node:fs';
import { formatted, inlineParts } from '../web/texts.js';

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

export class Texts {
  constructor(root, language) {
    this.language = language;
    this.table = JSON.parse(readFileSync(`${root}/assets/i18n/${language}.json`, 'utf8'));
    this.lang = this.table['meta.lang'];
    this.path = this.table['meta.path'];
  }

  plain(key, values) {
    if (!(key in this.table)) throw new Error(`assets/i18n/${this.language}.json has no ${key}`);
    return formatted(this.table[key], values, this.lang);
  }

  /** The text with `code` and **strong** as elements. */
  rich(key, values) {
    return new Html(
      inlineParts(this.plain(key, values))
        .map(({ kind, text }) => {
          if (kind === 'code') return code(text).text;
          return kind === 'strong' ? `<strong>${this.richText(text)}</strong>` : escaped(text);
        })
        .join(''),
    );
  }

  richText(text) {
    return inlineParts(text)
      .map((part) => (part.kind === 'code' ? code(part.text).text : escaped(part.text)))
      .join('');
  }

  has(key) {
    return key in this.table;
  }

  /** What the page needs at run time. */
  forPage() {
    return Object.fromEntries(
      Object.entries(this.table).filter(([key]) => /^(ui|lesson|meta\.lang)/.test(key)),
    );
  }
}
