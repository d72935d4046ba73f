// node-redis (npm "redis") against a server: its whole default handshake, then its own typed API.
import {
  allBytes, asObject, assert, check, oddKey, rejects, target, until,
} from './client_report.mjs';

const t = target();
const { createClient, RESP_TYPES, WatchError } = await import(`redis${t.major}`);
// The default protocol of the major is left to the client, so that its default is what is tested.
const defaultProtocol = t.major >= 6 ? 3 : 2;
const protocol = t.protocol === defaultProtocol ? {} : { RESP: t.protocol };
const fatal = [];

async function open({ port = t.port, reconnect = true, ...options } = {}) {
  const socket = { port, ...(reconnect ? {} : { reconnectStrategy: false }) };
  const client = createClient({ socket, ...protocol, ...options });
  client.on('error', (error) => fatal.push(error));
  await client.connect();
  return client;
}

const c = await open();
const asBuffers = c.withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer });

await check('default handshake', async () => {
  assert.equal(await c.ping(), 'PONG');
  assert.equal(fatal.length, 0);
  if (t.isHotkv) {
    const info = await c.clientInfo();
    assert.equal(info.libName, 'node-redis');
    assert.match(info.libVer, /^\d/);
    assert.equal(info.resp, t.protocol);
  }
});

await check('HELLO answers the protocol in use', async () => {
  const hello = asObject(await c.sendCommand(['HELLO']));
  assert.equal(hello.proto, t.protocol);
  assert.equal(hello.server, 'redis');
  assert.equal(hello.mode, 'standalone');
  assert.equal(hello.role, 'master');
  assert.deepEqual(hello.modules, []);
});

await check('strings', async () => {
  await c.flushAll();
  assert.equal(await c.set('s', 'Hello'), 'OK');
  assert.equal(await c.append('s', ' world'), 11);
  assert.equal(await c.getRange('s', -5, -1), 'world');
  assert.equal(await c.set('s', 'y', { GET: true }), 'Hello world');
  assert.equal(await c.set('s', 'z', { condition: 'NX' }), null);
  assert.equal(await c.getDel('s'), 'y');
  assert.equal(await c.get('s'), null);
  assert.equal(await c.incrBy('n', 42), 42);
  assert.equal(await c.decr('n'), 41);
  assert.equal(await c.incrByFloat('n', 0.5), '41.5');
  assert.equal(await c.mSet([['a', '1'], ['b', '2']]), 'OK');
  assert.deepEqual(await c.mGet(['a', 'missing', 'b']), ['1', null, '2']);
  assert.equal(await c.lcs('a', 'b'), '');
  assert.equal(await c.setNX('a', '9'), 0);
});

await check('keys and expiry', async () => {
  await c.set('e', 'v', { expiration: { type: 'EX', value: 100 } });
  assert.equal(await c.ttl('e'), 100);
  assert.equal(await c.expire('e', 200, 'LT'), 0);
  assert.equal(await c.pExpire('e', 60_000), 1);
  assert.equal(await c.set('e', 'w', { expiration: 'KEEPTTL' }), 'OK');
  assert.ok((await c.pTTL('e')) <= 60_000);
  assert.equal(await c.getEx('e', { type: 'PERSIST' }), 'w');
  assert.equal(await c.ttl('e'), -1);
  assert.equal(await c.expireAt('e', 4_000_000_000), 1);
  assert.equal(await c.expireTime('e'), 4_000_000_000);
  await c.set('short', 'v', { expiration: { type: 'PX', value: 20 } });
  await until(async () => (await c.exists('short')) === 0);
  await rejects(c.expire('e', '99999999999999999'),
    /^ERR invalid expire time in 'expire' command$/);
  assert.equal(await c.copy('e', 'e2'), 1);
  assert.equal(await c.type('e2'), 'string');
  assert.equal(await c.del(['e', 'e2', 'none']), 2);
});

await check('MULTI, WATCH and their errors', async () => {
  const other = await open();
  await c.set('w', '1');
  assert.deepEqual(await c.multi().set('m', 'x').incr('w').get('m').exec(), ['OK', 2, 'x']);
  await c.watch('w');
  await other.set('w', 'changed');
  await assert.rejects(c.multi().set('w', 'mine').exec(), WatchError);
  assert.equal(await c.get('w'), 'changed');
  await assert.rejects(c.multi().incr('w').get('w').exec(), (error) => {
    assert.match(error.replies[0].message, /^ERR value is not an integer or out of range$/);
    return error.replies[1] === 'changed';
  });
  await rejects(c.multi().addCommand(['NOSUCHCOMMAND']).exec(),
    /^(EXECABORT Transaction discarded because of previous errors\.|ERR unknown command.*)$/);
  await other.close();
});

await check('SCAN visits every key', async () => {
  await c.flushDb();
  const keys = Array.from({ length: 5000 }, (_, i) => `scan:${i}`);
  await c.mSet(keys.flatMap((k) => [k, 'v']));
  await c.set('elsewhere', 'v');
  const seen = new Set();
  for await (const batch of c.scanIterator({ MATCH: 'scan:*', COUNT: 100, TYPE: 'string' })) {
    batch.forEach((k) => seen.add(k));
  }
  assert.deepEqual([...seen].sort(), keys.sort());
});

await check('a pipeline of 10,000', async () => {
  const answers = await Promise.all(Array.from({ length: 10_000 }, () => c.incr('counter')));
  assert.deepEqual(answers, Array.from({ length: 10_000 }, (_, i) => i + 1));
});

