// A session: one lesson, run by the engine in this page. No DOM here; a page, a test or the custom
// element drives it and listens to it.
//
// What is shown is a function of (lesson, engine build, seed, parameters, inputs, cursor). Going
// back is running again from event 0, so nothing that was seeked over leaves a trace. What the
// visitor does is an input, anchored at the event after which it came, and opens a branch: the
// lesson's own lane stays as it is (lanes.js).
//
// Events (CustomEvent): ready statechange stepchange command branch goal invariant error.
import { Engine } from './engine.js';
import { interventionsFor, isIntervention } from './interventions.js';
import { Lanes } from './lanes.js';
import { COMMAND_MAX, linkOf } from './link.js';
import { Pace } from './pace.js';
import { semanticsOf } from './semantics.js';
import { TraceWorld } from './trace_world.js';

// Nothing that a visitor waits for takes longer; a world that never rests (a poll) stops here.
const EVENTS_MAX = 200000;
// How far a run is looked ahead for the length of the timeline.
const LENGTH_MAX = 20000;

export class Session extends EventTarget {
  #engine = null;
  #lesson = null;
  #lanes = null;
  #applied = 0;
  #place = null;
  #network = null;
  #status = 'loading';
  #pace = new Pace(() => this.#tick(), () => this.#position());
  #shown = { step: 0, branch: false, goals: '', invariants: '' };
  #stats = { frames: 0, events: 0, seekMs: 0, cpuMs: 0, glContexts: 0 };

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
    this.#lanes = new Lanes(this.#lesson.seed, this.#defaults());
    this.#measure();
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
    if (this.#position().ended) return 'ended';
    return this.#at() === 0 ? 'ready' : 'paused';
  }

  get isBranch() {
    return this.#lanes.current !== this.#lanes.lesson;
  }

  get inputs() {
    return this.#lane.inputs.map((input) => ({ ...input }));
  }

  get seed() {
    return this.#lane.seed;
  }

  get params() {
    return { ...this.#lane.params };
  }

  get #lane() {
    return this.#lanes.current;
  }

