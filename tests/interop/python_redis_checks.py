#!/usr/bin/python3
"""Debian's python3-redis (4.3, RESP2) against a server: its default connection and its own API.

Arguments: port, port of a server with a password, the password, 'hotkv' or 'redis'.
"""

import sys
import time

import redis

PORT, GUARDED_PORT, PASSWORD = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
IS_HOTKV = sys.argv[4] == "hotkv"
ALL_BYTES = bytes(range(256))


def check(what, body):
    try:
        body()
        print(f"ok {what}")
    except Exception as error:  # Any kind of trouble is the failure of this one check.
        print(f"not ok {what}: {type(error).__name__}: {' '.join(str(error).split())}")


def equal(got, wanted):
    assert got == wanted, f"got {got!r}, wanted {wanted!r}"


def refused(text, call, *arguments, **options):
    try:
        got = call(*arguments, **options)
    except redis.ResponseError as error:
        assert text in str(error), f"got '{error}', wanted '{text}'"
        return
    raise AssertionError(f"got {got!r}, wanted the error '{text}'")


def until(condition, limit_s=10):
    end = time.monotonic() + limit_s
    while not condition():
        assert time.monotonic() < end, f"still not true after {limit_s} s"


r = redis.Redis(port=PORT)


def strings():
    r.flushall()
    equal(r.set("s", "Hello"), True)
    equal(r.append("s", " world"), 11)
    equal(r.getrange("s", -5, -1), b"world")
    equal(r.setrange("s", 6, "There"), 11)
    equal(r.set("s", "y", get=True), b"Hello There")
    equal(r.set("s", "z", nx=True), None)
    equal(r.getdel("s"), b"y")
    equal(r.incr("n", 42), 42)
    equal(r.decr("n"), 41)
    equal(r.incrbyfloat("n", 0.5), 41.5)
    equal(r.mset({"a": 1, "b": 2}), True)
    equal(r.mget("a", "missing", "b"), [b"1", None, b"2"])
    equal(r.msetnx({"a": 9, "new": 9}), False)
    equal(r.strlen("a"), 1)


def keys_and_expiry():
    r.set("e", "v", ex=100)
    equal(r.ttl("e"), 100)
    equal(r.expire("e", 50, gt=True), False)
    equal(r.pexpire("e", 60_000), True)
    equal(r.persist("e"), True)
    equal(r.ttl("e"), -1)
    equal(r.ttl("missing"), -2)
    equal(r.expireat("e", 4_000_000_000), True)
    equal(r.getex("e", persist=True), b"v")
    r.set("short", "v", px=20)
    until(lambda: r.get("short") is None)
    refused("invalid expire time in 'set' command", r.set, "e", "v", px=-1)
    equal(r.rename("e", "f"), True)
    equal(r.copy("f", "g"), True)
    equal(r.exists("f", "g", "e"), 2)
    equal(r.type("f"), b"string")
    equal(r.unlink("f", "g"), 2)


def transactions():
    equal(r.pipeline().set("m", "x").incr("n2").get("m").execute(), [True, 1, b"x"])
    with r.pipeline() as watching:
        watching.watch("m")
        r.set("m", "changed")
        watching.multi()
        watching.set("m", "mine")
        try:
            watching.execute()
            raise AssertionError("EXEC went through although the watched key changed")
        except redis.WatchError:
            pass
    equal(r.get("m"), b"changed")
    results = r.pipeline().incr("m").get("m").execute(raise_on_error=False)
    assert "not an integer" in str(results[0]), results
    equal(results[1], b"changed")
    r.transaction(lambda pipe: pipe.set("t", pipe.get("m") + b"!"), "m")


def scanning():
    r.flushdb()
    names = {f"scan:{i}".encode() for i in range(5000)}
    r.mset({name: "v" for name in names})
    r.set("elsewhere", "v")
    equal(set(r.scan_iter(match="scan:*", count=100)), names)
    equal(r.dbsize(), 5001)
    equal(set(r.keys("scan:499*")), {n for n in names if n.startswith(b"scan:499")})


def pipelines():
    pipe = r.pipeline(transaction=False)
    for _ in range(10_000):
        pipe.incr("counter")
    equal(pipe.execute(), list(range(1, 10_001)))


