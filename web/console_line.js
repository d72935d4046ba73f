// The console line: a real input with history, completion and a ghost of the remaining syntax, all
// three from the engine's own command table.
import { element, part } from './session_view.js';

const HISTORY_MAX = 500;
const CHOICES_MAX = 200;

/** Lines to run out of pasted text: prompts are stripped, comments and blank lines left out. */
export function pastedLines(text) {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => line.replace(/^\s*(?:redis|hotkv|127\.0\.0\.1:\d+)[^>\s]*>\s?/, '').trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}

/** "@B SET k v" speaks for client B; the rest of the line is the command. */
export function addressed(line, clients, chosen) {
  const found = /^@(\S+)\s+(.*)$/s.exec(line);
  const client = found && clients.find((one) => one.id.toLowerCase() === found[1].toLowerCase());
  return client ? { client: client.id, line: found[2] } : { client: chosen, line };
}

export class ConsoleLine {
  /** run(client, line) is called for each line that is sent, one after the other. */
  constructor(root, texts, player, run) {
    this.input = part(root, 'line');
    this.ghost = part(root, 'ghost');
    this.choices = part(root, 'choices');
    this.syntax = part(root, 'syntax');
    this.client = part(root, 'client');
    this.texts = texts;
    this.player = player;
    this.run = run;
    this.history = [];
    this.place = 0;
    this.draft = '';
    this.cycle = null;
    this.queue = Promise.resolve();
    this.input.addEventListener('input', () => this.typed());
    this.input.addEventListener('keydown', (event) => this.key(event));
    this.input.addEventListener('paste', (event) => this.paste(event));
    root.querySelector('[data-act="send"]').addEventListener('click', () => this.send());
  }

  start() {
    this.client.replaceChildren(
      ...this.player.lesson.clients.map(({ id, name }) => element('option', { value: id }, name)),
    );
    this.client.disabled = false;
    this.input.disabled = false;
  }

  typed() {
    this.cycle = null;
    this.choices.hidden = true;
    this.showGhost();
  }

  /** The command of the line without "@B ". */
  command() {
    const value = this.input.value;
    const { line } = addressed(value, this.player.lesson.clients, '');
    return { line, before: value.slice(0, value.length - line.length) };
  }

  showGhost() {
    const { line } = this.command();
    const rest = line === '' ? '' : this.player.hint(line);
    this.ghost.replaceChildren(
      element('span', { className: 'typed' }, this.input.value),
      rest === '' ? '' : element('span', {}, rest),
    );
    this.syntax.textContent = rest;
  }

  key(event) {
    if (event.isComposing) return;
    const plain = !event.ctrlKey && !event.altKey && !event.metaKey;
    if (event.key === 'Enter') this.send();
    else if (event.key === 'Tab' && !event.shiftKey && plain && this.complete()) {
      // Taken: the line was completed.
    } else if (event.key === 'ArrowUp' && plain) this.recall(-1);
    else if (event.key === 'ArrowDown' && plain) this.recall(1);
    else if (event.key === 'Escape' && this.input.value !== '') this.set('');
    else if (event.key === 'l' && event.ctrlKey) this.set('');
    else return;
    event.preventDefault();
  }

  set(text) {
    this.input.value = text;
    this.typed();
  }

  /** False on an empty line, or when there is nothing to complete: Tab then leaves the field. */
  complete() {
    const { line, before } = this.command();
    if (line.trim() === '' && this.cycle === null) return false;
    if (this.cycle === null) {
      const words = this.player.complete(line);
      if (words.length === 0 || (words.length === 1 && words[0] === line)) return false;
      this.cycle = { words, at: -1, before };
      this.showChoices(words);
    }
    const { words } = this.cycle;
    this.cycle.at = (this.cycle.at + 1) % words.length;
    this.input.value = this.cycle.before + words[this.cycle.at];
    this.showGhost();
    if (words.length === 1) this.cycle = null;
    return true;
  }

  showChoices(words) {
    this.choices.hidden = words.length < 2;
    this.choices.setAttribute(
      'aria-label',
      this.texts.text('ui.console.choices', { n: words.length }),
    );
    this.choices.replaceChildren(
      ...words.slice(0, CHOICES_MAX).map((word) => element('span', {}, word)),
    );
  }

  recall(direction) {
    const place = this.place + direction;
    if (place < 0 || place > this.history.length) return;
    if (this.place === this.history.length) this.draft = this.input.value;
    this.place = place;
    this.set(place === this.history.length ? this.draft : this.history[place]);
  }

  paste(event) {
    const text = event.clipboardData.getData('text/plain');
    if (!/[\r\n]/.test(text.trim()) && !/^\s*(redis|hotkv)/.test(text)) return;
    event.preventDefault();
    const lines = pastedLines(text);
    if (/[\r\n]/.test(text)) lines.forEach((line) => this.enqueue(line));
    else this.set(lines.join(' '));
  }

  send() {
    const line = this.input.value.trim();
    this.set('');
    if (line !== '' && !line.startsWith('#')) this.enqueue(line);
  }

  enqueue(line) {
    if (this.history.at(-1) !== line) this.history.push(line);
    if (this.history.length > HISTORY_MAX) this.history.shift();
    this.place = this.history.length;
    const to = addressed(line, this.player.lesson.clients, this.client.value);
    this.queue = this.queue.then(() => this.run(to.client, to.line));
  }
}
