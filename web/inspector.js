// The inspector: all that the engine says about one thing, live at the cursor, and what can be done
// to it. A drawer over the steps; in narrow frames a sheet at the bottom (inspector.css). HTML and
// not part of the picture, so that it can be read aloud, copied and had without a canvas.
import { h, icon, part } from './dom.js';
import { FactEditor } from './fact_editor.js';
import { FactList } from './fact_list.js';
import { FactTable } from './fact_table.js';
import { kindText } from './fact_texts.js';

const LIVE_EVERY_MS = 250;

export function inspectorFrame(t) {
  return h('section.inspector', {
    'data-part': 'inspector', 'aria-labelledby': 'inspector-title', hidden: true,
  },
  h('div.inspector-head', {},
    h('h2', { id: 'inspector-title', 'data-part': 'inspector-title', tabindex: -1 }),
    h('button.quiet', {
      type: 'button', 'data-part': 'inspector-close', 'aria-label': t('ui.inspect.close'),
      title: t('ui.inspect.close'),
    }, icon('close'))),
  h('div.inspector-acts', {
    'data-part': 'inspector-acts', role: 'group', 'aria-label': t('ui.inspect.acts'),
  }),
  h('p.note', { 'data-part': 'inspector-gone', hidden: true }, t('ui.inspect.gone')),
  h('div.facts-list', { 'data-part': 'inspector-facts' }),
  h('button.quiet', { type: 'button', 'data-part': 'inspector-table' }, t('ui.inspect.table')));
}

export class Inspector {
  #id = '';
  #before = null;
  #time_us = 0;
  #timer = 0;
  #acts = '';

  constructor(player) {
    const { root, texts, session, world, controls } = player;
    Object.assign(this, { player, root, texts, session, world, guarded: controls.guarded });
    this.box = part(root, 'inspector');
    this.title = part(root, 'inspector-title');
    this.editor = new FactEditor(player, () => this.#id);
    this.list = new FactList(part(root, 'inspector-facts'), texts, this.editor);
    this.table = new FactTable(root, texts, (text, said) => controls.copied(text, said));
    part(root, 'inspector-close').addEventListener('click', () => this.close());
    part(root, 'inspector-table').addEventListener('click', () =>
      this.table.open(this.#sheet(), this.#time_us));
    this.box.addEventListener('click', (event) => this.#clicked(event));
    root.addEventListener('keydown', (event) => this.#key(event));
  }

  get isOpen() {
    return !this.box.hidden;
  }

  /** What had the focus gets it back when the inspector closes. */
  open(id) {
    if (!this.isOpen) this.#before = this.root.getRootNode().activeElement;
    this.#id = id;
    this.world.chosen = id;
    this.box.hidden = false;
    this.root.toggleAttribute('data-inspects', true);
    this.#acts = '';
    this.show();
    this.box.scrollTop = 0;
    this.title.focus({ preventScroll: true });
    this.player.canvas?.select(id);
    // Whoever looks at a message wants it to stay.
    if (id.includes('#')) this.session.pause();
  }

  close() {
    if (!this.isOpen) return;
    const focused = this.box.contains(this.root.getRootNode().activeElement);
    this.box.hidden = true;
    this.root.toggleAttribute('data-inspects', false);
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.player.canvas?.select('');
    if (!focused) return;
    const back = this.#before?.isConnected ? this.#before : this.world.buttonOf(this.#id);
    back?.focus({ preventScroll: true });
  }

  /** The key: opens for what was chosen last, else for the first thing there is; or closes. */
  toggle() {
    if (this.isOpen) this.close();
    else this.open(this.world.chosen ?? this.session.semantics()[0].id);
  }

  /** After each change of the session. */
  show() {
    if (!this.isOpen) return;
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#time_us = this.player.canvas?.moment ?? this.session.place().time_us;
    const sheet = this.#sheet();
    const { texts } = this;
    const there = sheet.kind !== '';
    const name = h('span', { lang: 'en', translate: 'no' }, there ? sheet.title : this.#id);
    this.title.replaceChildren(there ? `${kindText(texts, sheet.kind)} ` : '', name);
    part(this.root, 'inspector-gone').hidden = there;
    part(this.root, 'inspector-table').hidden = !there;
    this.#showActs();
    this.list.show(sheet);
  }

  /** While a session plays: time has gone on between two events. */
  follow() {
    if (this.isOpen) this.#timer ||= setTimeout(() => this.show(), LIVE_EVERY_MS);
  }

  #sheet() {
    return this.session.facts(this.#id, this.#time_us);
  }

  #showActs() {
    const entries = this.world.interventions(this.#id);
    const now = JSON.stringify(entries);
    if (now === this.#acts) return;
    this.#acts = now;
    const box = part(this.root, 'inspector-acts');
    const focused = box.contains(this.root.getRootNode().activeElement);
    box.hidden = entries.length === 0;
    box.replaceChildren(...entries.map((entry) => this.#act(entry)));
    if (focused) this.title.focus({ preventScroll: true });
  }

  #act(entry) {
    const { texts } = this;
    const button = h('button.quiet', {
      type: 'button', 'data-entry': entry.name, 'aria-disabled': String(!entry.possible),
    }, h('span', {}, texts.text(`ui.act.${entry.name}`)),
    entry.soon && h('span.menu-later', {}, texts.text(`ui.soon.${entry.soon}`)));
    button.addEventListener('click', () => {
      if (entry.possible) this.guarded(() => this.world.act(this.#id, entry));
    });
    return button;
  }

  #clicked({ target }) {
    const link = target.closest('[data-inspect]');
    if (link) this.open(link.dataset.inspect);
  }

  #key(event) {
    if (event.key !== 'Escape' || event.defaultPrevented || !this.isOpen) return;
    if (event.target.closest('dialog, [role=menu], input, select')) return;
    event.preventDefault();
    this.close();
  }

  dispose() {
    clearTimeout(this.#timer);
  }
}
