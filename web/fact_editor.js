// Facts that a visitor can change carry a pen: the clock of a node, and values that come from a
// parameter of the lesson. A change is an input like any other, so it opens a branch.
import { h, icon } from './dom.js';

export class FactEditor {
  /** shown(): the id of the thing whose facts are shown. */
  constructor(player, shown) {
    Object.assign(this, { player, shown, texts: player.texts, session: player.session });
  }

  /** What a change of this fact changes: "clock", a parameter's name, or '' for nothing. */
  nameOf({ name, value, form }) {
    if (name === 'clock') return name;
    return form === 'text' ? this.paramOf(value) : '';
  }

  /** The pen for a fact that has a name here; now(): the fact as it is when the pen is used. */
  penOf(now) {
    const label = this.texts.text('ui.inspect.edit', { name: this.editOf(now()).label });
    const button = h('button.pen', { type: 'button', 'aria-label': label, title: label },
      icon('pen'));
    button.addEventListener('click', () => this.open(button, this.editOf(now())));
    return button;
  }

  /** {label, value, unit, accept(text)}: accept answers what is wrong, '' if nothing is. */
  editOf(fact) {
    const name = this.nameOf(fact);
    return name === 'clock' ? this.clock(Number(fact.value)) : this.param(name, fact.value);
  }

  /** The one parameter that has this value; two of the same value would be a guess. */
  paramOf(value) {
    const same = Object.entries(this.session.params).filter(([, one]) => one === value);
    return same.length === 1 ? same[0][0] : '';
  }

  clock(us) {
    const { texts } = this;
    const now_ms = Math.round(us / 1000);
    const accept = (text) => {
      const ms = Number(text);
      if (!/^-?\d{1,8}$/.test(text)) return texts.text('ui.inspect.clock.bad');
      if (ms !== now_ms) this.act(this.shown(), 'clock', { ms: ms - now_ms });
      return '';
    };
    return { label: texts.text('fact.clock'), value: String(now_ms), unit: 'ms', accept };
  }

  param(name, value) {
    const { texts, player } = this;
    const key = `ui.param.${name}`;
    const accept = (text) => {
      const wrong = player.params.error(name, text);
      if (wrong === '' && text !== value) this.act(name, 'param', { value: text });
      return wrong;
    };
    return { label: texts.has(key) ? texts.text(key) : name, value, unit: '', accept };
  }

  act(...words) {
    this.player.controls.guarded(() => this.session.act(...words));
  }

  /** A field in place of the pen; Enter accepts, Esc and leaving it put the pen back. */
  open(button, { label, value, unit, accept }) {
    const field = h('input', { 'aria-label': label, autocomplete: 'off', spellcheck: 'false' });
    const problem = h('span.problem', { role: 'alert', hidden: true });
    const box = h('span.fact-edit', {}, field, unit, problem);
    field.value = value;
    let over = false;
    const done = (focusBack) => {
      if (over) return;
      over = true;
      box.replaceWith(button);
      if (focusBack) button.focus({ preventScroll: true });
    };
    field.addEventListener('keydown', (event) => {
      event.stopPropagation();
      if (event.key === 'Escape') done(true);
      else if (event.key === 'Enter') {
        const wrong = accept(field.value.trim());
        field.setAttribute('aria-invalid', String(wrong !== ''));
        problem.textContent = wrong;
        problem.hidden = wrong === '';
        if (wrong === '') done(true);
      } else return;
      event.preventDefault();
    });
    field.addEventListener('blur', () => done(false));
    button.replaceWith(box);
    field.focus({ preventScroll: true });
    field.select();
  }
}
