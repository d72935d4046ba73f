// Which line of the engine answered: a table that the site's build made of the engine's own tables
// (site/parts/sources.mjs). Without an address of the source the link leads to the command's entry
// in the reference, which names the line too. A host without the table has no such links.

const PAGES = { en: '', ro: 'ro/', zh: 'zh-cn/' };

export const anchorOf = (command) => command.toLowerCase().replace(/[^a-z0-9]+/g, '-');

export class Sources {
  /** here: 'name' -> address; table: {build, base, commands: {name: 'file#Lline'}}. */
  constructor(here, table) {
    this.here = here;
    this.table = table;
  }

  static async load(here) {
    const response = await fetch(here('sources.json')).catch(() => null);
    return new Sources(here, response?.ok ? await response.json() : { base: '', commands: {} });
  }

  /** {command, place, href} of a line as it was typed, or null for what the engine has not. */
  of(line, lang) {
    const words = line.trim().toUpperCase().split(/\s+/);
    const names = [words.slice(0, 2).join(' '), words[0]];
    const command = names.find((name) => Object.hasOwn(this.table.commands, name));
    if (!command) return null;
    const place = this.table.commands[command];
    const { base } = this.table;
    const reference = () => {
      const page = this.here(`${PAGES[lang.slice(0, 2)] ?? ''}reference/commands/`).href;
      return `${page}#${anchorOf(command)}`;
    };
    return { command, place: place.replace('#L', ':'), href: base ? base + place : reference() };
  }
}
