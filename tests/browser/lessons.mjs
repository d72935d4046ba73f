// All lessons, as files and as players, and visitors who do things to them.
import * as fs from 'node:fs';
import * as path from 'node:path';
import { ROOT, SIM, native, playerOf } from './harness.mjs';

const FOLDER = 'assets/lessons';

export const LESSONS = fs.readdirSync(path.join(ROOT, FOLDER))
  .filter((name) => name.endsWith('.scenario'))
  .map((name) => name.replace('.scenario', ''))
  .sort();

export const fileOf = (lesson) => `${FOLDER}/${lesson}.scenario`;

export const textOf = (lesson) => fs.readFileSync(path.join(ROOT, fileOf(lesson)), 'utf8');

/** A page that shows this lesson alone. */
export function lessonPage(t, lesson) {
  return t.session(`embed.html?lesson=${lesson}&loading=eager`);
}

/** The session of a lesson for thousands of runs: nothing of it is laid out, so it is quick. */
export async function quickSession(t, lesson) {
  const page = await lessonPage(t, lesson);
  await page.evaluate(() => {
    document.querySelector('hotkv-player').style.display = 'none';
  });
  return playerOf(page);
}

// What visitors do. `at`: how far in the lesson, in events; `to`: on what, by its kind. A message
// is the first request in flight from there on, or one that is typed for it; others are the first
// of their kind.
export const VISITS = {
  'nothing': [],
  'a line': [{ at: 0.4, do: 'exec', line: 'SET typed "a b ~&,% ș锁"' }],
  'two lines': [
    { at: 0, do: 'exec', line: 'INCR typed' }, { at: 0.7, do: 'exec', line: 'DEL {key}' },
  ],
  'messages': [
    { at: 0.1, do: 'drop', to: 'message' }, { at: 0.3, do: 'delay', to: 'message', ms: 100 },
    { at: 0.5, do: 'dup', to: 'message' }, { at: 0.7, do: 'deliver', to: 'message' },
  ],
  'kill and restart': [
    { at: 0.3, do: 'kill', to: 'node' }, { at: 0.5, do: 'restart', to: 'node' },
    { at: 0.7, do: 'kill', to: 'client' }, { at: 0.8, do: 'restart', to: 'client' },
  ],
  'cut and heal': [{ at: 0.2, do: 'cut', to: 'link' }, { at: 0.6, do: 'heal', to: 'link' }],
  'pause': [
    { at: 0.3, do: 'pause', to: 'client', ms: 5000 }, { at: 0.6, do: 'pause', to: 'node', ms: 500 },
  ],
  'clock': [
    { at: 0.2, do: 'clock', to: 'node', ms: 1000 }, { at: 0.6, do: 'clock', to: 'node', ms: -1000 },
  ],
};

/**
 * Plays a visit in the session of a page, through the interface that scripts have, and runs to the
 * end: {x, link, trace, hash, done}. `x` is the input log as links carry it. What is not possible
 * any more (a run that has ended, a node that is up) is not done.
 */
export function visit(player, { seed, attempt, moves = [] }) {
  return player.evaluate(async (p, [number, id, todo]) => {
    const reset = async () => {
      await p.act('', 'lesson');
      if (number !== p.lesson.seed) await p.act('', 'seed', { value: number });
      if (id) await p.act(id);
      await p.seek({ step: 0 });
    };
    const first = (kind) => {
      const { nodes, clients, links, messages } = p.state();
      if (kind === 'message') return messages.find((one) => one.kind === 'request')?.id;
      return { node: nodes[0].id, client: clients[0].id, link: links[0].link }[kind];
    };
    const say = (line) => p.exec(p.lesson.clients.at(-1).id, p.lesson.nodes[0].id, line);
    const send = async () => {
      while (!first('message') && !p.state().ended) await p.eventBy(1);
      if (first('message')) return;
      const { event } = p.state();
      await say('INCR typed');
      await p.seek({ event: event + 1 });
    };
    const give = async (move) => {
      if (move.do === 'exec') return say(move.line.replaceAll('{key}', p.params.key));
      if (move.to === 'message') await send();
      return p.act(first(move.to) ?? '', move.do, move.ms === undefined ? {} : { ms: move.ms });
    };
    await reset();
    const { length } = p.state();
    const done = [];
    for (const move of todo) {
      const event = Math.max(p.state().event, Math.floor(length * move.at));
      await p.seek({ event });
      try {
        await give(move);
        done.push(move.do);
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
      }
    }
    await p.seek({ end: true });
    const link = p.link();
    const x = /[/&]x=([^&]*)/.exec(link)?.[1] ?? '';
    return { x, link, trace: p.trace(), hash: p.hash(), done };
  }, [String(seed), attempt ?? '', moves]);
}

/** The words of hotkv-sim for a lesson with what a visitor did. */
export function simWords(lesson, { seed, params = {}, x = '' }) {
  const given = Object.entries(params).flatMap(([name, value]) => ['--param', `${name}=${value}`]);
  return ['--scenario', fileOf(lesson), '--seed', String(seed), ...given, '--inputs', x];
}

/** What hotkv-sim prints; exit code 1 says that something was other than the lesson expects. */
export function simPrints(lesson, run, ...options) {
  return native(SIM, [...simWords(lesson, run), ...options], undefined, [0, 1]);
}
