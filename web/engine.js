// The engine: hotkv-core.wasm behind functions that take and give plain JavaScript values.
//
// web/bindings.h is the other side. Text goes in as UTF-8 and comes out as JSON in which each
// character is one byte, so that any bytes survive; strings that are UTF-8 become text here, others
// (and `resp`, which is the wire itself) stay one character a byte.

const encoder = new TextEncoder();
const latin = new TextDecoder('latin1');
const strict = new TextDecoder('utf-8', { fatal: true });

/** The text in a string of bytes; the string itself where they are no UTF-8. */
function textOf(bytes) {
  if (!/[\x80-\xff]/.test(bytes)) return bytes;
  try {
    return strict.decode(Uint8Array.from(bytes, (c) => c.charCodeAt(0)));
  } catch {
    return bytes;
  }
}

function revived(name, value) {
  return typeof value === 'string' && name !== 'resp' ? textOf(value) : value;
}

export class Engine {
  #module;

  constructor(module) {
    this.#module = module;
  }

  /** The module itself: the canvas draws from the same heap. */
  get module() {
    return this.#module;
  }

  /** Whether this build of the engine has the canvas's view. */
  get draws() {
    return typeof this.#module._hotkv_view_frame === 'function';
  }

  /** The first of these that loads. */
  static async loadFirst(urls) {
    const [first, ...others] = urls;
    if (others.length === 0) return Engine.load(first);
    return Engine.load(first).catch(() => Engine.loadFirst(others));
  }

  /** url: of hotkv-core.js; the wasm lies beside it, unless its bytes are given. */
  static async load(url, wasmBinary) {
    const { default: create } = await import(url);
    const locateFile = (name) => new URL(name, url).href;
    return new Engine(await create({ locateFile, wasmBinary }));
  }

  /** Calls an export with texts as (address, size). */
  #call(name, ...texts) {
    const words = [];
    for (const text of texts) {
      const bytes = encoder.encode(text);
      const address = this.#module._malloc(bytes.length + 1);
      this.#module.HEAPU8.set(bytes, address);
      words.push(address, bytes.length);
    }
    const result = this.#module[`_hotkv_${name}`](...words);
    for (let i = 0; i < words.length; i += 2) this.#module._free(words[i]);
    return result;
  }

  #result(size) {
    const from = this.#module._hotkv_result();
    // HEAPU8 is read anew: the heap may have moved during the call.
    return latin.decode(this.#module.HEAPU8.subarray(from, from + size));
  }

  #text(name, ...texts) {
    return this.#result(this.#call(name, ...texts));
  }

  #json(name, ...texts) {
    return JSON.parse(this.#text(name, ...texts), revived);
  }

  /** Reads a lesson: {id, version, seed, params, clients, nodes, steps, tries, ...}. */
  lesson(text) {
    const lesson = this.#json('lesson', text);
    if (lesson.error) throw new Error(lesson.error);
    return lesson;
  }

  /** A new world of the lesson, at event 0. */
  open({ seed, params }) {
    const lines = Object.entries(params).map(([name, value]) => `${name}=${value}`);
    const wrong = this.#text('open', seed, lines.join('\n'));
    if (wrong !== '') throw new RangeError(textOf(wrong));
  }

  /** Runs one event; false when nothing is left to happen. */
  advance() {
    return this.#call('advance') !== 0;
  }

  /** {event, step, time_us, next_us, ended}. */
  position() {
    return this.#json('position');
  }

  /** The events at which the steps ended. */
  stepEnds() {
    return this.#json('step_ends');
  }

  /** Hands a line to a client, as if it were typed there; its number is for replyTo. */
  exec(client, node, line) {
    const number = this.#call('exec', client, node, line);
    if (number === 0) {
      throw new RangeError(`${client}: ${line}: unbalanced quotes, or no such client`);
    }
    return number;
  }

  /** Does something to an actor, link or message in flight; false: not possible here. */
  act(id, action, ms = 0) {
    return this.#call('act', id, action, String(ms)) !== 0;
  }

  /** The inputs in the `x` of a link; what is unreadable there is left out. */
  inputs(text) {
    return this.#json('inputs', text);
  }

  /** Opens a what-if of the lesson; only at event 0. */
  attempt(id) {
    if (this.#call('attempt', id) === 0) {
      throw new RangeError(`${id}: no such what-if at this place`);
    }
  }

  /** Whether this build of the engine lets a visitor intervene. */
  get acts() {
    return typeof this.#module._hotkv_act === 'function';
  }

  /** {text, resp, event}, or null while there is none. */
  replyTo(number) {
    const size = this.#module._hotkv_reply(number);
    return size === 0 ? null : JSON.parse(this.#result(size), revived);
  }

  state() {
    return this.#json('state');
  }

  /** All that is known about one thing at an instant: a sheet of web/view/facts.h. */
  facts(id, time_us) {
    return this.#json('facts', id, String(Math.floor(time_us)));
  }

  transcript() {
    return this.#json('transcript');
  }

  /** What the trace has beyond its first `from` characters. */
  traceFrom(from) {
    return this.#result(this.#module._hotkv_trace_from(from));
  }

  hash() {
    return this.#text('hash');
  }

  /** Whole lines that could stand in place of this one. */
  complete(line) {
    const words = this.#json('complete', line);
    const start = this.#call('completion_start', line);
    const kept = new TextDecoder().decode(encoder.encode(line).subarray(0, start));
    return words.map((word) => kept + word);
  }

  hint(line) {
    return textOf(this.#text('hint', line));
  }

  help(name) {
    return textOf(this.#text('help', name));
  }
}
