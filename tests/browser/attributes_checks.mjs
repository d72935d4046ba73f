// Attributes of the element, which are the parameters of the page for frames: each does what the
// guide says of it, and the guide lists each, in every language.
import * as fs from 'node:fs';
import * as path from 'node:path';
import { LANGUAGES, ROOT, check, equal, test } from './harness.mjs';
import { pageText } from './site_pages.mjs';

function attributes() {
  const facade = fs.readFileSync(path.join(ROOT, 'web/hotkv-player.js'), 'utf8');
  const list = /ATTRIBUTES = \[([\s\S]*?)\]/.exec(facade)[1];
  return [...list.matchAll(/'([\w-]+)'/g)].map(([, name]) => name);
}

async function embed(t, query) {
  const page = await t.open(`embed.html?lesson=lock&loading=eager&${query}`);
  await page.evaluate(() => document.querySelector('hotkv-player').ready.then(() => true));
  return page;
}

const player = (page, ask) => page.evaluate(ask);
const state = (page) => page.evaluate(() => document.querySelector('hotkv-player').state());
const set = (page, values) => page.evaluate((all) => {
  Object.assign(document.querySelector('hotkv-player'), all);
}, values);
const said = (page, text) => page.locator('[data-part="banner"]', { hasText: text }).waitFor();

/** Which of these parts are seen, as their names. */
async function seen(page, parts) {
  const names = Object.keys(parts);
  const visible = await Promise.all(names.map((name) => page.locator(parts[name]).isVisible()));
  return names.filter((_, i) => visible[i]).join(' ');
}

const PANELS = Object.fromEntries(['stage', 'steps', 'transcript', 'tries', 'params'].map(
  (name) => [name, `.panel-${name}`]));
const CONTROLS = Object.fromEntries(['play', 'step', 'share'].map(
  (name) => [name, `[data-act="${name}"]`]));
const CONSOLE = { log: '[data-part="log"]', line: '[data-part="line"]' };

test('attributes: the guide lists each, in every language', () => {
  for (const { path: below } of LANGUAGES) {
    const text = pageText(`${below}guides/embed/`);
    const rows = [...text.matchAll(/<tr>\s*<td><code[^>]*>([\w-]+)<\/code>/g)].map((one) => one[1]);
    equal(rows.sort(), [...attributes(), 'lang'].sort(), `${below}guides/embed/`);
  }
});

test('attributes: version, seed, params, x, at as an event and as an instant', async (t) => {
  const page = await embed(t, 'version=3&seed=11&params=ttl:777&at=4');
  const at = await state(page);
  equal([at.seed, at.params.ttl, at.event], ['11', '777', 4], 'seed, params, at');
  await set(page, { at: '30ms' });
  await page.waitForFunction(() => document.querySelector('hotkv-player').state().event !== 4);
  const later = await state(page);
  check(later.time_us >= 30000, `at=30ms is ${later.time_us}`);
  await player(page, () => document.querySelector('hotkv-player').seek(
    { event: document.querySelector('hotkv-player').state().event - 1 }));
  check((await state(page)).time_us < 30000, 'one event before is before');
  const other = await embed(t, 'version=2');
  await said(other, 'another lesson or version');
  const tried = await embed(t, 'x=0.try.late&step=3');
  equal((await state(tried)).attempt.id, 'late', 'x');
});

test('attributes: autoplay, speed and loop', async (t) => {
  const page = await embed(t, 'autoplay=visible&speed=8&loop');
  await page.waitForFunction(() => {
    const { event, status, length } = document.querySelector('hotkv-player').state();
    self.furthest = Math.max(self.furthest ?? 0, event);
    return status === 'playing' && self.furthest >= length - 2 && event < self.furthest / 2;
  });
  await set(page, { loop: 'off' });
  await page.waitForFunction(() => document.querySelector('hotkv-player').status === 'ended');
});

test('attributes: controls, console, panels, height', async (t) => {
  const page = await embed(t, 'controls=min&console=input&panels=stage,transcript&height=600');
  equal(await seen(page, CONTROLS), 'play', 'controls=min');
  equal(await seen(page, CONSOLE), 'line', 'console=input');
  equal(await seen(page, PANELS), 'stage transcript', 'panels');
  equal(await page.locator('hotkv-player').evaluate((one) => one.clientHeight), 600, 'height');
  await set(page, { controls: 'none', console: 'off', panels: 'steps,transcript' });
  equal(await seen(page, CONTROLS), '', 'controls=none');
  equal(await seen(page, CONSOLE), 'log', 'console=off');
  equal(await seen(page, PANELS), 'steps transcript', 'other panels');
  await set(page, { controls: null, console: null, panels: null });
  equal(await seen(page, CONTROLS), 'play step share', 'controls=full');
  equal(await seen(page, CONSOLE), 'log line', 'console=full');
  equal(await seen(page, PANELS), Object.keys(PANELS).join(' '), 'all panels');
});

test('attributes: theme, lang, motion, labels, build', async (t) => {
  const page = await embed(t, 'theme=dark&lang=ro&motion=reduce&build=0000000&at=2');
  await said(page, 'versiunea 0000000');
  const root = page.locator('[data-part="session"]');
  equal(await root.getAttribute('data-scheme'), 'dark', 'theme');
  equal(await root.getAttribute('lang'), 'ro', 'lang');
  const motion = () => player(page, () => document.querySelector('hotkv-player').session.motion);
  equal(await motion(), 'reduce', 'motion');
  await set(page, { motion: 'auto', theme: 'light' });
  equal([await motion(), await root.getAttribute('data-scheme')], ['auto', 'light'], 'changed');
  await page.evaluate(async () => {
    const one = document.querySelector('hotkv-player');
    while (one.state().messages.length === 0) await one.seek({ event: one.state().event + 1 });
  });
  const picture = async () => {
    const drawn = () => document.querySelector('hotkv-player').stats().frames;
    const before = await player(page, drawn);
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() =>
      requestAnimationFrame(() => requestAnimationFrame(done)))));
    check(await player(page, drawn) >= before, 'frames');
    return (await page.locator('[data-part="canvas"]').screenshot()).toString('base64');
  };
  const labelled = await picture();
  await set(page, { labels: 'off' });
  check(await picture() !== labelled, 'labels=off draws the same');
  await set(page, { labels: 'auto' });
  equal(await picture() === labelled, true, 'labels=auto');
});
