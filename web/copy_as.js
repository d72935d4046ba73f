// Commands as programs: the same commands for redis-cli and for clients in five languages. Each
// text is complete: it connects, runs the commands in order and prints the replies.
//
// copyAs('python', [['SET', 'k', 'v', 'NX'], ['GET', 'k']], {host, port})
//
// An argument is a JavaScript string, sent as UTF-8; quotes, backslashes, line ends and control
// characters in it arrive as they are in every language. Words are sent as they stand, by the
// client's way for any command: DELEX and LOCK have no method of their own yet.

export { CLIENTS } from './clients.js';

const PLAIN_WORD = /^[\w@%+=:,./-]+$/;
const CONTROL = /[\x00-\x1f\x7f]/;
const SHORT = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '"': '\\"', '\\': '\\\\' };

/** A word of the shell: as it is, or in quotes; $'...' where quotes could not hold it. */
function shellWord(text) {
  if (PLAIN_WORD.test(text)) return text;
  if (!/[\x00-\x1f\x7f]/.test(text)) return `'${text.replace(/'/g, `'\\''`)}'`;
  const escaped = text.replace(/[\x00-\x1f\x7f'\\]/g, (c) => {
    return /['\\]/.test(c) ? `\\${c}` : `\\x${hex(c, 2)}`;
  });
  return `$'${escaped}'`;
}

const hex = (c, digits) => c.charCodeAt(0).toString(16).padStart(digits, '0');

/** A string literal in double quotes; `control` writes a character that has no short form. */
function quoted(text, control) {
  const body = text.replace(/[\x00-\x1f\x7f"\\]/g, (c) => SHORT[c] ?? control(c));
  return `"${body}"`;
}

const backslashX = (c) => `\\x${hex(c, 2)}`;
const backslashU = (c) => `\\u${hex(c, 4)}`;
// Octal ends after three digits; \x in C++ would swallow the hex digits that follow.
const octal = (c) => `\\${c.charCodeAt(0).toString(8).padStart(3, '0')}`;

const list = (words, control) => words.map((word) => quoted(word, control)).join(', ');

function redisCli(commands, { host, port }) {
  const where = [];
  if (host !== '127.0.0.1') where.push('-h', shellWord(host));
  if (port !== 6379) where.push('-p', port);
  const start = ['redis-cli', ...where].join(' ');
  return commands.map((words) => `${start} ${words.map(shellWord).join(' ')}`).join('\n');
}

// decode_responses stays off: a value need not be text.
function python(commands, { host, port }) {
  return [
    'import redis',
    '',
    `r = redis.Redis(host=${quoted(host, backslashX)}, port=${port})`,
    ...commands.map((words) => `print(r.execute_command(${list(words, backslashX)}))`),
  ].join('\n');
}

function node(commands, { host, port }) {
  return [
    "import { createClient } from 'redis';",
    '',
    `const socket = { host: ${quoted(host, backslashU)}, port: ${port} };`,
    'const client = createClient({ socket });',
    'await client.connect();',
    ...commands.map((words) => {
      return `console.log(await client.sendCommand([${list(words, backslashU)}]));`;
    }),
    'client.destroy();',
  ].join('\n');
}

/** Java's \u is read before literals are; an octal escape is not. */
function java(commands, { host, port }) {
  return [
    'import redis.clients.jedis.Jedis;',
    'import redis.clients.jedis.util.SafeEncoder;',
    '',
    'public class Session {',
    '  public static void main(String[] arguments) {',
    `    try (var jedis = new Jedis(${quoted(host, octal)}, ${port})) {`,
    ...commands.map(([name, ...words]) => {
      const rest = words.map((word) => `, ${quoted(word, octal)}`).join('');
      const command = `() -> SafeEncoder.encode(${quoted(name, octal)})`;
      return `      show(jedis.sendCommand(${command}${rest}));`;
    }),
    '    }',
    '  }',
    '',
    '  static void show(Object reply) {',
    '    System.out.println(SafeEncoder.encodeObject(reply));',
    '  }',
    '}',
  ].join('\n');
}

function go(commands, { host, port }) {
  return [
    'package main',
    '',
    'import (',
    '\t"context"',
    '\t"fmt"',
    '',
    '\t"github.com/redis/go-redis/v9"',
    ')',
    '',
    'func main() {',
    '\tctx := context.Background()',
    `\trdb := redis.NewClient(&redis.Options{Addr: ${quoted(`${host}:${port}`, backslashX)}})`,
    '\tdefer rdb.Close()',
    ...commands.map((words) => `\tfmt.Println(rdb.Do(ctx, ${list(words, backslashX)}).Result())`),
    '}',
  ].join('\n');
}

/** hiredis; argument lengths are given, so a zero byte is nothing special. */
function cpp(commands, { host, port }) {
  return [
    '#include <hiredis/hiredis.h>',
    '',
    '#include <iostream>',
    '#include <string>',
    '#include <vector>',
    '',
    'using namespace std::string_literals;',
    '',
    'void print(const redisReply& reply) {',
    '  switch (reply.type) {',
    '    case REDIS_REPLY_INTEGER: std::cout << reply.integer << "\\n"; break;',
    '    case REDIS_REPLY_NIL: std::cout << "nil\\n"; break;',
    '    case REDIS_REPLY_ARRAY:',
    '      for (size_t i = 0; i < reply.elements; i++) print(*reply.element[i]);',
    '      break;',
    '    default: std::cout << std::string(reply.str, reply.len) << "\\n";',
    '  }',
    '}',
    '',
    'void run(redisContext* connection, const std::vector<std::string>& words) {',
    '  std::vector<const char*> starts;',
    '  std::vector<size_t> lengths;',
    '  for (const std::string& word : words) {',
    '    starts.push_back(word.data());',
    '    lengths.push_back(word.size());',
    '  }',
    '  const int count = static_cast<int>(words.size());',
    '  auto* reply = static_cast<redisReply*>(',
    '      redisCommandArgv(connection, count, starts.data(), lengths.data()));',
    '  if (!reply) {',
    '    std::cerr << connection->errstr << "\\n";',
    '    return;',
    '  }',
    '  print(*reply);',
    '  freeReplyObject(reply);',
    '}',
    '',
    'int main() {',
    `  redisContext* connection = redisConnect(${quoted(host, octal)}, ${port});`,
    '  if (!connection || connection->err) return 1;',
    ...commands.map((words) => {
      return `  run(connection, {${words.map((word) => `${quoted(word, octal)}s`).join(', ')}});`;
    }),
    '  redisFree(connection);',
    '}',
  ].join('\n');
}

const WRITERS = { 'redis-cli': redisCli, python, node, java, go, cpp };

/** The program text; client: an id of CLIENTS; commands: lists of words. */
export function copyAs(client, commands, { host = '127.0.0.1', port = 6379 } = {}) {
  const writer = WRITERS[client];
  if (!writer) throw new RangeError(`no client ${client}: must be one of CLIENTS`);
  return `${writer(commands, { host, port })}\n`;
}

const DOUBLE = '"((?:[^"\\\\]|\\\\[\\s\\S])*)"(?=\\s|$)';
const SINGLE = "'((?:[^'\\\\]|\\\\[\\s\\S])*)'(?=\\s|$)";
const BARE = '([^\\s"\']\\S*)';

/**
 * The words of a line as hotkv-cli splits it: blanks part them, "..." takes \n \r \t \b \a \" \\
 * and \xHH, '...' takes \'. Returns null for a line whose quotes do not match.
 */
export function wordsOf(line) {
  const words = [];
  const token = new RegExp(`\\s*(?:${DOUBLE}|${SINGLE}|${BARE})\\s*`, 'y');
  while (token.lastIndex < line.length) {
    const found = token.exec(line);
    if (!found) return line.trim() === '' ? words : null;
    const [, double, single, plain] = found;
    if (double !== undefined) words.push(double.replace(/\\(x[0-9a-fA-F]{2}|[\s\S])/g, unescaped));
    else words.push(single !== undefined ? single.replace(/\\'/g, "'") : plain);
  }
  return words;
}

const ESCAPES = { n: '\n', r: '\r', t: '\t', b: '\b', a: '\x07' };

function unescaped(whole, escape) {
  if (escape.length === 3) return String.fromCharCode(parseInt(escape.slice(1), 16));
  return ESCAPES[escape] ?? escape;
}
