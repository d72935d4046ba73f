// The lines that were typed, shared by all players of a page; kept over visits where the browser
// lets us (a sandboxed frame does not).

const HISTORY_MAX = 500;
const KEY = 'hotkv-history';

function kept() {
  try {
    const lines = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(lines) ? lines.filter((line) => typeof line === 'string') : [];
  } catch {
    return [];
  }
}

const lines = kept();

export class History {
  #place = lines.length;
  #draft = '';

  add(line) {
    if (lines.at(-1) !== line) lines.push(line);
    if (lines.length > HISTORY_MAX) lines.shift();
    this.#place = lines.length;
    try {
      localStorage.setItem(KEY, JSON.stringify(lines));
    } catch {
      // Then it lasts as long as the page.
    }
  }

  /** The line before (-1) or after (1) the one that stands there; null at the end. */
  move(direction, present) {
    const place = this.#place + direction;
    if (place < 0 || place > lines.length) return null;
    if (this.#place === lines.length) this.#draft = present;
    this.#place = place;
    return place === lines.length ? this.#draft : lines[place];
  }

  /** The latest line that holds `text`, after `skip` later ones that do too. */
  find(text, skip) {
    const found = lines.filter((line) => line.includes(text)).reverse();
    return found[skip] ?? null;
  }
}
