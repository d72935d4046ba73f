// The canvas of the playground: the platform under the view of hotkv-play.wasm (play_bindings.h is
// the other side). It knows the screen and the pointer, and nothing about lessons.
//
//   const view = new CanvasView();
//   await view.attach(canvas, module, { fonts: [text, titles, commands] });
//   view.setLane(0, 'lesson', traceText);      the whole trace; lanes 1-3 are branches
//   view.setTime(us, { lane, lines });         draws; call it as often as the clock moves
//   view.onSelect = (id) => ...                '' when nothing is selected
//   view.onSeek = (us) => ...                  the timeline was touched
//   view.onStep = (step) => ...                a step's marker was clicked
//   view.onTab = (tab) => ...                  'stage' or 'sequence'
//
// Options of attach: surface (the element whose pointer counts: the canvas, or one that holds it),
// fonts (ArrayBuffers or Uint8Arrays), theme (name -> CSS colour), words (English -> translation),
// reducedMotion, labels, tabs, timeline (booleans).
//
// Manners: drawing on demand - an input draws three frames, then none until the next. The wheel
// scrolls the page. Nothing takes the focus. At most two live contexts a
// page: the one drawn longest ago keeps its last frame as a picture until it is drawn again.

const CONTEXTS_MAX = 2;
const FRAMES_AFTER_INPUT = 3;
const CONTEXT = { alpha: false, antialias: false, depth: false, stencil: false };
const THEME_NAMES = ['ground', 'surface', 'sunken', 'ink', 'soft', 'line', 'edge', 'accent',
  'accent-soft', 'good', 'bad'];

const encoder = new TextEncoder();
const latin = new TextDecoder('latin1');
const strict = new TextDecoder('utf-8', { fatal: true });

/** Views with a live context, the one drawn longest ago first. */
const live = [];

function textOf(bytes) {
  if (typeof bytes !== 'string' || !/[\x80-\xff]/.test(bytes)) return bytes;
  try {
    return strict.decode(Uint8Array.from(bytes, (c) => c.charCodeAt(0)));
  } catch {
    return bytes;
  }
}

/** The eleven colours as an element's custom properties say (`--ground`, ...). */
export function themeOf(element) {
  const style = getComputedStyle(element);
  const probe = document.createElement('canvas').getContext('2d');
  const theme = {};
  for (const name of THEME_NAMES) {
    const value = style.getPropertyValue(`--${name}`).trim();
    if (!value) continue;
    // A 2D context turns every notation of CSS into #rrggbb or rgba().
    probe.fillStyle = value;
    theme[name] = probe.fillStyle;
  }
  return theme;
}

export class CanvasView {
  #canvas = null;
  #surface = null;
  #asleep = false;
  #module = null;
  #gl = 0;
  #loser = null;
  #picture = null;
  #resize = null;
  #pixelRatioQuery = null;
  #onPixelRatio = null;
  #listeners = new AbortController();
  #framesWanted = 0;
  #request = 0;
  #lastDraw = 0;
  #stats = { frames: 0, cpuMs: 0 };
  #items = [];
  #reducedMotion = false;
  #touch = false;
  #lost = false;
  #wanted = false;
  #returning = false;
  #disposed = false;

  onSelect = () => {};
  onSeek = () => {};
  onStep = () => {};
  onTab = () => {};
  /** Called after each frame, for what follows the picture (a mirror of buttons). */
  onDraw = () => {};

