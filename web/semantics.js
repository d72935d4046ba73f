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
  const nodes = state.nodes.map((node) =>
    item(node.id, 'node', `${node.id} ${node.role}`, node.up ? 'up' : 'down', upOrDown(node)));
  const clients = state.clients.map((client) =>
    item(client.id, 'client', client.name, client.up ? 'up' : 'down', upOrDown(client)));
  const links = state.links.map(({ link, from, to, cut }) =>
    item(link, 'link', `${from} – ${to}`, cut ? 'cut' : 'whole', cut ? 'cut' : 'whole'));
  const messages = state.messages.map((message) =>
    item(message.id, 'message', message.label || message.id,
      `${message.from} → ${message.to}, ${milliseconds(message.due_us - state.time_us)} ms`));
  const steps = lesson.steps.map((step, i) => ({
    id: `step-${step.id}`,
    role: 'step',
    label: step.id,
    value: i < state.step ? 'done' : 'open',
    actions: ['seek'],
  }));
  const tries = lesson.tries.map(({ id }) => ({
    id: `try-${id}`, role: 'try', label: id, value: '', actions: ['try'],
  }));
  return [...nodes, ...clients, ...links, ...messages, ...steps, ...tries];
}

const upOrDown = ({ up }) => (up ? 'up' : 'down');
