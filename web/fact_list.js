// The facts of a sheet as lists that stay: while the same facts are known only their values are
// written anew, so that what has the focus keeps it and nothing flickers.
import { h } from './dom.js';
import { escaped, hexadecimal, isWire, nameText, sectionText, valueText } from './fact_texts.js';

const english = { lang: 'en', translate: 'no' };

export class FactList {
  #shape = '';
  #rows = [];

  /** editor: nameOf(fact) and penOf(now) of facts that can be changed (fact_editor.js). */
  constructor(box, texts, editor) {
    Object.assign(this, { box, texts, editor });
  }

  /** What the elements are made from; values may differ. */
  #shapeOf({ id, sections }) {
    const parts = (fact) => [fact.name, fact.form, fact.item, this.editor.nameOf(fact)];
    return JSON.stringify([id, sections.map(({ name, facts }) => [name, facts.map(parts)])]);
  }

  show(sheet) {
    const shape = this.#shapeOf(sheet);
    if (shape !== this.#shape) this.#build(sheet);
    this.#shape = shape;
    sheet.sections.flatMap(({ facts }) => facts).forEach((fact, i) => this.#rows[i](fact));
  }

  #build(sheet) {
    const focused = this.box.getRootNode().activeElement?.dataset?.inspect;
    this.#rows = [];
    this.box.replaceChildren(...sheet.sections.map((section) => h('section.facts-part', {},
      h('h3', {}, sectionText(this.texts, section)),
      h('dl', {}, section.facts.map((fact) => this.#row(fact))))));
    if (focused) this.#linkTo(focused)?.focus({ preventScroll: true });
  }

  #linkTo(item) {
    return this.box.querySelector(`[data-inspect="${CSS.escape(item)}"]`);
  }

  #row(fact) {
    const value = fact.form === 'dump' ? this.#dump() : this.#value(fact);
    let now = fact;
    this.#rows.push((one) => {
      now = one;
      value.write(one);
    });
    const pen = this.editor.nameOf(fact) === '' ? null : this.editor.penOf(() => now);
    return h(`div.fact.${fact.form}`, { 'data-fact': fact.name },
      h('dt', {}, nameText(this.texts, fact)), h('dd', {}, value.element, pen));
  }

  #value({ item, ...fact }) {
    const attributes = isWire(fact) ? english : {};
    const element = item
      ? h('button.fact-link', { type: 'button', 'data-inspect': item, ...attributes })
      : h('span', attributes);
    const write = (one) => {
      const text = valueText(this.texts, one);
      if (element.textContent !== text) element.textContent = text;
    };
    return { element, write };
  }

  #dump() {
    const text = h('pre', english);
    const bytes = h('pre', english);
    const element = h('div', {}, text,
      h('details', {}, h('summary', {}, this.texts.text('fact.hex')), bytes));
    const write = ({ resp }) => {
      if (text.textContent === escaped(resp)) return;
      text.textContent = escaped(resp);
      bytes.textContent = hexadecimal(resp);
    };
    return { element, write };
  }
}
