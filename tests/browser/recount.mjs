// The figures of a lesson, counted again from its trace by other means than the engine's: what its
// `count` lines define, which goals were reached, which invariants broke.

const eventsOf = (trace) => trace.split('\n').filter(Boolean).map((line) => JSON.parse(line));

/** The definitions: `count ID = commands A+W|B [by CLIENT] [until first OK] [in step STEP]`. */
function definitions(text) {
  const lines = text.matchAll(/^count [\w-]+ = commands (\S+)(.*)$/gm);
  return [...lines].map(([, words, rest]) => ({
    patterns: words.split('|').map((one) => one.toUpperCase().split('+')),
    client: /\bby (\S+)/.exec(rest)?.[1],
    step: /\bin step (\S+)/.exec(rest)?.[1],
    untilFirstOk: rest.includes('until first OK'),
  }));
}

function fits({ patterns, client }, event) {
  const [command, ...words] = event.line.toUpperCase().split(' ');
  const matches = ([name, ...others]) =>
    name === command && others.every((word) => words.includes(word));
  return (!client || client === event.client) && patterns.some(matches);
}

/** The counters of a lesson, in its order, as its trace says they must be. */
export function countersOf(text, trace) {
  const events = eventsOf(trace);
  return definitions(text).map((counter) => {
    let step = '';
    let count = 0;
    let closed = false;
    for (const event of events) {
      if (event.event === 'step-begun') step = event.step;
      else if (event.event === 'step-ended') step = '';
      else if (event.event === 'client-sent' && !closed && fits(counter, event)) {
        if (!counter.step || counter.step === step) count++;
      } else if (event.event === 'client-reply' && counter.untilFirstOk && fits(counter, event)) {
        closed ||= event.text === 'OK';
      }
    }
    return count;
  });
}

const named = (trace, event, field) =>
  new Set(eventsOf(trace).filter((one) => one.event === event).map((one) => one[field]));

export const goalsOf = (trace) => named(trace, 'goal-reached', 'goal');

export const brokenOf = (trace) => named(trace, 'invariant-broken', 'invariant');