  /** False: there is no WebGL 2 here; the page shows its list instead. */
  async attach(canvas, module, options = {}) {
    this.#canvas = canvas;
    this.#surface = options.surface ?? canvas;
    this.#module = module;
    if (!this.#openContext()) return false;
    (options.fonts ?? []).forEach((font, i) => {
      const bytes = font instanceof Uint8Array ? font : new Uint8Array(font);
      this.#withBytes(bytes, (at, size) => module._hotkv_view_font(i, at, size));
    });
    module._hotkv_view_fonts_done();
    const { tabs = true, timeline = true } = options;
    module._hotkv_view_parts(tabs, timeline);
    this.setWords(options.words ?? {});
    this.setTheme(options.theme ?? themeOf(canvas));
    this.setReducedMotion(options.reducedMotion ?? false);
    this.setLabels(options.labels ?? true);
    this.#listen();
    this.#measure();
    return true;
  }

  // ---- what is shown ----

  setLane(lane, name, trace, forkUs = 0) {
    const taken = this.#call('lane', lane, name, trace, forkUs);
    this.draw();
    return taken !== 0;
  }

  /** Forgets the lanes from `count` on: back to the lesson is keepLanes(1). */
  keepLanes(count) {
    this.#module._hotkv_view_keep_lanes(count);
    this.draw();
  }

  /** lines: how many lines of the trace count, where several share the instant. */
  setTime(us, { lane = 0, lines = -1 } = {}) {
    this.#module._hotkv_view_time(lane, us, lines);
    this.draw(1);
  }

  /** The clock of Play at speed 1: seconds of reading from the lane's start. */
  readingSeconds(us, lane = 0) {
    return this.#module._hotkv_view_reading_s(lane, us);
  }

  timeAtReading(seconds, lane = 0) {
    return this.#module._hotkv_view_time_at_reading(lane, seconds);
  }

  readingLength(lane = 0) {
    return this.#module._hotkv_view_reading_length_s(lane);
  }

  select(id) {
    this.#call('select', id);
    this.draw();
  }

  /** Draws the focus ring of a mirror button around its item; '' takes it away. */
  focusItem(id) {
    this.#call('focus', id);
    this.draw();
  }

  setTab(tab) {
    this.#module._hotkv_view_tab(tab === 'sequence' ? 1 : 0);
    this.draw();
  }

  setWords(words) {
    for (const [english, word] of Object.entries(words)) this.#call('word', english, word);
    this.draw();
  }

  /** Colours by name; what is missing is the built-in theme's, dark or light as `ground` is. */
  setTheme(theme) {
    const dark = theme.dark ?? matchMedia('(prefers-color-scheme: dark)').matches;
    this.#module._hotkv_view_theme_begin(dark ? 1 : 0);
    for (const name of THEME_NAMES) {
      if (theme[name]) this.#call('theme_color', name, theme[name]);
    }
    this.#module._hotkv_view_theme_done();
    this.draw();
  }

  /** Whether messages in flight are labelled; one that is chosen always is. */
  setLabels(shown) {
    this.#module._hotkv_view_labels(shown ? 1 : 0);
    this.draw();
  }

  setReducedMotion(reduced) {
    this.#reducedMotion = reduced;
    this.#module._hotkv_view_manners(reduced ? 1 : 0, this.#touch ? 1 : 0);
    this.draw();
  }

  // ---- what is known ----

  /** [{id, role, label, value, rect, actions}], rect in CSS pixels of the canvas. */
  semantics() {
    return this.#items;
  }

  stats() {
    return { ...this.#stats, glContexts: live.length };
  }

  // ---- drawing ----

  /** Asks for frames; nothing is drawn when none is asked for. */
  draw(frames = FRAMES_AFTER_INPUT) {
    if (this.#disposed || !this.#module) return;
    this.#framesWanted = Math.max(this.#framesWanted, frames);
    if (this.#asleep) return;
    this.#request ||= requestAnimationFrame((now) => this.#onFrame(now));
  }

  /** Asleep (out of sight) nothing is drawn; what was asked for is drawn on waking. */
  sleep(asleep) {
    this.#asleep = asleep;
    if (asleep) {
      cancelAnimationFrame(this.#request);
      this.#request = 0;
    } else if (this.#framesWanted > 0) this.draw(this.#framesWanted);
  }

  #onFrame(now) {
    this.#request = 0;
    this.#framesWanted -= 1;
    this.#frame(now);
    if (this.#framesWanted > 0) this.draw(this.#framesWanted);
  }

  #frame(now) {
    if (this.#disposed) return;
    if (this.#picture) {
      this.#comeBack();
      return;
    }
    if (this.#lost) return;
    this.#becomeLive();
    const begun = performance.now();
    const module = this.#module;
    module.GL.makeContextCurrent(this.#gl);
    const passed = Math.min(Math.max(now - this.#lastDraw, 1), 100);
    this.#lastDraw = now;
    const told = module._hotkv_view_frame(passed);
    this.#stats.frames += 1;
    this.#stats.cpuMs = performance.now() - begun;
    this.#surface.style.cursor = told & 2 ? 'pointer' : 'default';
    this.#items = this.#json(module._hotkv_view_semantics());
    if (told & 4) this.#carryOut(this.#json(module._hotkv_view_actions()));
    if (told & 1) this.draw(1);
    this.onDraw(this.#items);
  }

  #carryOut(actions) {
    for (const { type, id, argument } of actions) {
      if (type === 'select') this.onSelect(id);
      else if (type === 'seek') this.onSeek(Number(argument));
      else if (type === 'step') this.onStep(id);
      else if (type === 'tab') this.onTab(id.slice('tab:'.length));
    }
    this.draw();
  }

  // ---- contexts ----

  #openContext() {
    const gl = this.#canvas.getContext('webgl2', CONTEXT);
    if (!gl) return false;
    this.#loser = gl.getExtension('WEBGL_lose_context');
    this.#gl = this.#module.GL.registerContext(gl, { majorVersion: 2, minorVersion: 0 });
    return true;
  }

  /** Takes a place among the live contexts. */
  #becomeLive() {
    const at = live.indexOf(this);
    if (at >= 0) live.splice(at, 1);
    live.push(this);
    while (live.length > CONTEXTS_MAX) live.shift().#suspend();
  }

  /** Gives the context up; the last frame stays as a picture over the canvas. */
  #suspend() {
    if (this.#disposed || !this.#loser) return;
    const canvas = this.#canvas;
    // The drawing buffer is only there in the task that drew it, so it is drawn once more.
    this.#module.GL.makeContextCurrent(this.#gl);
    this.#module._hotkv_view_frame(1);
    const picture = document.createElement('canvas');
    picture.width = canvas.width;
    picture.height = canvas.height;
    picture.getContext('2d').drawImage(canvas, 0, 0);
    picture.setAttribute('aria-hidden', 'true');
    const { offsetLeft: left, offsetTop: top, offsetWidth: width, offsetHeight: height } = canvas;
    Object.assign(picture.style, {
      position: 'absolute', left: `${left}px`, top: `${top}px`, width: `${width}px`,
      height: `${height}px`, pointerEvents: 'none',
    });
    canvas.after(picture);
    this.#picture = picture;
    this.#wanted = false;
    this.#loser.loseContext();
  }

  /** A context can be asked back only after the page has heard that it is lost. */
  #comeBack() {
    this.#wanted = true;
    if (!this.#lost || this.#returning) return;
    this.#returning = true;
    this.#loser.restoreContext();
  }

  #onLost(event) {
    event.preventDefault();
    this.#lost = true;
    this.#module?._hotkv_view_context_lost();
    if (this.#wanted && this.#picture) setTimeout(() => this.#comeBack());
  }

  #onRestored() {
    this.#lost = this.#returning = this.#wanted = false;
    const picture = this.#picture;
    this.#picture = null;
    this.#frame(performance.now());
    picture?.remove();
    this.draw();
  }

  // ---- size ----

  #measure() {
    const canvas = this.#canvas;
    const ratio = window.devicePixelRatio || 1;
    const width = canvas.clientWidth, height = canvas.clientHeight;
    if (width === 0 || height === 0) return;
    this.#setSize(Math.round(width * ratio), Math.round(height * ratio), width, height, ratio);
  }

  #setSize(pixelWidth, pixelHeight, width, height, ratio) {
    const canvas = this.#canvas;
    // Setting the size, even to itself, clears the canvas.
    if (canvas.width !== pixelWidth) canvas.width = pixelWidth;
    if (canvas.height !== pixelHeight) canvas.height = pixelHeight;
    this.#module._hotkv_view_size(width, height, ratio);
    if (this.#picture) {
      Object.assign(this.#picture.style, { width: `${width}px`, height: `${height}px` });
      return;
    }
    // A canvas that changed its size is empty: drawn at once, it does not flicker.
    this.#frame(performance.now());
    this.draw();
  }

  /** devicePixelRatio has no event of its own: a media query on its present value has. */
  #watchPixelRatio() {
    this.#pixelRatioQuery?.removeEventListener('change', this.#onPixelRatio);
    this.#pixelRatioQuery = matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`);
    this.#onPixelRatio = () => {
      this.#measure();
      this.#watchPixelRatio();
    };
    this.#pixelRatioQuery.addEventListener('change', this.#onPixelRatio);
  }

  // ---- input ----

  #listen() {
    const canvas = this.#canvas;
    const { signal } = this.#listeners;
    const surface = this.#surface;
    const on = (name, handler) => surface.addEventListener(name, handler, { signal });
    on('pointermove', (event) => this.#onPointer(event));
    on('pointerdown', (event) => this.#onPress(event, true));
    on('pointerup', (event) => this.#onPress(event, false));
    on('pointercancel', () => this.#onLeave());
    on('pointerleave', () => this.#onLeave());
    canvas.addEventListener('webglcontextlost', (event) => this.#onLost(event), { signal });
    canvas.addEventListener('webglcontextrestored', () => this.#onRestored(), { signal });
    surface.style.touchAction = 'pan-y pinch-zoom';
    this.#resize = new ResizeObserver(() => this.#measure());
    this.#resize.observe(canvas);
    this.#watchPixelRatio();
  }

  #onPointer(event) {
    const touch = event.pointerType === 'touch';
    if (touch !== this.#touch) {
      this.#touch = touch;
      this.#module._hotkv_view_manners(this.#reducedMotion ? 1 : 0, touch ? 1 : 0);
    }
    const box = this.#canvas.getBoundingClientRect();
    this.#module._hotkv_view_pointer(event.clientX - box.left, event.clientY - box.top);
    this.draw();
  }

  #onPress(event, down) {
    if (event.button !== 0) return;
    this.#onPointer(event);
    if (down) this.#canvas.setPointerCapture(event.pointerId);
    this.#module._hotkv_view_press(down ? 1 : 0);
    // A frame inside the event: a tap shorter than a frame is seen, and actions run in the gesture.
    this.#frame(performance.now());
    if (!down && event.pointerType === 'touch') this.#onLeave();
  }

  #onLeave() {
    this.#module._hotkv_view_leave();
    this.draw();
  }

  // ---- the module ----

  #withBytes(bytes, use) {
    const address = this.#module._malloc(bytes.length + 1);
    this.#module.HEAPU8.set(bytes, address);
    const result = use(address, bytes.length);
    this.#module._free(address);
    return result;
  }

  /** Calls an export; texts become (address, size), numbers stay. */
  #call(name, ...values) {
    const words = [];
    const taken = [];
    for (const value of values) {
      if (typeof value === 'number') {
        words.push(value);
        continue;
      }
      const bytes = encoder.encode(value);
      const address = this.#module._malloc(bytes.length + 1);
      this.#module.HEAPU8.set(bytes, address);
      taken.push(address);
      words.push(address, bytes.length);
    }
    const result = this.#module[`_hotkv_view_${name}`](...words);
    for (const address of taken) this.#module._free(address);
    return result;
  }

  #json(size) {
    const from = this.#module._hotkv_view_result();
    const text = latin.decode(this.#module.HEAPU8.subarray(from, from + size));
    return JSON.parse(text, (name, value) => textOf(value));
  }

  dispose() {
    if (this.#disposed) return;
    this.#disposed = true;
    cancelAnimationFrame(this.#request);
    this.#listeners.abort();
    this.#resize?.disconnect();
    this.#pixelRatioQuery?.removeEventListener('change', this.#onPixelRatio);
    this.#picture?.remove();
    const at = live.indexOf(this);
    if (at >= 0) live.splice(at, 1);
    this.#loser?.loseContext();
    this.#module = null;
  }
}
