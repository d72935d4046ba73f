// The state of a session as a link that a human can read, and back:
//
//   #lock@3/step=2&seed=7&params=ttl:5&x=14.A.exec.n1.DEL+lock:billing-run~20.drop.A-n1.3
//
// step: so many steps are done; at: so many events, where that is not the end of a step; seed and
// params only where they differ from the lesson's; x: what the visitor did, each at its event: a
// line that a client typed, a what-if (`0.try.late`), or an intervention with its milliseconds
// (`9.pause.A.5000`; a message is its link and number). A long one is packed: #lock@3/z=...
// Whatever comes from a link is data: it becomes simulated input or text, nothing else. The engine
// reads `x` (core/sim/input_log.h), for the page as for the native programs; here it is written.

export const INPUTS_MAX = 5000;
export const COMMAND_MAX = 65536;
// Longer links are packed; what is still longer than the second is no link any more.
export const LINK_PLAIN_MAX = 2000;
export const LINK_MAX = 8000;

function written(text) {
  return encodeURIComponent(text)
    .replace(/%20/g, '+')
    .replace(/%3A/g, ':')
    .replace(/%2F/g, '/')
    .replace(/%40/g, '@')
    .replace(/~/g, '%7E');
}

function read(text) {
  try {
    return decodeURIComponent(text.replace(/\+/g, ' '));
  } catch {
    return null;
  }
}

function writtenInput(input) {
  if (input.do === 'try') return `${input.at}.try.${written(input.id)}`;
  if (input.do === 'exec') {
    return `${input.at}.${written(input.client)}.exec.${input.node}.${written(input.line)}`;
  }
  const target = written(input.id.replace('#', '.'));
  return `${input.at}.${input.do}.${target}${input.arg === undefined ? '' : `.${input.arg}`}`;
}

/** state: {lesson, version, step, at, seed, params, inputs}; the first two are required. */
export function linkOf(state) {
  const fields = [];
  if (state.at !== undefined) fields.push(`at=${state.at}`);
  else if (state.step) fields.push(`step=${state.step}`);
  if (state.seed !== undefined) fields.push(`seed=${state.seed}`);
  const params = Object.entries(state.params ?? {});
  if (params.length > 0) {
    fields.push(`params=${params.map(([name, value]) => `${name}:${written(value)}`).join(',')}`);
  }
  if (state.inputs?.length > 0) fields.push(`x=${state.inputs.map(writtenInput).join('~')}`);
  const version = state.version === undefined ? '' : `@${state.version}`;
  return `#${state.lesson}${version}${fields.length > 0 ? '/' : ''}${fields.join('&')}`;
}

/** The state in a hash, or null where it is none of ours. Senseless fields are left out. */
export function stateOf(hash) {
  const head = /^#([a-z][\w-]*)(?:@(\d+))?(?:\/(.*))?$/s.exec(hash);
  if (!head) return null;
  const state = { lesson: head[1], params: {} };
  if (head[2] !== undefined) state.version = Number(head[2]);
  for (const field of (head[3] ?? '').split('&')) {
    const equals = field.indexOf('=');
    if (equals > 0) readField(state, field.slice(0, equals), field.slice(equals + 1));
  }
  return state;
}

// An instant instead of an event: at=12.5ms.
const INSTANT = /^\d{1,9}(\.\d{1,3})?ms$/;

function readField(state, name, value) {
  if (name === 'step' || name === 'at') {
    if (/^\d{1,9}$/.test(value)) state[name] = Number(value);
    else if (name === 'at' && INSTANT.test(value)) state.ms = Number(value.slice(0, -2));
  } else if (name === 'seed') {
    if (/^\d{1,19}$/.test(value)) state.seed = value;
  } else if (name === 'params') {
    for (const pair of value.split(',')) {
      const colon = pair.indexOf(':');
      const text = colon > 0 ? read(pair.slice(colon + 1)) : null;
      if (text !== null) state.params[pair.slice(0, colon)] = text;
    }
  } else if (name === 'x') {
    state.x = value;
  }
}

const bytesOf = (stream) => new Response(stream).arrayBuffer().then((all) => new Uint8Array(all));

/** The link itself, or a packed one where it is long; null where even that is too long. */
export async function packedLink(link) {
  if (link.length <= LINK_PLAIN_MAX) return link;
  const slash = link.indexOf('/');
  const packer = new CompressionStream('deflate-raw');
  const bytes = await bytesOf(new Blob([link.slice(slash + 1)]).stream().pipeThrough(packer));
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  const base64 = btoa(text).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
  const packed = `${link.slice(0, slash)}/z=${base64}`;
  return packed.length <= LINK_MAX ? packed : null;
}

/** Undoes packedLink; a link that is damaged comes back as it is. */
export async function unpackedLink(link) {
  const found = /^(#[^/]+\/)z=([\w-]+)$/.exec(link);
  if (!found) return link;
  try {
    const text = atob(found[2].replace(/-/g, '+').replace(/_/g, '/'));
    const bytes = Uint8Array.from(text, (c) => c.charCodeAt(0));
    const unpacker = new DecompressionStream('deflate-raw');
    const plain = await bytesOf(new Blob([bytes]).stream().pipeThrough(unpacker));
    return found[1] + new TextDecoder().decode(plain);
  } catch {
    return link;
  }
}
