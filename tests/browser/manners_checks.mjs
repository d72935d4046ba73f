// The element in other people's pages: nothing is asked for before it is wanted, the page keeps its
// scroll, focus and keys, one session plays at a time; the page for frames, also sandboxed.
import * as path from 'node:path';
import {
  LANGUAGES,
  check,
  equal,
  focused,
  playerOf,
  shipped,
  startStatic,
  test,
} from './harness.mjs';
import { below, onHost, script, tall } from './host.mjs';

const label = (page) => page.textContent('[data-part="label"]');

test('element: before it is wanted it asks for nothing but itself', async (t) => {
  const asked = [];
  const body = `${script(t)}<hotkv-player lesson="lock" loading="click" style="height: 480px">
    <pre slot="transcript" data-build="abc1234">hotkv&gt; PING</pre></hotkv-player>`;
  await onHost(t, body, async (page) => {
    const start = page.getByRole('button', { name: 'Start session' });
    await start.waitFor();
    equal(asked.map((url) => path.basename(url)), ['hotkv-player.js'], 'requests');
    check((await page.textContent('[data-part="poster"]')).includes('abc1234'), 'no build named');
    const shift = await page.evaluate(() => new Promise((done) => {
      let sum = 0;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) sum += entry.value;
      }).observe({ type: 'layout-shift', buffered: true });
      requestAnimationFrame(() => requestAnimationFrame(() => done(sum)));
    }));
    // The recorded text moves a little when the element gets its head; nothing around it does.
    check(shift < 0.01, `layout shift: ${shift}`);
    await start.click();
    await page.waitForSelector('[data-status="playing"]');
  }, {
    before: (page) => page.on('request', (request) => {
      if (request.url().startsWith(t.url)) asked.push(request.url());
    }),
  });
});

test('element: leaves the scroll, the focus and the keys of its page alone', async (t) => {
  const player = '<hotkv-player lesson="lock" loading="eager"></hotkv-player>';
  await onHost(t, script(t) + tall + player + below, async (page) => {
    await page.evaluate(() => document.querySelector('hotkv-player').ready.then(() => true));
    const place = () => page.evaluate(() => [scrollY, document.activeElement.tagName]);
    equal(await place(), [0, 'BODY'], 'after loading');
    await page.evaluate(() => document.querySelector('hotkv-player').play());
    equal(await page.evaluate(() => scrollY), 0, 'scroll after play()');
    for (const key of ['k', 'b', '3']) await page.keyboard.press(key);
    equal(await page.evaluate(() => document.querySelector('hotkv-player').state().inputs), [],
      'keys outside did something');
    await page.evaluate(() => document.querySelector('hotkv-player').scrollIntoView());
    const before = await page.evaluate(() => scrollY);
    const box = await page.locator('[data-part="world"]').boundingBox();
    await page.mouse.move(box.x + 20, box.y + 20);
    await page.mouse.wheel(0, 200);
    await page.waitForFunction((y) => scrollY > y, before);
  });
});

test('element: one session plays at a time, none plays unseen', async (t) => {
  const one = '<hotkv-player lesson="lock" loading="eager"></hotkv-player>';
  await onHost(t, script(t) + one + one + tall, async (page) => {
    const statuses = () => page.evaluate(() =>
      [...document.querySelectorAll('hotkv-player')].map((player) => player.status));
    await page.evaluate(async () => {
      const [first, second] = document.querySelectorAll('hotkv-player');
      await Promise.all([first.ready, second.ready]);
      second.scrollIntoView();
      await first.play();
      await second.play();
    });
    const playing = (await statuses()).filter((status) => status === 'playing');
    check(playing.length <= 1, `${await statuses()}`);
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await page.waitForFunction(() =>
      [...document.querySelectorAll('hotkv-player')].every((one) => one.status !== 'playing'));
  });
});

