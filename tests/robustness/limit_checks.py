"""The limits of CONFIG: clients, idle time, query buffer and reply buffers."""

import re
import socket
import struct

from checks import compared, expect, required, synchronise
from resp_wire import Closed
from server_process import poll_until

LARGE = 100_000


@compared("maxclients: the next client is told so, and a free place is given again")
def maxclients(side):
    with side.start("--maxclients", "10") as server:
        held = [server.connect() for _ in range(10)]
        for connection in held:
            expect(connection.command("PING"), "PONG", "PING within the limit")
        with server.connect() as refused:
            seen = [refused.rest()]
        held.pop().close()

        def served():
            with server.connect() as connection:
                try:
                    return connection.command("PING") == "PONG"
                except Closed:
                    return False

        assert poll_until(served, 10), "no new client is served after one has left"
        with held[0] as connection:
            seen.append(connection.command("CONFIG", "SET", "maxclients", 0))
            seen.append(connection.command("CONFIG", "GET", "maxclients"))
        return seen


@compared("timeout: an idle client is closed, a busy one is not")
def idle_timeout(side):
    with side.start("--timeout", "1") as server:
        with server.connect() as busy, server.connect() as idle:
            expect(idle.command("PING"), "PONG", "PING")
            idle.socket.setblocking(False)

            def closed():
                expect(busy.command("PING"), "PONG", "PING of the busy client")
                try:
                    return idle.socket.recv(100) == b""
                except BlockingIOError:
                    return False

            assert poll_until(closed, 10), "an idle client is still connected after 10 s"
        return "closed"


def _refuses_to_read(side, limit):
    """A client asks for 80 MB and reads nothing; True once the server has closed it."""
    with side.start("--client-output-buffer-limit", limit) as server, server.connect() as other:
        expect(other.command("SET", "large", b"x" * LARGE), "OK", "SET")
        greedy = server.connect(receive_buffer_bytes=65536)
        number = greedy.command("CLIENT", "ID")
        greedy.send(b"GET large\r\n" * 800)

        def gone():
            listed = other.command("CLIENT", "LIST").decode()
            return not re.search(rf"^id={number} ", listed, re.M)

        assert poll_until(gone, 15), f"still connected in spite of the limit '{limit}'"
        assert server.wait_for_log(r"(?i)output buffer"), "the log does not say why"
        greedy.close()
        return True


@compared("client-output-buffer-limit: the hard limit closes the client and is logged")
def hard_output_limit(side):
    return _refuses_to_read(side, "normal 1mb 0 0")


@compared("client-output-buffer-limit: the soft limit closes it after its seconds")
def soft_output_limit(side):
    return _refuses_to_read(side, "normal 0 1mb 1")


@compared("client-query-buffer-limit: a client that exceeds it is closed")
def query_buffer_limit(side):
    with side.start("--client-query-buffer-limit", "1mb") as server:
        seen = []
        for data in (b"*2\r\n$4\r\nECHO\r\n$500000\r\n" + b"x" * 500_000 + b"\r\n",
                     b"*3\r\n$4\r\nMSET\r\n$4000000\r\n" + b"x" * 3_000_000):
            with server.connect() as connection:
                try:
                    connection.send(data)
                    connection.finish_writing()
                    connection.rest()
                    seen.append(connection.unread()[:20])
                except Closed:
                    seen.append(b"")
        assert server.wait_for_log(r"(?i)query buffer"), "the log does not say why"
        with server.connect() as connection:
            expect(connection.command("PING"), "PONG", "PING afterwards")
        return seen


@compared("proto-max-bulk-len can be lowered")
def bulk_limit(side):
    with side.start("--proto-max-bulk-len", "1mb") as server:
        seen = []
        for size in (1 << 20, (1 << 20) + 1):
            with server.connect() as connection:
                connection.send(b"*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$%d\r\n" % size)
                if size <= 1 << 20:
                    connection.send(b"x" * size + b"\r\n")
                    seen.append(connection.reply())
                else:
                    seen.append(connection.rest())
        return seen


@compared("clients that vanish with a reset in the middle leave nothing behind")
def resets(side):
    server = side.emptied()
    abort = struct.pack("ii", 1, 0)  # Linger for 0 s: close() sends a reset.
    with server.connect() as connection:
        expect(connection.command("SET", "large", b"x" * LARGE), "OK", "SET")
        for number in range(2000):
            broken = server.connect()
            broken.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, abort)
            broken.send((b"*3\r\n$3\r\nSET\r\n$5\r\nab", b"GET large\r\n" * 5, b"PING\r\nPI",
                         b"MULTI\r\nSET a b\r\n")[number % 4])
            broken.close()

        def alone():
            return b"connected_clients:1\r\n" in connection.command("INFO", "clients")

        assert poll_until(alone, 10), connection.command("INFO", "clients")
        return connection.command("EXISTS", "a")


@required("a client that is paused or stopped holds up nobody else")
def stopped_client(side):
    server = side.shared()
    with server.connect() as stuck, server.connect() as other:
        stuck.send(b"*2\r\n$4\r\nECHO\r\n$1000\r\nhalf")
        synchronise(server)
        for number in range(1000):
            expect(other.command("ECHO", number), b"%d" % number, "ECHO beside a half command")
        stuck.send(b"x" * 996 + b"\r\n")
        expect(stuck.reply(), b"half" + b"x" * 996, "the other half")