await check('binary keys and values, 1 MiB', async () => {
  await c.set(oddKey, allBytes);
  assert.deepEqual(await asBuffers.get(oddKey), allBytes);
  const large = Buffer.alloc(1 << 20, allBytes);
  await c.set('large', large);
  assert.ok(large.equals(await asBuffers.get('large')));
  await c.set('empty', '');
  assert.equal(await c.get('empty'), '');
});

await check('SELECT by option, client name, CLIENT LIST', async () => {
  const third = await open({ database: 3, name: 'third' });
  await third.set('only-in-3', 'v');
  assert.equal(await c.get('only-in-3'), null);
  assert.equal(await third.clientGetName(), 'third');
  const listed = (await c.clientList()).find((one) => one.name === 'third');
  assert.equal(listed.db, 3);
  assert.equal(listed.id, await third.clientId());
  await rejects(third.select(99), /^ERR DB index is out of range$/);
  await third.close();
});

await check('AUTH: right, wrong and no password', async () => {
  const guarded = (options) => open({ port: t.guardedPort, reconnect: false, ...options });
  const right = await guarded({ password: t.password, name: 'with-auth' });
  assert.equal(await right.set('k', 'v'), 'OK');
  assert.equal(await right.clientGetName(), 'with-auth');
  const named = await guarded({ username: 'default', password: t.password });
  assert.equal(await named.get('k'), 'v');
  await rejects(guarded({ password: 'wrong' }), /^WRONGPASS invalid username-password pair/);
  // With RESP3 the handshake itself is refused; with RESP2 the first command is.
  await rejects((async () => {
    const none = await guarded({});
    try {
      await none.get('k');
    } finally {
      await none.close();
    }
  })(), /^NOAUTH /);
  await right.close();
  await named.close();
});

await check('errors are answers', async () => {
  await c.set('text', 'abc');
  await rejects(c.incr('text'), /^ERR value is not an integer or out of range$/);
  await rejects(c.sendCommand(['GET']), /^ERR wrong number of arguments for 'get' command$/);
  await rejects(c.sendCommand(['NOSUCH', 'a']),
    /^ERR unknown command 'NOSUCH', with args beginning with: 'a' ?$/);
  assert.equal(await c.echo('still here'), 'still here');
});

await check('CONFIG GET, INFO, COMMAND, ROLE, TIME', async () => {
  assert.equal((await c.configGet('maxclients')).maxclients, '10000');
  assert.match(await c.info('server'), /redis_version:/);
  assert.equal((await c.commandInfo(['get']))[0].arity, 2);
  assert.ok((await c.commandCount()) > 50);
  assert.equal((await c.role()).role, 'master');
  // Node-redis turns TIME into a Date in one major and leaves the two words in another.
  assert.ok(await c.time());
});

await check('lock with SET NX PX', async () => {
  const nx = { condition: 'NX', expiration: { type: 'PX', value: 30_000 } };
  assert.equal(await c.set('lock', 'A', nx), 'OK');
  assert.equal(await c.set('lock', 'B', nx), null);
  assert.equal(await c.get('lock'), 'A');
});

if (t.isHotkv) {
  await check('lock extended and released by its owner only', async () => {
    const extend = (token) => c.sendCommand(['SET', 'lock', token, 'IFEQ', token, 'PX', '60000']);
    assert.equal(await extend('B'), null);
    assert.equal(await extend('A'), 'OK');
    assert.ok((await c.pTTL('lock')) > 30_000);
    assert.equal(await c.delEx('lock', { condition: 'IFEQ', matchValue: 'B' }), 0);
    assert.equal(await c.digest('lock'), await c.sendCommand(['DIGEST', 'lock']));
    const matchValue = await c.digest('lock');
    assert.equal(await c.delEx('lock', { condition: 'IFDEQ', matchValue }), 1);
    assert.equal(await c.delEx('lock', { condition: 'IFEQ', matchValue: 'A' }), 0);
    await c.set('hello', 'Hello world');
    assert.equal(await c.digest('hello'), 'b6acb9d84a38ff74');
  });
  await check('LOCK, LOCKINFO and UNLOCK', async () => {
    const lock = (token) => c.sendCommand(['LOCK', 'l', token, 'PX', '30000']);
    const first = await lock('A');
    assert.ok(Number.isSafeInteger(first) && first > 0);
    assert.equal(await lock('A'), first);
    assert.equal(await lock('B'), null);
    const state = asObject(await c.sendCommand(['LOCKINFO', 'l']));
    assert.equal(state.holder, 'A');
    assert.equal(state.number, first);
    assert.equal(await c.sendCommand(['UNLOCK', 'l', 'B']), 0);
    assert.equal(await c.sendCommand(['UNLOCK', 'l', 'A']), 1);
    assert.ok((await lock('B')) > first);
  });
  await check('MSETEX and INCREX where the client has them', async () => {
    assert.equal(await c.mSetEx([['x', '1'], ['y', '2']],
      { expiration: { type: 'EX', value: 100 }, mode: 'NX' }), 1);
    assert.equal(await c.ttl('y'), 100);
    if (c.incrEx) {
      assert.deepEqual(await c.incrEx('x', { by: 5, upperBound: 6 }), [6, 5]);
      assert.deepEqual(await c.incrEx('x', { by: 5, upperBound: 6 }), [6, 0]);
    }
  });
}

await c.close();
