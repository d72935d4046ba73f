// Which client the programs of "Copy as" are for: one choice for the whole page, so that all its
// players and its prose show the same. An attribute or a query gives the first one; the visitor's
// choice stands until the page is left.
import { CLIENTS } from './clients.js';

/** Fires `change` when another client was chosen. */
class ClientChoice extends EventTarget {
  /** An id of CLIENTS; null = none was chosen. */
  id = null;
  #isVisitors = false;

  /** What a page asks for: an unknown name changes nothing, and a visitor's choice stays. */
  suggest(id) {
    if (!this.#isVisitors && CLIENTS.some((client) => client.id === id)) this.#set(id);
  }

  /** What the visitor wants; null = no program. */
  choose(id) {
    this.#isVisitors = true;
    this.#set(id);
  }

  #set(id) {
    if (id === this.id) return;
    this.id = id;
    this.dispatchEvent(new Event('change'));
  }
}

export const clientChoice = new ClientChoice();