  changedParams() {
    const defaults = this.#defaults();
    const changed = ([name, value]) => value !== defaults[name];
    return Object.fromEntries(Object.entries(this.#lane.params).filter(changed));
  }

  // Moving.

  play() {
    if (!this.#engine || this.#status === 'playing') return;
    if (this.#position().ended) this.#restart();
    if (!this.#lane.trace) this.#measureAhead();
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
    const { event, step } = this.#position();
    if (delta > 0) return this.seek({ step: step + 1 });
    const inside = this.#eventOfStep(step) < event;
    return this.seek({ step: inside ? step : Math.max(0, step - 1) });
  }

  eventBy(delta) {
    return this.seek({ event: Math.max(0, this.#at() + delta) });
  }

  /** target: {step}, {event}, {ms} or {end: true}; beyond the end is the end. */
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
    const at = () => this.#position();
    if (end) return () => at().ended;
    if (step !== undefined) return () => at().step >= step;
    if (event !== undefined) return () => at().event >= event;
    return () => at().time_us >= ms * 1000;
  }

  #behind({ step, event, ms, end }) {
    const at = this.#position();
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
    this.#fork({ do: 'exec', client, node, line });
    while (!this.#engine.replyTo(number) && this.#advance());
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
    else if (action === 'lesson') this.#switchTo(0);
    else if (action === 'branch') this.#switchTo(Number(id));
    else if (action === 'param') this.#rerun({ params: { ...this.params, [id]: args.value } });
    else if (action === 'seed') this.#rerun({ seed: String(args.value) });
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
    this.#fork({ do: action, id, ...(arg === undefined ? {} : { arg }) });
    this.#measureAhead();
  }

  #attempt(id) {
    if (!this.#lesson.tries.some((one) => one.id === id)) {
      throw new RangeError(`this lesson has no what-if ${id}`);
    }
    const { seed, params } = this.#lane;
    const run = { seed, params, inputs: [{ at: 0, do: 'try', id }] };
    if (!this.#lanes.find(run)) this.#lanes.open(run);
    this.#measure();
    // What the branch has in common with the lesson is known: it begins where they part.
    this.#runToStep(this.#lane.forked);
  }

  /** The script again with another seed or parameter; earlier actions belong to the old run. */
  #rerun({ seed = this.#lane.seed, params = this.#lane.params }) {
    const { step } = this.#position();
    const before = this.#lane;
    if (this.#lanes.find({ seed, params, inputs: [] })) {
      this.#restart();
      this.#runToStep(step);
      return;
    }
    // A slider that is dragged is one branch, not one for each value.
    const again = before !== this.#lanes.lesson && before.inputs.length === 0;
    const lane = this.#lanes.open({ seed, params, inputs: [] });
    try {
      this.#place = null;
      this.#engine.open({ seed, params });
    } catch (error) {
      this.#lanes.drop(lane, before);
      this.#restart();
      this.#runToStep(step);
      throw error;
    }
    if (again) {
      this.#lanes.drop(before, lane);
      lane.name = before.name;
    }
    this.#measure();
    this.#runToStep(step);
  }

  #switchTo(name) {
    const { step } = this.#position();
    this.#lanes.choose(name);
    this.#restart();
    this.#runToStep(step);
  }

  #runToStep(step) {
    while (this.#position().step < step && this.#advance());
  }

  /** What a link says: seed, parameters and inputs, then the place. */
  async restore(state) {
    await this.ready;
    this.pause();
    const known = Object.entries(state.params ?? {}).filter(([name]) => name in this.#defaults());
    const run = {
      seed: state.seed ?? this.#lesson.seed,
      params: { ...this.#defaults(), ...Object.fromEntries(known) },
      inputs: this.#engine.inputs(state.x ?? '').filter((input) => this.#isPossible(input)),
    };
    this.#lanes.choose(0);
    const differs = run.seed !== this.#lesson.seed || known.length + run.inputs.length > 0;
    if (differs) this.#openRun(run);
    else this.#restart();
    await this.seek(state.at === undefined ? { step: state.step ?? 0 } : { event: state.at });
  }

  #openRun(run) {
    const before = this.#lane;
    const lane = this.#lanes.open(run);
    try {
      this.#measure();
    } catch (error) {
      this.#lanes.drop(lane, before);
      this.#restart();
      throw error;
    }
  }

  #isPossible(input) {
    const { tries, clients } = this.#lesson;
    if (input.do === 'try') return tries.some((one) => one.id === input.id);
    if (input.do === 'exec') return clients.some((one) => one.id === input.client);
    return this.#engine.acts;
  }

  #fork(input) {
    this.#place = null;
    this.#lanes.fork({ at: this.#at(), ...input }, this.#applied).trace = null;
    this.#applied = this.#lane.inputs.length;
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
      length: Math.max(this.#lane.length, state.event),
      attempt: this.#attempted(),
      acts: this.#engine.acts,
      lanes: this.#lanes.all.map((lane) => ({
        name: lane.name,
        actions: lane.inputs.length,
        length: lane.length,
        at: lane.inputs.map((input) => input.at),
        current: lane === this.#lane,
      })),
    };
  }

  #networkNow() {
    this.#network ??= new TraceWorld(this.#lesson);
    this.#network.follow(this.#engine.trace());
    const { links, messages, cut, paused, faults } = this.#network;
    return {
      links: [...links.values()].map((link) => ({ ...link, cut: cut.has(link.link) })),
      messages: [...messages.values()],
      paused: Object.fromEntries(paused),
      faults: [...faults],
    };
  }

  /** The what-if that is open, and the step after which it leaves the lesson; or null. */
  #attempted() {
    const attempt = this.#lane.inputs.find((input) => input.do === 'try');
    return attempt ? { id: attempt.id, after: this.#lane.forked } : null;
  }

