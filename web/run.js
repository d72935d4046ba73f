// A run of the engine along a lane: where it is, going on, going back to the start, and forking.
//
// What is shown is a function of (lesson, engine build, seed, parameters, inputs, cursor). Going
// back is running again from event 0, so nothing that was seeked over leaves a trace; `hashes` of a
// lane remembers each world that was seen, and one that differs on the second visit is told.
import { Lanes } from './lanes.js';
import { TraceWorld } from './trace_world.js';

// Nothing that a visitor waits for takes longer; a world that never rests (a poll) stops here.
const EVENTS_MAX = 200000;
// How far a run is looked ahead for the length of the timeline.
const LENGTH_MAX = 20000;

export class Run {
  #engine;
  #lesson;
  #lanes;
  #applied = 0;
  #position = null;
  #trace = '';
  #counted = { chars: 0, lines: 0 };
  #network = null;
  #onFault;

  /** onFault(message): the same run has given another world. */
  constructor(engine, lesson, onFault) {
    this.#engine = engine;
    this.#lesson = lesson;
    this.#onFault = onFault;
    this.#lanes = new Lanes(lesson.seed, this.defaults());
    /** Events carried out so far, in all directions. */
    this.events = 0;
    this.measure();
  }

  defaults() {
    return Object.fromEntries(this.#lesson.params.map(({ name, value }) => [name, value]));
  }

  get lane() {
    return this.#lanes.current;
  }

  get lanes() {
    return this.#lanes.all;
  }

  get isBranch() {
    return this.#lanes.current !== this.#lanes.lesson;
  }

  /** Where the engine is; asked once after each move, because each step forward looks at it. */
  get position() {
    this.#position ??= this.#engine.position();
    return this.#position;
  }

  get at() {
    return this.position.event;
  }

  /** The event that ended this step; Infinity while it has not ended. */
  eventOfStep(step) {
    if (step === 0) return 0;
    return this.#engine.stepEnds()[step - 1] ?? Infinity;
  }

  /** The trace up to the cursor; only what is new since the last call is taken from the engine. */
  trace() {
    this.#trace += this.#engine.traceFrom(this.#trace.length);
    return this.#trace;
  }

  /** How many lines the trace has up to the cursor. */
  traceLines() {
    const text = this.trace();
    const counted = this.#counted;
    for (let end; (end = text.indexOf('\n', counted.chars)) >= 0; counted.chars = end + 1) {
      counted.lines++;
    }
    return counted.lines;
  }

  /** What the trace says about the network at the cursor. */
  network() {
    this.#network ??= new TraceWorld(this.#lesson);
    this.#network.follow(this.trace());
    return this.#network;
  }

  // Moving.

  /** One event; false at the end. */
  advance() {
    if (this.at >= EVENTS_MAX || !this.#engine.advance()) return false;
    this.#position = null;
    this.events++;
    this.#checkHash();
    this.#applyDue();
    return true;
  }

  restart() {
    this.#open();
    this.#applyDue();
  }

  #open() {
    this.#position = null;
    this.#trace = '';
    this.#counted = { chars: 0, lines: 0 };
    this.#network = null;
    this.#applied = 0;
    this.#engine.open(this.lane);
  }

  runToStep(step) {
    while (this.position.step < step && this.advance());
  }

  runToEvent(event) {
    while (this.at < event && this.advance());
  }

  /** Runs ahead to learn how long this run is, then goes back to its start. */
  measure() {
    this.restart();
    this.runToEvent(LENGTH_MAX);
    const { event, step } = this.position;
    Object.assign(this.lane, { length: event, forked: step, trace: this.trace() });
    this.restart();
  }

  /** The same from the middle of a run; the cursor stays where it is. */
  measureAhead() {
    const { at } = this;
    this.measure();
    this.runToEvent(at);
  }

  /** Hands over every input whose event has come. One that the engine refuses does nothing. */
  #applyDue() {
    const { inputs } = this.lane;
    while (this.#applied < inputs.length && inputs[this.#applied].at <= this.at) {
      const input = inputs[this.#applied++];
      this.#position = null;
      try {
        if (input.do === 'try') this.#engine.attempt(input.id);
        else if (input.do === 'exec') this.#engine.exec(input.client, input.node, input.line);
        else this.#engine.act(input.id, input.do, input.arg);
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
      }
    }
  }

  /** The same run must give the same world, each time it comes by. */
  #checkHash() {
    const event = this.at;
    const { hashes } = this.lane;
    const hash = this.#engine.hash();
    const earlier = hashes[event];
    if (earlier !== undefined && earlier !== hash) {
      this.#onFault(`event ${event}: ${earlier} became ${hash}`);
    }
    hashes[event] = hash;
    this.lane.times[event] = this.position.time_us;
  }

  // Lanes.

  /** What the engine has just been given, after the present event, becomes part of a branch. */
  fork(input) {
    this.#position = null;
    this.#lanes.fork({ at: this.at, ...input }, this.#applied).trace = null;
    this.#applied = this.lane.inputs.length;
  }

  /** Opens a what-if. What it has in common with the lesson is known: it begins where they part. */
  attempt(id) {
    const { seed, params } = this.lane;
    const what = { seed, params, inputs: [{ at: 0, do: 'try', id }] };
    if (!this.#lanes.find(what)) this.#lanes.open(what);
    this.measure();
    this.runToStep(this.lane.forked);
  }

  /** The script again with another seed or parameter; earlier actions belong to the old run. */
  rerun({ seed = this.lane.seed, params = this.lane.params }) {
    const { step } = this.position;
    const before = this.lane;
    if (this.#lanes.find({ seed, params, inputs: [] })) this.restart();
    else {
      this.openRun({ seed, params, inputs: [] });
      // A slider that is dragged is one branch, not one for each value.
      if (before.name !== 0 && before.inputs.length === 0) {
        this.#lanes.drop(before, this.lane);
        this.lane.name = before.name;
      }
    }
    this.runToStep(step);
  }

  /** A new lane, at its start. One that the engine refuses is taken away again, and it throws. */
  openRun(run) {
    const { step } = this.position;
    const before = this.lane;
    const lane = this.#lanes.open(run);
    try {
      this.measure();
    } catch (error) {
      this.#lanes.drop(lane, before);
      this.restart();
      this.runToStep(step);
      throw error;
    }
  }

  /** To the lane of this name, at the step where the cursor is; 0 is the lesson. */
  switchTo(name) {
    const { step } = this.position;
    this.choose(name);
    this.restart();
    this.runToStep(step);
  }

  choose(name) {
    this.#lanes.choose(name);
  }

  /**
   * The runs that a view draws: {name, current, trace, parts_us}. A trace is whole where it is
   * known; until parts_us it is the lesson's.
   */
  drawn() {
    return this.lanes.map((lane) => {
      const current = lane === this.lane;
      const known = lane.trace ?? (current ? this.trace() : lane.seen ?? '');
      if (current) lane.seen = known;
      return { name: lane.name, current, trace: known, parts_us: this.#lanes.partingTime(lane) };
    });
  }

  /** Where this branch and the lesson part, and the nodes of both at this event; or null. */
  difference() {
    const event = this.#lanes.parting();
    if (event === null) return null;
    const mine = this.#engine.state();
    const { name } = this.lane;
    const { at } = this;
    const nodesOf = (which) => {
      this.choose(which);
      this.restart();
      this.runToEvent(at);
      return this.#engine.state().nodes;
    };
    const lesson = nodesOf(0);
    return { event, step: mine.step, lesson, branch: nodesOf(name) };
  }
}
