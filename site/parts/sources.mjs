// Which line of the engine answers which command. Commands are declared in tables beside their
// handlers (core/command/spec.h): an entry begins with its name, `{.name = "get",` or, where a
// function makes entries, `setter("expire", ...`, and names its handler; the line is that of the
// handler's definition. A command whose line is not found stops the build.
import * as fs from 'node:fs';
import * as path from 'node:path';

const TABLE = /^constexpr CommandSpec (k\w+)\[\] = \{\n([\s\S]*?)^\};/gm;
const ENTRY = /(?:\{\.name = |\b\w+\()"([\w-]+)",/g;
const HANDLER = /^void (\w+)\(Call&(?: \w+)?\) \{/gm;
const STRING = /"(?:[^"\\]|\\.)*"/g;

const lineOf = (text, at) => text.slice(0, at).split('\n').length;

function engineFiles(root) {
  return fs
    .readdirSync(path.join(root, 'core'), { recursive: true })
    .filter((name) => name.endsWith('.cc'))
    .map((name) => `core/${name}`)
    .sort()
    .map((name) => ({ name, text: fs.readFileSync(path.join(root, name), 'utf8') }));
}

/** {handler: 'file#Lline'} of a file. */
function handlersOf({ name, text }) {
  const found = [...text.matchAll(HANDLER)];
  return Object.fromEntries(
    found.map((one) => [one[1], `${name}#L${lineOf(text, one.index)}`]));
}

/** [{name, text}] of a table's body. */
function entriesOf(body) {
  const starts = [...body.matchAll(ENTRY)];
  return starts.map((start, i) => {
    return { name: start[1].toUpperCase(), text: body.slice(start.index, starts[i + 1]?.index) };
  });
}

/** The handler that an entry names; a function that makes entries is given it as it stands. */
function handlerOf(entry, own, everywhere) {
  const [, named] = /\.handler = (\w+)/.exec(entry) ?? [];
  if (named) return own[named] ?? everywhere[named];
  const words = entry.replace(STRING, '').match(/\w+/g);
  return own[words.find((word) => Object.hasOwn(own, word))];
}

function* sourcesIn(file, everywhere) {
  const own = handlersOf(file);
  const tables = new Map([...file.text.matchAll(TABLE)].map(([, name, body]) => [name, body]));
  for (const { name, text } of entriesOf(tables.get('kCommands') ?? '')) {
    yield [name, handlerOf(text, own, everywhere)];
    const [, below] = /\.subcommands = (k\w+)/.exec(text) ?? [];
    for (const sub of entriesOf(tables.get(below) ?? '')) {
      yield [`${name} ${sub.name}`, handlerOf(sub.text, own, everywhere)];
    }
  }
}

/** {command: 'file#Lline'} for these commands of the engine. */
export function sourcesOf(root, commands) {
  const files = engineFiles(root);
  const everywhere = Object.assign({}, ...files.map(handlersOf));
  const sources = new Map(files.flatMap((file) => [...sourcesIn(file, everywhere)]));
  const missing = commands.filter((name) => !sources.get(name));
  if (missing.length > 0) throw new Error(`no line of the engine is known for ${missing}`);
  return Object.fromEntries(commands.map((name) => [name, sources.get(name)]));
}
