// Texts in the reader's language: values in braces, plural forms, and two kinds of inline markup.
// Used by the page at run time and by the site's build. A text is a string, or an object of plural
// forms chosen by `n` (Romanian: 1 comandă, 2 comenzi, 20 de comenzi).

const rules = new Map();

function pluralForm(forms, n, lang) {
  if (!rules.has(lang)) rules.set(lang, new Intl.PluralRules(lang));
  return forms[rules.get(lang).select(n)] ?? forms.other;
}

/** formatted("{n} of {total}", {n: 2, total: 5}, "en"): unknown names stay as they are. */
export function formatted(text, values = {}, lang = 'en') {
  const chosen = typeof text === 'string' ? text : pluralForm(text, values.n, lang);
  return chosen.replace(/\{(\w+)\}/g, (whole, name) => {
    return name in values ? String(values[name]) : whole;
  });
}

/** Splits a text at `code` and **strong**: a list of {kind: text|code|strong, text}. */
export function inlineParts(text) {
  return text
    .split(/(\*\*.+?\*\*|`[^`]+`)/)
    .filter(Boolean)
    .map((part) => {
      if (part.startsWith('**')) return { kind: 'strong', text: part.slice(2, -2) };
      if (part.startsWith('`')) return { kind: 'code', text: part.slice(1, -1) };
      return { kind: 'text', text: part };
    });
}

/** The texts of one language, as the site's build left them for players (i18n/<lang>.json). */
export class PageTexts {
  constructor(table) {
    this.table = table;
    this.lang = table['meta.lang'];
    this.numbers = new Intl.NumberFormat(this.lang, { maximumFractionDigits: 3 });
  }

  has(key) {
    return key in this.table;
  }

  /** The middle parts of the keys with this beginning and end, in their order. */
  keys(prefix, suffix) {
    return Object.keys(this.table)
      .filter((key) => key.startsWith(prefix) && key.endsWith(suffix))
      .map((key) => key.slice(prefix.length, key.length - suffix.length));
  }

  /** The text; numbers among the values are written as the language writes them. */
  text(key, values = {}) {
    const written = {};
    for (const [name, value] of Object.entries(values)) {
      written[name] = typeof value === 'number' && name !== 'n' ? this.number(value) : value;
    }
    return formatted(this.table[key] ?? key, written, this.lang);
  }

  /** Words on the canvas, English -> what its fonts can draw: Latin letters in every language. */
  wordsOfCanvas() {
    const words = this.keys('canvas.', '');
    return Object.fromEntries(words.map((word) => [word, this.table[`canvas.${word}`]]));
  }

  number(value) {
    return this.numbers.format(value);
  }

  /** Fills an element with a text, `code` and **strong** as elements. */
  fill(element, key, values) {
    element.replaceChildren(
      ...inlineParts(this.text(key, values)).map(({ kind, text }) => {
        if (kind === 'text') return document.createTextNode(text);
        const part = document.createElement(kind);
        part.textContent = text;
        if (kind === 'code') {
          part.lang = 'en';
          part.translate = false;
        }
        return part;
      }),
    );
  }
}