test('element: attributes, properties and methods', async (t) => {
  const body = `${script(t)}<hotkv-player lesson="lock" loading="eager" step="2" theme="dark"
    params="ttl:5" speed="4" console="off" panels="stage,steps" lang="ro"></hotkv-player>`;
  await onHost(t, body, async (page) => {
    const seen = await page.evaluate(async () => {
      const player = document.querySelector('hotkv-player');
      await player.ready;
      const state = player.state();
      const heard = [];
      for (const name of ['statechange', 'stepchange', 'command']) {
        player.addEventListener(name, () => heard.push(name));
      }
      const { text } = await player.exec('B', 'n1', 'PING');
      const root = player.shadowRoot.querySelector('.session');
      player.theme = 'light';
      return {
        step: state.step, ttl: state.params.ttl, speed: player.session.speed, text,
        heard: [...new Set(heard)].sort(), scheme: root.dataset.scheme, theme: player.theme,
        lang: root.lang, hash: /^[0-9a-f]{16}$/.test(player.hash()),
        link: player.link().startsWith('#lock@'), ids: player.semantics().length > 10,
      };
    });
    equal(seen, {
      step: 2, ttl: '5', speed: 4, text: 'PONG', heard: ['command', 'statechange'],
      scheme: 'light', theme: 'light', lang: 'ro', hash: true, link: true, ids: true,
    }, 'what the element says');
    for (const name of ['console', 'tries', 'transcript']) {
      check(!(await page.locator(`.panel-${name}`).isVisible()), `${name} is shown`);
    }
    await page.evaluate(() => document.querySelector('hotkv-player').dispose());
    await page.waitForSelector('[data-part="poster"]');
  });
});

const FRAME = `<iframe sandbox="allow-scripts" style="width: 640px; height: 700px"></iframe>
  <script>
    window.said = [];
    addEventListener('message', ({ data, ports, source }) => {
      if (data?.hotkv !== 1) return;
      if (data.type === 'listening') source.postMessage({ hotkv: 1, type: 'hello', id: 7 }, '*');
      if (data.type !== 'welcome') return;
      window.port = ports[0];
      window.port.onmessage = (event) => window.said.push(event.data);
      window.welcomed = data.id;
    });
    window.call = (method, ...args) => new Promise((done) => {
      const id = Math.random();
      window.port.postMessage({ type: 'call', id, method, args });
      const look = () => {
        const answer = window.said.find((one) => one.type === 'result' && one.id === id);
        if (answer) done(answer); else setTimeout(look, 20);
      };
      look();
    });
  </script>`;

test('embed: works in a sandboxed frame and answers through its port', async (t) => {
  await onHost(t, FRAME, async (page) => {
    await page.evaluate((src) => {
      document.querySelector('iframe').src = src;
    }, `${t.url}embed.html?lesson=lock&step=2&seed=7&theme=dark&lang=ro&loading=eager`);
    await page.waitForFunction(() => window.welcomed === 7);
    const answer = await page.evaluate(() => window.call('exec', 'B', 'n1', 'ECHO "a b"'));
    equal([answer.value?.text, answer.error], ['"a b"', undefined], 'exec');
    const state = await page.evaluate(() => window.call('state'));
    equal([state.value.step, state.value.status], [2, 'branch'], 'state');
    const wrong = await page.evaluate(() => window.call('act', 'n9', 'kill'));
    check(/n9/.test(wrong.error ?? ''), `error: ${JSON.stringify(wrong)}`);
    const events = await page.evaluate(() =>
      window.said.filter((one) => one.type === 'event').map((one) => one.name));
    check(events.includes('command') && events.includes('branch'), `events: ${events}`);
    await page.evaluate(() => window.port.postMessage({ type: 'nonsense' }));
    const frame = page.frames()[1];
    equal(await frame.getAttribute('#session', 'data-scheme'), 'dark', 'theme');
    equal(await frame.getAttribute('#session', 'lang'), 'ro', 'language');
    equal(await page.evaluate(() => document.activeElement.tagName), 'BODY', 'focus of the host');
  });
});

test('embed: its own transcript where the engine is blocked; /embed as an address', async (t) => {
  const page = await t.open('embed?lesson=lock&loading=eager', {
    before: (one) => one.route('**/*.wasm', (route) => route.abort()),
  });
  await page.waitForSelector('[data-status="recorded"]');
  check(await page.locator('hotkv-player > pre').isVisible(), 'no transcript');
  check(await page.locator('[data-act="play"]').isDisabled(), 'Play is not disabled');
});

