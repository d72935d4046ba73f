// A session: one lesson, run by the engine in this page. No DOM here; a page, a test or the custom
// element drives it and listens to it.
//
// How the engine moves is run.js. What the visitor does is an input, anchored at the event after
// which it came, and opens a branch: the lesson's own lane stays as it is (lanes.js).
//
// Events (CustomEvent): ready statechange stepchange command branch goal invariant error.
import { Engine } from './engine.js';
import { interventionsFor, isIntervention } from './interventions.js';
import { COMMAND_MAX, linkOf } from './link.js';
import { Pace } from './pace.js';
import { Run } from './run.js';
import { semanticsOf } from './semantics.js';

export class Session extends EventTarget {
  #engine = null;
  #lesson = null;
  #run = null;
  #status = 'loading';
  #pace = new Pace(() => this.#tick(), () => this.#run.position);
  #shown = { step: 0, branch: false, goals: '', invariants: '' };
  #stats = { frames: 0, seekMs: 0, cpuMs: 0, glContexts: 0 };

  /** options: {lessonUrl, moduleUrls, motion}; the first module that loads is the engine. */
  constructor(options) {
    super();
    this.motion = options.motion ?? 'auto';
    this.loop = options.loop ?? false;
    this.ready = this.#load(options);
    // Who does not wait for `ready` hears the event `error`.
    this.ready.catch(() => {});
  }

