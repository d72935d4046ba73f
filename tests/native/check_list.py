"""What the checks of hotkv-server share: the list of checks, expectations, a plain client."""

import os
import pathlib
import socket
import sys
import traceback

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "interop"))

SERVER, SIM = (os.path.abspath(path) for path in sys.argv[1:3])
CHECKS = []


def check(function):
    CHECKS.append(function)
    return function


def equal(got, wanted):
    if got != wanted:
        raise AssertionError(f"got {got!r}, wanted {wanted!r}")


def holds(condition, what):
    if not condition:
        raise AssertionError(what)


class Client:
    """A plain socket that speaks inline commands."""

    def __init__(self, address):
        family = socket.AF_UNIX if isinstance(address, str) else socket.AF_INET
        self.socket = socket.socket(family)
        self.socket.settimeout(30)
        self.socket.connect(address)
        self.file = self.socket.makefile("rb")

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.file.close()
        self.socket.close()

    def ask(self, line):
        """The first line of the reply, and the body of a bulk reply."""
        self.socket.sendall(line.encode() + b"\r\n")
        return self.reply()

    def options(self, *names):
        """The values of options, in the order of the names."""
        values = []
        for name in names:
            self.ask(f"CONFIG GET {name}")
            self.reply()
            values.append(self.reply())
        return values

    def reply(self):
        first = self.file.readline().rstrip(b"\r\n")
        if first[:1] == b"$" and first != b"$-1":
            size = int(first[1:])
            return self.file.read(size + 2)[:size].decode()
        return first.decode()


def ask(address, line):
    with Client(address) as client:
        return client.ask(line)


def run_all():
    """Runs every check, prints a line for each and the tally; the exit code."""
    failed = 0
    for function in CHECKS:
        try:
            function()
            print(f"ok      {function.__name__}", flush=True)
        except Exception:  # pylint: disable=broad-except
            failed += 1
            print(f"FAILED  {function.__name__}\n{traceback.format_exc()}", flush=True)
    print(f"tally: {len(CHECKS) - failed} passed, {failed} failed")
    return 1 if failed else 0
