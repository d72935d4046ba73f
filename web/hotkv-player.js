// A session: one lesson, run by the engine in this page. No DOM here; a page, a test or a custom
// element drives it and listens to it.
//
// What is shown is a function of (lesson, engine build, seed, parameters, inputs, cursor). Going
// back is running again from event 0, so nothing that was seeked over leaves a trace. What the
// visitor does is an input, anchored at the event after which it came; an input before the end
// drops those that came later: that is a branch.
//
// Events (CustomEvent): ready statechange stepchange command branch goal invariant error.
import { Engine } from './engine.js';
import { COMMAND_MAX, INPUTS_MAX, linkOf } from './link.js';

// A gap of simulated time takes between these two, in real time, at speed 1.
const GAP_MS_MIN = 250;
const GAP_MS_MAX = 1600;
const GAP_PER_LOG_MS = 300;
const READING_MS = 900;
const CALM_MS = 1000;
// Nothing that a visitor waits for takes longer; a world that never rests (a poll) stops here.
const EVENTS_MAX = 200000;
// How far a run is looked ahead for the length of the timeline.
const LENGTH_MAX = 2000;

export class HotkvPlayer extends EventTarget {
  #engine = null;
  #lesson = null;
  #seed = '';
  #params = {};
  #inputs = [];
  #applied = 0;
  #length = 0;
  #forked = { step: 0 };
  #status = 'loading';
  #speed = 1;
  #timer = 0;
  #hashes = [];
  #shown = { step: 0, branch: false, goals: '', invariants: '' };
  #stats = { frames: 0, events: 0, seekMs: 0, cpuMs: 0, glContexts: 0 };

  /** options: {lessonUrl, moduleUrl, motion}; without a module there is `error` and no `ready`. */
  constructor(options) {
    super();
    this.motion = options.motion ?? 'auto';
    this.ready = this.#load(options);
    // Who does not wait for `ready` hears the event `error`.
    this.ready.catch(() => {});
  }

