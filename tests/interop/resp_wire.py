"""A blocking RESP2/RESP3 connection for tests, written apart from the engine's own parser.

Replies become Python values: bytes (bulk), str (simple string), int, float, bool, None, list, dict
(map), and the types Failure (error) and Push. Sending and reading are separate on purpose: tests
write half commands, whole pipelines or garbage, and look at the exact bytes that come back.
"""

import socket
import time


class Failure(str):
    """An error reply, without its leading minus."""


class Push(list):
    """An out-of-band RESP3 push."""


class Closed(Exception):
    """The server closed the connection, orderly or by a reset."""


def encode(*words):
    """One command as a RESP array of bulk strings."""
    parts = [b"*%d\r\n" % len(words)]
    for word in words:
        data = word if isinstance(word, (bytes, bytearray)) else str(word).encode()
        parts += [b"$%d\r\n" % len(data), data, b"\r\n"]
    return b"".join(parts)


class Connection:
    def __init__(self, address, timeout_s=20, receive_buffer_bytes=None):
        family = socket.AF_UNIX if isinstance(address, str) else socket.AF_INET
        self.socket = socket.socket(family)
        if receive_buffer_bytes:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer_bytes)
        self.socket.settimeout(timeout_s)
        self.socket.connect(address)
        if family == socket.AF_INET:
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._buffer = bytearray()
        self._at = 0

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.close()

    def close(self):
        self.socket.close()

    def send(self, data):
        try:
            self.socket.sendall(data)
        except (ConnectionResetError, BrokenPipeError):
            raise Closed() from None

    def command(self, *words):
        self.send(encode(*words))
        return self.reply()

    def finish_writing(self):
        try:
            self.socket.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def receive(self):
        """Reads once more from the socket into what unread() shows."""
        try:
            data = self.socket.recv(1 << 20)
        except ConnectionResetError:
            raise Closed() from None
        if not data:
            raise Closed()
        if self._at:
            del self._buffer[:self._at]
            self._at = 0
        self._buffer += data

    def line(self):
        while True:
            end = self._buffer.find(b"\r\n", self._at)
            if end >= 0:
                text = bytes(self._buffer[self._at:end])
                self._at = end + 2
                return text
            self.receive()

    def exactly(self, size):
        while len(self._buffer) - self._at < size:
            self.receive()
        data = bytes(self._buffer[self._at:self._at + size])
        self._at += size
        return data

    def reply(self):
        line = self.line()
        kind, text = line[:1], line[1:]
        if kind == b"+":
            return text.decode()
        if kind == b"-":
            return Failure(text.decode("utf-8", "backslashreplace"))
        if kind in b":(":
            return int(text)
        if kind == b",":
            return float(text)
        if kind == b"#":
            return text == b"t"
        if kind == b"_":
            return None
        if kind in b"$=":
            size = int(text)
            return None if size < 0 else self.exactly(size + 2)[:-2]
        if kind in b"*~>":
            size = int(text)
            if size < 0:
                return None
            items = [self.reply() for _ in range(size)]
            return Push(items) if kind == b">" else items
        if kind == b"%":
            return {self.reply(): self.reply() for _ in range(int(text))}
        raise ValueError(f"not the start of a reply: {line!r}")

    def rest(self, timeout_s=20):
        """Every byte up to the end of the connection; the end may be a reset."""
        end = time.monotonic() + timeout_s
        while True:
            left = end - time.monotonic()
            if left <= 0:
                raise TimeoutError(f"still open after {timeout_s} s; got {self.unread()[:200]!r}")
            self.socket.settimeout(left)
            try:
                self.receive()
            except Closed:
                return self.unread()

    def unread(self):
        return bytes(self._buffer[self._at:])
