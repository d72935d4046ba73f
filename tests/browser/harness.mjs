// What the browser tests share: a test list with a tally, the browser, the servers, the programs
// built natively. Tests wait for conditions, never for time to pass.
import { spawn, spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as http from 'node:http';
import * as net from 'node:net';
import * as path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
export const SITE = path.join(ROOT, 'build/site');
export const SIM = path.join(ROOT, 'build/release/hotkv-sim');
export const CLI = path.join(ROOT, 'build/release/hotkv-cli');
export const LESSON = path.join(ROOT, 'assets/lessons/lock.scenario');
export const WAIT_MS = 60000;

export const LANGUAGES = [
  { file: 'en', lang: 'en', path: '', locks: 'locks/' },
  { file: 'ro', lang: 'ro', path: 'ro/', locks: 'ro/locks/' },
  { file: 'zh', lang: 'zh-CN', path: 'zh-cn/', locks: 'zh-cn/locks/' },
];

// Test list.

const tests = [];

export function test(name, run) {
  tests.push({ name, run });
}

export function check(condition, message) {
  if (!condition) throw new Error(message);
}

export function equal(actual, expected, what) {
  const [got, wanted] = [actual, expected].map((value) =>
    typeof value === 'string' ? value : JSON.stringify(value),
  );
  if (got === wanted) return;
  throw new Error(
    `${what}\n      got:      ${shortened(got)}\n      expected: ${shortened(wanted)}`,
  );
}

function shortened(text) {
  const one = JSON.stringify(text) ?? 'undefined';
  return one.length > 900 ? `${one.slice(0, 900)}... (${one.length})` : one;
}

export async function runTests(context, only) {
  let passed = 0;
  let failed = 0;
  for (const { name, run } of tests) {
    if (only && !name.includes(only)) continue;
    const started = performance.now();
    const took = () => `${((performance.now() - started) / 1000).toFixed(1)} s`;
    try {
      await run(context);
      passed++;
      console.log(`ok      ${name} (${took()})`);
    } catch (error) {
      failed++;
      console.log(`FAILED  ${name} (${took()})\n    ${error.stack ?? error}`);
    }
    await context.closePages();
  }
  console.log(`tally: ${passed} passed, ${failed} failed`);
  return failed === 0;
}

// Browser.

export class Context {
  constructor(browser, servers) {
    this.browser = browser;
    this.servers = servers;
    this.url = servers.http;
    this.contexts = [];
  }

  static async start(servers) {
    const browser = await chromium.launch({
      executablePath: process.env.HOTKV_CHROMIUM ?? '/usr/bin/chromium',
      timeout: WAIT_MS,
      args: [
        '--no-sandbox',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--enable-unsafe-swiftshader',
      ],
    });
    return new Context(browser, servers);
  }

  /** A page of its own; `page.faults` collects what the console and the page complained about. */
  async open(address, options = {}) {
    const context = await this.browser.newContext({
      viewport: { width: 1280, height: 900 },
      permissions: ['clipboard-read', 'clipboard-write'],
      ...options.context,
    });
    this.contexts.push(context);
    const page = await context.newPage();
    page.setDefaultTimeout(WAIT_MS);
    page.faults = [];
    page.on('pageerror', (error) => page.faults.push(String(error)));
    page.on('console', (message) => {
      // The software renderer of a machine without a graphics card remarks on its own read-backs,
      // which are the browser's and not the page's.
      const isDriver = message.text().includes('GL Driver Message (OpenGL, Performance');
      if (!isDriver && ['error', 'warning'].includes(message.type())) {
        page.faults.push(message.text());
      }
    });
    await options.before?.(page);
    const url = /^http/.test(address) ? address : this.url + address;
    await page.goto(url, { waitUntil: 'load', timeout: WAIT_MS });
    return page;
  }

  /** A page whose engine is ready. */
  async session(address = 'locks/', options = {}) {
    const page = await this.open(address, options);
    await page.evaluate(async () => {
      const player = document.querySelector('hotkv-player');
      player.loading = 'eager';
      await player.ready;
    });
    return page;
  }

  async closePages() {
    await Promise.all(this.contexts.map((context) => context.close()));
    this.contexts = [];
  }

  async stop() {
    await this.browser.close();
    this.servers.stop();
  }
}

/** The session of a page: `session.evaluate((session, argument) => ..., argument)`. */
export function playerOf(page) {
  return page.evaluateHandle(() => document.querySelector('hotkv-player').session);
}

/** What has the focus, also inside a player: "play", "line", ..., or the name of its tag. */
export function focused(page) {
  return page.evaluate(() => {
    let one = document.activeElement;
    while (one?.shadowRoot?.activeElement) one = one.shadowRoot.activeElement;
    return one.dataset.act ?? one.dataset.part ?? one.dataset.item ?? one.tagName;
  });
}

/** Waits until this part of the player is hidden. */
export function gone(page, name) {
  return page.waitForSelector(`[data-part="${name}"]`, { state: 'hidden' });
}

/** Clicks "Next step" until the session has ended; waits for each step to be shown. */
export async function stepToEnd(page) {
  const count = await page.locator('[data-step]').count();
  for (let n = 1; n <= count; n++) {
    await page.click('[data-act="step"]');
    await page.waitForSelector(`[data-step="${n}"][aria-current="step"]`);
  }
}

/** The transcript as the log shows it: one text an entry, the actor apart. */
export function shownTranscript(page) {
  return page.$$eval('[data-part="log"] .entry', (entries) =>
    entries.map((entry) => ({
      actor: entry.querySelector('.lane').textContent,
      text: entry.querySelector('pre').textContent,
      typed: entry.classList.contains('mine'),
    })),
  );
}

// Servers.

export function freePort() {
  return new Promise((resolve, reject) => {
    const server = net.createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

function reached(port) {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    socket.on('connect', () => resolve(socket.destroy() && true));
    socket.on('error', () => resolve(false));
  });
}

async function untilReached(port, process_, name) {
  const end = Date.now() + WAIT_MS;
  while (!(await reached(port))) {
    check(process_.exitCode === null, `${name} stopped with ${process_.exitCode}`);
    check(Date.now() < end, `${name} does not listen on ${port}`);
  }
}

/** hotkv-server with the site, on free ports: {resp, http, stop}. */
export async function startServer(program) {
  const [resp, web] = [await freePort(), await freePort()];
  const folder = fs.mkdtempSync(path.join(ROOT, 'build/browser-'));
  const child = spawn(
    program,
    ['--port', String(resp), '--http-port', String(web), '--http-root', SITE, '--dir', folder],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const stop = () => {
    child.kill('SIGTERM');
    fs.rmSync(folder, { recursive: true, force: true });
  };
  process.on('exit', stop);
  await untilReached(resp, child, program);
  await untilReached(web, child, program);
  return { resp, http: `http://127.0.0.1:${web}/`, stop };
}

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

/** The site on a plain static host without any header of its own, below a path. */
export function startStatic(below, site = SITE) {
  const server = http.createServer((request, response) => {
    let { pathname } = new URL(request.url, 'http://x');
    if (pathname.endsWith('/')) pathname += 'index.html';
    const file = path.join(site, pathname.slice(below.length));
    if (!pathname.startsWith(below) || !file.startsWith(site) || !fs.existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    const type = TYPES[path.extname(file)] ?? 'text/plain; charset=utf-8';
    response.writeHead(200, { 'content-type': type }).end(fs.readFileSync(file));
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      resolve({
        url: `http://127.0.0.1:${server.address().port}${below}`,
        stop: () => server.close(),
      });
    });
  });
}

// What is shipped, and second opinions.

/** The player's own files; those of the site around it are in _astro/ and pagefind/. */
export function shipped(extension) {
  return fs
    .readdirSync(SITE, { recursive: true })
    .filter((name) => name.endsWith(extension) && !/^(_astro|pagefind)\//.test(name))
    .map((name) => path.join(SITE, name));
}

/** What a program prints; `codes` are the exit codes that are no failure. */
export function native(program, words, input, codes = [0]) {
  const { error, status, signal, stdout, stderr } = spawnSync(program, words,
    { encoding: 'utf8', input, maxBuffer: 1 << 28, cwd: ROOT });
  if (error) throw error;
  if (codes.includes(status)) return stdout;
  throw new Error(`${program} ${words.join(' ')}: ${signal ?? `exit code ${status}`}\n${stderr}`);
}
