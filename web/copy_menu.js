// "Copy as" above a transcript: as it stands there, or its commands as a program of a client.
import { clientChoice } from './client_choice.js';
import { CLIENTS, copyAs, wordsOf } from './copy_as.js';
import { element, part } from './dom.js';

/** The program that runs the lines in their order; a line whose quotes do not match never ran. */
export function programOf(client, lines) {
  return copyAs(client, lines.map(wordsOf).filter((words) => words?.length > 0));
}

export class CopyMenu {
  #follow = () => this.show();

  constructor(root, texts, transcript) {
    this.texts = texts;
    this.transcript = transcript;
    this.box = part(root, 'copy-as');
    this.select = part(root, 'copy-language');
  }

  start(suggested) {
    const own = { value: '', lang: this.texts.lang, translate: true };
    const choices = CLIENTS.map(({ id, label }) => element('option', { value: id }, label));
    this.select.replaceChildren(
      element('option', own, this.texts.text('ui.copy_as.transcript')), ...choices);
    this.select.addEventListener('change', () => clientChoice.choose(this.select.value || null));
    clientChoice.addEventListener('change', this.#follow);
    clientChoice.suggest(suggested);
    this.box.hidden = false;
    this.show();
  }

  show() {
    this.select.value = clientChoice.id ?? '';
  }

  /** {text, said}: what the clipboard gets, and what is told of it. */
  copy() {
    const { id } = clientChoice;
    if (id === null) {
      const said = this.texts.text('ui.transcript.copied');
      return { text: this.transcript.text(), said };
    }
    const lines = this.transcript.entries().map((entry) => entry.line);
    const client = this.select.selectedOptions[0].textContent;
    return { text: programOf(id, lines), said: this.texts.text('ui.copy_as.copied', { client }) };
  }

  dispose() {
    clientChoice.removeEventListener('change', this.#follow);
  }
}
