// <hotkv-player lesson="lock">: a lesson, run by the engine, in any page.
//
//   <script type="module" src=".../hotkv-player.js"></script>
//   <hotkv-player lesson="lock" step="2" loading="click">
//     <pre slot="transcript" lang="en" translate="no" data-build="...">recorded transcript</pre>
//   </hotkv-player>
//
// This file is the facade: it shows the recorded transcript with a button, and asks for nothing
// else until the session is wanted (loading: lazy = when it comes into view, click, eager).
// Attributes, properties and query parameters of embed.html have the same names; see ATTRIBUTES.
// Methods wait for the session; those that answer at once answer for "idle" before it is there.
// Events: ready statechange stepchange command branch goal invariant resize error. They do not
// bubble.

export const ATTRIBUTES = [
  'lesson', 'version', 'step', 'at', 'seed', 'params', 'x', 'autoplay', 'speed', 'loop',
  'controls', 'console', 'panels', 'theme', 'client', 'loading', 'height', 'motion', 'labels',
  'build',
];
export const EVENTS = [
  'ready', 'statechange', 'stepchange', 'command', 'branch', 'goal', 'invariant', 'resize', 'error',
];

// The words of the facade, which come with it so that it needs no request. The same stand in
// assets/i18n (facade.start, ui.session.recorded, ui.session.loading, embed.title); a test holds
// them equal.
export const WORDS = {
  en: {
    start: 'Start session',
    idle: 'Session example – recorded by hotkv build {build}',
    loading: 'Session example – loading the engine',
    title: 'HotKV session',
  },
  ro: {
    start: 'Porniți sesiunea',
    idle: 'Exemplu de sesiune – înregistrată de hotkv, versiunea {build}',
    loading: 'Exemplu de sesiune – se încarcă motorul',
    title: 'Sesiune HotKV',
  },
  zh: {
    start: '开始会话',
    idle: '会话示例 – 由 hotkv 版本 {build} 录制',
    loading: '会话示例 – 正在加载引擎',
    title: 'HotKV 会话',
  },
};

const STYLE = `
:host { display: block; position: relative; min-width: 0; }
:host([hidden]) { display: none; }
.poster { --ink: #211d19; --soft: #625a51; --surface: #fff; --line: #e3dcd2; --accent: #a83e0b;
  --on-accent: #fff; box-sizing: border-box; border: 1px solid var(--line); border-radius: 12px;
  background: var(--surface); color: var(--ink); overflow: hidden;
  display: flex; flex-direction: column; height: var(--hotkv-poster-height, 48.5rem);
  font: 1rem/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif; }
.poster[data-scheme=dark] { --ink: #efe9e1; --soft: #b0a698; --surface: #1d1a17; --line: #38322a;
  --accent: #ff9e63; --on-accent: #221005; }
.head { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1rem; padding: .75rem;
  border-bottom: 1px solid var(--line); }
.head p { margin: 0; font-size: .95rem; color: var(--soft); }
.poster button { display: inline-flex; align-items: center; gap: .5rem; min-height: 2.75rem;
  border: 0; border-radius: 8px; padding: .3rem 1.1rem; background: var(--accent);
  color: var(--on-accent); font: inherit; font-weight: 600; cursor: pointer; }
.poster button:hover { filter: brightness(1.08); }
.poster button:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.poster button svg { width: 1.25rem; height: 1.25rem; fill: currentColor; }
.frame { flex: 1; min-height: 0; padding: 1rem 1.25rem; overflow: auto; box-sizing: border-box; }
:host([height]) .poster, :host([style*=height]) .poster, :host([style*=aspect]) .poster {
  height: 100%; }
::slotted(pre) { margin: 0; font: .9rem/1.55 ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo,
  Consolas, 'Liberation Mono', monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
@media (forced-colors: active) { .poster button { border: 1px solid ButtonText; } }
`;

const MARGIN = '200px';

// A sheet that is made by script needs no 'unsafe-inline' of the page's policy.
const sheet = new CSSStyleSheet();
sheet.replaceSync(STYLE);