  /** The runs that a view draws: {name, current, trace}; a trace is whole where it is known. */
  runs() {
    return this.#lanes.all.map((lane) => {
      const current = lane === this.#lane;
      const known = lane.trace ?? (current ? this.#engine.trace() : lane.seen ?? '');
      if (current) lane.seen = known;
      return { name: lane.name, current, trace: known };
    });
  }

  /** The cursor in the trace of this run: its instant, and how many lines have come. */
  place() {
    const { length } = this.#engine.trace().split('\n');
    return { time_us: this.#position().time_us, lines: length - 1 };
  }

  /** What there is to see and to do: {id, role, label, value, actions}. */
  semantics() {
    return this.#lesson ? semanticsOf(this.#lesson, this.state(), interventionsFor) : [];
  }

  /** Where this branch and the lesson part, and what is different at their ends; or null. */
  difference() {
    const event = this.#lanes.parting();
    if (event === null) return null;
    const mine = this.#engine.state();
    const { step } = mine;
    const lane = this.#lane;
    const at = this.#at();
    this.#lanes.choose(0);
    this.#restart();
    while (this.#at() < at && this.#advance());
    const lesson = this.#engine.state();
    this.#lanes.choose(lane.name);
    this.#restart();
    while (this.#at() < at && this.#advance());
    return { event, step, lesson: lesson.nodes, branch: mine.nodes };
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
    return this.#engine.trace();
  }

  stats() {
    return { ...this.#stats };
  }

  /** This session as the hash of an address; what is as in the lesson is left out. */
  link() {
    const { event, step } = this.#position();
    return linkOf({
      lesson: this.#lesson.id,
      version: this.#lesson.version,
      step,
      at: this.#eventOfStep(step) === event ? undefined : event,
      seed: this.seed === this.#lesson.seed ? undefined : this.seed,
      params: this.changedParams(),
      inputs: this.#lane.inputs,
    });
  }

  dispose() {
    this.#pace.stop();
    this.#engine = null;
    this.#lesson = null;
    this.#status = 'recorded';
  }

  // Inside.

  /** Where the engine is; asked once after each move, because each step forward looks at it. */
  #position() {
    this.#place ??= this.#engine.position();
    return this.#place;
  }

  #at() {
    return this.#position().event;
  }

  #defaults() {
    return Object.fromEntries(this.#lesson.params.map(({ name, value }) => [name, value]));
  }

  #restart() {
    this.#place = null;
    this.#engine.open(this.#lane);
    this.#applied = 0;
    this.#network = null;
    this.#applyDue();
  }

  /** Runs ahead to learn how long this run is, then goes back to its start. */
  #measure() {
    this.#restart();
    while (this.#at() < LENGTH_MAX && this.#advance());
    const { event, step } = this.#position();
    Object.assign(this.#lane, { length: event, forked: step, trace: this.#engine.trace() });
    this.#restart();
  }

  /** The same from the middle of a run; the cursor stays where it is. */
  #measureAhead() {
    const at = this.#at();
    this.#measure();
    while (this.#at() < at && this.#advance());
  }

  /** Hands over every input whose event has come. One that the engine refuses does nothing. */
  #applyDue() {
    const { inputs } = this.#lane;
    while (this.#applied < inputs.length && inputs[this.#applied].at <= this.#at()) {
      const input = inputs[this.#applied++];
      this.#place = null;
      try {
        if (input.do === 'try') this.#engine.attempt(input.id);
        else if (input.do === 'exec') this.#engine.exec(input.client, input.node, input.line);
        else this.#engine.act(input.id, input.do, input.arg);
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
      }
    }
  }

  /** One event; false at the end. */
  #advance() {
    if (this.#at() >= EVENTS_MAX || !this.#engine.advance()) return false;
    this.#place = null;
    this.#stats.events++;
    this.#checkHash();
    this.#applyDue();
    return true;
  }

  /** The same run must give the same world, each time it comes by. */
  #checkHash() {
    const event = this.#at();
    const { hashes } = this.#lane;
    const hash = this.#engine.hash();
    const earlier = hashes[event];
    if (earlier !== undefined && earlier !== hash) {
      this.#tell('error', {
        kind: 'determinism',
        message: `${this.link()} event ${event}: ${earlier} became ${hash}`,
      });
    }
    hashes[event] = hash;
  }

  /** One event of a session that plays: how the pace goes on, or null where it has ended. */
  #tick() {
    const before = this.#position();
    if (!this.#advance() || this.#position().ended) {
      if (this.loop) {
        this.#restart();
        this.#changed();
        return { gap_us: 0, stepped: true };
      }
      this.#status = 'paused';
      this.#changed();
      return null;
    }
    const after = this.#position();
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
