// The console line under every way of typing: keys, input methods, phones, pasted text.
import { CLI, check, equal, focused, native, playerOf, shownTranscript, test } from './harness.mjs';

const LINE = '[data-part="line"]';
const mine = (page, n) => page.waitForSelector(`:nth-match(.entry.mine, ${n})`);
const said = async (page) => (await shownTranscript(page)).filter((entry) => entry.typed)
  .map(({ text }) => text.split('\n')[0].slice('hotkv> '.length));
const value = (page) => page.inputValue(LINE);

async function say(page, line) {
  const count = (await said(page)).length;
  await page.fill(LINE, line);
  await page.press(LINE, 'Enter');
  await mine(page, count + 1);
}

async function paste(page, text) {
  await page.evaluate((pasted) => navigator.clipboard.writeText(pasted), text);
  await page.focus(LINE);
  await page.keyboard.press('Control+V');
}

test('console: Tab completes, twice lists, and never traps', async (t) => {
  const page = await t.session();
  const player = await playerOf(page);
  await page.focus(LINE);
  await page.keyboard.press('Tab');
  check(await focused(page) !== 'line', 'Tab on an empty line stays');
  await page.focus(LINE);
  await page.keyboard.type('GET lo');
  await page.keyboard.press('Shift+Tab');
  check(await focused(page) !== 'line', 'Shift+Tab stays');
  equal(await value(page), 'GET lo', 'the line after Shift+Tab');
  await page.fill(LINE, 'hx');
  await page.focus(LINE);
  await page.keyboard.press('Tab');
  check(await focused(page) !== 'line', 'Tab with nothing to complete stays');
  await page.fill(LINE, 'set');
  await page.focus(LINE);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  const listed = await page.$$eval('[data-part="choices"]:not([hidden]) span', (all) =>
    all.map((one) => one.textContent.trim()));
  equal(listed, (await player.evaluate((p) => p.complete('set'))).map((one) => one.trim()),
    'what is listed after two');
  check(listed.length > 3 && listed.includes((await value(page)).trim()), `listed: ${listed}`);
  await page.keyboard.type('x');
  check(await page.locator('[data-part="choices"]').isHidden(), 'the list stays while typing');
});

test('console: subcommands and live keys are completed', async (t) => {
  const page = await t.session();
  const player = await playerOf(page);
  const json = native('redis-cli', ['-p', String(t.servers.resp), '--json', 'COMMAND', 'DOCS']);
  const containers = Object.entries(JSON.parse(json)).filter(([, one]) => one.subcommands);
  check(containers.length >= 4, `only ${containers.length} commands with subcommands`);
  for (const [name, { subcommands }] of containers) {
    const offered = await player.evaluate((p, line) => p.complete(line), `${name} `);
    equal(offered.map((line) => line.trim().split(' ').at(-1).toLowerCase()).sort(),
      Object.keys(subcommands).map((one) => one.split('|')[1]).sort(), `after ${name}`);
  }
  await say(page, 'SET cafe:ș 1');
  await page.fill(LINE, 'GET caf');
  await page.focus(LINE);
  await page.keyboard.press('Tab');
  equal((await value(page)).trim(), 'GET cafe:ș', 'a key that was just written');
  await say(page, 'DEL cafe:ș');
  equal(await player.evaluate((p) => p.complete('GET caf')), [], 'a key that is gone');
});

test('console: history by arrows and Ctrl-R, Ctrl-L and Esc empty the line', async (t) => {
  const page = await t.session();
  for (const line of ['SET one 1', 'SET two 2', 'GET one']) await say(page, line);
  const entries = (await shownTranscript(page)).length;
  const press = (...keys) => keys.reduce((before, key) =>
    before.then(() => page.keyboard.press(key)), page.focus(LINE));
  await page.fill(LINE, 'draft');
  await press('ArrowUp', 'ArrowUp', 'ArrowUp', 'ArrowUp');
  equal(await value(page), 'SET one 1', 'the first line is the end');
  await press('ArrowDown');
  equal(await value(page), 'SET two 2', 'one down');
  await press('ArrowDown', 'ArrowDown', 'ArrowDown');
  equal(await value(page), 'draft', 'what was begun comes back');
  await press('Escape');
  equal(await value(page), '', 'Esc');
  await page.fill(LINE, 'rest');
  await press('Control+l');
  equal(await value(page), '', 'Ctrl-L');
  equal((await shownTranscript(page)).length, entries, 'the transcript after Ctrl-L');
  const found = () => page.textContent('[data-part="search"]');
  await press('Control+r');
  await page.keyboard.type('one');
  check((await found()).includes('GET one'), `found: ${await found()}`);
  await press('Control+r');
  check((await found()).includes('SET one 1'), `found before: ${await found()}`);
  await press('Enter');
  equal(await value(page), 'SET one 1', 'what Enter takes');
  equal((await shownTranscript(page)).length, entries, 'taken, not sent');
  await press('Control+r', 'Escape');
  check(await page.locator('[data-part="search"]').isHidden(), 'Esc does not end the search');
  equal(page.faults, [], 'console');
});

