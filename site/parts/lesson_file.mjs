// What the pages need to know of a lesson file, and what of it is shipped. The grammar is the
// engine's (core/sim); here only the lines that the site's build needs are looked at.

/** {id, version, seed, steps} of a scenario's text. */
export function lessonOf(text) {
  const head = /^lesson\s+([\w-]+)\s+version\s+(\d+)\s+seed\s+(\d+)/m.exec(text);
  if (!head) throw new Error('the scenario has no line `lesson <id> version <n> seed <n>`');
  const steps = [...text.matchAll(/^step\s+([\w-]+)/gm)].map((found) => found[1]);
  return { id: head[1], version: Number(head[2]), seed: head[3], steps };
}

/** The lesson as visitors get it: what it expects is for tests, replies come from the engine. */
export function withoutExpectations(text) {
  return text
    .split('\n')
    .map((line) => line.replace(/\s+expect\s.*$/, ''))
    .filter((line) => !/^\s*(expect\s|#)/.test(line))
    .join('\n')
    .replace(/\n{3,}/g, '\n\n');
}

/** The commands of a printed transcript, in order. */
export function commandsOf(transcript) {
  return [...transcript.matchAll(/hotkv(?:\(\w+\))?> (.*)$/gm)].map((found) => found[1]);
}

// So many clients are told one by one; of more, which do the same, the first speaks for all.
const CLIENTS_MAX = 2;
const ASKED = /^# (.+): ([\w-]+)\nhotkv(?:\((\w+)\))?> (.*)$/gm;

/**
 * What a step's clients send to the engine, by the step's name: {commands, clients, nodes}, the
 * different commands in their order and how many clients and nodes are behind them.
 */
export function askedInSteps(transcript) {
  const steps = {};
  for (const [, client, step, node = '', line] of transcript.matchAll(ASKED)) {
    (steps[step] ??= []).push({ client, node, line });
  }
  return Object.fromEntries(Object.entries(steps).map(([step, asked]) => {
    const clients = [...new Set(asked.map((one) => one.client))];
    const told = clients.length > CLIENTS_MAX ? clients.slice(0, 1) : clients;
    const commands = asked.filter((one) => told.includes(one.client)).map((one) => one.line);
    const nodes = new Set(asked.map((one) => one.node)).size;
    return [step, { commands: [...new Set(commands)], clients: clients.length, nodes }];
  }));
}