  async #load({ lessonUrl, moduleUrls }) {
    try {
      const [engine, text] = await Promise.all([Engine.loadFirst(moduleUrls), fetched(lessonUrl)]);
      this.#lesson = engine.lesson(text);
      this.#engine = engine;
    } catch (error) {
      this.#status = 'recorded';
      this.#tell('error', { kind: 'engine', message: String(error.message ?? error) });
      throw error;
    }
    this.#run = new Run(this.#engine, this.#lesson, (message) =>
      this.#tell('error', { kind: 'determinism', message: `${this.link()} ${message}` }));
    this.#status = 'paused';
    this.#tell('ready');
    this.#changed();
    return this;
  }

  get lesson() {
    return this.#lesson;
  }

  get engine() {
    return this.#engine;
  }

  get motion() {
    return this.#pace.calm ? 'reduce' : 'auto';
  }

  set motion(value) {
    this.#pace.calm = value === 'reduce';
  }

  /** Of the view that draws: reading time (pace.js). */
  set clock(clock) {
    this.#pace.clock = clock;
  }

  get speed() {
    return this.#pace.speed;
  }

  set speed(value) {
    this.#pace.speed = Math.min(8, Math.max(0.25, Number(value) || 1));
    this.#tell('statechange');
  }

  /** loading, recorded, ready, playing, paused, branch or ended. */
  get status() {
    if (this.#status !== 'paused') return this.#status;
    if (this.isBranch) return 'branch';
    if (this.#run.position.ended) return 'ended';
    return this.#run.at === 0 ? 'ready' : 'paused';
  }

  get isBranch() {
    return this.#run.isBranch;
  }

  get inputs() {
    return this.#run.lane.inputs.map((input) => ({ ...input }));
  }

  get seed() {
    return this.#run.lane.seed;
  }

  get params() {
    return { ...this.#run.lane.params };
  }

  changedParams() {
    const defaults = this.#run.defaults();
    const changed = ([name, value]) => value !== defaults[name];
    return Object.fromEntries(Object.entries(this.#run.lane.params).filter(changed));
  }

  // Moving.

  play() {
    if (!this.#engine || this.#status === 'playing') return;
    if (this.#run.position.ended) this.#run.restart();
    if (!this.#run.lane.trace) this.#run.measureAhead();
    this.#status = 'playing';
    this.#changed();
    this.#pace.start();
  }

  pause() {
    this.#pace.stop();
    if (this.#status !== 'playing') return;
    this.#status = 'paused';
    this.#changed();
  }

  /** One step on or back. Inside a step, back goes to its beginning. */
  stepBy(delta) {
    const { event, step } = this.#run.position;
    if (delta > 0) return this.seek({ step: step + 1 });
    const inside = this.#run.eventOfStep(step) < event;
    return this.seek({ step: inside ? step : Math.max(0, step - 1) });
  }

  eventBy(delta) {
    return this.seek({ event: Math.max(0, this.#run.at + delta) });
  }

  /** target: {step}, {event}, {ms} or {end: true}; beyond the end is the end. */
  async seek(target) {
    await this.ready;
    this.pause();
    const started = performance.now();
    const reached = this.#reached(target);
    if (this.#behind(target)) this.#run.restart();
    while (!reached() && this.#run.advance());
    this.#stats.seekMs = performance.now() - started;
    this.#changed();
  }

  #reached({ step, event, ms, end }) {
    const at = () => this.#run.position;
    if (end) return () => at().ended;
    if (step !== undefined) return () => at().step >= step;
    if (event !== undefined) return () => at().event >= event;
    return () => at().time_us >= ms * 1000;
  }

  #behind({ step, event, ms, end }) {
    const at = this.#run.position;
    if (end) return false;
    if (step !== undefined) return at.step > step || at.event > this.#run.eventOfStep(step);
    if (event !== undefined) return at.event > event;
    return at.time_us > ms * 1000;
  }

  // Doing.

  /** Types a line for a client and runs until its reply: {text, resp, event}. */
  async exec(client, node, line) {
    await this.ready;
    if (new TextEncoder().encode(line).length > COMMAND_MAX) {
      throw new RangeError(`a command line may have at most ${COMMAND_MAX} bytes`);
    }
    this.pause();
    const silent = { text: null, resp: null, event: this.#run.at };
    if (!this.#engine.state().clients.some((one) => one.id === client && one.up)) return silent;
    // First the engine, which may refuse the line; what it refused is no input.
    const number = this.#engine.exec(client, node, line);
    this.#run.fork({ do: 'exec', client, node, line });
    while (!this.#engine.replyTo(number) && this.#run.advance());
    this.#changed();
    const reply = this.#engine.replyTo(number) ?? silent;
    this.#tell('command', { client, node, line, text: reply.text, event: reply.event });
    return reply;
  }

  /**
   * try: opens a what-if; lesson: back to it; branch: to that lane; param, seed: runs again so;
   * anything else is an intervention (interventions.js), `args.ms` or a bare number its length.
   */
  async act(id, action = 'try', args = {}) {
    await this.ready;
    this.pause();
    if (action === 'try') this.#attempt(id);
    else if (action === 'lesson') this.#run.switchTo(0);
    else if (action === 'branch') this.#run.switchTo(Number(id));
    else if (action === 'param') this.#run.rerun({ params: { ...this.params, [id]: args.value } });
    else if (action === 'seed') this.#run.rerun({ seed: String(args.value) });
    else if (isIntervention(action)) this.#intervene(id, action, args);
    else {
      throw new RangeError(`no action ${action}: must be try, lesson, branch, param, seed, kill, `
        + 'restart, pause, cut, heal, clock, drop, delay, dup or deliver');
    }
    this.#changed();
  }

  #intervene(id, action, args) {
    if (!this.#engine.acts) throw new RangeError(`${action}: this build of the engine cannot yet`);
    const ms = typeof args === 'number' ? args : args.ms;
    const arg = ms === undefined ? undefined : Number(ms);
    if (!this.#engine.act(id, action, arg)) {
      throw new RangeError(`${action} ${id}: changes nothing here`);
    }
    this.#run.fork({ do: action, id, ...(arg === undefined ? {} : { arg }) });
    this.#run.measureAhead();
  }

  #attempt(id) {
    if (!this.#lesson.tries.some((one) => one.id === id)) {
      throw new RangeError(`this lesson has no what-if ${id}`);
    }
    this.#run.attempt(id);
  }

  /** What a link says: seed, parameters and inputs, then the place. */
  async restore(state) {
    await this.ready;
    this.pause();
    const defaults = this.#run.defaults();
    const known = Object.entries(state.params ?? {}).filter(([name]) => name in defaults);
    const run = {
      seed: state.seed ?? this.#lesson.seed,
      params: { ...defaults, ...Object.fromEntries(known) },
      inputs: this.#engine.inputs(state.x ?? '').filter((input) => this.#isPossible(input)),
    };
    this.#run.choose(0);
    const differs = run.seed !== this.#lesson.seed || known.length + run.inputs.length > 0;
    if (differs) this.#run.openRun(run);
    else this.#run.restart();
    if (state.at !== undefined) await this.seek({ event: state.at });
    else await this.seek(state.ms === undefined ? { step: state.step ?? 0 } : { ms: state.ms });
  }

  #isPossible(input) {
    const { tries, clients } = this.#lesson;
    if (input.do === 'try') return tries.some((one) => one.id === input.id);
    if (input.do === 'exec') return clients.some((one) => one.id === input.client);
    return this.#engine.acts;
  }

  // Reading.

  state() {
    if (!this.#lesson) return { status: this.#status };
    const state = this.#engine.state();
    return {
      ...state,
      ...this.#networkNow(),
      status: this.status,
      branch: this.isBranch,
      inputs: this.inputs,
      seed: this.seed,
      params: this.params,
      steps: this.#lesson.steps.length,
      length: Math.max(this.#run.lane.length, state.event),
      attempt: this.#attempted(),
      acts: this.#engine.acts,
      lanes: this.#run.lanes.map((lane) => ({
        name: lane.name,
        actions: lane.inputs.length,
        length: lane.length,
        at: lane.inputs.map((input) => input.at),
        current: lane === this.#run.lane,
      })),
    };
  }

  #networkNow() {
    const { links, messages, cut, paused, faults } = this.#run.network();
    return {
      links: [...links.values()].map((link) => ({ ...link, cut: cut.has(link.link) })),
      messages: [...messages.values()],
      paused: Object.fromEntries(paused),
      faults: [...faults],
    };
  }

  /** The what-if that is open, and the step after which it leaves the lesson; or null. */
  #attempted() {
    const attempt = this.#run.lane.inputs.find((input) => input.do === 'try');
    return attempt ? { id: attempt.id, after: this.#run.lane.forked } : null;
  }

  /** The runs that a view draws: {name, current, trace, parts_us} (run.js). */
  runs() {
    return this.#run.drawn();
  }

  /** The cursor in the trace of this run: its instant, and how many lines have come. */
  place() {
    return { time_us: this.#run.position.time_us, lines: this.#run.traceLines() };
  }

  /** What there is to see and to do: {id, role, label, value, actions}. */
  semantics() {
    return this.#lesson ? semanticsOf(this.#lesson, this.state(), interventionsFor) : [];
  }

  /** Where this branch and the lesson part, and what their nodes hold at this event; or null. */
  difference() {
    return this.#run.difference();
  }

  /** All that is known about one thing; at an instant between two events, where one is given. */
  facts(id, time_us = 0) {
    return this.#engine.facts(id, time_us);
  }

  transcript() {
    return this.#lesson ? this.#engine.transcript() : [];
  }

  complete(line) {
    return this.#engine.complete(line);
  }

  hint(line) {
    return this.#engine.hint(line);
  }

  help(name) {
    return this.#engine.help(name);
  }

  /** 16 hex digits: the state of the world after the last event. */
  hash() {
    return this.#engine.hash();
  }

  trace(format = 'json') {
    if (format !== 'json') throw new RangeError(`no trace format ${format}: must be json`);
    return this.#run.trace();
  }

  stats() {
    return { ...this.#stats, events: this.#run?.events ?? 0 };
  }

  /** This session as the hash of an address; what is as in the lesson is left out. */
  link() {
    const { event, step } = this.#run.position;
    return linkOf({
      lesson: this.#lesson.id,
      version: this.#lesson.version,
      step,
      at: this.#run.eventOfStep(step) === event ? undefined : event,
      seed: this.seed === this.#lesson.seed ? undefined : this.seed,
      params: this.changedParams(),
      inputs: this.#run.lane.inputs,
    });
  }

  dispose() {
    this.#pace.stop();
    this.#engine = null;
    this.#run = null;
    this.#lesson = null;
    this.#status = 'recorded';
  }

  // Inside.

  /** One event of a session that plays: how the pace goes on, or null where it has ended. */
  #tick() {
    const before = this.#run.position;
    if (!this.#run.advance() || this.#run.position.ended) {
      if (this.loop) {
        this.#run.restart();
        this.#changed();
        return { gap_us: 0, stepped: true };
      }
      this.#status = 'paused';
      this.#changed();
      return null;
    }
    const after = this.#run.position;
    this.#changed();
    return { gap_us: after.next_us - after.time_us, stepped: after.step > before.step };
  }

  #tell(name, detail = {}) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  /** Compares what there is with what was told before, and tells the difference. */
  #changed() {
    const state = this.state();
    const goals = JSON.stringify(state.goals);
    const invariants = JSON.stringify(state.invariants);
    const before = this.#shown;
    this.#shown = { step: state.step, branch: state.branch, goals, invariants };
    this.#tell('statechange', { status: state.status, event: state.event, step: state.step });
    if (before.step !== state.step) this.#tell('stepchange', { step: state.step });
    if (before.branch !== state.branch) this.#tell('branch', { branch: state.branch });
    if (before.goals !== goals) this.#tell('goal', { goals: state.goals });
    if (before.invariants !== invariants) this.#tell('invariant', { invariants: state.invariants });
  }
}

async function fetched(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: HTTP ${response.status}`);
  return response.text();
}
