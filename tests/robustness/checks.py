"""The list of robustness checks, and what a check gets to work with.

There are three kinds:
  @compared   runs once on the server under test and once on redis-server 7.0.15, and returns what a
              client could observe; the two observations must be equal
  @required   runs on the server under test only, because Redis 7.0 has nothing to compare with or
              the contract is stricter than Redis; it raises AssertionError itself
  @measured   gets both sides at once and compares figures
"""

from typing import Callable, NamedTuple

from resp_wire import Closed, Connection
from server_process import Server


class Check(NamedTuple):
    kind: str
    title: str
    body: Callable


CHECKS = []


def _register(kind, title):
    def keep(body):
        CHECKS.append(Check(kind, title, body))
        return body
    return keep


def compared(title):
    return _register("compared", title)


def required(title):
    return _register("required", title)


def measured(title):
    return _register("measured", title)


class Side:
    """One of the two servers that checks run on: the one under test, or the reference."""

    def __init__(self, name, binary, full):
        self.name, self.binary, self.full = name, binary, full
        self.notes = []
        self._shared = None
        with self.shared().connect() as connection:
            self.is_hotkv = b"hotkv_version:" in connection.command("INFO")

    def start(self, *arguments, **options):
        """A server of this check's own, with arguments."""
        return _Connecting(self.binary, *arguments, **options)

    def shared(self):
        """A server with default options that checks share; it is replaced when it has died."""
        if self._shared is None or not self._shared.alive():
            self._shared = self.start()
        return self._shared

    def emptied(self):
        server = self.shared()
        with server.connect() as connection:
            expect(connection.command("FLUSHALL"), "OK", "FLUSHALL")
        return server

    def note(self, text):
        """A figure worth printing beside the verdict."""
        self.notes.append(f"{self.name}: {text}")

    def close(self):
        if self._shared is not None:
            self._shared.stop(kill=True)


class _Connecting(Server):
    def connect(self, **options):
        return Connection(self.address, **options)


def expect(got, wanted, what):
    assert got == wanted, f"{what}: got {short(got)}, wanted {short(wanted)}"


def short(value):
    text = repr(value)
    return text if len(text) <= 300 else f"{text[:200]}...({len(text)} characters)...{text[-60:]}"


SENTINEL = b"*2\r\n$4\r\nECHO\r\n$16\r\nhotkv-end-of-job\r\n"
SENTINEL_REPLY = b"$16\r\nhotkv-end-of-job\r\n"


def converse(server, data):
    """The bytes that answer `data`, and whether the connection is open or closed afterwards.

    `data` must end at the end of a command, or be refused: the marker that follows it would become
    part of an unfinished one.
    """
    with server.connect() as connection:
        connection.send(data + SENTINEL)
        return read_to_sentinel(connection)


def read_to_sentinel(connection):
    while not connection.unread().endswith(SENTINEL_REPLY):
        try:
            connection.receive()
        except Closed:
            return connection.unread(), "closed"
    return connection.unread()[:-len(SENTINEL_REPLY)], "open"


def synchronise(server):
    """Returns when the server has had a turn after everything that was sent before."""
    with server.connect() as connection:
        expect(connection.command("PING"), "PONG", "PING")
