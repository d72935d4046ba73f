// "View as table": the facts of one thing at one instant as a table in a dialog, to be read, chosen
// and copied. A picture of that instant: it does not go on.
import { h, part } from './dom.js';
import {
  isWire, kindText, nameText, sectionText, timeText, valueText,
} from './fact_texts.js';

export function factTableFrame(t) {
  return h('dialog.dialog.fact-dialog', {
    'data-part': 'fact-dialog', 'aria-labelledby': 'fact-caption',
  },
  h('div.fact-scroll', { tabindex: 0, role: 'group', 'aria-labelledby': 'fact-caption' },
    h('table.fact-table', { 'data-part': 'fact-table' })),
  h('p.fact-end', {},
    h('button.quiet', { type: 'button', 'data-part': 'fact-copy' }, t('ui.inspect.copy')),
    h('button.quiet', { type: 'button', 'data-act': 'close' }, t('ui.help.close'))));
}

function cellOf(texts, fact) {
  const attributes = isWire(fact) ? { lang: 'en', translate: 'no' } : {};
  return h('td', attributes, valueText(texts, fact));
}

function bodyOf(texts, section) {
  return h('tbody', {},
    h('tr', {}, h('th', { scope: 'rowgroup', colspan: 2 }, sectionText(texts, section))),
    section.facts.map((fact) => h('tr', {},
      h('th', { scope: 'row' }, nameText(texts, fact)), cellOf(texts, fact))));
}

/** Lines of tabs, as spreadsheets take them. */
function plainText(table) {
  const line = (row) => [...row.cells].map((cell) => cell.textContent.replace(/\s+/g, ' '));
  return [...table.rows].map((row) => line(row).join('\t')).join('\n');
}

export class FactTable {
  /** copied(text, said): puts a text on the clipboard and says so. */
  constructor(root, texts, copied) {
    Object.assign(this, { texts });
    this.dialog = part(root, 'fact-dialog');
    this.table = part(root, 'fact-table');
    part(root, 'fact-copy').addEventListener('click', () =>
      copied(plainText(this.table), texts.text('ui.inspect.copied')));
  }

  open(sheet, time_us) {
    const { texts } = this;
    const kind = kindText(texts, sheet.kind);
    const values = { kind, name: sheet.title, time: timeText(texts, time_us) };
    const head = (key) => h('th', { scope: 'col' }, texts.text(key));
    this.table.replaceChildren(
      h('caption', { id: 'fact-caption' }, texts.text('ui.inspect.caption', values)),
      h('thead', {}, h('tr', {}, head('ui.inspect.name'), head('ui.inspect.value'))),
      ...sheet.sections.map((section) => bodyOf(texts, section)),
    );
    this.dialog.showModal();
  }
}
