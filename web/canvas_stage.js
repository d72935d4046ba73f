// The drawn stage of a player: joins the canvas (canvas.js) to the session. What the session knows
// is drawn, what is clicked becomes an action of the session; neither knows the other.
//
// The mirror of buttons (world_view.js) lies over the canvas with nothing to see: a pointer that
// comes down on a button is given to the canvas, which knows what is drawn on top there, and a key
// on a button opens the same menu.
import { CanvasView, themeOf } from './canvas.js';
import { part } from './dom.js';

const TABS = ['stage', 'sequence'];
const FONTS = ['inter.otf', 'inter-semibold.otf', 'jetbrains-mono.ttf'];
const MIRROR_EVERY_MS = 250;
const NOWHERE = { x: 0, y: 0, width: 1, height: 1 };
// What a finger needs; a mouse is content with less. The canvas's own hit test reckons the same.
const TARGET_PX = { coarse: 44, fine: 24 };

/** Whether there is WebGL 2 here; the context that found out is given back at once. */
export function canDraw() {
  const gl = document.createElement('canvas').getContext('webgl2');
  gl?.getExtension('WEBGL_lose_context')?.loseContext();
  return Boolean(gl);
}

/** The bytes of the canvas's fonts; one that cannot be had is left to the view's own. */
export function loadFonts() {
  return Promise.all(FONTS.map(async (name) => {
    const response = await fetch(new URL(`fonts/${name}`, import.meta.url)).catch(() => null);
    return response?.ok ? new Uint8Array(await response.arrayBuffer()) : new Uint8Array();
  }));
}

/** A rectangle of at least the size of a target, around the same middle. */
function reachable({ x, y, width, height }, least) {
  const [w, h] = [Math.max(width, least), Math.max(height, least)];
  return { x: x - (w - width) / 2, y: y - (h - height) / 2, width: w, height: h };
}

export class CanvasStage {
  #canvas = new CanvasView();
  #lanes = [];
  #sight = null;
  #mirrored = 0;
  #mirrorTimer = 0;
  #listeners = new AbortController();
  #items = [];

  constructor(player) {
    Object.assign(this, {
      player, root: player.root, texts: player.texts, session: player.session, host: player.host,
      world: player.world, guarded: player.controls.guarded, calm: player.calm,
    });
    this.box = part(this.root, 'drawn');
    this.labels = player.host.labels !== 'off';
    this.tab = 'stage';
    this.lane = 0;
    /** The instant that is shown, in microseconds: while playing also between two events. */
    this.moment = 0;
  }

