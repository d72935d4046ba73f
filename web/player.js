// The player of one element: loads texts and session, builds the frame, joins the views, and keeps
// the manners: at most one session of a page plays, nothing plays unseen, nothing takes the focus.
import { CanvasStage, canDraw, loadFonts } from './canvas_stage.js';
import { clientChoice } from './client_choice.js';
import { ConsoleLine } from './console_line.js';
import { CopyMenu } from './copy_menu.js';
import { part } from './dom.js';
import { Inspector } from './inspector.js';
import { bindKeys } from './keys.js';
import { packedLink, stateOf, unpackedLink } from './link.js';
import { onePlaying } from './one_playing.js';
import { ParamForm } from './param_form.js';
import { Controls } from './player_controls.js';
import { playerFrame } from './player_frame.js';
import { Session } from './session.js';
import { SessionView } from './session_view.js';
import { ShareDialog } from './share_dialog.js';
import { Sources } from './sources.js';
import { PageTexts } from './texts.js';
import { TranscriptView } from './transcript_view.js';
import { WorldView } from './world_view.js';

const here = (name) => new URL(name, import.meta.url);
const LANGUAGES = ['en', 'ro', 'zh'];
// Of the element that has to be in sight for a session that plays by itself; where the element is
// higher than the page's window, so much of the window.
const SEEN = 0.6;
const SIGHTS = Array.from({ length: 21 }, (_, i) => i / 20);
const COMPACT_BELOW_PX = 320;
const LINK_EVERY_MS = 250;
// The attributes that say where a session begins.
const PLACE = ['step', 'at', 'seed', 'params', 'x'];

function seenPart({ intersectionRect, boundingClientRect }) {
  return intersectionRect.height / Math.min(boundingClientRect.height, innerHeight);
}

export class Player {
  #compact = new ResizeObserver(() => this.#resized());
  #sight = null;
  #calm = matchMedia('(prefers-reduced-motion: reduce)');
  #linkTimer = 0;
  #isRestored = false;
  #bound = [];

  constructor(host, shadow) {
    this.host = host;
    this.shadow = shadow;
  }

  /** Resolves when the session is ready; where it cannot be, the transcript stays and it throws. */
  async start() {
    const lesson = this.host.lesson ?? 'lock';
    const draws = this.#shows('stage') && canDraw();
    const fonts = draws ? loadFonts() : null;
    const modules = draws ? ['hotkv-play.js', 'hotkv-core.js'] : ['hotkv-core.js'];
    const session = new Session({
      lessonUrl: here(`lessons/${lesson}.scenario`),
      moduleUrls: modules.map((name) => here(name)),
      motion: this.#motion(),
      loop: this.#loops,
    });
    this.session = session;
    [this.texts, this.sources] = await Promise.all([this.#loadTexts(), Sources.load(here)]);
    await this.#build(lesson);
    try {
      await session.ready;
    } catch (error) {
      this.#showRecorded();
      throw error;
    }
    await this.#open(draws, fonts);
  }

  async #loadTexts() {
    const lang = (this.host.closest('[lang]')?.lang ?? 'en').slice(0, 2).toLowerCase();
    const name = LANGUAGES.includes(lang) ? lang : 'en';
    const response = await fetch(here(`i18n/${name}.json`));
    if (!response.ok) throw new Error(`i18n/${name}.json: HTTP ${response.status}`);
    return new PageTexts(await response.json());
  }

  async #build(lesson) {
    const t = (key, values) => this.texts.text(key, values);
    const steps = this.texts.keys(`lesson.${lesson}.step.`, '.title');
    const root = playerFrame(t, lesson, steps);
    root.lang = this.texts.lang;
    this.root = root;
    this.#arrange();
    const styles = document.createElement('link');
    Object.assign(styles, { rel: 'stylesheet', href: here('styles.css').href });
    // The poster stays until the styles are there: nothing is seen unstyled.
    const loaded = new Promise((done) => {
      styles.onload = done;
      styles.onerror = done;
    });
    root.hidden = true;
    this.shadow.append(styles, root);
    await loaded;
    const poster = part(this.shadow, 'poster');
    const focused = poster?.contains(this.shadow.activeElement);
    poster?.remove();
    root.hidden = false;
    this.schemeChanged();
    // Whoever pressed "Start" with the keyboard goes on from the button that took its place.
    if (focused) part(this.shadow, 'log').focus({ preventScroll: true });
    this.#compact.observe(this.host);
  }

