// The drawn stage: what the mirror names is clicked on the canvas itself, with a real mouse, so
// that hit-testing is tested too; what the list can do, the picture can.
import { check, equal, playerOf, test } from './harness.mjs';

const stats = (page) => page.evaluate(() => document.querySelector('hotkv-player').stats());

/** The item of the picture with this role, when it is drawn; its rectangle is of the page. */
export async function drawnItem(page, role, label = '') {
  const found = await page.waitForFunction(([wanted, text]) => {
    const items = document.querySelector('hotkv-player').semantics();
    return items.find((one) => one.role === wanted && one.rect && one.label.includes(text));
  }, [role, label]);
  return found.jsonValue();
}

async function clickItem(page, item) {
  await page.mouse.click(item.rect.x + item.rect.width / 2, item.rect.y + item.rect.height / 2);
}

/** To the first event after which a message is in flight. */
async function toFirstMessage(page) {
  return page.evaluate(async () => {
    const el = document.querySelector('hotkv-player');
    for (let event = 1; event < 20; event++) {
      await el.seek({ event });
      if (el.state().messages.length > 0) return el.state().messages[0].id;
    }
    return '';
  });
}

test('canvas: of the two engines exactly one is asked for', async (t) => {
  const asked = [];
  const before = (page) => page.on('request', (request) => {
    if (/\.wasm/.test(request.url())) asked.push(request.url().split('/').pop());
  });
  await t.session('locks/', { before });
  equal(asked, ['hotkv-play.wasm'], 'with the stage');
  asked.length = 0;
  await t.session('embed.html?lesson=lock&loading=eager&panels=transcript', { before });
  equal(asked, ['hotkv-core.wasm'], 'without the stage');
});

test('canvas: a message is dropped where it is drawn', async (t) => {
  const page = await t.session();
  const id = await toFirstMessage(page);
  const item = await drawnItem(page, 'message');
  equal(item.id, id, 'the message that is drawn');
  await clickItem(page, item);
  await page.getByRole('button', { name: 'Drop', exact: true }).click();
  const session = await playerOf(page);
  await page.waitForSelector(`[data-item="${id}"]`, { state: 'detached' });
  equal(await session.evaluate((s) => s.inputs.map((one) => [one.do, one.id])), [['drop', id]],
    'inputs');
  equal(page.faults, [], 'console');
});

test('canvas: a step marker and the ruler seek', async (t) => {
  const page = await t.session();
  await clickItem(page, await drawnItem(page, 'step', 'work'));
  await page.waitForSelector('[data-step="3"][aria-current="step"]');
  const { rect } = await drawnItem(page, 'slider');
  await page.mouse.click(rect.x + rect.width - 4, rect.y + rect.height - 6);
  const session = await playerOf(page);
  await page.waitForFunction(() => document.querySelector('hotkv-player').state().ended);
  equal(await session.evaluate((s) => s.state().step), 5, 'step at the end of the ruler');
});

test('canvas: Stage and Sequence are tabs, by pointer and by key', async (t) => {
  const page = await t.session();
  const chosen = (name) => page.waitForSelector(`[data-tab="${name}"][aria-selected="true"]`);
  await page.getByRole('tab', { name: 'Sequence' }).click();
  await chosen('sequence');
  await page.keyboard.press('ArrowLeft');
  await chosen('stage');
  await page.focus('[data-act="play"]');
  await page.keyboard.press('t');
  await chosen('sequence');
});

test('canvas: without WebGL 2 the list is the stage, and the console works', async (t) => {
  const asked = [];
  const before = async (page) => {
    page.on('request', (request) => asked.push(request.url().split('/').pop()));
    await page.addInitScript(() => {
      const { getContext } = HTMLCanvasElement.prototype;
      HTMLCanvasElement.prototype.getContext = function without(kind, ...rest) {
        return kind === 'webgl2' ? null : getContext.call(this, kind, ...rest);
      };
    });
  };
  const page = await t.session('locks/', { before });
  check(!asked.includes('hotkv-play.wasm'), 'hotkv-play was asked for');
  check(await page.locator('.actor.node').isVisible(), 'no list');
  check(!(await page.locator('canvas').isVisible()), 'a canvas');
  await page.fill('[data-part="line"]', 'ECHO hello');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() =>
    document.querySelector('hotkv-player').transcript().at(-1)?.text === '"hello"');
});

test('canvas: nothing is drawn while nothing changes', async (t) => {
  const page = await t.session();
  await drawnItem(page, 'node');
  // Idle: no frame is asked for. 180 frames of the page are three seconds of a screen.
  const frames = await page.evaluate(async () => {
    const el = document.querySelector('hotkv-player');
    const pass = async (count) => {
      for (let i = 0; i < count; i++) await new Promise(requestAnimationFrame);
    };
    await pass(10);
    const before = el.stats().frames;
    await pass(180);
    return el.stats().frames - before;
  });
  equal(frames, 0, 'frames of three idle seconds');
  equal((await stats(page)).glContexts, 1, 'contexts');
});

test('canvas: messages travel while the session plays', async (t) => {
  const page = await t.session();
  await page.evaluate(() => document.querySelector('hotkv-player').scrollIntoView());
  await page.evaluate(() => document.querySelector('hotkv-player').play());
  const places = await page.evaluate(async () => {
    const el = document.querySelector('hotkv-player');
    const seen = new Map();
    while (![...seen.values()].some((set) => set.size >= 3)) {
      for (const { id, role, rect } of el.semantics()) {
        if (role !== 'message' || !rect) continue;
        seen.set(id, (seen.get(id) ?? new Set()).add(Math.round(rect.x)));
      }
      await new Promise(requestAnimationFrame);
      if (el.status !== 'playing') break;
    }
    return Math.max(...[...seen.values()].map((set) => set.size));
  });
  check(places >= 3, `a message was seen in ${places} places`);
  await page.evaluate(() => document.querySelector('hotkv-player').pause());
});
