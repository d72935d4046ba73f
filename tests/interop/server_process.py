"""Starts one server of the Redis kind for a test, watches it, and stops it.

Every server gets a fresh directory and a free port of 127.0.0.1, and takes Redis's arguments. It is
ready when its standard output says "Ready to accept connections", so nothing here waits by
sleeping. Errors: LaunchError says which binary did not start and shows the end of its log.
"""

import os
import pathlib
import re
import resource
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time

READY = "Ready to accept connections"
PAGE_BYTES = resource.getpagesize()


class LaunchError(Exception):
    """The server did not become ready."""


def free_port():
    """A port of 127.0.0.1 that nobody listens on at this moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def raise_open_files(wanted):
    """Raises the limit of open files of this process, which the servers it starts inherit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft >= wanted:
        return
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, max(hard, wanted)))
    except (ValueError, PermissionError):
        raise LaunchError(f"{wanted} open files are needed, but the hard limit is {hard}") from None


def find_binary(path_or_name):
    """The absolute path of a program, or LaunchError that names it."""
    found = shutil.which(str(path_or_name))
    if not found:
        raise LaunchError(f"no program at '{path_or_name}': build it, or name another (--server)")
    return os.path.abspath(found)


class Server:
    """A running server. Use it as a context manager, or call stop()."""

    def __init__(self, binary, *arguments, config_lines=None, cores=None, port=None,
                 wait_ready=True, ready_timeout_s=30):
        self.binary = find_binary(binary)
        self.port = port or free_port()
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="hotkv-test-"))
        command = [self.binary]
        if config_lines is not None:
            self.config_file = self.directory / "server.conf"
            self.config_file.write_text("\n".join(config_lines) + "\n")
            command.append(str(self.config_file))
        command += ["--port", str(self.port), "--dir", str(self.directory), "--save", "",
                    "--appendonly", "no"]
        command += [str(a).replace("{dir}", str(self.directory)) for a in arguments]
        if cores is not None:
            command = ["taskset", "-c", str(cores)] + command
        self._lines = []
        self._changed = threading.Condition()
        self._ended = False
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT, cwd=self.directory)
        self.pid = self.process.pid
        self._reader = threading.Thread(target=self._read_log, daemon=True)
        self._reader.start()
        if wait_ready and not self.wait_for_log(READY, ready_timeout_s):
            log = self.log()[-800:]
            self.stop(kill=True)
            raise LaunchError(f"{self.binary} did not get ready in {ready_timeout_s} s:\n{log}")

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.stop()

    @property
    def address(self):
        return ("127.0.0.1", self.port)

    def _read_log(self):
        for raw in self.process.stdout:
            with self._changed:
                self._lines.append(raw.decode("utf-8", "replace").rstrip("\n"))
                self._changed.notify_all()
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def log(self):
        with self._changed:
            return "\n".join(self._lines)

    def wait_for_log(self, pattern, timeout_s=10):
        """True as soon as a log line matches; False when the log ends or the time is over."""
        wanted = re.compile(pattern)
        with self._changed:
            return self._changed.wait_for(
                lambda: any(wanted.search(line) for line in self._lines) or self._ended,
                timeout_s) and any(wanted.search(line) for line in self._lines)

    def alive(self):
        return self.process.poll() is None

    def rss_bytes(self):
        return int(pathlib.Path(f"/proc/{self.pid}/statm").read_text().split()[1]) * PAGE_BYTES

    def cpu_ns(self):
        """User and system time of all threads so far, from the scheduler's own nanoseconds."""
        total = 0
        for task in pathlib.Path(f"/proc/{self.pid}/task").iterdir():
            total += int((task / "schedstat").read_text().split()[0])
        return total

    def stop(self, kill=False, timeout_s=30):
        """Ends the process with SIGTERM (or SIGKILL) and returns its exit code."""
        if self.alive():
            self.process.send_signal(signal.SIGKILL if kill else signal.SIGTERM)
        try:
            code = self.process.wait(timeout_s)
        except subprocess.TimeoutExpired:
            self.process.kill()
            code = self.process.wait()
        self._reader.join(5)
        shutil.rmtree(self.directory, ignore_errors=True)
        return code


def run_until_exit(binary, *arguments, timeout_s=20):
    """Runs a server that is expected to refuse to start: (exit code, all that it printed)."""
    done = subprocess.run([find_binary(binary), *map(str, arguments)], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=timeout_s)
    return done.returncode, done.stdout.decode("utf-8", "replace")


def poll_until(condition, timeout_s):
    """Asks again and again, yielding the core between, until true or the time is over."""
    end = time.monotonic() + timeout_s
    while not condition():
        if time.monotonic() > end:
            return False
        os.sched_yield()
    return True
