// The engine: hotkv-core.wasm behind functions that take and give plain JavaScript values.
//
// Across the border go pointers to UTF-8 text that ends in a zero byte. An argument is allocated
// and freed here; a result belongs to the engine and is valid until the next call. It is JSON;
// {"error": "..."} in it becomes an exception. web/bindings.h says what each function does.

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class Engine {
  #module;

  constructor(module) {
    this.#module = module;
  }

  /** url: of hotkv-core.js; the wasm lies beside it. */
  static async load(url) {
    const { default: create } = await import(url);
    return new Engine(await create({ locateFile: (name) => new URL(name, url).href }));
  }

  #call(name, ...words) {
    const pointers = words.map((word) => this.#allocated(word));
    try {
      return this.#module[`_hotkv_${name}`](...pointers);
    } finally {
      for (const pointer of pointers) this.#module._free(pointer);
    }
  }

  #allocated(word) {
    const bytes = encoder.encode(word);
    const pointer = this.#module._malloc(bytes.length + 1);
    this.#module.HEAPU8.set(bytes, pointer);
    this.#module.HEAPU8[pointer + bytes.length] = 0;
    return pointer;
  }

  #text(name, ...words) {
    const from = this.#call(name, ...words);
    // The heap may have moved during the call.
    const heap = this.#module.HEAPU8;
    return decoder.decode(heap.subarray(from, heap.indexOf(0, from)));
  }

  #json(name, ...words) {
    const value = JSON.parse(this.#text(name, ...words));
    if (value !== null && value.error) throw new Error(value.error);
    return value;
  }

  /** Reads a lesson: {id, version, seed, params, clients, nodes, steps, tries}. */
  lesson(text) {
    return this.#json('lesson', text);
  }

  /** A new world of the lesson, at event 0. */
  open({ seed, params }) {
    this.#json('open', JSON.stringify({ seed, params }));
  }

  /** Runs one event; false when nothing is left to happen. */
  advance() {
    return this.#call('advance') !== 0;
  }

  /** {event, step, time_us, ended, next_us, step_ends}. */
  position() {
    return this.#json('position');
  }

  /** Hands a line to a client, as if it were typed there; its id is for replyTo. */
  exec(client, node, line) {
    return this.#json('exec', client, node, line).id;
  }

  /** Opens a what-if of the lesson. */
  attempt(id) {
    this.#json('attempt', id);
    return 0;
  }

  /** {text, resp, event}, or null while there is none. */
  replyTo(id) {
    return this.#json('reply', String(id));
  }

  state() {
    return this.#json('state');
  }

  transcript() {
    return this.#json('transcript');
  }

  trace() {
    return this.#text('trace');
  }

  hash() {
    return this.#text('hash');
  }

  /** Whole lines that could stand in place of this one. */
  complete(line) {
    const { start, words } = this.#json('complete', line);
    return words.map((word) => line.slice(0, start) + word);
  }

  hint(line) {
    return this.#text('hint', line);
  }
}
