// The search dialog. Pagefind's index is fetched with the first letter typed.

type Found = { url: string; meta: { title: string }; excerpt: string };
type Pagefind = {
  init(): Promise<void>;
  debouncedSearch(words: string): Promise<{ results: { data(): Promise<Found> }[] } | null>;
};

const RESULTS_MAX = 8;

class SiteSearch extends HTMLElement {
  #pagefind: Promise<Pagefind> | undefined;

  connectedCallback() {
    const open = this.querySelector<HTMLButtonElement>('[data-part=open]')!;
    const dialog = this.querySelector('dialog')!;
    open.disabled = false;
    open.addEventListener('click', () => dialog.showModal());
    this.querySelector('[data-part=close]')!.addEventListener('click', () => dialog.close());
    dialog.addEventListener('click', (event) => {
      if (event.target === dialog) dialog.close();
    });
    dialog.querySelector('input')!.addEventListener('input', (event) => {
      this.#search((event.target as HTMLInputElement).value.trim());
    });
    addEventListener('keydown', (event) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      if (!dialog.open) dialog.showModal();
    });
  }

  #load(): Promise<Pagefind> {
    this.#pagefind ??= (async () => {
      const url = new URL(this.dataset.bundle!, location.href).href;
      const pagefind = await import(/* @vite-ignore */ url);
      await pagefind.init();
      return pagefind;
    })();
    return this.#pagefind;
  }

  async #search(words: string) {
    const list = this.querySelector('[data-part=results]')!;
    const said = this.querySelector('[data-part=said]')!;
    if (!words) {
      list.replaceChildren();
      said.textContent = '';
      return;
    }
    const found = await (await this.#load()).debouncedSearch(words);
    // A later letter has made this answer old.
    if (!found) return;
    const pages = await Promise.all(
      found.results.slice(0, RESULTS_MAX).map((result) => result.data()),
    );
    list.replaceChildren(...pages.map(resultItem));
    said.textContent = pages.length ? '' : this.dataset.none!;
  }
}

function resultItem({ url, meta, excerpt }: Found): HTMLElement {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = url;
  link.textContent = meta.title;
  const text = document.createElement('p');
  // The excerpt is our own page's text with <mark> around what was found.
  for (const [i, part] of excerpt.split(/<\/?mark>/).entries()) {
    const piece = i % 2 ? document.createElement('mark') : document.createElement('span');
    piece.textContent = plainText(part);
    text.append(piece);
  }
  item.append(link, text);
  return item;
}

function plainText(html: string): string {
  return new DOMParser().parseFromString(html, 'text/html').body.textContent ?? '';
}

customElements.define('site-search', SiteSearch);