  /** Which parts are shown: controls, console and panels. */
  #arrange() {
    const { host, root } = this;
    root.dataset.controls = host.controls ?? 'full';
    root.dataset.console = host.console ?? 'full';
    for (const name of ['stage', 'steps', 'transcript', 'tries', 'params']) {
      root.querySelector(`.panel-${name}`).hidden = !this.#shows(name);
    }
  }

  #shows(panel) {
    const panels = (this.host.panels ?? '').split(',').map((one) => one.trim()).filter(Boolean);
    return panels.length === 0 || panels.includes(panel);
  }

  async #open(draws, fonts) {
    const { root, texts, session, host } = this;
    this.view = new SessionView(root, texts, session);
    this.world = new WorldView(root, texts, session, (action) => this.controls.guarded(action));
    this.transcript = new TranscriptView(root, texts, session, this.sources);
    this.copyMenu = new CopyMenu(root, texts, this.transcript);
    this.controls = new Controls(this);
    this.params = new ParamForm(root, texts, session, this.controls.guarded);
    this.share = new ShareDialog(this);
    this.inspector = new Inspector(this);
    this.world.inspect = (id) => this.inspector.open(id);
    this.console = new ConsoleLine(root, texts, session, this.controls.typeLine);
    this.view.start();
    for (const view of [this.transcript, this.console, this.params]) view.start();
    this.copyMenu.start(host.client);
    this.controls.start();
    const { actions, guarded } = this.controls;
    bindKeys(root, (name) => actions[name] && guarded(actions[name]),
      (n) => session.seek({ step: n }), () => session.lesson.steps.length);
    this.#listen();
    if (host.speed) session.speed = host.speed;
    part(root, 'speed').value = String(session.speed);
    if (draws) await this.#draw(await fonts);
    await this.#restore();
    this.#checkBuild();
    this.#isRestored = true;
    this.show();
    this.#mind();
    host.dispatchEvent(new CustomEvent('ready', { detail: session.state() }));
  }

  /** The canvas in place of the list; where it cannot be had the list stays and says so. */
  async #draw(fonts) {
    const canvas = this.session.engine.draws && new CanvasStage(this);
    if (canvas && await canvas.start(fonts)) this.canvas = canvas;
    else this.controls.banner(this.texts.text('ui.error.canvas'));
  }

  show() {
    if (!this.session.lesson) return;
    const state = this.session.state();
    this.view.show(state);
    this.world.show(state);
    this.canvas?.show();
    this.inspector.show();
    this.transcript.show(state);
    this.params.show(state);
    this.controls.show(state);
    this.#followLink(state);
  }

  #listen() {
    const { session, host } = this;
    const names = ['statechange', 'stepchange', 'command', 'branch', 'goal', 'invariant', 'error'];
    for (const name of names) {
      session.addEventListener(name, ({ detail }) => {
        if (name === 'statechange') {
          onePlaying.told(this, session.status === 'playing');
          this.show();
        }
        this.controls.heard(name, detail);
        host.dispatchEvent(new CustomEvent(name, { detail }));
      });
    }
    this.#on(this.#calm, 'change', () => this.#motionChanged());
    this.#on(window, 'hashchange', () => this.#restoreFromLink());
  }

  #on(target, name, listener) {
    target.addEventListener(name, listener);
    this.#bound.push(() => target.removeEventListener(name, listener));
  }

  #motionChanged() {
    this.session.motion = this.#motion();
    this.canvas?.setReducedMotion(this.session.motion === 'reduce');
  }

  #motion() {
    return this.host.motion === 'reduce' || this.#calm.matches ? 'reduce' : 'auto';
  }

  // Manners.

  pause() {
    this.session?.pause();
  }

  /** Nothing plays unseen; what may start by itself does so once, when it is well in sight. */
  #mind() {
    let mayStart = this.host.autoplay === 'visible' && !this.#calm.matches;
    const stay = () => {
      mayStart = false;
    };
    for (const name of ['pointerdown', 'keydown', 'focusin']) {
      this.#on(this.root, name, () => {
        if (mayStart || this.auto) this.pause();
        stay();
        this.auto = false;
      });
    }
    this.#sight = new IntersectionObserver(([entry]) => {
      if (!entry.isIntersecting) {
        this.pause();
      } else if (mayStart && seenPart(entry) >= SEEN && !onePlaying.any) {
        stay();
        this.auto = true;
        this.session.play();
      }
    }, { threshold: SIGHTS });
    this.#sight.observe(this.host);
    this.#on(document, 'visibilitychange', () => {
      if (document.hidden) this.pause();
    });
  }

  #resized() {
    const { height, width } = this.host.getBoundingClientRect();
    const fixed = this.host.hasAttribute('height') || this.host.dataset.embed !== undefined;
    const room = this.host.dataset.embed !== undefined ? innerHeight : height;
    this.root.toggleAttribute('data-compact', fixed && room > 0 && room < COMPACT_BELOW_PX);
    this.host.dispatchEvent(new CustomEvent('resize', { detail: { width, height } }));
  }

  // The address.

  /** Where the address or the attributes say; the address is what the visitor chose last. */
  async #restore() {
    if (await this.#restoreFromLink()) return;
    const { host, session } = this;
    const fields = PLACE.filter((name) => host[name]);
    if (fields.length === 0 && !host.version) return;
    const version = host.version ? `@${host.version}` : '';
    const query = fields.map((name) => `${name}=${host[name]}`).join('&');
    await this.#restoreFrom(stateOf(`#${session.lesson.id}${version}/${query}`));
  }

  async #restoreFromLink() {
    const { hash } = location;
    if (!this.host.ownsAddress || hash === this.written) return false;
    const state = stateOf(await unpackedLink(hash));
    if (state?.lesson !== this.session.lesson?.id) return false;
    this.written = hash;
    await this.#restoreFrom(state);
    return true;
  }

  #restoreFrom(state) {
    const { session, texts, controls } = this;
    if (state.version !== undefined && state.version !== session.lesson.version) {
      controls.banner(texts.text('ui.error.link'));
      return Promise.resolve();
    }
    return controls.guarded(async () => {
      await session.restore(state);
      const { length } = session.inputs;
      if (length > 0) controls.banner(texts.text('ui.shared', { n: length }));
    });
  }

  /** The address follows the session; many changes in a row are one entry. */
  #followLink(state) {
    clearTimeout(this.#linkTimer);
    // Before that the address says where to begin.
    if (!this.#isRestored || !this.host.ownsAddress) return;
    this.#linkTimer = setTimeout(async () => {
      if (!this.session.lesson) return;
      const untouched = state.event === 0 && !state.branch;
      const { hash } = location;
      // Another's address stays, and so does a link that has just come and is not read yet.
      if (hash === '' ? untouched : hash !== this.written) return;
      const link = untouched ? '' : await packedLink(this.session.link());
      if (link === null || link === hash || location.hash !== hash) return;
      try {
        this.written = link;
        history.replaceState(null, '', link || location.pathname + location.search);
      } catch {
        // A frame may be forbidden to; its link is in the dialog all the same.
      }
    }, LINK_EVERY_MS);
  }

  // For the element.

  attributeChanged(name) {
    if (!this.controls) return;
    if (name === 'speed' && this.host.speed) this.session.speed = this.host.speed;
    else if (name === 'client') clientChoice.suggest(this.host.client);
    else if (name === 'motion') this.#motionChanged();
    else if (name === 'labels') this.canvas?.setLabels(this.host.labels !== 'off');
    else if (name === 'loop') this.session.loop = this.#loops;
    else if (['controls', 'console', 'panels'].includes(name)) this.#arrange();
    else if (PLACE.includes(name)) this.#restore();
  }

  get #loops() {
    return this.host.hasAttribute('loop') && this.host.loop !== 'off';
  }

  /** A page that was written for another build of the engine says so. */
  #checkBuild() {
    const { build } = this.sources.table;
    const wanted = this.host.build;
    if (!wanted || !build || wanted === build) return;
    this.controls.banner(this.texts.text('ui.error.build', { wanted, build }));
  }

  schemeChanged() {
    if (!this.root) return;
    this.root.dataset.scheme = this.host.scheme;
    this.canvas?.schemeChanged();
  }

  semantics() {
    const items = this.session.semantics();
    return (this.canvas ?? this.world)?.placed(items) ?? [];
  }

  stats() {
    return { ...this.session.stats(), ...this.canvas?.stats() };
  }

  dispose() {
    clearTimeout(this.#linkTimer);
    this.#compact.disconnect();
    this.#sight?.disconnect();
    this.inspector?.dispose();
    this.canvas?.dispose();
    this.world?.dispose();
    for (const unbind of this.#bound) unbind();
    this.copyMenu?.dispose();
    onePlaying.told(this, false);
    this.session.dispose();
  }

  #showRecorded() {
    const { root, texts, host } = this;
    root.dataset.status = 'recorded';
    const build = host.recordedBuild;
    part(root, 'label').textContent = texts.text('ui.session.recorded', { build });
    const note = part(root, 'no-engine');
    note.textContent = texts.text('ui.transcript.no_engine');
    note.hidden = false;
  }
}
