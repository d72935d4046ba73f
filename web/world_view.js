// The stage as a list: nodes, clients, links and messages in flight, each with a real button that
// opens what can be done to it. Without a canvas this is the stage; with one it is the mirror that
// lies over the drawing, so that everything drawn can be reached and heard.
//
// Elements are kept by the id of their item: a button that has the focus keeps it. Over a canvas
// that plays, the buttons change at most four times a second: readers are not flooded.
import { element, h, icon, part, wire } from './dom.js';
import { interventionsFor } from './interventions.js';
import { ActionMenu } from './action_menu.js';
import { keyId, mirroredIds, roleOf } from './semantics.js';

const INSPECT = { action: 'inspect', name: 'inspect', possible: true };
const KEYS_SHOWN = 3;
// More clients than this are a crowd: cards of one line.
const CROWD_ABOVE = 8;
const MIRROR_EVERY_MS = 250;

/** Fills `list` with one child for each item, made once and kept while its id stays. */
function keep(list, items, make, fill) {
  const old = new Map([...list.children].map((child) => [child.dataset.id, child]));
  let place = null;
  for (const item of items) {
    let child = old.get(item.id);
    old.delete(item.id);
    if (!child) {
      child = make(item);
      child.dataset.id = item.id;
    }
    const next = place ? place.nextElementSibling : list.firstElementChild;
    if (next !== child) list.insertBefore(child, next);
    fill(child, item);
    place = child;
  }
  for (const child of old.values()) child.remove();
}

export class WorldView {
  constructor(root, texts, session, guarded) {
    Object.assign(this, { root, texts, session });
    const group = (name, tag) => h(tag, {
      'data-group': name, 'aria-label': texts.text(`ui.group.${name}`),
    });
    this.cast = group('cast', 'ul');
    this.links = group('links', 'ul');
    this.flight = group('flight', 'ul');
    this.cast.className = 'cast';
    this.links.className = 'links';
    this.flight.className = 'flight';
    part(root, 'mirror').append(this.cast, this.links, this.flight);
    this.menu = new ActionMenu(root, texts, (id, entry) => guarded(() => this.act(id, entry)));
    /** inspect(id): opens the inspector. */
    this.inspect = () => {};
    this.chosen = null;
    this.timer = 0;
    this.shownAt = -Infinity;
    root.addEventListener('focusin', ({ target }) => {
      const item = target.closest?.('[data-item]');
      if (item) this.chosen = item.dataset.item;
    });
    root.addEventListener('click', ({ target }) => {
      const button = target.closest('[data-item]');
      if (button) this.menu.toggle(button, this.entriesFor(button.dataset.item));
    });
  }

  item(id) {
    return this.session.semantics().find((one) => one.id === id);
  }

  interventions(id) {
    const item = this.item(id);
    return item ? interventionsFor(item.role, item.condition, this.session.engine.acts) : [];
  }

  entriesFor(id) {
    const item = this.item(id);
    return item && { id, title: item.label, entries: [INSPECT, ...this.interventions(id)] };
  }

  act(id, { action, arg }) {
    if (action === INSPECT.action) return this.inspect(id);
    return this.session.act(id, action, arg === undefined ? {} : { ms: arg });
  }

  buttonOf(id) {
    return part(this.root, 'mirror').querySelector(`[data-item="${CSS.escape(id)}"]`);
  }

  /** For keys: the first of these actions that the chosen item, or else any item, understands. */
  actOnChosen(actions) {
    const items = this.session.semantics();
    const can = (item) => actions.find((action) => item.actions.includes(action));
    const item = items.find((one) => one.id === this.chosen && can(one)) ?? items.find(can);
    if (!item) throw new RangeError(this.texts.text('ui.act.nothing'));
    return this.session.act(item.id, can(item));
  }

  /** Shows this state now, or, over a canvas that plays, with the next turn of the mirror. */
  show(state) {
    clearTimeout(this.timer);
    const drawn = this.root.hasAttribute('data-canvas');
    const wait = this.shownAt + MIRROR_EVERY_MS - performance.now();
    if (drawn && state.status === 'playing' && wait > 0) {
      this.timer = setTimeout(() => this.fill(state), wait);
    } else this.fill(state);
  }

