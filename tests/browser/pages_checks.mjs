// The pages around the player: commands as programs of a client.
import { CLIENTS, copyAs } from '../../web/copy_as.js';
import { check, equal, focused, test } from './harness.mjs';

const clientMenu = (page) => page.locator('[data-part="copy-language"]');
const copied = (page) => page.evaluate(() => navigator.clipboard.readText());

test('copy as: each client gets the commands that are shown, the choice holds', async (t) => {
  const page = await t.session();
  await page.evaluate(() => document.querySelector('hotkv-player').seek({ step: 2 }));
  const select = clientMenu(page);
  equal(await select.locator('option').allTextContents(),
    ['Transcript', ...CLIENTS.map((client) => client.label)], 'choices');
  const commands = [
    'SET lock:billing-run tok-a81f NX PX 30000', 'SET lock:billing-run tok-b22c NX PX 30000',
  ].map((line) => line.split(' '));
  for (const { id, label } of CLIENTS) {
    await select.selectOption(id);
    await page.click('[data-act="copy"]');
    await page.locator('[data-part="banner"]', { hasText: `commands for ${label}` }).waitFor();
    equal(await copied(page), copyAs(id, commands), id);
  }
  await page.evaluate(() => document.querySelector('hotkv-player').seek({ step: 1 }));
  equal(await select.inputValue(), 'cpp', 'after a seek');
});

test('copy as: one choice for all players of a page; an attribute suggests it', async (t) => {
  const page = await t.session();
  const select = clientMenu(page);
  await page.evaluate(() => {
    document.querySelector('hotkv-player').client = 'nobody';
  });
  equal(await select.first().inputValue(), '', 'an unknown client');
  const second = await page.evaluate(async () => {
    const other = document.createElement('hotkv-player');
    Object.assign(other, { lesson: 'sandbox', client: 'go', loading: 'eager' });
    document.body.append(other);
    await other.ready;
    return other.shadowRoot.querySelector('[data-part="copy-language"]').value;
  });
  equal([second, await select.first().inputValue()], ['go', 'go'], 'the attribute of the second');
  await select.first().selectOption('python');
  const values = await page.evaluate(() => {
    const all = [...document.querySelectorAll('hotkv-player')];
    return all.map((one) => one.shadowRoot.querySelector('[data-part="copy-language"]').value);
  });
  equal(values, ['python', 'python'], 'the choice of the first');
  await page.evaluate(() => {
    document.querySelector('hotkv-player').client = 'java';
  });
  equal(await select.first().inputValue(), 'python', 'a visitor chose already');
});

test('copy as: the query of a frame names the client', async (t) => {
  const page = await t.open('embed.html?lesson=lock&client=java&loading=eager');
  await page.waitForSelector('[data-status="ready"]');
  equal(await clientMenu(page).inputValue(), 'java', 'client');
  check(page.faults.length === 0, `console: ${page.faults}`);
});

test('copy as: a page shows the program of each step, for each client', async (t) => {
  const page = await t.open('locks/');
  const steps = ['SET lock:billing-run tok-a81f NX PX 30000',
    'SET lock:billing-run tok-b22c NX PX 30000', 'PTTL lock:billing-run',
    'DELEX lock:billing-run IFEQ tok-a81f', 'DELEX lock:billing-run IFEQ tok-stale'];
  for (const { id } of CLIENTS) {
    const shown = await page.$$eval(`.walk [data-client="${id}"]`, (all) =>
      all.map((one) => one.textContent));
    equal(shown, steps.map((line) => copyAs(id, [line.split(' ')])), id);
  }
});

test('copy as: tabs go by arrows, all steps and the player follow, the place stays', async (t) => {
  const page = await t.session();
  const box = page.locator('.walk .programs').nth(3);
  const tabs = box.getByRole('tab');
  equal(await tabs.allTextContents(), CLIENTS.map((client) => client.label), 'names');
  await tabs.nth(0).focus();
  const top = () => box.evaluate((one) => Math.round(one.getBoundingClientRect().top));
  const place = await top();
  for (const [key, label] of [['ArrowLeft', 'C++'], ['Home', 'redis-cli'], ['End', 'C++'],
    ['ArrowRight', 'redis-cli'], ['ArrowRight', 'Python']]) {
    await page.keyboard.press(key);
    const chosen = box.getByRole('tab', { selected: true });
    equal(await chosen.textContent(), label, key);
    check(await chosen.evaluate((tab) => tab === document.activeElement), `${key}: the focus`);
    equal(await chosen.getAttribute('tabindex'), '0', `${key}: tabindex`);
  }
  equal(await top(), place, 'the place of the tabs');
  equal(await page.locator('.walk pre:visible').evaluateAll((all) =>
    all.map((one) => one.dataset.client)), Array(5).fill('python'), 'the other steps');
  equal(await clientMenu(page).inputValue(), 'python',
    'the player');
  await box.getByRole('button', { name: 'Copy' }).click();
  await box.locator('[role=status]', { hasText: 'Copied' }).waitFor();
  equal(await copied(page), copyAs('python', ['DELEX lock:billing-run IFEQ tok-a81f'.split(' ')]),
    'the clipboard');
});

test('copy as: the query of a page names the client; without script it is redis-cli', async (t) => {
  const page = await t.open('ro/locks/?client=go');
  equal(await page.locator('.walk [aria-selected=true]').allTextContents(), Array(5).fill('Go'),
    'tabs');
  const plain = await t.open('locks/', { context: { javaScriptEnabled: false } });
  equal(await plain.locator('.walk pre:visible').evaluateAll((all) =>
    all.map((one) => one.dataset.client)), Array(5).fill('redis-cli'), 'without script');
});

test('steps: the prose and the player are one list, and nothing scrolls unasked', async (t) => {
  const page = await t.open('locks/');
  const marked = page.locator('.walk [aria-current=step]');
  const title = page.locator('.walk [data-seek="2"]');
  await title.scrollIntoViewIfNeeded();
  // The player above may grow when it starts: what the visitor reads stays where it is.
  const place = () => title.evaluate((one) => one.getBoundingClientRect().top);
  const before = await place();
  await title.click();
  await marked.waitFor();
  equal(await marked.textContent().then((text) => text.trim()), 'Worker B is refused', 'marked');
  equal(await page.evaluate(() => document.querySelector('hotkv-player').state().step), 2, 'step');
  check(Math.abs(await place() - before) < 2, `from ${before} to ${await place()}`);
  equal(await focused(page), 'A', 'the focus');
  await page.click('hotkv-player [data-step="4"]');
  await page.waitForSelector('.walk [data-seek="4"][aria-current=step]');
  equal(await marked.count(), 1, 'marks');
  await page.click('[data-try="crash"]');
  await marked.waitFor({ state: 'detached' });
  await page.click('[data-act="lesson"]');
  await page.click('.walk [data-go="3"]');
  await page.waitForSelector('.walk [data-seek="3"][aria-current=step]', { state: 'attached' });
  await page.waitForFunction(() => {
    const { activeElement } = document.querySelector('hotkv-player').shadowRoot;
    return activeElement?.dataset.step === '3';
  });
});
