// What a visitor can do to whom, as data: the menus, the keys, the links and the interface for
// scripts all read this one table. Each is an input of the run, anchored at its event.

// `arg` is in milliseconds where there is one. `when`: the condition in which it changes something
// (up, down, whole, cut; request, reply). `soon`: it acts on a part of the engine that is not built
// yet; the button is dimmed and says which (ui.soon.<part>).
export const INTERVENTIONS = {
  node: [
    { action: 'kill', when: 'up' },
    { action: 'restart', when: 'down' },
    { action: 'pause', arg: 500, when: 'up' },
    { action: 'pause', arg: 5000, when: 'up' },
    { action: 'clock', arg: 1000, when: 'up' },
    { action: 'clock', arg: -1000, when: 'up' },
    { action: 'fsync-stall', arg: 2000, soon: 'persistence' },
  ],
  database: [
    { action: 'kill', when: 'up' },
    { action: 'restart', when: 'down' },
    { action: 'pause', arg: 500, when: 'up' },
    { action: 'pause', arg: 5000, when: 'up' },
  ],
  client: [
    { action: 'kill', when: 'up' },
    { action: 'restart', when: 'down' },
    { action: 'pause', arg: 500, when: 'up' },
    { action: 'pause', arg: 5000, when: 'up' },
  ],
  link: [
    { action: 'cut', when: 'whole' },
    { action: 'heal', when: 'cut' },
  ],
  message: [
    { action: 'deliver' },
    { action: 'delay', arg: 100 },
    { action: 'dup', when: 'request' },
    { action: 'drop' },
  ],
};

export const ON_MESSAGES = ['drop', 'delay', 'dup', 'deliver'];
const ON_ACTORS = ['kill', 'restart', 'pause', 'cut', 'heal', 'clock', 'fsync-stall'];

export const isIntervention = (action) =>
  ON_MESSAGES.includes(action) || ON_ACTORS.includes(action);

/** Name of one entry of the table, as links and translations have it: "pause.500". */
export const nameOf = ({ action, arg }) => (arg === undefined ? action : `${action}.${arg}`);

/** The entries for a thing in this condition; {...entry, name, possible}. */
export function interventionsFor(role, condition, engineActs) {
  return (INTERVENTIONS[role] ?? []).map((entry) => ({
    ...entry,
    name: nameOf(entry),
    possible: engineActs && !entry.soon && (!entry.when || entry.when === condition),
  }));
}
