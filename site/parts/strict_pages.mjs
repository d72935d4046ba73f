// Makes a built page fit for a policy without exceptions and for any path of a static host:
//
// - an inline script becomes a file of its own, loaded at the same place;
// - an inline style sheet likewise; a style attribute becomes a class in one sheet of the site;
// - addresses of the site itself become relative, but on the page of a missing address, which is
//   shown at any depth and so knows the base alone.
//
// The page also gets the policy as a meta element, for hosts that send none.
import { createHash } from 'node:crypto';
import * as path from 'node:path';

export const POLICY = [
  "default-src 'self'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

export const INLINE_SHEET = '_astro/attributes.css';

const hashOf = (text) => createHash('sha256').update(text).digest('hex').slice(0, 12);
// A name with a digit in its hash is one that never changes: hotkv-server lets it be kept.
const fileOf = (text, extension) => `_astro/inline.0${hashOf(text)}.${extension}`;

export class StrictPages {
  constructor({ base, origin, isPublic }) {
    this.base = base;
    this.origin = origin;
    this.isPublic = isPublic;
    this.files = new Map();
    this.rules = new Map();
  }

  /** The page `name` ('ro/index.html') with its text made strict. */
  page(name, text) {
    let made = this.#scripts(text);
    made = this.#styles(made);
    made = this.#attributes(made);
    made = this.#head(made);
    return path.basename(name) === '404.html' ? made : this.#relative(name, made);
  }

  /** What the pages now refer to: [name, content]. */
  *extras() {
    yield* this.files;
    const sheet = [...this.rules].map(([rule, name]) => `.${name}{${rule}}\n`).join('');
    yield [INLINE_SHEET, sheet];
  }

  #scripts(text) {
    return text.replace(/<script([^>]*)>([\s\S]*?)<\/script>/g, (whole, attributes, code) => {
      const isData = /\btype="?application\//.test(attributes);
      if (isData || /\bsrc=/.test(attributes) || !code.trim()) return whole;
      const file = fileOf(code, 'js');
      this.files.set(file, code);
      return `<script${attributes} src="${this.base}${file}"></script>`;
    });
  }

  #styles(text) {
    return text.replace(/<style[^>]*>([\s\S]*?)<\/style>/g, (whole, sheet) => {
      const file = fileOf(sheet, 'css');
      this.files.set(file, sheet);
      return `<link rel="stylesheet" href="${this.base}${file}">`;
    });
  }

  #attributes(text) {
    return text.replace(/<([a-z][\w-]*)((?:\s[^<>]*?)?)\sstyle="([^"]*)"([^<>]*)>/g,
      (whole, tag, before, style, after) => {
        const rule = style.replace(/&quot;/g, '"').replace(/;?\s*$/, '');
        if (!this.rules.has(rule)) this.rules.set(rule, `s${hashOf(rule)}`);
        const name = this.rules.get(rule);
        const others = before + after;
        const joined = /\sclass="/.test(others)
          ? others.replace(/\sclass="/, ` class="${name} `)
          : `${others} class="${name}"`;
        return `<${tag}${joined}>`;
      });
  }

  #head(text) {
    const policy = `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`;
    const sheet = `<link rel="stylesheet" href="${this.base}${INLINE_SHEET}">`;
    let made = text.replace(/<meta charset="utf-8"\s*\/?>/, (found) => found + policy);
    if (!made.includes(policy)) throw new Error('a page has no <meta charset="utf-8">');
    made = made.replace('</head>', `${sheet}</head>`);
    if (this.isPublic) return made;
    // Nobody knows yet where this build will live: no address of it is the one true.
    return made
      .replace(/<link rel="canonical"[^>]*>/, '')
      .replace(/<meta property="og:url"[^>]*>/, '')
      .replace(/<link rel="sitemap"[^>]*>/, '')
      .replaceAll(`href="${this.origin}/`, 'href="/');
  }

  #relative(name, text) {
    const up = '../'.repeat(name.split('/').length - 1) || './';
    const attribute = /(\s(?:href|src|value|data-base))="\/([^"/][^"]*|)"/g;
    return text.replace(attribute, (whole, attr, rest) => {
      const full = `/${rest}`;
      if (full === this.base) return `${attr}="${up}"`;
      if (!full.startsWith(this.base)) return whole;
      return `${attr}="${up}${full.slice(this.base.length)}"`;
    });
  }
}