  fill(state) {
    this.shownAt = performance.now();
    const mirrored = mirroredIds(this.session.semantics());
    const [first, ...others] = state.clients.map((client) => ({ ...client, kind: 'client' }));
    const nodes = state.nodes.map((node) => ({ ...node, kind: roleOf(node) }));
    const fit = (items) => items.filter((one) => mirrored.has(one.id));
    this.cast.toggleAttribute('data-crowd', state.clients.length > CROWD_ABOVE);
    keep(this.cast, fit([first, ...nodes, ...others].filter(Boolean)),
      (actor) => this.makeActor(actor), (card, actor) => this.fillActor(card, actor, state));
    keep(this.links, fit(state.links.map((link) => ({ ...link, id: link.link }))),
      (link) => this.makeChip('link', link.id), (chip, link) => this.fillLink(chip, link));
    keep(this.flight, fit(state.messages), (message) => this.makeChip('message', message.id),
      (chip, message) => this.fillMessage(chip, message, state));
    this.links.hidden = state.links.length === 0;
    this.flight.hidden = state.messages.length === 0;
    part(this.root, 'sum').textContent = this.summary(state);
    this.menu.refresh((id) => this.entriesFor(id));
  }

  dispose() {
    clearTimeout(this.timer);
  }

  makeActor({ id, kind, name }) {
    return h(`li.actor.${kind}`, {},
      h('p.who', {}, wire('span', 'name', name ?? id), h('span.role'),
        h('button.more', {
          type: 'button', 'data-item': id, 'aria-haspopup': 'menu', 'aria-expanded': 'false',
        }, icon('more'))),
      h('div.keys'), h('div.facts'));
  }

  /** What an actor is or does, in a word. */
  conditionOf(actor, state) {
    const { params } = this.session;
    if (!actor.up) return 'dead';
    if ((state.paused[actor.id] ?? 0) > state.time_us) return 'paused';
    if (actor.kind !== 'client') return actor.kind;
    if (actor.holding) return 'holds';
    if (actor.line && (actor.text === undefined || actor.text === null)) return 'waiting';
    return 'token_a' in params ? 'without' : 'idle';
  }

  fillActor(card, actor, state) {
    const { texts } = this;
    const condition = this.conditionOf(actor, state);
    const said = texts.text(`ui.world.${condition}`);
    const role = card.querySelector('.role');
    if (role.textContent !== said) role.textContent = said;
    const button = card.querySelector('.more');
    const name = actor.name ?? `${actor.id} ${actor.role}`;
    button.setAttribute('aria-label', condition === actor.kind ? name : `${name}, ${said}`);
    card.toggleAttribute('data-holds', condition === 'holds');
    card.toggleAttribute('data-dead', !actor.up);
    card.toggleAttribute('data-paused', condition === 'paused');
    this.fillKeys(card.querySelector('.keys'), actor);
    const facts = actor.kind === 'client' ? this.clientFacts(actor) : this.moreKeys(actor);
    card.querySelector('.facts').replaceChildren(...facts);
  }

  fillKeys(list, actor) {
    const keys = (actor.keys ?? []).slice(0, KEYS_SHOWN)
      .map((key) => ({ ...key, id: keyId(actor, key) }));
    keep(list, keys, (key) => this.makeKey(key), (row, key) => this.fillKey(row, key));
  }

  moreKeys({ keys }) {
    const n = keys.length - KEYS_SHOWN;
    if (n <= 0) return [];
    return [element('span', { className: 'soft' }, this.texts.text('ui.world.more_keys', { n }))];
  }

  clientFacts({ line, text }) {
    const facts = [];
    if (line) facts.push(wire('span', 'line', line));
    if (text !== undefined && text !== null) facts.push(wire('span', 'line', `→ ${text}`));
    return facts;
  }

  makeKey({ id }) {
    const meter = h('progress', { 'aria-hidden': 'true' });
    return h('div', {}, h('button.key', {
      type: 'button', 'data-item': id, 'aria-haspopup': 'menu', 'aria-expanded': 'false',
    }, wire('span', 'line', ''), h('span.left'), meter));
  }