  async #load({ lessonUrl, moduleUrl }) {
    try {
      const [engine, text] = await Promise.all([Engine.load(moduleUrl), fetched(lessonUrl)]);
      this.#engine = engine;
      this.#lesson = engine.lesson(text);
    } catch (error) {
      this.#status = 'recorded';
      this.#tell('error', { message: String(error.message ?? error) });
      throw error;
    }
    this.#seed = this.#lesson.seed;
    this.#params = this.#defaults();
    this.#measure();
    this.#status = 'paused';
    this.#tell('ready');
    this.#changed();
    return this;
  }

  get lesson() {
    return this.#lesson;
  }

  get speed() {
    return this.#speed;
  }

  set speed(value) {
    this.#speed = Math.min(8, Math.max(0.25, Number(value) || 1));
    this.#tell('statechange');
  }

  /** loading, recorded, ready, playing, paused, branch or ended. */
  get status() {
    if (this.#status !== 'paused') return this.#status;
    if (this.isBranch) return 'branch';
    if (this.#engine.position().ended) return 'ended';
    return this.#engine.position().event === 0 ? 'ready' : 'paused';
  }

  get isBranch() {
    return this.#inputs.length > 0 || Object.keys(this.changedParams()).length > 0;
  }

  get inputs() {
    return this.#inputs.map((input) => ({ ...input }));
  }

  get seed() {
    return this.#seed;
  }

  get params() {
    return { ...this.#params };
  }

  changedParams() {
    const defaults = this.#defaults();
    return Object.fromEntries(
      Object.entries(this.#params).filter(([name, value]) => value !== defaults[name]),
    );
  }

  // Moving.

  play() {
    if (!this.#engine || this.#status === 'playing') return;
    if (this.#engine.position().ended) this.#restart();
    this.#status = 'playing';
    this.#changed();
    this.#schedule(this.motion === 'reduce' ? CALM_MS : GAP_MS_MIN);
  }

  pause() {
    clearTimeout(this.#timer);
    if (this.#status !== 'playing') return;
    this.#status = 'paused';
    this.#changed();
  }

  /** One step on or back. Inside a step, back goes to its beginning. */
  stepBy(delta) {
    const { event, step } = this.#engine.position();
    if (delta > 0) return this.seek({ step: step + 1 });
    const inside = this.#eventOfStep(step) < event;
    return this.seek({ step: inside ? step : Math.max(0, step - 1) });
  }

  eventBy(delta) {
    const { event } = this.#engine.position();
    return this.seek({ event: Math.max(0, event + delta) });
  }

  /** target: {step}, {event} or {ms}; beyond the end is the end. */
  async seek(target) {
    await this.ready;
    this.pause();
    const started = performance.now();
    const reached = this.#reached(target);
    if (this.#behind(target)) this.#restart();
    while (!reached() && this.#advance());
    this.#stats.seekMs = performance.now() - started;
    this.#changed();
  }

  #reached({ step, event, ms, end }) {
    const at = () => this.#engine.position();
    if (end) return () => at().ended;
    if (step !== undefined) return () => at().step >= step;
    if (event !== undefined) return () => at().event >= event;
    return () => at().time_us >= ms * 1000;
  }

  #behind({ step, event, ms, end }) {
    const at = this.#engine.position();
    if (end) return false;
    if (step !== undefined) return at.step > step || at.event > this.#eventOfStep(step);
    if (event !== undefined) return at.event > event;
    return at.time_us > ms * 1000;
  }

  /** The event that ended this step; Infinity while it has not ended. */
  #eventOfStep(step) {
    if (step === 0) return 0;
    return this.#engine.stepEnds()[step - 1] ?? Infinity;
  }

  // Doing.

  /** Types a line for a client and runs until its reply: {text, resp, event}. */
  async exec(client, node, line) {
    await this.ready;
    if (new TextEncoder().encode(line).length > COMMAND_MAX) {
      throw new RangeError(`a command line may have at most ${COMMAND_MAX} bytes`);
    }
    this.pause();
    const silent = { text: null, resp: null, event: this.#at() };
    if (!this.#engine.state().clients.some((one) => one.id === client && one.up)) return silent;
    // First the engine, which may refuse the line; what it refused is no input.
    const number = this.#engine.exec(client, node, line);
    this.#branchHere({ do: 'exec', client, node, line });
    this.#applied = this.#inputs.length;
    while (!this.#engine.replyTo(number) && this.#advance());
    this.#changed();
    return this.#engine.replyTo(number) ?? silent;
  }

  /** action `try`: opens a what-if; `lesson`: back to the lesson; `param`, `seed`: run again. */
  async act(id, action = 'try', args = {}) {
    await this.ready;
    this.pause();
    if (action === 'try') this.#attempt(id);
    else if (action === 'lesson') this.#reset({});
    else if (action === 'param') this.#rerun({ params: { ...this.#params, [id]: args.value } });
    else if (action === 'seed') this.#rerun({ seed: String(args.value) });
    else throw new RangeError(`no action ${action}: must be try, lesson, param or seed`);
    this.#changed();
  }

  #attempt(id) {
    const attempt = this.#lesson.tries.find((one) => one.id === id);
    if (!attempt) throw new RangeError(`this lesson has no what-if ${id}`);
    this.#inputs = [];
    this.#hashes = [];
    this.#restart();
    this.#branchHere({ do: 'try', id });
    this.#measure();
    // What the branch has in common with the lesson is known: it begins where they part.
    const { step } = this.#forked;
    while (this.#engine.position().step < step && this.#advance());
  }

  /** The script again with another seed or parameter; earlier actions belong to the old run. */
  #rerun(change) {
    this.#reset({ seed: this.#seed, params: this.#params, ...change });
  }

  /** Everything about a run anew; throws, and changes nothing, where the engine refuses it. */
  #reset({ seed = this.#lesson.seed, params = this.#defaults(), inputs = [] }) {
    const { step } = this.#engine.position();
    try {
      this.#engine.open({ seed, params });
    } catch (error) {
      this.#restart();
      while (this.#engine.position().step < step && this.#advance());
      throw error;
    }
    this.#seed = seed;
    this.#params = params;
    this.#inputs = inputs;
    this.#hashes = [];
    this.#measure();
    while (this.#engine.position().step < step && this.#advance());
  }

  /** What a link says: seed, parameters and inputs, then the place. */
  async restore(state) {
    await this.ready;
    this.pause();
    const known = Object.entries(state.params ?? {}).filter(([name]) => name in this.#params);
    this.#reset({
      seed: state.seed,
      params: { ...this.#defaults(), ...Object.fromEntries(known) },
      inputs: (state.inputs ?? []).filter((input) => this.#isPossible(input)),
    });
    await this.seek(state.at === undefined ? { step: state.step ?? 0 } : { event: state.at });
  }

  #isPossible(input) {
    const { tries, clients } = this.#lesson;
    if (input.do === 'try') return tries.some((one) => one.id === input.id);
    return clients.some((one) => one.id === input.client);
  }

  #branchHere(input) {
    const at = this.#at();
    const kept = this.#inputs.filter((earlier) => earlier.at <= at);
    if (kept.length >= INPUTS_MAX) throw new RangeError(`at most ${INPUTS_MAX} actions a branch`);
    this.#inputs = [...kept, { at, ...input }];
    this.#hashes.length = Math.min(this.#hashes.length, at + 1);
  }

  // Reading.

  state() {
    if (!this.#engine) return { status: this.#status };
    return {
      ...this.#engine.state(),
      status: this.status,
      branch: this.isBranch,
      inputs: this.inputs,
      seed: this.#seed,
      params: this.params,
      steps: this.#lesson.steps.length,
      length: Math.max(this.#length, this.#at()),
      attempt: this.#attempted(),
    };
  }

  /** The what-if that is open, and the step after which it leaves the lesson; or null. */
  #attempted() {
    const attempt = this.#inputs.find((input) => input.do === 'try');
    return attempt ? { id: attempt.id, after: this.#forked.step } : null;
  }

  /** What there is to see and to do: {id, role, label, value, actions}. */
  semantics() {
    const state = this.state();
    const steps = this.#lesson.steps.map((step, i) => ({
      id: `step-${step.id}`,
      role: 'step',
      label: step.id,
      value: i < state.step ? 'done' : 'open',
      actions: ['seek'],
    }));
    const tries = this.#lesson.tries.map((one) => ({
      id: `try-${one.id}`,
      role: 'try',
      label: one.id,
      value: '',
      actions: ['try'],
    }));
    const actors = [...state.nodes, ...state.clients].map((actor) => ({
      id: actor.id,
      role: actor.role ?? 'client',
      label: actor.name ?? actor.id,
      value: actor.up ? 'up' : 'down',
      actions: [],
    }));
    return [...actors, ...steps, ...tries];
  }

  transcript() {
    return this.#engine ? this.#engine.transcript() : [];
  }

  complete(line) {
    return this.#engine.complete(line);
  }

  hint(line) {
    return this.#engine.hint(line);
  }

  /** 16 hex digits: the state of the world after the last event. */
  hash() {
    return this.#engine.hash();
  }

  trace(format = 'json') {
    if (format !== 'json') throw new RangeError(`no trace format ${format}: must be json`);
    return this.#engine.trace();
  }

  stats() {
    return { ...this.#stats };
  }

  /** This session as the hash of an address; what is as in the lesson is left out. */
  link() {
    const { event, step } = this.#engine.position();
    return linkOf({
      lesson: this.#lesson.id,
      version: this.#lesson.version,
      step,
      at: this.#eventOfStep(step) === event ? undefined : event,
      seed: this.#seed === this.#lesson.seed ? undefined : this.#seed,
      params: this.changedParams(),
      inputs: this.#inputs,
    });
  }

  dispose() {
    clearTimeout(this.#timer);
    this.#engine = null;
    this.#status = 'recorded';
  }

  // Inside.

  #at() {
    return this.#engine.position().event;
  }

  #defaults() {
    return Object.fromEntries(this.#lesson.params.map(({ name, value }) => [name, value]));
  }

  #restart() {
    this.#engine.open({ seed: this.#seed, params: this.#params });
    this.#applied = 0;
    this.#applyDue();
  }

  /** Runs ahead to learn how long this run is, then goes back to its start. */
  #measure() {
    this.#restart();
    while (this.#at() < LENGTH_MAX && this.#advance());
    const { event, step } = this.#engine.position();
    this.#length = event;
    this.#forked = { step };
    this.#restart();
  }

  /** Hands over every input whose event has come. One that the engine refuses does nothing. */
  #applyDue() {
    while (this.#applied < this.#inputs.length && this.#inputs[this.#applied].at <= this.#at()) {
      const input = this.#inputs[this.#applied++];
      try {
        if (input.do === 'try') this.#engine.attempt(input.id);
        else this.#engine.exec(input.client, input.node, input.line);
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
      }
    }
  }

  /** One event; false at the end. */
  #advance() {
    if (this.#at() >= EVENTS_MAX || !this.#engine.advance()) return false;
    this.#stats.events++;
    this.#checkHash();
    this.#applyDue();
    return true;
  }

  /** The same run must give the same world, each time it comes by. */
  #checkHash() {
    const event = this.#at();
    const hash = this.#engine.hash();
    const earlier = this.#hashes[event];
    if (earlier !== undefined && earlier !== hash) {
      this.#tell('error', {
        kind: 'determinism',
        message: `${this.link()} event ${event}: ${earlier} became ${hash}`,
      });
    }
    this.#hashes[event] = hash;
  }

  #schedule(delay_ms) {
    this.#timer = setTimeout(() => this.#tick(), delay_ms / this.#speed);
  }

  #tick() {
    const before = this.#engine.position();
    if (!this.#advance() || this.#engine.position().ended) {
      this.#status = 'paused';
      this.#changed();
      return;
    }
    const after = this.#engine.position();
    this.#changed();
    const gap_ms = (after.next_us - after.time_us) / 1000;
    const tempo = Math.min(GAP_MS_MAX, Math.max(GAP_MS_MIN, GAP_PER_LOG_MS * Math.log1p(gap_ms)));
    const reading = after.step > before.step ? READING_MS : 0;
    this.#schedule(this.motion === 'reduce' ? CALM_MS : tempo + reading);
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
    this.#tell('statechange', { status: this.status, event: state.event, step: state.step });
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