test('console: an input method composes without sending, phones insert whole words', async (t) => {
  const page = await t.session('locks/', { context: { hasTouch: true } });
  const keys = await page.context().newCDPSession(page);
  const compose = (text) => keys.send('Input.imeSetComposition',
    { text, selectionStart: text.length, selectionEnd: text.length });
  await page.focus(LINE);
  await keys.send('Input.insertText', { text: 'SET k "' });
  for (const text of ['s', 'su', 'suo', '锁']) await compose(text);
  equal(await value(page), 'SET k "锁', 'while it is composed');
  equal(await said(page), [], 'sent while it is composed');
  await keys.send('Input.insertText', { text: '锁' });
  await keys.send('Input.insertText', { text: '"' });
  equal(await value(page), 'SET k "锁"', 'composed');
  check((await page.textContent('[data-part="ghost"]')).startsWith('SET k "锁"'), 'no ghost');
  await page.keyboard.press('Enter');
  await mine(page, 1);
  // Suggestions of a phone come as whole words; its button for "send" is Enter or the page's own.
  for (const text of ['get', ' ', 'k']) await keys.send('Input.insertText', { text });
  await page.tap('[data-act="send"]');
  await mine(page, 2);
  equal(await said(page), ['SET k "锁"', 'get k'], 'lines');
  equal((await shownTranscript(page)).filter((one) => one.typed)[1].text.split('\n')[1],
    native(CLI, ['-p', String(t.servers.resp), '--no-raw', 'ECHO', '锁']).trim(), 'reply');
});

test('console: Enter inside a composition belongs to the input method', async (t) => {
  const page = await t.session();
  await page.fill(LINE, 'GET k');
  const sent = await page.$eval(LINE, (input) => {
    const enter = { key: 'Enter', bubbles: true, cancelable: true };
    const taken = (more) =>
      !input.dispatchEvent(new KeyboardEvent('keydown', { ...enter, ...more }));
    return [taken({ isComposing: true }), taken({ keyCode: 229 })];
  });
  equal(sent, [false, false], 'taken by the console');
  equal(await value(page), 'GET k', 'the line');
  equal(await said(page), [], 'sent');
});

const PROMPTS = [
  'hotkv> ', 'redis> ', 'hotkv(n1)> ', 'hotkv(Worker A → n1)> ', '127.0.0.1:6379> ',
  '127.0.0.1:6379[3]> ', 'localhost:6379> ', 'redis 127.0.0.1:6379> ', '  hotkv>',
];

test('console: pasted text of all kinds runs line by line', async (t) => {
  const page = await t.session();
  const lines = PROMPTS.map((prompt, i) => `${prompt}ECHO ${i}`);
  await paste(page, `# comment\r\n${lines.join('\r\n')}\r\n\r\n   # another\rSET "ș ț" 锁\n`
    + 'GET "ș ț"\t\n\u00a0\nECHO "a # b > c"');
  await mine(page, PROMPTS.length + 3);
  equal(await said(page), [...PROMPTS.map((_, i) => `ECHO ${i}`), 'SET "ș ț" 锁', 'GET "ș ț"',
    'ECHO "a # b > c"'], 'what was run');
  // One line is inserted where the cursor is, to be looked at before it is sent.
  await page.fill(LINE, 'ECHO ');
  await paste(page, '"x y"');
  equal(await value(page), 'ECHO "x y"', 'one pasted line');
  await page.fill(LINE, '');
  await paste(page, 'hotkv> GET k');
  equal(await value(page), 'GET k', 'one pasted line with a prompt');
  equal((await said(page)).length, PROMPTS.length + 3, 'what was run after it');
  equal(page.faults, [], 'console');
});
