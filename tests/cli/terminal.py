"""A program in a pseudo terminal, seen as a person sees it: through a screen (pyte)."""

import errno
import fcntl
import os
import pty
import select
import signal
import struct
import termios
import time

import pyte

ROWS, COLUMNS = 40, 100
KEYS = {"tab": "\t", "enter": "\r", "up": "\x1b[A", "down": "\x1b[B", "left": "\x1b[D",
        "home": "\x01", "end": "\x05", "ctrl-c": "\x03", "ctrl-d": "\x04", "ctrl-r": "\x12",
        "ctrl-u": "\x15", "ctrl-w": "\x17", "backspace": "\x7f"}


class Silence(Exception):
    """What was waited for did not appear; the message shows the screen."""


class Terminal:
    """type() and press() are a person's hands, rows() and row() the eyes, wait() the patience."""

    def __init__(self, command, environment=None, columns=COLUMNS, rows=ROWS):
        self.screen = pyte.Screen(columns, rows)
        self.bytes = b""
        self._stream = pyte.ByteStream(self.screen)
        self.status = None
        self.pid, self._fd = pty.fork()
        if self.pid == 0:
            os.execve(command[0], command, {"TERM": "xterm-256color", "LANG": "C.UTF-8",
                                            "HOME": "/nonexistent", **(environment or {})})
        self._set_size(rows, columns)

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        if self.status is None:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self._fd)

    def _set_size(self, rows, columns):
        fcntl.ioctl(self._fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def resize(self, columns):
        self.screen.resize(columns=columns)
        self._set_size(self.screen.lines, columns)

    def stop_and_go_on(self):
        """Ctrl-Z and fg: the screen was used by others meanwhile."""
        os.kill(self.pid, signal.SIGSTOP)
        os.waitpid(self.pid, os.WUNTRACED)
        self.screen.reset()
        os.kill(self.pid, signal.SIGCONT)

    def type(self, text):
        os.write(self._fd, text.encode())

    def press(self, *names):
        self.type("".join(KEYS[name] for name in names))

    def enter(self, line):
        self.type(line + "\r")

    def rows(self):
        """What is on the screen, without blank rows at the end."""
        return "\n".join(row.rstrip() for row in self.screen.display).rstrip().split("\n")

    def row(self):
        """The row of the cursor."""
        return self.screen.display[self.screen.cursor.y].rstrip()

    def grey(self):
        """The text of the cursor's row that is not in the usual colour."""
        cells = self.screen.buffer[self.screen.cursor.y]
        return "".join(cells[x].data for x in range(self.screen.columns)
                       if cells[x].fg != "default").rstrip()

    def _take(self, end):
        """One more piece of output; False at its end."""
        ready, _, _ = select.select([self._fd], [], [], max(0, end - time.monotonic()))
        if not ready:
            raise TimeoutError
        try:
            piece = os.read(self._fd, 65536)
        except OSError as error:
            if error.errno != errno.EIO:
                raise
            piece = b""  # How Linux says that the other side is closed.
        self.bytes += piece
        self._stream.feed(piece)
        return bool(piece)

    def wait(self, what, seen, timeout_s=20):
        """Reads output until seen() holds."""
        end = time.monotonic() + timeout_s
        try:
            while not seen():
                if not self._take(end):
                    raise Silence(f"the program ended before {what}:\n" + "\n".join(self.rows()))
        except TimeoutError:
            raise Silence(f"no {what} in {timeout_s} s:\n" + "\n".join(self.rows())) from None

    def wait_row(self, text):
        """Waits until the cursor's row is `text` (a prompt, a line that is typed)."""
        self.wait(f"row {text!r}", lambda: self.row() == text)

    def ask(self, line, prompt="hotkv"):
        """Enters a line at a prompt and answers the rows printed until the next prompt."""
        start = self.screen.cursor.y
        self.enter(line)
        self.wait("prompt", lambda: self.screen.cursor.y > start
                  and self.row().startswith(prompt) and self.row().endswith(">"))
        return self.rows()[start + 1:self.screen.cursor.y]

    def wait_end(self, timeout_s=20):
        """The exit status."""
        end = time.monotonic() + timeout_s
        try:
            while self._take(end):
                pass
        except TimeoutError:
            raise Silence("the program does not end:\n" + "\n".join(self.rows())) from None
        self.status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        return self.status
