// Long pages and crowded pages of somebody else: fingers and wheels scroll the page and not the
// canvas, Tab comes by, of all that could play one does, and graphics contexts are few.
import { check, equal, test } from './harness.mjs';
import { below, onHost, script, tall } from './host.mjs';

const PLAYER = '<hotkv-player lesson="lock" loading="eager"></hotkv-player>';
const CONTEXTS_MAX = 2;

const place = (page) => page.evaluate(() => [scrollY, document.activeElement.id]);

/** The middle of the canvas in the window; the page goes there first. */
async function middleOfCanvas(page) {
  const canvas = page.locator('[data-part="canvas"]').first();
  await canvas.scrollIntoViewIfNeeded();
  const box = await canvas.boundingBox();
  return { x: Math.round(box.x + box.width / 2), y: Math.round(box.y + box.height / 2) };
}

/** One finger goes down here, moves by so many pixels, and is lifted. */
async function pan(page, x, y, by) {
  const devtools = await page.context().newCDPSession(page);
  const touch = (type, ...touchPoints) =>
    devtools.send('Input.dispatchTouchEvent', { type, touchPoints });
  await touch('touchStart', { x, y });
  for (let i = 1; i <= 10; i++) await touch('touchMove', { x, y: y + (by * i) / 10 });
  await touch('touchEnd');
}

test('host: loading and playing move neither its scroll nor its focus', async (t) => {
  const body = `${script(t)}<input id="own">${tall}${PLAYER}${below}`;
  await onHost(t, body, async (page) => {
    await page.focus('#own');
    await page.evaluate(() => scrollTo(0, 1900));
    equal(await place(page), [1900, 'own'], 'before');
    await page.evaluate(() => document.querySelector('hotkv-player').ready.then(() => true));
    equal(await place(page), [1900, 'own'], 'after loading');
    await page.evaluate(async () => {
      const player = document.querySelector('hotkv-player');
      await player.play();
      while (player.state().event < 3) await new Promise(requestAnimationFrame);
    });
    equal(await place(page), [1900, 'own'], 'while it plays');
    await page.evaluate(async () => {
      const player = document.querySelector('hotkv-player');
      await player.seek({ end: true });
      await player.exec('B', 'n1', 'PING');
    });
    equal(await place(page), [1900, 'own'], 'after a command');
  });
});

test('host: the wheel over the canvas scrolls the page', async (t) => {
  await onHost(t, script(t) + tall + PLAYER + below, async (page) => {
    await page.evaluate(() => document.querySelector('hotkv-player').ready.then(() => true));
    const { x, y } = await middleOfCanvas(page);
    const [before] = await place(page);
    await page.mouse.move(x, y);
    await page.mouse.wheel(0, 300);
    await page.waitForFunction((wanted) => scrollY === wanted, before + 300);
  });
});

test('host: a finger that pans over the canvas scrolls the page', async (t) => {
  const phone = { viewport: { width: 360, height: 780 }, hasTouch: true, isMobile: true };
  const body = `<meta name="viewport" content="width=device-width">${script(t)}${tall}${PLAYER}`
    + below;
  await onHost(t, body, async (page) => {
    await page.evaluate(() => document.querySelector('hotkv-player').ready.then(() => true));
    const { x, y } = await middleOfCanvas(page);
    const [before] = await place(page);
    await pan(page, x, y, -150);
    await page.waitForFunction((wanted) => scrollY > wanted, before + 100);
    equal(await page.evaluate(() => document.querySelector('hotkv-player').state().inputs), [],
      'inputs');
  }, { context: phone });
});

test('host: Tab goes through the session and out of it, both ways', async (t) => {
  const body = `${script(t)}<button id="before">b</button>${PLAYER}<button id="after">a</button>`;
  await onHost(t, body, async (page) => {
    await page.evaluate(() => document.querySelector('hotkv-player').ready.then(() => true));
    /** Stops inside the player on the way from one button to the other. */
    const stops = async (from, key, to) => {
      await page.focus(from);
      for (let inside = 0; inside < 150; inside++) {
        await page.keyboard.press(key);
        const [, id] = await place(page);
        if (id === to) return inside;
      }
      throw new Error(`${key} does not come from ${from} to ${to}`);
    };
    const there = await stops('#before', 'Tab', 'after');
    check(there > 10, `only ${there} stops`);
    equal(await stops('#after', 'Shift+Tab', 'before'), there, 'stops on the way back');
  });
});

test('host: of two elements and a frame one plays', async (t) => {
  const frame = `<iframe src="${t.url}embed.html?lesson=lock&loading=eager" sandbox="allow-scripts"
    style="width: 700px; height: 800px"></iframe>`;
  const small = '<hotkv-player lesson="lock" loading="eager" height="300"></hotkv-player>';
  const context = { viewport: { width: 1280, height: 1700 } };
  await onHost(t, script(t) + small + small + frame, async (page) => {
    const [host, framed] = page.frames();
    const ready = () => Promise.all([...document.querySelectorAll('hotkv-player')].map(
      (one) => one.ready)).then(() => true);
    await host.evaluate(ready);
    await framed.waitForSelector('[data-status="ready"]');
    const statuses = async () => [
      ...await host.$$eval('hotkv-player', (all) => all.map((one) => one.status)),
      await framed.$eval('hotkv-player', (one) => one.status),
    ];
    const play = (window, n) =>
      window.$$eval('hotkv-player', (all, i) => all[i].play(), n);
    const onlyPlaying = async (wanted) => {
      const others = [0, 1, 2].filter((n) => n !== wanted);
      let now = await statuses();
      while (others.some((n) => now[n] === 'playing')) now = await statuses();
      equal(now[wanted], 'playing', `${wanted} of ${now}`);
    };
    await play(host, 0);
    await onlyPlaying(0);
    await play(host, 1);
    await onlyPlaying(1);
    await play(framed, 0);
    await onlyPlaying(2);
    await play(host, 0);
    await onlyPlaying(0);
  }, { context });
});

test('host: thirty elements share two graphics contexts', async (t) => {
  const many = PLAYER.replace('eager', 'lazy').repeat(30);
  const before = (page) => page.addInitScript(() => {
    window.contexts = [];
    const { getContext } = HTMLCanvasElement.prototype;
    HTMLCanvasElement.prototype.getContext = function counted(kind, ...rest) {
      const context = getContext.call(this, kind, ...rest);
      if (/webgl/.test(kind) && context && !window.contexts.includes(context)) {
        window.contexts.push(context);
      }
      return context;
    };
  });
  await onHost(t, script(t) + many, async (page) => {
    const most = await page.evaluate(async () => {
      const live = () => window.contexts.filter((one) => !one.isContextLost()).length;
      let max = 0;
      for (const player of document.querySelectorAll('hotkv-player')) {
        player.scrollIntoView();
        await player.activate();
        while (player.stats().frames === 0) await new Promise(requestAnimationFrame);
        max = Math.max(max, live());
      }
      return max;
    });
    check(most <= CONTEXTS_MAX, `${most} contexts at a time`);
    const [told, all] = await page.evaluate(() => [
      document.querySelector('hotkv-player').stats().glContexts, window.contexts.length]);
    check(told <= CONTEXTS_MAX, `stats() tell ${told}`);
    check(all >= 30, `only ${all} contexts were ever made`);
    // The first comes back with its picture.
    await page.evaluate(async () => {
      const player = document.querySelector('hotkv-player');
      player.scrollIntoView();
      const { frames } = player.stats();
      await player.seek({ step: 2 });
      while (player.stats().frames === frames) await new Promise(requestAnimationFrame);
    });
  }, { before });
});