function make(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

function playIcon() {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', 'M8 5.5v13l11-6.5z');
  svg.append(path);
  return svg;
}

export class HotkvPlayer extends HTMLElement {
  static observedAttributes = [...ATTRIBUTES, 'lang'];
  #player = null;
  #loading = null;
  #settle;
  #sight = null;
  #scheme = matchMedia('(prefers-color-scheme: dark)');
  #theme = new MutationObserver(() => this.#showScheme());
  #onScheme = () => this.#showScheme();

  constructor() {
    super();
    this.attachShadow({ mode: 'open' }).adoptedStyleSheets = [sheet];
    /** Resolves with this element when the engine is ready; rejects where it cannot be loaded. */
    this.ready = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    this.ready.catch(() => {});
  }

  connectedCallback() {
    this.#theme.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    this.#scheme.addEventListener('change', this.#onScheme);
    this.#size();
    if (this.#player || this.#loading) return;
    this.#showPoster();
    const loading = this.getAttribute('loading') ?? 'lazy';
    if (loading === 'eager' || this.#isAddressed()) this.activate();
    else if (loading !== 'click') this.#activateInSight();
  }

  disconnectedCallback() {
    this.#theme.disconnect();
    this.#scheme.removeEventListener('change', this.#onScheme);
    this.#sight?.disconnect();
    this.#player?.pause();
  }

  attributeChangedCallback(name, before, after) {
    if (before === after) return;
    if (name === 'theme') this.#showScheme();
    else if (name === 'height') this.#size();
    else if (name === 'loading' && after === 'eager' && this.isConnected) this.activate();
    this.#player?.attributeChanged(name);
  }

  /** The address names this lesson, and this element is the first on the page that shows it. */
  #isAddressed() {
    const lesson = CSS.escape(this.lesson ?? '');
    return this.ownsAddress && new RegExp(`^#${lesson}(@\\d+)?/`).test(location.hash);
  }

  get ownsAddress() {
    const same = [...document.querySelectorAll('hotkv-player')];
    return same.find((one) => one.getAttribute('lesson') === this.getAttribute('lesson')) === this;
  }

  #activateInSight() {
    this.#sight = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) this.activate();
    }, { rootMargin: MARGIN });
    this.#sight.observe(this);
  }

  #words() {
    const lang = this.closest('[lang]')?.lang ?? '';
    return WORDS[lang.slice(0, 2).toLowerCase()] ?? WORDS.en;
  }

  /** The build that made the recorded transcript, or the pinned one. */
  get recordedBuild() {
    return this.querySelector('[slot=transcript]')?.dataset.build ?? this.build ?? '–';
  }

  #showPoster() {
    const words = this.#words();
    const start = make('button', { type: 'button' }, playIcon(), words.start);
    start.dataset.act = 'activate';
    start.addEventListener('click', () => this.play());
    const label = make('p', {}, words.idle.replace('{build}', this.recordedBuild));
    const slot = make('slot', { name: 'transcript' });
    const poster = make('div', { className: 'poster' },
      make('div', { className: 'head' }, start, label), make('div', { className: 'frame' }, slot));
    poster.dataset.part = 'poster';
    poster.lastChild.tabIndex = 0;
    poster.lastChild.setAttribute('role', 'region');
    poster.lastChild.setAttribute('aria-label', label.textContent);
    this.shadowRoot.replaceChildren(poster);
    this.#showScheme();
  }

  /** light or dark: what the element says, else what the page says, else what the system says. */
  get scheme() {
    const { theme } = document.documentElement.dataset;
    const said = [this.theme, theme].find((one) => one === 'light' || one === 'dark');
    return said ?? (this.#scheme.matches ? 'dark' : 'light');
  }

  #showScheme() {
    const { scheme } = this;
    for (const one of this.shadowRoot.querySelectorAll('.poster, .session')) {
      one.dataset.scheme = scheme;
    }
    this.#player?.schemeChanged();
  }

  #size() {
    const height = this.getAttribute('height');
    if (height !== null) this.style.height = /^\d+$/.test(height) ? `${height}px` : height;
  }

  /** Loads the session, once; resolves when it is ready. */
  activate() {
    if (this.#loading) return this.ready;
    this.#sight?.disconnect();
    const label = this.shadowRoot.querySelector('.head p');
    if (label) label.textContent = this.#words().loading;
    this.#loading = import('./player.js').then(({ Player }) => {
      this.#player = new Player(this, this.shadowRoot);
      return this.#player.start();
    });
    this.#loading.then(() => this.#settle.resolve(this), (error) => {
      this.dispatchEvent(new CustomEvent('error', { detail: { message: String(error.message) } }));
      this.#settle.reject(error);
    });
    return this.ready;
  }

  get session() {
    return this.#player?.session ?? null;
  }

  /** The session once its engine is there: before, there is nothing that it could tell. */
  get #told() {
    return this.session?.lesson ? this.session : null;
  }

  async #live() {
    await this.activate();
    return this.session;
  }

  /** Starts playing; resolves when it plays, also where the engine cannot be loaded. */
  async play() {
    const session = await this.#live().catch(() => null);
    session?.play();
  }

  pause() {
    this.session?.pause();
  }

  stepBy(delta) {
    return this.#live().then((session) => session.stepBy(delta));
  }

  /** {step}, {event}, {ms} or {end: true}. */
  seek(target) {
    return this.#live().then((session) => session.seek(target));
  }

  exec(client, node, line) {
    return this.#live().then((session) => session.exec(client, node, line));
  }

  act(id, action, args) {
    return this.#live().then((session) => session.act(id, action, args));
  }

  state() {
    return this.session?.state() ?? { status: 'idle' };
  }

  get status() {
    return this.session?.status ?? 'idle';
  }

  semantics() {
    return this.#player?.semantics() ?? [];
  }

  hash() {
    return this.#told?.hash() ?? null;
  }

  stats() {
    return this.#player?.stats() ?? { frames: 0, events: 0, seekMs: 0, cpuMs: 0, glContexts: 0 };
  }

  trace(format) {
    return this.#told?.trace(format) ?? '';
  }

  transcript() {
    return this.session?.transcript() ?? [];
  }

  /** The state as the hash of an address: "#lock@3/step=2". */
  link() {
    return this.#told?.link() ?? `#${this.lesson}`;
  }

  /** Lets go of the engine; what stays is the recorded transcript, ready to start anew. */
  dispose() {
    this.#player?.dispose();
    this.#player = null;
    this.#loading = null;
    this.ready = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    this.ready.catch(() => {});
    if (this.isConnected) this.#showPoster();
  }
}

for (const name of ATTRIBUTES) {
  Object.defineProperty(HotkvPlayer.prototype, name, {
    get() {
      return this.getAttribute(name);
    },
    set(value) {
      if (value === null || value === undefined || value === false) this.removeAttribute(name);
      else this.setAttribute(name, value === true ? '' : String(value));
    },
    enumerable: true,
  });
}

if (!customElements.get('hotkv-player')) customElements.define('hotkv-player', HotkvPlayer);
