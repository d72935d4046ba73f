// The pages around the player: commands as programs of a client.
import { CLIENTS, copyAs } from '../../web/copy_as.js';
import { check, equal, test } from './harness.mjs';

const copied = (page) => page.evaluate(() => navigator.clipboard.readText());

test('copy as: each client gets the commands that are shown, the choice holds', async (t) => {
  const page = await t.session();
  await page.evaluate(() => document.querySelector('hotkv-player').seek({ step: 2 }));
  const select = page.getByLabel('Copy as');
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
  const select = page.getByLabel('Copy as');
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
  equal(await page.getByLabel('Copy as').inputValue(), 'java', 'client');
  check(page.faults.length === 0, `console: ${page.faults}`);
});
