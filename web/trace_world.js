// What the trace says about the network: who takes part, which links there are, which messages are
// in flight, what was done to whom. Read line by line; nothing is shown that no event told.
//
// The same lines feed the canvas; this reader serves the list that stands in its place.

export class TraceWorld {
  #read = 0;

  constructor(lesson) {
    this.ids = [...lesson.nodes, ...lesson.clients].map((one) => one.id);
    this.links = new Map();
    this.messages = new Map();
    this.cut = new Set();
    this.paused = new Map();
    this.faults = [];
  }

  /** Takes in what was added to the trace since the last call. */
  follow(text) {
    const end = text.lastIndexOf('\n') + 1;
    for (const line of text.slice(this.#read, end).split('\n')) {
      if (line !== '') this.#take(JSON.parse(line));
    }
    this.#read = end;
  }

  #take(event) {
    const time_us = event.at_us ?? event.t;
    if (event.event === 'link') this.links.set(event.link, event);
    else if (event.event === 'sent') this.#sent(event, time_us);
    else if (event.event === 'delivered' || event.event === 'lost') {
      this.messages.delete(event.message);
    } else if (event.event === 'delayed') {
      const message = this.messages.get(event.message);
      if (message) Object.assign(message, { due_us: event.due_us, late: true });
    } else if (event.event === 'fault') this.#fault(event, time_us);
  }

  #sent(event, time_us) {
    const { message: id, due_us, bytes } = event;
    const [from, to] = event.from ? [event.from, event.to] : this.#ends(id.split('#')[0]);
    const link = event.link ?? [from, to].sort().join('-');
    this.messages.set(id, {
      id, link, from, to, due_us, bytes, sent_us: time_us,
      kind: event.kind ?? 'request', label: event.label ?? '', late: false,
    });
  }

  /** The two names in "A-n1"; names may hold dashes themselves. */
  #ends(name) {
    for (let dash = name.indexOf('-'); dash > 0; dash = name.indexOf('-', dash + 1)) {
      const ends = [name.slice(0, dash), name.slice(dash + 1)];
      if (ends.every((end) => this.ids.includes(end))) return ends;
    }
    return [name, name];
  }

  #fault({ action, target, ms }, time_us) {
    this.faults.push({ action, target, time_us });
    if (action === 'cut') this.cut.add(target);
    else if (action === 'heal') this.cut.delete(target);
    else if (action === 'pause') this.paused.set(target, time_us + (ms ?? 0) * 1000);
    else if (/^(resume|kill|restart)$/.test(action)) this.paused.delete(target);
  }
}