def binary_and_large():
    key = b"k\x00\xff\xfe\r\n\x80"
    r.set(key, ALL_BYTES)
    equal(r.get(key), ALL_BYTES)
    large = ALL_BYTES * 4096
    r.set("large", large)
    assert r.get("large") == large, "a value of 1 MiB came back changed"
    r.set("empty", b"")
    equal(r.get("empty"), b"")


def databases_and_names():
    third = redis.Redis(port=PORT, db=3, client_name="third", decode_responses=True)
    third.set("only-in-3", "é")
    equal(third.get("only-in-3"), "é")
    equal(r.get("only-in-3"), None)
    equal(third.client_getname(), "third")
    assert any(c["name"] == "third" and c["db"] == "3" for c in r.client_list()), r.client_list()
    refused("DB index is out of range", third.select, 99)


def passwords():
    def guarded(**options):
        return redis.Redis(port=GUARDED_PORT, **options)

    equal(guarded(password=PASSWORD).set("k", "v"), True)
    equal(guarded(username="default", password=PASSWORD).get("k"), b"v")
    for options in ({"password": "wrong"}, {}):
        try:
            guarded(**options).get("k")
            raise AssertionError(f"served with {options}")
        except (redis.AuthenticationError, redis.ResponseError) as error:
            assert str(error).startswith(("WRONGPASS", "Authentication required", "NOAUTH")), error


def errors():
    r.set("text", "abc")
    refused("value is not an integer or out of range", r.incr, "text")
    refused("wrong number of arguments for 'get' command", r.execute_command, "GET")
    refused("unknown command 'NOSUCH'", r.execute_command, "NOSUCH")
    equal(r.ping(), True)


def administration():
    equal(r.config_get("maxclients"), {"maxclients": "10000"})
    equal(r.config_set("maxclients", 9000), True)
    equal(r.config_set("maxclients", 10000), True)
    assert r.info()["redis_version"], "INFO has no redis_version"
    equal(r.info("server")["redis_mode"], "standalone")
    assert abs(r.time()[0] - time.time()) < 5
    equal(r.command()["get"]["arity"], 2)
    assert r.command_count() > 50
    equal(r.role()[0], b"master")
    equal(r.echo("still here"), b"still here")


def lock_by_set():
    r.delete("lock")
    equal(r.set("lock", "A", nx=True, px=30_000), True)
    equal(r.set("lock", "B", nx=True, px=30_000), None)


def lock_by_conditions():
    x = r.execute_command
    equal(x("SET", "lock", "B", "IFEQ", "B", "PX", 60_000), None)
    assert x("SET", "lock", "A", "IFEQ", "A", "PX", 60_000), "the owner could not extend"
    equal(x("DELEX", "lock", "IFEQ", "B"), 0)
    equal(x("DELEX", "lock", "IFEQ", "A"), 1)


def lock_commands():
    x = r.execute_command
    first = x("LOCK", "l", "A", "PX", 30_000)
    assert isinstance(first, int) and 0 < first < 2**53, first
    equal(x("LOCK", "l", "A", "PX", 30_000), first)
    equal(x("LOCK", "l", "B", "PX", 30_000), None)
    flat = x("LOCKINFO", "l")
    state = dict(zip(flat[::2], flat[1::2]))
    equal((state[b"holder"], state[b"number"], state[b"waiters"]), (b"A", first, 0))
    equal(x("UNLOCK", "l", "B"), 0)
    equal(x("UNLOCK", "l", "A"), 1)
    assert x("LOCK", "l", "B", "PX", 30_000) > first


for name, body in (("strings", strings), ("keys and expiry", keys_and_expiry),
                   ("MULTI, WATCH and their errors", transactions),
                   ("SCAN visits every key", scanning), ("a pipeline of 10,000", pipelines),
                   ("binary and large values", binary_and_large),
                   ("SELECT, client name, CLIENT LIST", databases_and_names),
                   ("AUTH: right, wrong and no password", passwords),
                   ("errors are answers", errors),
                   ("CONFIG, INFO, TIME, COMMAND, ROLE", administration),
                   ("lock with SET NX PX", lock_by_set)):
    check(name, body)
if IS_HOTKV:
    check("lock extended and released by its owner only", lock_by_conditions)
    check("LOCK, LOCKINFO and UNLOCK", lock_commands)
