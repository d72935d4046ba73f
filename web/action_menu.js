// The menu of what can be done to one thing: a list of real buttons under the one that opened it,
// or a sheet at the bottom of a narrow player. Arrows move, Esc closes, the focus goes back.
import { h, part } from './dom.js';

export class ActionMenu {
  /** act(id, entry) is called for the entry that was chosen. */
  constructor(root, texts, act) {
    Object.assign(this, { root, texts, act });
    this.box = part(root, 'menu');
    this.opener = null;
    this.box.addEventListener('click', (event) => this.clicked(event));
    this.box.addEventListener('keydown', (event) => this.key(event));
    root.addEventListener('pointerdown', ({ target }) => {
      if (!this.box.hidden && !this.box.contains(target) && !this.opener?.contains(target)) {
        this.close(false);
      }
    });
    this.box.addEventListener('focusout', ({ relatedTarget }) => {
      if (relatedTarget && !this.box.contains(relatedTarget)) this.close(false);
    });
  }

  /** what: {id, title, entries}, or null where the thing is gone. */
  toggle(opener, what) {
    const same = this.opener === opener && !this.box.hidden;
    this.close(same);
    if (same || !what) return;
    this.opener = opener;
    this.what = what;
    opener.setAttribute('aria-expanded', 'true');
    this.fill();
    this.box.setAttribute('aria-label', what.title);
    this.box.hidden = false;
    this.place();
    this.items()[0]?.focus({ preventScroll: true });
  }

  fill() {
    const { texts, what } = this;
    this.box.replaceChildren(
      h('p.menu-title', { 'aria-hidden': 'true' }, what.title),
      ...what.entries.map((entry, i) => h('button', {
        type: 'button', role: 'menuitem', tabindex: -1, 'data-entry': i,
        'aria-disabled': String(!entry.possible),
      }, h('span', {}, texts.text(`ui.act.${entry.name}`)),
      entry.soon && h('span.menu-later', {}, texts.text(`ui.soon.${entry.soon}`)))),
    );
  }

  /** After an event: what is possible may have changed, or the thing may be gone. */
  refresh(entriesFor) {
    if (this.box.hidden) return;
    const what = entriesFor(this.what.id);
    if (!what) {
      this.close(false);
      return;
    }
    const focused = this.items().indexOf(this.box.getRootNode().activeElement);
    this.what = what;
    this.fill();
    if (focused >= 0) this.items()[focused]?.focus({ preventScroll: true });
  }

  place() {
    const room = this.root.getBoundingClientRect();
    const at = this.opener.getBoundingClientRect();
    const width = this.box.offsetWidth;
    const left = Math.min(Math.max(8, at.left - room.left), room.width - width - 8);
    this.box.style.insetInlineStart = `${Math.max(8, left)}px`;
    this.box.style.insetBlockStart = `${at.bottom - room.top + 6}px`;
  }

  items() {
    return [...this.box.querySelectorAll('[role=menuitem]')];
  }

  clicked(event) {
    const item = event.target.closest('[data-entry]');
    if (!item || item.getAttribute('aria-disabled') === 'true') return;
    const { what } = this;
    const entry = what.entries[Number(item.dataset.entry)];
    this.close(true);
    this.act(what.id, entry);
  }

  key(event) {
    const items = this.items();
    const at = items.indexOf(this.box.getRootNode().activeElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
    if (to !== undefined) items[(to + items.length) % items.length]?.focus({ preventScroll: true });
    else if (event.key === 'Escape') this.close(true);
    else if (event.key === 'Tab') {
      this.close(true);
      return;
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  close(focusBack) {
    if (this.box.hidden) return;
    this.box.hidden = true;
    this.opener?.setAttribute('aria-expanded', 'false');
    if (focusBack && this.opener?.isConnected) this.opener.focus({ preventScroll: true });
    this.opener = null;
  }
}
