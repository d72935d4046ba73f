// The built pages as files: what each must have, and that every address in them leads somewhere.
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { ROOT, SITE } from './harness.mjs';

/** 'ro/locks/' for every page but the one of a missing address and the one for frames. */
export function allPages() {
  return fs
    .readdirSync(SITE, { recursive: true })
    .filter((name) => /(^|\/)index\.html$/.test(name))
    .map((name) => name.replace(/index\.html$/, ''))
    .sort();
}

export function pageText(page) {
  return fs.readFileSync(path.join(SITE, page, 'index.html'), 'utf8');
}

const LOCALES = { en: '', ro: 'ro/', 'zh-CN': 'zh-cn/' };

/** What is wrong with the head of a page: a list of sentences. */
export function headFaults(page, text) {
  const faults = [];
  const need = (condition, what) => condition || faults.push(`${page || '/'}: ${what}`);
  const lang = /<html[^>]*\slang="([^"]+)"/.exec(text)?.[1];
  const wanted = Object.keys(LOCALES).find((one) => one !== 'en' && page.startsWith(LOCALES[one]));
  need(lang === (wanted ?? 'en'), `lang is ${lang}`);
  need(/<title>[^<]{5,}<\/title>/.test(text), 'no title');
  need(/<meta name="description" content="[^"]{12,}"/.test(text), 'no description');
  need(text.match(/<h1[\s>]/g)?.length === 1, 'must have one h1');
  need(/<link rel="(shortcut )?icon"/.test(text), 'no icon');
  for (const hreflang of Object.keys(LOCALES)) {
    need(text.includes(`hreflang="${hreflang}"`), `no link to ${hreflang}`);
  }
  need(/<meta http-equiv="Content-Security-Policy"/.test(text), 'no policy');
  need(!/<style|\sstyle="|\son\w+="|javascript:/.test(text), 'a style or a handler in the page');
  const scripts = [...text.matchAll(/<script([^>]*)>/g)].map(([, attributes]) => attributes);
  const inline = scripts.filter((one) => !/\bsrc=|application\//.test(one));
  need(inline.length === 0, `a script in the page: ${inline}`);
  need(!/[şţŞŢ]/.test(text), 'a cedilla instead of a comma below');
  return faults;
}

const UNFIT = /^(https?:|mailto:|data:)/;

/** Addresses of the site in a page that lead nowhere. */
export function brokenAddresses(page, text) {
  const found = [...text.matchAll(/\s(?:href|src)="([^"]*)"/g)].map(([, address]) => address);
  return [...new Set(found)].filter((address) => {
    if (UNFIT.test(address) || address.startsWith('#lock/')) return false;
    const url = new URL(address.replaceAll('&amp;', '&'), `http://site/${page}`);
    let file = path.join(SITE, decodeURIComponent(url.pathname));
    if (url.pathname.endsWith('/')) file = path.join(file, 'index.html');
    if (!fs.existsSync(file)) return true;
    if (!url.hash || !file.endsWith('.html')) return false;
    const id = decodeURIComponent(url.hash.slice(1));
    const target = fs.readFileSync(file, 'utf8');
    return !/step=/.test(id) && !target.includes(`id="${id}"`);
  });
}

const ENTITIES = { lt: '<', gt: '>', quot: '"', amp: '&', '#39': "'", '#34': '"' };

/** The transcripts of a page: [{kind, text}]; kind is a lesson's id or `session`. */
export function transcripts(text) {
  return [...text.matchAll(/<pre([^>]*)\sdata-transcript="([^"]+)"[^>]*>([\s\S]*?)<\/pre>/g)].map(
    ([, , kind, body]) => ({
      kind,
      text: body.replace(/&(lt|gt|quot|amp|#39|#34);/g, (_, name) => ENTITIES[name]),
    }),
  );
}

export const BELOW = '/docs/kv/';

/** The site built for a path and with an address of the source; returns its folder. */
export function siteBelow() {
  const out = path.join(ROOT, 'build/site-below');
  const source = 'https://code.example/hotkv/blob/0123abc/';
  execFileSync(path.join(ROOT, 'site/build'), ['--base', BELOW, '--source', source, '--out', out]);
  return out;
}
