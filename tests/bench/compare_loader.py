"""A fast loader: writes keys through one pipelined connection and checks every reply."""

from resp_wire import Connection
from server_process import LaunchError

BATCH = 1000
OK = b"+OK\r\n"


def load(server, keys, name_of, value, ttl_s=None):
    """SETs name_of(0) ... name_of(keys - 1); all names must have the same length."""
    command = _template(len(name_of(0)), value, ttl_s)
    with Connection(server.address, timeout_s=60) as connection:
        waiting = 0
        for start in range(0, keys, BATCH):
            count = min(BATCH, keys - start)
            names = tuple(name_of(i) for i in range(start, start + count))
            connection.send((command * count) % names)
            # One batch stays in flight, so that the server works while the next one is made.
            if waiting:
                _expect_ok(connection, waiting)
            waiting = count
        _expect_ok(connection, waiting)


def _template(name_bytes, value, ttl_s):
    words = [b"$3\r\nSET\r\n", b"$%d\r\n%%b\r\n" % name_bytes,
             b"$%d\r\n%b\r\n" % (len(value), value)]
    if ttl_s is not None:
        text = b"%d" % ttl_s
        words += [b"$2\r\nEX\r\n", b"$%d\r\n%b\r\n" % (len(text), text)]
    return b"*%d\r\n" % len(words) + b"".join(words)


def _expect_ok(connection, count):
    got = connection.exactly(count * len(OK))
    if got != OK * count:
        raise LaunchError(f"a SET of the loader was refused: {got[:200]!r}")
