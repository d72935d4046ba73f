"""redis-cli and redis-benchmark, as Debian ships them, against a server."""

import csv
import io
import os
import pty
import re
import select
import subprocess
import time

BENCHMARK_TESTS = ("PING_INLINE", "PING_MBULK", "SET", "GET", "INCR", "MSET (10 keys)")


COLOURS = re.compile(rb"\x1b\[[0-9;]*m")


def equal(got, wanted):
    assert got == wanted, f"got {got!r}, wanted {wanted!r}"


class RedisCli:
    def __init__(self, port, guarded_port, password, is_hotkv):
        self.port, self.guarded_port = port, guarded_port
        self.password, self.is_hotkv = password, is_hotkv

    def run(self, *words, feed=None, port=None):
        """What redis-cli printed, for words on the command line or lines on its input."""
        command = ["redis-cli", "-p", str(port or self.port), *words]
        done = subprocess.run(command, input=feed, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=60)
        return done.stdout.decode("utf-8", "replace").rstrip("\n")

    def lines(self, *commands):
        """The answers to several commands of one session, in redis-cli's terminal format."""
        feed = "".join(c + "\n" for c in commands).encode()
        return self.run("--no-raw", feed=feed).split("\n")

    def one_shot_and_formats(self):
        equal(self.run("FLUSHALL"), "OK")
        equal(self.run("SET", "s", "a b"), "OK")
        equal(self.run("GET", "s"), "a b")
        equal(self.lines("GET s", "GET none", "STRLEN s", "MGET s none", "NOSUCH x",
                         "SET s v EX 0"),
              ['"a b"', "(nil)", "(integer) 3", '1) "a b"', "2) (nil)",
               "(error) ERR unknown command 'NOSUCH', with args beginning with: 'x' ",
               "(error) ERR invalid expire time in 'set' command"])
        equal(self.run("-r", "3", "INCR", "n"), "1\n2\n3")
        equal(self.run("-x", "SET", "fed", feed=b"\x00\xff\n"), "OK")
        equal(self.run("STRLEN", "fed"), "3")

    def resp3(self):
        equal(self.run("-3", "SET", "k", "v"), "OK")
        hello = self.run("-3", "--no-raw", "HELLO", "3")
        assert '1# "server" => "redis"' in hello and '3# "proto" => (integer) 3' in hello, hello
        equal(self.run("-3", "--json", "MGET", "k", "none"), '["v",null]')
        equal(self.run("-3", "--no-raw", "CONFIG", "GET", "maxclients"),
              '1# "maxclients" => "10000"')

    def sessions(self):
        equal(self.run("-n", "3", "SET", "in3", "v"), "OK")
        equal(self.run("EXISTS", "in3"), "0")
        equal(self.run("-n", "3", "EXISTS", "in3"), "1")
        auth = ("-a", self.password, "--no-auth-warning")
        equal(self.run(*auth, "SET", "k", "v", port=self.guarded_port), "OK")
        equal(self.run(*auth, "--user", "default", "GET", "k", port=self.guarded_port), "v")
        equal(self.run("GET", "k", port=self.guarded_port), "NOAUTH Authentication required.")
        equal(self.lines("MULTI", "INCR c", "EXEC", "GET c"),
              ["OK", "QUEUED", "1) (integer) 1", '"1"'])

    def scan_pipe_and_bigkeys(self):
        self.run("FLUSHALL")
        inserts = b"".join(b"SET bulk:%d value-%d\r\n" % (i, i) for i in range(100_000))
        answer = self.run("--pipe", feed=inserts)
        assert answer.endswith("errors: 0, replies: 100000"), answer[-200:]
        equal(self.run("DBSIZE"), "100000")
        found = self.run("--scan", "--pattern", "bulk:9999?").split("\n")
        equal(sorted(found), [f"bulk:9999{i}" for i in range(10)])
        assert "Sampled 100000 keys in the keyspace!" in self.run("--bigkeys")

    def help_in_the_console(self):
        """A terminal session loads COMMAND DOCS; HELP then explains a command."""
        controller, terminal = pty.openpty()
        shell = subprocess.Popen(["redis-cli", "-p", str(self.port)], stdin=terminal,
                                 stdout=terminal, stderr=terminal,
                                 env={**os.environ, "TERM": "dumb"})
        os.close(terminal)
        seen = b""
        try:
            os.write(controller, b"help getrange\nPING\n")
            end = time.monotonic() + 20
            while b"PONG" not in seen and time.monotonic() < end:
                if select.select([controller], [], [], 0.5)[0]:
                    seen += os.read(controller, 65536)
            plain = COLOURS.sub(b"", seen)
            assert b"GETRANGE key start end" in plain, f"HELP GETRANGE shows {seen[-300:]!r}"
            os.write(controller, b"quit\n")
            shell.wait(20)
        finally:
            if shell.poll() is None:
                shell.kill()
                shell.wait()
            os.close(controller)

    def lock_in_five_steps(self):
        """Take, refused, work, release, and a release that comes too late."""
        self.run("DEL", "lock:billing-run")
        take = "SET lock:billing-run {} NX PX 30000"
        steps = [take.format("tok-a81f"), take.format("tok-b22c"), "PTTL lock:billing-run"]
        if self.is_hotkv:
            steps += [
                "DELEX lock:billing-run IFEQ tok-a81f",
                "DELEX lock:billing-run IFEQ tok-stale",
            ]
        answers = self.lines(*steps)
        equal(answers[:2], ["OK", "(nil)"])
        left_ms = int(answers[2].removeprefix("(integer) "))
        assert 1 <= left_ms <= 30000, answers[2]
        if self.is_hotkv:
            equal(answers[3:], ["(integer) 1", "(integer) 0"])

    def digests(self):
        vectors = {"Hello world": "b6acb9d84a38ff74", "a": "e6c632b61e964e1f",
                   "123": "404a763b3f4c8c9a", "x" * 1024: "fc56a7ce85b3164a"}
        for text, digest in vectors.items():
            self.run("SET", "d", text)
            equal(self.run("DIGEST", "d"), digest)
        equal(self.run("DELEX", "d", "IFDEQ", "0000000000000000"), "0")
        equal(self.run("DELEX", "d", "IFDEQ", "fc56a7ce85b3164a"), "1")

    def hotkv_locks(self):
        self.run("DEL", "l")
        first = int(self.run("LOCK", "l", "A", "PX", "30000"))
        equal(self.lines("LOCK l B PX 30000", "UNLOCK l B", "UNLOCK l A", "LOCKINFO l"),
              ["(nil)", "(integer) 0", "(integer) 1", "(nil)"])
        assert int(self.run("LOCK", "l", "B", "PX", "30000")) > first
        info = self.run("-3", "--no-raw", "LOCKINFO", "l")
        assert '"holder" => "B"' in info and '"waiters" => (integer) 0' in info, info

    def checks(self):
        yield "one command and output formats", self.one_shot_and_formats
        yield "RESP3 and JSON output", self.resp3
        yield "SELECT, AUTH, MULTI", self.sessions
        yield "--pipe, --scan, --bigkeys", self.scan_pipe_and_bigkeys
        yield "HELP in a terminal session", self.help_in_the_console
        yield "the lock in five steps", self.lock_in_five_steps
        if self.is_hotkv:
            yield "DIGEST vectors", self.digests
            yield "LOCK, UNLOCK, LOCKINFO", self.hotkv_locks


def benchmark(port, *options):
    """Every standard test that needs strings only must be reported, without a warning."""
    command = ["redis-benchmark", "-p", str(port), "-t", "ping_inline,ping_mbulk,set,get,incr,mset",
               "-n", "20000", "-c", "50", "-r", "10000", "--csv", *options]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          timeout=120)
    equal(done.returncode, 0)
    assert "WARNING" not in done.stderr and "rror" not in done.stderr, done.stderr
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    equal(tuple(row["test"] for row in rows), BENCHMARK_TESTS)
    for row in rows:
        assert float(row["rps"]) > 0, row


def benchmark_checks(port):
    for options in (("-P", "1"), ("-P", "16"), ("-P", "16", "-3")):
        yield " ".join(options), lambda options=options: benchmark(port, *options)