  fillKey(row, key) {
    row.querySelector('.line').textContent = `${key.key} = ${key.value}`;
    row.querySelector('.left').textContent = this.left(key.ttl_ms);
    const full_ms = Number(this.session.params.ttl);
    const meter = row.querySelector('progress');
    meter.hidden = !(key.ttl_ms >= 0 && full_ms > 0);
    if (!meter.hidden) Object.assign(meter, { max: full_ms, value: Math.min(full_ms, key.ttl_ms) });
  }

  makeChip(kind, id) {
    const facts = kind === 'link'
      ? [h('span.line-mark', { 'aria-hidden': 'true' }), h('span.said', { lang: 'en' })]
      : [h('span.said', { lang: 'en' }), h('span.way', { 'aria-hidden': 'true' }, h('i')),
        h('span.when')];
    return h('li', {}, h(`button.chip.${kind}`, {
      type: 'button', 'data-item': id, 'aria-haspopup': 'menu', 'aria-expanded': 'false',
      translate: 'no',
    }, facts));
  }

  fillLink(chip, { from, to, latency_us, spread_us, cut }) {
    const { texts } = this;
    const button = chip.firstChild;
    button.toggleAttribute('data-cut', cut);
    const ms = (us) => texts.number(us / 1000);
    const delay = `${ms(latency_us)} ± ${ms(spread_us)} ms`;
    const said = `${from} – ${to}  ${cut ? texts.text('ui.world.cut') : delay}`;
    chip.querySelector('.said').textContent = said;
  }

  fillMessage(chip, message, state) {
    const { texts } = this;
    const button = chip.firstChild;
    button.dataset.kind = message.kind;
    button.toggleAttribute('data-late', message.late);
    chip.querySelector('.said').textContent =
      `${message.from} → ${message.to}  ${message.label || message.id}`;
    const due_ms = Math.max(0, message.due_us - state.time_us) / 1000;
    const cut = state.links.some((link) => link.link === message.link && link.cut);
    chip.querySelector('.when').textContent = cut
      ? texts.text('ui.world.held_up')
      : texts.text('ui.world.arrives', { ms: Math.round(due_ms * 10) / 10 });
    const whole = message.due_us - message.sent_us;
    const gone = whole > 0 ? (state.time_us - message.sent_us) / whole : 1;
    const at = `${100 * Math.min(1, Math.max(0, gone))}%`;
    chip.querySelector('.way i').style.insetInlineStart = at;
  }

  left(ttl_ms) {
    if (ttl_ms < 0) return this.texts.text('ui.world.no_ttl');
    if (ttl_ms < 1000) return this.texts.text('ui.world.ttl.ms', { ms: ttl_ms });
    return this.texts.text('ui.world.ttl', { s: ttl_ms / 1000 });
  }

  /** One sentence for those who do not see the stage. */
  summary(state) {
    const { texts, session } = this;
    const ms = Math.round(state.time_us / 1000);
    const flight = state.flight > 0 ? texts.text('ui.world.flight', { n: state.flight }) : '';
    return `${this.lockSentence(state, session.params.key, ms)} ${flight}`.trim();
  }

  lockSentence(state, name, ms) {
    const { texts, session } = this;
    if (!('token_a' in session.params)) return texts.text('ui.world.sum.time', { ms });
    const lock = state.nodes.flatMap((node) => node.keys).find((one) => one.key === name);
    if (!lock) return texts.text('ui.world.sum.free', { ms });
    const holder = state.clients.find((client) => client.token === lock.value);
    const key = holder ? 'ui.world.sum.held' : 'ui.world.sum.held_unknown';
    const values = { ms, who: holder?.name, value: lock.value, left: this.left(lock.ttl_ms) };
    return texts.text(key, values);
  }

  /** The items with the place of their button, in CSS pixels of the page. */
  placed(items) {
    const buttons = new Map([...this.root.querySelectorAll('[data-item]')]
      .map((button) => [button.dataset.item, button]));
    return items.map((item) => {
      const box = buttons.get(item.id)?.getBoundingClientRect();
      const rect = box ? { x: box.x, y: box.y, width: box.width, height: box.height } : null;
      return { ...item, rect };
    });
  }
}
