// ioredis against a server: its whole default handshake, then what programs do with it.
import {
  allBytes, asObject, assert, check, oddKey, rejects, target, until,
} from './client_report.mjs';

const t = target();
const { Redis } = await import(`ioredis${t.major}`);
const protocol = t.major >= 6 ? { protocol: t.protocol } : {};
const open = (options = {}) => new Redis({ port: t.port, ...protocol, ...options });
const quit = (...clients) => Promise.all(clients.map((c) => c.quit()));

const c = open();
c.on('error', (error) => console.log(`not ok connection: ${error.message}`));

await check('default handshake and ready check', async () => {
  await until(async () => (await c.ping()) === 'PONG');
  assert.equal(c.status, 'ready');
  assert.match(await c.info(), /redis_version:\d+\.\d+\.\d+\r\n/);
  if (t.isHotkv) assert.match(await c.call('CLIENT', 'INFO'), /lib-name=ioredis.* lib-ver=\d/);
});

await check('the protocol in use', async () => {
  // RESP3 is not visible in ioredis's own shapes; the server says which one it speaks.
  if (t.isHotkv) assert.match(await c.call('CLIENT', 'INFO'), new RegExp(`resp=${t.protocol}\\b`));
  if (t.protocol === 3) {
    const mapped = open({ replyMapping: 'resp3' });
    assert.equal((await mapped.config('GET', 'maxclients')).maxclients, '10000');
    await quit(mapped);
  }
});

await check('strings', async () => {
  await c.flushall();
  assert.equal(await c.set('s', 'Hello'), 'OK');
  assert.equal(await c.append('s', ' world'), 11);
  assert.equal(await c.strlen('s'), 11);
  assert.equal(await c.getrange('s', -5, -1), 'world');
  assert.equal(await c.setrange('s', 6, 'There'), 11);
  assert.equal(await c.getset('s', 'x'), 'Hello There');
  assert.equal(await c.set('s', 'y', 'GET'), 'x');
  assert.equal(await c.set('s', 'z', 'NX'), null);
  assert.equal(await c.set('none', 'z', 'XX'), null);
  assert.equal(await c.getdel('s'), 'y');
  assert.equal(await c.get('s'), null);
  assert.equal(await c.incr('n'), 1);
  assert.equal(await c.incrby('n', 41), 42);
  assert.equal(await c.decrby('n', 2), 40);
  assert.equal(await c.incrbyfloat('n', '0.5'), '40.5');
  assert.equal(await c.mset('a', '1', 'b', '2'), 'OK');
  assert.deepEqual(await c.mget('a', 'missing', 'b'), ['1', null, '2']);
  assert.equal(await c.msetnx('a', '9', 'new', '9'), 0);
  assert.equal(await c.setnx('new', '9'), 1);
});

await check('keys', async () => {
  await c.flushall();
  await c.mset({ a: '1', b: '2' });
  assert.equal(await c.exists('a', 'b', 'a', 'none'), 3);
  assert.equal(await c.type('a'), 'string');
  assert.equal(await c.rename('a', 'c'), 'OK');
  assert.equal(await c.renamenx('c', 'b'), 0);
  assert.equal(await c.copy('c', 'd'), 1);
  assert.deepEqual((await c.keys('[cd]')).sort(), ['c', 'd']);
  assert.equal(await c.dbsize(), 3);
  assert.equal(await c.unlink('c', 'd'), 2);
  assert.equal(await c.randomkey(), 'b');
  assert.equal(await c.object('ENCODING', 'b'), 'int');
});

await check('expiry', async () => {
  await c.set('e', 'v', 'EX', 100);
  assert.equal(await c.ttl('e'), 100);
  assert.equal(await c.expire('e', 50, 'GT'), 0);
  assert.equal(await c.pexpire('e', 60_000), 1);
  assert.ok((await c.pttl('e')) <= 60_000);
  assert.equal(await c.getex('e', 'PERSIST'), 'v');
  assert.equal(await c.ttl('e'), -1);
  assert.equal(await c.ttl('missing'), -2);
  await c.expireat('e', 4_000_000_000);
  assert.equal(await c.expiretime('e'), 4_000_000_000);
  await c.set('short', 'v', 'PX', 20);
  await until(async () => (await c.get('short')) === null);
  await rejects(c.set('e', 'v', 'PX', 0), /^ERR invalid expire time in 'set' command$/);
});

await check('MULTI, WATCH and their errors', async () => {
  const other = open();
  await c.set('w', '1');
  assert.deepEqual(await c.multi().set('m', 'x').incr('w').get('m').exec(),
    [[null, 'OK'], [null, 2], [null, 'x']]);
  await c.watch('w');
  await other.set('w', 'changed');
  assert.equal(await c.multi().set('w', 'mine').exec(), null);
  assert.equal(await c.get('w'), 'changed');
  const results = await c.multi().incr('w').get('w').exec();
  assert.match(results[0][0].message, /^ERR value is not an integer or out of range$/);
  assert.equal(results[1][1], 'changed');
  await rejects(c.multi().call('NOSUCHCOMMAND').exec(), /^EXECABORT Transaction discarded/);
  await quit(other);
});

await check('SCAN visits every key', async () => {
  await c.flushall();
  const keys = Array.from({ length: 5000 }, (_, i) => `scan:${i}`);
  await c.mset(keys.flatMap((k) => [k, 'v']));
  await c.set('elsewhere', 'v');
  const seen = new Set();
  for await (const batch of c.scanStream({ match: 'scan:*', count: 100, type: 'string' })) {
    batch.forEach((k) => seen.add(k));
  }
  assert.deepEqual([...seen].sort(), keys.sort());
});