  /** False where the canvas cannot be had; the list stays. */
  async start(fonts) {
    const { session } = this;
    const canvas = part(this.root, 'canvas');
    this.root.toggleAttribute('data-canvas', true);
    const drawn = await this.#canvas.attach(canvas, session.engine.module, {
      fonts, surface: this.box, theme: this.#theme(), words: this.texts.wordsOfCanvas(),
      reducedMotion: session.motion === 'reduce', labels: this.labels, tabs: false,
    }).catch(() => false);
    this.root.toggleAttribute('data-canvas', drawn);
    if (!drawn) return false;
    this.#listen();
    this.#watch();
    session.clock = this.#clock();
    return true;
  }

  /** Reading time of the lane that is shown: the clock of Play. */
  #clock() {
    const view = this.#canvas;
    return {
      secondsAt: (us) => view.readingSeconds(us, this.lane),
      timeAt: (seconds) => Math.floor(view.timeAtReading(seconds, this.lane)),
      show: (us) => {
        this.moment = us;
        view.setTime(us, { lane: this.lane });
        this.player.inspector.follow();
      },
    };
  }

  #listen() {
    const { session, guarded } = this;
    const view = this.#canvas;
    view.onSelect = (id) => (id ? this.player.inspector.open(id) : this.player.inspector.close());
    view.onSeek = (us) => guarded(() => session.seek({ ms: us / 1000 }));
    view.onStep = (id) => guarded(() =>
      session.seek({ step: 1 + session.lesson.steps.findIndex((step) => step.id === id) }));
    view.onDraw = (items) => this.#drawn(items);
    const ring = () => view.focusItem(this.#focused());
    const { signal } = this.#listeners;
    this.root.addEventListener('focusin', ring, { signal });
    this.root.addEventListener('focusout', () => view.focusItem(''), { signal });
    for (const tab of part(this.root, 'tabs').children) {
      tab.addEventListener('click', () => this.showTab(tab.dataset.tab), { signal });
    }
    part(this.root, 'tabs').addEventListener('keydown', (event) => {
      const other = this.tab === TABS[0] ? TABS[1] : TABS[0];
      const ways = { ArrowLeft: other, ArrowRight: other, Home: TABS[0], End: TABS.at(-1) };
      const to = ways[event.key];
      if (!to) return;
      event.preventDefault();
      this.showTab(to);
      part(this.root, 'tabs').querySelector('[aria-selected=true]').focus({ preventScroll: true });
    }, { signal });
  }

  /** Off-screen nothing is drawn. */
  #watch() {
    this.#sight = new IntersectionObserver((entries) =>
      this.#canvas.sleep(!entries.at(-1).isIntersecting));
    this.#sight.observe(this.box);
  }

  /** The item whose button has the focus of the keyboard; '' is none. */
  #focused() {
    const active = this.root.getRootNode().activeElement;
    if (!active?.matches(':focus-visible')) return '';
    return active.dataset.part === 'timeline' ? 'timeline' : active.dataset.item ?? '';
  }

  /** Draws an item as chosen; '' none. */
  select(id) {
    this.#canvas.select(id);
  }

  nextTab() {
    this.showTab(this.tab === TABS[0] ? TABS[1] : TABS[0]);
  }

  showTab(name) {
    this.tab = name;
    this.#canvas.setTab(name);
    for (const tab of part(this.root, 'tabs').children) {
      const selected = tab.dataset.tab === name;
      tab.setAttribute('aria-selected', String(selected));
      tab.tabIndex = selected ? 0 : -1;
    }
    part(this.root, 'world').setAttribute('aria-labelledby', `tab-${name}`);
  }

  /** The session's lanes and its place, as they are now. */
  show() {
    const { session } = this;
    const runs = session.runs();
    this.lane = runs.findIndex((run) => run.current);
    runs.forEach((run, i) => this.#showLane(run, i));
    if (runs.length < this.#lanes.length) this.#canvas.keepLanes(runs.length);
    this.#lanes.length = runs.length;
    const { time_us, lines } = session.place();
    this.moment = time_us;
    this.#canvas.setTime(time_us, { lane: this.lane, lines });
  }

  #showLane({ name, trace, parts_us }, i) {
    if (this.#lanes[i] === trace) return;
    const { texts } = this;
    const title = texts.text(name === 0 ? 'ui.lanes.lesson' : 'ui.lanes.branch', { name });
    this.#canvas.setLane(i, title, trace, i === 0 ? 0 : parts_us);
    this.#lanes[i] = trace;
  }

  /** After a frame: the buttons go where their items are, at most four times a second. */
  #drawn(items) {
    this.#items = items;
    const wait = this.#mirrored + MIRROR_EVERY_MS - performance.now();
    if (wait <= 0 || this.session.status !== 'playing') this.#mirror();
    else this.#mirrorTimer ||= setTimeout(() => this.#mirror(), wait);
  }

  #mirror() {
    clearTimeout(this.#mirrorTimer);
    this.#mirrorTimer = 0;
    this.#mirrored = performance.now();
    const rects = new Map(this.#items.map(({ id, rect }) => [id, rect]));
    const least = TARGET_PX[matchMedia('(pointer: coarse)').matches ? 'coarse' : 'fine'];
    for (const child of part(this.root, 'mirror').querySelectorAll('[data-item]')) {
      const rect = rects.get(child.dataset.item);
      const { x, y, width, height } = rect?.width > 0 ? reachable(rect, least) : NOWHERE;
      const place = `${x}px ${y}px ${width}px ${height}px`;
      if (child.dataset.place === place) continue;
      child.dataset.place = place;
      Object.assign(child.style, {
        left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px`,
      });
    }
  }

  #theme() {
    return { ...themeOf(this.root), dark: this.host.scheme === 'dark' };
  }

  schemeChanged() {
    this.#canvas.setTheme(this.#theme());
  }

  setLabels(shown) {
    this.#canvas.setLabels(shown);
  }

  setReducedMotion(reduced) {
    this.#canvas.setReducedMotion(reduced);
  }

  /** The items that are drawn, in CSS pixels of the page, beside what the session alone knows. */
  placed(items) {
    const { x, y } = part(this.root, 'canvas').getBoundingClientRect();
    const onPage = ({ rect }) => (rect?.width > 0
      ? { ...rect, x: rect.x + x, y: rect.y + y } : null);
    const drawn = new Map(this.#canvas.semantics().map((item) => [item.id, item]));
    const known = new Set(items.map((item) => item.id));
    const both = items.map((item) => ({ ...item, rect: onPage(drawn.get(item.id) ?? {}) }));
    const more = [...drawn.values()].filter((item) => !known.has(item.id));
    return [...both, ...more.map((item) => ({ ...item, rect: onPage(item) }))];
  }

  stats() {
    return this.#canvas.stats();
  }

  dispose() {
    clearTimeout(this.#mirrorTimer);
    this.#listeners.abort();
    this.#sight?.disconnect();
    this.#canvas.dispose();
  }
}
