// What a visitor pastes of a workload, as commands of the sandbox's clients:
//
//   MONITOR       1700000000.5 [0 10.0.0.1:5555] "SET" "k" "v"     each address is a client
//   redis-cli     redis-cli -p 6379 SET k v, or 127.0.0.1:6379> SET k v with or without replies
//   plain lines   SET k v
//
// Where a text has lines with a time or a prompt, other lines are replies and no commands.

/** More would be a load test, which a page is no place for. */
export const COMMANDS_MAX = 200;

const MONITOR = /^\s*\+?\d+\.\d+ \[(\d+) ([^\]]+)\] (.+)$/;
// Options with a value, and those without.
const OPTIONS = /(?:\s+-(?:[hpanus]|-user|-pass)\s+\S+|\s+-\S+)*/;
const PROGRAM = new RegExp(`^\\s*\\$?\\s*(?:redis|hotkv|valkey)-cli${OPTIONS.source}\\s+(.+)$`);
const PROMPT = /^\s*[\w.:-]*(?:\[\d+\]|\([^)]*\))?(?:\[\d+\])?>\s?(.+)$/;
const PLAIN = /^(?!\s*#)\s*(\S.*)$/;

/** A script's own calls are in MONITOR too; the script has made them already. */
const isOfScript = (address) => address === 'lua';

function monitored(lines) {
  const databases = new Map();
  return lines.flatMap((line) => {
    const [, database, address, command] = MONITOR.exec(line) ?? [];
    if (!command || isOfScript(address)) return [];
    const before = databases.get(address) ?? '0';
    databases.set(address, database);
    const asked = { from: address, line: command };
    return before === database ? [asked] : [{ from: address, line: `SELECT ${database}` }, asked];
  });
}

const typed = (pattern) => (lines) => lines.flatMap((line) => {
  const found = pattern.exec(line);
  return found ? [{ from: '', line: found[1] }] : [];
});

const READERS = [monitored, typed(PROGRAM), typed(PROMPT), typed(PLAIN)];

/** {commands: [{client, line}], total}: the first COMMANDS_MAX of `total`, for these clients. */
export function workloadOf(text, clients) {
  const lines = text.split(/\r\n|\r|\n/).map((line) => line.trimEnd());
  const all = READERS.map((read) => read(lines)).find((found) => found.length > 0) ?? [];
  const sources = [...new Set(all.map(({ from }) => from))];
  const clientOf = (from) => clients[sources.indexOf(from) % clients.length];
  const commands = all.slice(0, COMMANDS_MAX);
  return {
    commands: commands.map(({ from, line }) => ({ client: clientOf(from), line })),
    total: all.length,
  };
}