test('share: the link, the element and the frame bring the session back', async (t) => {
  const page = await t.session();
  const before = await page.evaluate(async () => {
    const player = document.querySelector('hotkv-player');
    await player.seek({ step: 2 });
    await player.exec('B', 'n1', 'SET "a b" "ș & +"');
    return player.hash();
  });
  await page.click('[data-act="share"]');
  const value = (name) => page.inputValue(`[data-part="share-${name}"]`);
  const [link, element, frame] = [await value('link'), await value('embed'), await value('frame')];
  await page.click('[data-act="copy-link"]');
  equal(await page.evaluate(() => navigator.clipboard.readText()), link, 'copied');
  await page.keyboard.press('Escape');
  equal(await focused(page), 'share', 'focus after the dialog');
  const hashAt = async (address) => {
    const other = await t.open(address);
    const hash = await other.evaluate(async () => {
      const player = document.querySelector('hotkv-player');
      await player.activate();
      return player.hash();
    });
    equal(other.faults, [], `console at ${address}`);
    return hash;
  };
  equal(await hashAt(link), before, 'the link');
  equal(await hashAt(/src="([^"]+)"/.exec(frame)[1].replace(/&amp;/g, '&')), before, 'the frame');
  await onHost(t, element, async (host) => {
    const hash = await host.evaluate(async () => {
      const player = document.querySelector('hotkv-player');
      await player.activate();
      return player.hash();
    });
    equal(hash, before, 'the element');
  });
});

test('session: opens ready, not playing, and leaves the page alone', async (t) => {
  const page = await t.session();
  equal(await label(page), 'Session example – ready', 'label');
  equal(
    await page.evaluate(() => [scrollY, document.activeElement.tagName]),
    [0, 'BODY'],
    'page',
  );
  equal(page.faults, [], 'console');
});

test('session: the interface for scripts', async (t) => {
  const page = await t.session();
  const player = await playerOf(page);
  const seen = await player.evaluate(async (p) => {
    const events = [];
    for (const name of ['statechange', 'stepchange', 'branch']) {
      p.addEventListener(name, () => events.push(name));
    }
    await p.seek({ step: 1 });
    const reply = await p.exec('B', 'n1', 'PING');
    const out = {
      events: [...new Set(events)].sort(),
      reply: reply.text,
      resp: reply.resp,
      hash: /^[0-9a-f]{16}$/.test(p.hash()),
      ids: p.semantics().map((one) => one.id),
      seek: typeof p.stats().seekMs,
    };
    return out;
  });
  equal(seen.events, ['branch', 'statechange', 'stepchange'], 'events');
  equal([seen.reply, seen.resp], ['PONG', '+PONG\r\n'], 'reply');
  check(seen.hash, 'hash() is not 16 hex digits');
  for (const id of ['n1', 'A', 'B', 'step:take', 'try:late']) {
    check(seen.ids.includes(id), `semantics() has no ${id}`);
  }
});

test('fallback: works on a plain host below any path', async (t) => {
  const host = await startStatic('/some/where/');
  for (const { locks: where } of LANGUAGES) {
    const page = await t.session(host.url + where);
    await page.click('[data-act="step"]');
    await page.waitForSelector('[data-step="1"][aria-current="step"]');
    equal(page.faults, [], 'console');
    const broken = await page.$$eval('a[href]:not([href^="#"])', async (links) => {
      const bad = [];
      for (const { href } of links) if (!(await fetch(href)).ok) bad.push(href);
      return bad;
    });
    equal(broken, [], 'links');
  }
  await t.closePages();
  host.stop();
});

test('fallback: an address that does not exist', async (t) => {
  const response = await fetch(`${t.url}no/such/page`);
  equal(response.status, 404, 'status');
  const page = await t.open('no/such/page');
  await page.click('main a');
  await page.waitForSelector('hotkv-player');
});

test('shipped: sent with a strict policy, and kept by it', async (t) => {
  const response = await fetch(t.url);
  const policy = response.headers.get('content-security-policy') ?? '';
  check(policy.includes("script-src 'self' 'wasm-unsafe-eval'"), `policy: ${policy}`);
  check(
    !policy.includes("'unsafe-inline'") && !policy.includes("'unsafe-eval'"),
    `policy: ${policy}`,
  );
  equal(response.headers.get('x-content-type-options'), 'nosniff', 'x-content-type-options');
  for (const [name, type] of [
    ['hotkv-core.wasm', 'application/wasm'],
    ['page.js', 'text/javascript'],
    ['styles.css', 'text/css'],
    ['favicon.svg', 'image/svg+xml'],
  ]) {
    const file = await fetch(t.url + name);
    check(
      file.headers.get('content-type')?.startsWith(type),
      `${name}: ${file.headers.get('content-type')}`,
    );
  }
  const page = await t.open('locks/', {
    before: (p) =>
      p.addInitScript(() => {
        window.violations = [];
        document.addEventListener('securitypolicyviolation', (e) =>
          window.violations.push(e.violatedDirective),
        );
      }),
  });
  await page.click('[data-act="activate"]');
  await page.waitForSelector('[data-status="playing"]');
  equal(await page.evaluate(() => window.violations), [], 'violations');
});
