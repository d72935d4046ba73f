// What the JavaScript client programs share: one line a check, which tests/interop/run counts, and
// the arguments that it hands over. A check that never ends is a failure, not a hang.
import assert from 'node:assert/strict';

const CHECK_LIMIT_MS = 30_000;

export function target() {
  const [major, protocol, port, guardedPort, password, kind] = process.argv.slice(2);
  return {
    major: Number(major), protocol: Number(protocol), port: Number(port),
    guardedPort: Number(guardedPort), password, isHotkv: kind === 'hotkv',
  };
}

export async function check(what, body) {
  let timer;
  const limit = new Promise((resolve, reject) => {
    const late = new Error(`no end within ${CHECK_LIMIT_MS} ms`);
    timer = setTimeout(() => reject(late), CHECK_LIMIT_MS);
  });
  try {
    await Promise.race([body(), limit]);
    console.log(`ok ${what}`);
  } catch (error) {
    console.log(`not ok ${what}: ${String(error?.message ?? error).replace(/\s+/g, ' ')}`);
  } finally {
    clearTimeout(timer);
  }
}

// Asks until the condition holds; every question is a round trip to the server.
export async function until(condition, limitMs = 10_000) {
  const end = Date.now() + limitMs;
  while (!(await condition())) {
    assert.ok(Date.now() < end, `still not true after ${limitMs} ms: ${condition}`);
  }
}

export async function rejects(promise, pattern) {
  await assert.rejects(promise, (error) => {
    assert.match(String(error.message), pattern);
    return true;
  });
}

// A RESP3 map and the flat array of RESP2, as one kind of object.
export function asObject(reply) {
  if (reply instanceof Map) return Object.fromEntries(reply);
  if (!Array.isArray(reply)) return { ...reply };
  const result = {};
  for (let i = 0; i < reply.length; i += 2) result[String(reply[i])] = reply[i + 1];
  return result;
}

export const allBytes = Buffer.from(Array.from({ length: 256 }, (_, i) => i));
export const oddKey = Buffer.from([0x6b, 0x00, 0xff, 0xfe, 0x0d, 0x0a, 0x80]);
export { assert };
