// The transcript: lanes by actor, each entry a comment, a command and its reply as a terminal shows
// them. Entries that are already there stay where they are, so that a screen reader's log speaks
// only what is new, and a selection survives.
import { element, h, part, wire } from './dom.js';

// More clients than this are chosen from a list instead of from buttons.
const BUTTONS_MAX = 6;
// A pause of simulated time longer than this is shown as a gap.
const GAP_US = 2_000_000;

/** The text of one entry as it is copied: the actor is no part of it. */
export function entryText(entry, title) {
  const lines = [];
  if (title) lines.push(`# ${title}`);
  lines.push(entry.note ? `# ${entry.text}` : `${entry.prompt}${entry.line}`);
  if (!entry.note && entry.text !== null) lines.push(entry.text);
  return lines.join('\n');
}

export class TranscriptView {
  constructor(root, texts, player, sources) {
    this.log = part(root, 'log');
    this.lanes = part(root, 'lanes');
    this.texts = texts;
    this.player = player;
    this.sources = sources;
    this.shown = [];
    this.only = null;
  }

  /** Takes the recorded transcript away: from here on the engine speaks. */
  start() {
    this.log.replaceChildren();
    this.shown = [];
    const choices = [{ id: null, name: this.texts.text('ui.transcript.all') }];
    choices.push(...this.player.lesson.clients);
    const many = choices.length > BUTTONS_MAX;
    this.lanes.replaceChildren(...many ? [this.laneList(choices)]
      : choices.map((choice) => this.laneButton(choice)));
  }

  laneButton({ id, name }) {
    const button = element('button', { type: 'button' }, name);
    if (id !== null) Object.assign(button, { lang: 'en', translate: false });
    button.setAttribute('aria-pressed', String(id === this.only));
    button.addEventListener('click', () => {
      for (const other of this.lanes.children) {
        other.setAttribute('aria-pressed', String(other === button));
      }
      this.filter(id);
    });
    return button;
  }

  laneList(choices) {
    const options = choices.map(({ id, name }) => element('option', { value: id ?? '' }, name));
    const list = h('select', { 'aria-label': this.texts.text('ui.transcript.filter') }, options);
    list.addEventListener('change', () => this.filter(list.value || null));
    return list;
  }

  filter(id) {
    this.only = id;
    this.log.replaceChildren();
    this.shown = [];
    this.show(this.player.state());
  }

  entries() {
    return this.player
      .transcript()
      .filter((entry) => this.only === null || entry.client === this.only);
  }

  title(entry) {
    if (!entry.step) return '';
    return this.texts.text(`lesson.${this.player.lesson.id}.step.${entry.step}.title`);
  }

  text() {
    return `${this.entries()
      .map((entry) => entryText(entry, this.title(entry)))
      .join('\n')}\n`;
  }

  show(state) {
    this.log.setAttribute('aria-live', state.status === 'playing' ? 'off' : 'polite');
    const entries = this.entries();
    const keys = entries.map((entry) => JSON.stringify(entry));
    let same = 0;
    while (same < keys.length && keys[same] === this.shown[same]) same++;
    if (same === keys.length && same === this.shown.length && this.log.firstChild) return;
    while (this.log.childElementCount > same) this.log.lastElementChild.remove();
    for (let i = same; i < entries.length; i++) {
      this.log.append(this.block(entries[i], entries[i - 1]));
    }
    this.shown = keys;
    this.markLast();
    if (entries.length === 0) {
      this.log.append(
        element('p', { className: 'empty' }, this.texts.text('ui.transcript.empty')),
      );
    }
    // The log's own scroll position only; the page is never scrolled.
    this.log.scrollTop = this.log.scrollHeight;
  }

  markLast() {
    for (const block of this.log.children) {
      block.lastElementChild?.classList.toggle('current', block === this.log.lastElementChild);
    }
  }

  block(entry, before) {
    const block = element('div', { className: 'block-of-entry' });
    if (before && entry.time_us - before.time_us > GAP_US) {
      const time = `${this.texts.number((entry.time_us - before.time_us) / 1e6)} s`;
      block.append(
        element('p', { className: 'gap' }, this.texts.text('ui.transcript.gap', { time })),
      );
    }
    block.append(this.entry(entry));
    return block;
  }

  entry(entry) {
    const { clients } = this.player.lesson;
    const lane = clients.findIndex((client) => client.id === entry.client);
    const pre = wire('pre', '', '');
    const title = this.title(entry);
    if (title) {
      const language = { className: 'comment', lang: this.texts.lang };
      const comment = element('span', language, `# ${title}`);
      pre.append(comment, '\n');
    }
    pre.append(...this.said(entry));
    return element(
      'div',
      { className: `entry lane-${lane}${entry.typed ? ' mine' : ''}` },
      wire('span', 'lane', clients[lane]?.name ?? entry.client),
      pre,
      ...this.sourceLink(entry),
    );
  }

  /** A command and its reply; what a client's program came to is a comment. */
  said({ note, prompt, line, text }) {
    if (note) return [element('span', { className: 'comment', lang: 'en' }, `# ${text}`)];
    const reply = text === null ? '' : `\n${text}`;
    return [element('span', { className: 'prompt' }, prompt), line, reply];
  }

  /** To the line of the engine that gave the reply; databases of a lesson are not the engine. */
  sourceLink({ text, line, node }) {
    const isEngine = this.player.lesson.nodes.some((one) => one.id === node);
    const source = isEngine && text !== null ? this.sources.of(line, this.texts.lang) : null;
    if (!source) return [];
    const link = element(
      'a',
      { className: 'source', href: source.href, target: '_blank', rel: 'noopener' },
      this.texts.text('ui.transcript.source'),
      element('span', { className: 'visually-hidden' }, `: ${source.command}`),
    );
    link.title = source.place;
    return [link];
  }
}
