// What there is to see and to do, as a flat list: {id, role, label, value, actions}. The mirror of
// buttons, scripts and tests read it; the canvas adds where each item is drawn.

const milliseconds = (time_us) => Math.round(time_us / 1000);

/** interventionsFor: see interventions.js; `actions` are names of what is possible now. */
export function semanticsOf(lesson, state, interventionsFor) {
  const item = (id, role, label, value, condition) => {
    const all = interventionsFor(role, condition, state.acts);
    const actions = all.filter((one) => one.possible).map((one) => one.name);
    return { id, role, label, value, condition, actions };
  };
  const nodes = state.nodes.flatMap((node) => [
    item(node.id, roleOf(node), `${node.id} ${node.role}`, node.up ? 'up' : 'down',
      upOrDown(node)),
    ...node.keys.map((key) => item(keyId(node, key), 'key', key.key, key.value)),
  ]);
  const clients = state.clients.map((client) =>
    item(client.id, 'client', client.name, client.up ? 'up' : 'down', upOrDown(client)));
  const links = state.links.map(({ link, from, to, cut }) =>
    item(link, 'link', `${from} – ${to}`, cut ? 'cut' : 'whole', cut ? 'cut' : 'whole'));
  const messages = state.messages.map((message) =>
    item(message.id, 'message', message.label || message.id,
      `${message.from} → ${message.to}, ${milliseconds(message.due_us - state.time_us)} ms`,
      message.kind));
  const steps = lesson.steps.map((step, i) => ({
    id: `step:${step.id}`,
    role: 'step',
    label: step.id,
    value: i < state.step ? 'done' : 'open',
    actions: ['seek'],
  }));
  const tries = lesson.tries.map(({ id }) => ({
    id: `try:${id}`, role: 'try', label: id, value: '', actions: ['try'],
  }));
  return [...nodes, ...clients, ...links, ...messages, ...steps, ...tries];
}

/** The id of a key in its node, the same as the canvas has (web/view/semantics.h). */
export const keyId = (node, { db, key }) => `${node.id}/${db === 0 ? '' : `${db}:`}${key}`;

// A database is no node: another program, which only answers.
export const roleOf = (node) => (node.role === 'database' ? 'database' : 'node');

// What the mirror names, the first of these first: a world may have more than a page should.
const MIRRORED = ['node', 'key', 'database', 'client', 'message', 'link'];
const MIRRORED_MAX = 150;

/** The ids of the items that have a button. */
export function mirroredIds(items) {
  const wanted = MIRRORED.flatMap((role) => items.filter((one) => one.role === role));
  return new Set(wanted.slice(0, MIRRORED_MAX).map((one) => one.id));
}

const upOrDown = ({ up }) => (up ? 'up' : 'down');
