"""Ten thousand connections of damaged commands and noise, answered byte for byte as Redis does."""

import random
import re

from checks import expect, measured, short
from resp_wire import Closed, encode

CONNECTIONS = 10_000
SEED = 1
# No command here looks at the clock, at other clients or at the server, so that the answers of two
# servers may be compared; and none can stop a server. No byte is NUL, because one in an unfinished
# line keeps Redis waiting for an end that it then never finds.
KEYS = ["a", "b", "c", "key with space", "", "\x7f", "ключ"]
VALUES = ["", "1", "-7", "3.5", "text", "9223372036854775807", "v" * 40, "\r\n$3\r\n",
          "\x01\xff"]
OPTIONS = ["NX", "XX", "GET", "KEEPTTL", "EX", "PX", "100000", "0", "-1", "x", "GT", "LT"]
COMMANDS = ["SET", "GET", "APPEND", "INCR", "DECR", "INCRBY", "DECRBY", "STRLEN", "GETRANGE", "DEL",
            "SETRANGE", "EXISTS", "MSET", "MGET", "SETNX", "GETSET", "GETDEL", "RENAME", "COPY",
            "TYPE", "EXPIRE", "PERSIST", "TOUCH", "ECHO", "PING", "SELECT", "MULTI", "EXEC",
            "DISCARD", "WATCH", "UNWATCH", "RESET", "nosuch", "", "MSETNX", "SUBSTR", "UNLINK",
            "RENAMENX", "INCRBYFLOAT"]
NOISE = [b"\r\n", b"\n", b"*", b"$", b"*1\r\n", b"$0\r\n", b"-1", b"\x01", b" ", b"'", b'"',
         b"\\x", b"+", b":"]


def _random_command(dice):
    words = [dice.choice(COMMANDS)]
    for _ in range(dice.choice((0, 1, 1, 2, 2, 3, 4))):
        pool = dice.choice((KEYS, KEYS, VALUES, OPTIONS))
        words.append(dice.choice(pool))
    if dice.random() < 0.25:
        return " ".join(w for w in words if w.isalnum()).encode() + dice.choice((b"\r\n", b"\n"))
    return encode(*words)


def _damage(dice, data):
    data = bytearray(data)
    for _ in range(dice.choice((1, 1, 2, 5))):
        at = dice.randrange(len(data) + 1)
        kind = dice.randrange(5)
        if kind == 0:
            data[at:at] = dice.choice(NOISE)
        elif kind == 1:
            del data[at:at + dice.choice((1, 1, 2, 10))]
        elif kind == 2 and at < len(data):
            data[at] = data[at] ^ 1 << dice.randrange(8) or 1
        elif kind == 3:
            data[at:at] = data[at:at + dice.randrange(30)]
        else:
            del data[at:]
    return bytes(data)


def conversation(dice):
    """What one connection sends: noise, or commands of which two thirds are damaged."""
    if dice.random() < 0.1:
        return bytes(dice.randrange(1, 256) for _ in range(dice.randrange(1, 200)))
    data = b"".join(_random_command(dice) for _ in range(dice.randrange(1, 8)))
    return data if dice.random() < 1 / 3 else _damage(dice, data)


def _answer(server, data):
    with server.connect() as connection:
        try:
            connection.send(data)
        except Closed:
            pass
        connection.finish_writing()
        return connection.rest()


# The fault of a line that never ends may be told at once; Redis waits for the end first.
EARLY_FAULT = re.compile(rb"-ERR Protocol error: expected '\$', got '[^\r]*'\r\n", re.S)


def _same(got, wanted):
    return got == wanted or (got.startswith(wanted) and
                             EARLY_FAULT.fullmatch(got[len(wanted):]) is not None)


def shrink(target, reference, data):
    """Drops bytes for as long as the two servers still disagree, to show the cause alone."""
    size = len(data) // 2
    while size:
        at = 0
        while at < len(data):
            shorter = data[:at] + data[at + size:]
            if shorter and _disagree(target, reference, shorter):
                data = shorter
            else:
                at += size
        size //= 2
    return data


def _disagree(target, reference, data):
    for server in (target, reference):
        _answer(server, encode("FLUSHALL"))
    return not _same(_answer(target, data), _answer(reference, data))


def _known_to_one_only(mine, theirs):
    """Commands of one server that the other does not have: damage may make one out of another."""
    names = []
    for server in (mine, theirs):
        with server.connect() as connection:
            names.append({name.upper() for name in connection.command("COMMAND", "LIST")})
    return names[0] ^ names[1]


@measured("10,000 connections of noise and damaged commands: the same bytes as from redis-server")
def noise(target, reference):
    dice = random.Random(SEED)
    with target.start() as mine, reference.start() as theirs:
        differing = []
        foreign = _known_to_one_only(mine, theirs)
        for number in range(CONNECTIONS * (10 if target.full else 1)):
            data = conversation(dice)
            got, wanted = _answer(mine, data), _answer(theirs, data)
            unknown = re.findall(rb"unknown command '([^']*)'", got + wanted)
            if not _same(got, wanted) and not foreign.intersection(map(bytes.upper, unknown)):
                differing.append((number, data, got, wanted))
            if number % 100 == 99 or not _same(got, wanted):
                for server in (mine, theirs):
                    _answer(server, encode("FLUSHALL"))
            if len(differing) == 20:
                break
        lines = []
        for number, data, got, wanted in differing[:5]:
            if _disagree(mine, theirs, data):
                data = shrink(mine, theirs, data)
                _disagree(mine, theirs, b"PING\r\n")  # Empties both.
                got, wanted = _answer(mine, data), _answer(theirs, data)
            lines.append(f"\n  connection {number}: {short(data)} answered {short(got)}, "
                         f"redis-server {short(wanted)}")
        assert not differing, f"{len(differing)} differences with seed {SEED}:" + "".join(lines)
        with mine.connect() as connection:
            expect(connection.command("PING"), "PONG", "PING afterwards")
            clients = connection.command("INFO", "clients")
        expect(b"connected_clients:1\r\n" in clients, True, "all connections gone")