await check('a pipeline of 10,000', async () => {
  const pipeline = c.pipeline();
  for (let i = 0; i < 5000; i++) pipeline.set(`p${i % 7}`, i).get(`p${i % 7}`);
  const results = await pipeline.exec();
  assert.equal(results.length, 10_000);
  for (let i = 0; i < 5000; i++) assert.equal(results[2 * i + 1][1], String(i));
});

await check('binary keys and values', async () => {
  await c.set(oddKey, allBytes);
  assert.deepEqual(await c.getBuffer(oddKey), allBytes);
  assert.equal(await c.strlen(oddKey), 256);
  assert.equal(await c.getBuffer('k'), null);
  await c.set('empty', '');
  assert.equal(await c.get('empty'), '');
});

await check('values of 1 MiB', async () => {
  const large = Buffer.alloc(1 << 20, allBytes);
  await c.set('large', large);
  assert.ok(large.equals(await c.getBuffer('large')));
  const answers = await Promise.all(Array.from({ length: 20 }, () => c.getBuffer('large')));
  assert.ok(answers.every((a) => large.equals(a)));
});

await check('SELECT by option, and databases are apart', async () => {
  const third = open({ db: 3, connectionName: 'third' });
  await third.set('only-in-3', 'v');
  assert.equal(await c.get('only-in-3'), null);
  assert.equal(await third.get('only-in-3'), 'v');
  assert.equal(await third.client('GETNAME'), 'third');
  assert.match(await c.client('LIST'), /name=third .*db=3 /);
  await rejects(third.select(99), /^ERR DB index is out of range$/);
  await quit(third);
});

await check('AUTH: right, wrong and no password', async () => {
  const guarded = (options) => {
    const client = open({ port: t.guardedPort, retryStrategy: null, ...options });
    client.on('error', () => {});
    return client;
  };
  const right = guarded({ password: t.password });
  assert.equal(await right.set('k', 'v'), 'OK');
  const named = guarded({ username: 'default', password: t.password });
  assert.equal(await named.get('k'), 'v');
  const wrong = guarded({ password: 'wrong' });
  await rejects(wrong.get('k'), /WRONGPASS|NOAUTH/);
  const none = guarded({});
  await rejects(none.get('k'), /NOAUTH/);
  await quit(right, named);
  wrong.disconnect();
  none.disconnect();
});

await check('errors are answers', async () => {
  await c.set('text', 'abc');
  await rejects(c.incr('text'), /^ERR value is not an integer or out of range$/);
  await rejects(c.call('GET'), /^ERR wrong number of arguments for 'get' command$/);
  await rejects(c.call('NOSUCH', 'a', 'b'),
    /^ERR unknown command 'NOSUCH', with args beginning with: 'a' 'b' ?$/);
  await rejects(c.call('SET', 'k', 'v', 'NX', 'XX'), /^ERR syntax error$/);
  assert.equal(await c.ping('still here'), 'still here');
});

await check('reconnects after CLIENT KILL and replays SELECT', async () => {
  const victim = open({ db: 5 });
  await victim.set('before', '1');
  const id = await victim.client('ID');
  assert.equal(await c.client('KILL', 'ID', id), 1);
  assert.equal(await victim.get('before'), '1');
  assert.notEqual(await victim.client('ID'), id);
  await quit(victim);
});

await check('lock with SET NX PX', async () => {
  const other = open();
  await c.del('lock');
  assert.equal(await c.set('lock', 'A', 'PX', 30_000, 'NX'), 'OK');
  assert.equal(await other.set('lock', 'B', 'PX', 30_000, 'NX'), null);
  assert.equal(await other.get('lock'), 'A');
  await quit(other);
});

if (t.isHotkv) {
  await check('lock extended and released by its owner only', async () => {
    assert.equal(await c.call('SET', 'lock', 'B', 'IFEQ', 'B', 'PX', '60000'), null);
    assert.equal(await c.call('SET', 'lock', 'A', 'IFEQ', 'A', 'PX', '60000'), 'OK');
    assert.ok((await c.pttl('lock')) > 30_000);
    assert.equal(await c.call('DELEX', 'lock', 'IFEQ', 'B'), 0);
    assert.equal(await c.call('DELEX', 'lock', 'IFEQ', 'A'), 1);
    assert.equal(await c.call('DELEX', 'lock', 'IFEQ', 'A'), 0);
  });
  await check('LOCK, LOCKINFO and UNLOCK', async () => {
    const first = await c.call('LOCK', 'l', 'A', 'PX', '30000');
    assert.ok(Number.isSafeInteger(first) && first > 0);
    assert.equal(await c.call('LOCK', 'l', 'A', 'PX', '30000'), first);
    assert.equal(await c.call('LOCK', 'l', 'B', 'PX', '30000'), null);
    const state = asObject(await c.call('LOCKINFO', 'l'));
    assert.equal(state.holder, 'A');
    assert.equal(state.number, first);
    assert.equal(state.waiters, 0);
    assert.ok(state.ttl_ms > 0 && state.ttl_ms <= 30_000);
    assert.equal(await c.call('UNLOCK', 'l', 'B'), 0);
    assert.equal(await c.call('UNLOCK', 'l', 'A'), 1);
    assert.equal(await c.call('LOCKINFO', 'l'), null);
    assert.ok((await c.call('LOCK', 'l', 'B', 'PX', '30000')) > first);
  });
}

await quit(c);
