// The console line: a real input with history, completion and a ghost of the remaining syntax, all
// three from the engine's own command table.
import { element, part } from './dom.js';
import { History } from './console_history.js';

const CHOICES_MAX = 200;

// What hotkv-cli, redis-cli and this page write in front of a line: "hotkv(Worker A → n1)> ",
// "redis> ", "127.0.0.1:6379[3]> ", "redis 127.0.0.1:6379> ".
const PROMPT = /^\s*(?:hotkv\([^)>]*\)|(?:redis )?(?:redis|hotkv|localhost|[\d.]+:\d)[^>\s]*)>\s?/;

/** Lines to run out of pasted text: prompts are stripped, comments and blank lines left out. */
export function pastedLines(text) {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => line.replace(PROMPT, '').trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}

/** "@B SET k v" speaks for client B; the rest of the line is the command. */
export function addressed(line, clients, chosen) {
  const found = /^@(\S+)\s+(.*)$/s.exec(line);
  const client = found && clients.find((one) => one.id.toLowerCase() === found[1].toLowerCase());
  return client ? { client: client.id, line: found[2] } : { client: chosen, line };
}

export class ConsoleLine {
  /** run(client, node, line) is called for each line that is sent, one after the other. */
  constructor(root, texts, session, run) {
    for (const name of ['line', 'ghost', 'choices', 'syntax', 'client', 'node', 'search']) {
      this[name] = part(root, name);
    }
    this.input = this.line;
    this.helpText = part(root, 'help-text');
    Object.assign(this, { root, texts, session, run });
    this.history = new History();
    this.cycle = null;
    this.queue = Promise.resolve();
    this.input.addEventListener('input', () => this.typed());
    this.input.addEventListener('keydown', (event) => this.key(event));
    this.input.addEventListener('paste', (event) => this.paste(event));
    this.input.addEventListener('blur', () => this.endSearch());
    root.querySelector('[data-act="send"]').addEventListener('click', () => this.send());
  }

  start() {
    const { clients, nodes } = this.session.lesson;
    this.client.replaceChildren(
      ...clients.map(({ id, name }) => element('option', { value: id }, name)),
    );
    this.node.replaceChildren(...nodes.map(({ id }) => element('option', { value: id }, id)));
    part(this.root, 'node-label').hidden = nodes.length < 2;
    part(this.root, 'to').hidden = nodes.length < 2;
  }

  typed() {
    this.cycle = null;
    this.choices.hidden = true;
    this.helpText.hidden = true;
    if (this.searching) this.find();
    else this.showGhost();
  }

  /** The command of the line without "@B ". */
  command() {
    const { value } = this.input;
    const { line } = addressed(value, this.session.lesson.clients, '');
    return { line, before: value.slice(0, value.length - line.length) };
  }

  showGhost() {
    const { line } = this.command();
    const rest = line === '' ? '' : this.session.hint(line);
    this.ghost.replaceChildren(
      element('span', { className: 'typed' }, this.input.value),
      rest === '' ? '' : element('span', {}, rest),
    );
    this.syntax.textContent = rest;
  }

  key(event) {
    // 229: an input method has the key, also where isComposing is false for its last one.
    if (event.isComposing || event.keyCode === 229) return;
    const plain = !event.ctrlKey && !event.altKey && !event.metaKey;
    if (event.key === 'Enter') this.searching ? this.takeFound() : this.send();
    else if (event.key === 'Tab' && !event.shiftKey && plain && this.complete()) {
      // Taken: the line was completed.
    } else if (event.key === 'ArrowUp' && plain) this.recall(-1);
    else if (event.key === 'ArrowDown' && plain) this.recall(1);
    else if (event.key === 'Escape' && this.searching) this.endSearch();
    else if (event.key === 'Escape' && this.input.value !== '') this.set('');
    else if (event.key === 'l' && event.ctrlKey) this.set('');
    else if (event.key === 'r' && event.ctrlKey) this.lookBack();
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
      const words = this.session.complete(line);
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
    const line = this.history.move(direction, this.input.value);
    if (line !== null) this.set(line);
  }

  // Ctrl-R: what is typed is looked for in the lines before, the latest first.

  lookBack() {
    if (this.searching) this.searching.skip++;
    else this.searching = { skip: 0 };
    this.find();
  }

  find() {
    const { skip } = this.searching;
    const found = this.history.find(this.input.value, skip);
    if (found === null) this.searching.skip = Math.max(0, skip - 1);
    else this.searching.found = found;
    this.ghost.replaceChildren();
    this.search.hidden = false;
    this.search.textContent = this.texts.text('ui.console.search', {
      found: this.searching.found ?? '–',
    });
  }

  takeFound() {
    const { found } = this.searching;
    this.endSearch();
    if (found) this.set(found);
  }

  endSearch() {
    this.searching = null;
    this.search.hidden = true;
  }

  paste(event) {
    const text = event.clipboardData.getData('text/plain');
    if (!/[\r\n]/.test(text.trim()) && !PROMPT.test(text)) return;
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
    this.history.add(line);
    const help = /^(?:help|\?)(?:\s+(.*))?$/i.exec(line);
    if (help) {
      this.showHelp(help[1] ?? '');
      return;
    }
    if (/^clear$/i.test(line)) return;
    const to = addressed(line, this.session.lesson.clients, this.client.value);
    this.queue = this.queue.then(() => this.run(to.client, this.node.value, to.line));
  }

  showHelp(name) {
    const text = this.session.help(name.trim()).trim();
    const none = this.texts.text('ui.console.no_help', { name });
    this.helpText.textContent = text === '' ? none : text;
    this.helpText.hidden = false;
  }
}
