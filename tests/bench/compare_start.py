"""Cold start of compare: from starting the process to the first +PONG, in milliseconds."""

import os
import shutil
import signal
import socket
import statistics
import tempfile
import time

from server_process import LaunchError, free_port

STARTS_MIN = 10
TIMEOUT_S = 20


def first_pong_ms(path, silence):
    port = free_port()
    directory = tempfile.mkdtemp(prefix="hotkv-start-")
    arguments = [path, "--port", str(port), "--dir", directory, "--save", "", "--appendonly", "no"]
    actions = [(os.POSIX_SPAWN_DUP2, silence, 1), (os.POSIX_SPAWN_DUP2, silence, 2)]
    begin = time.perf_counter()
    pid = os.posix_spawn(path, arguments, os.environ, file_actions=actions)
    try:
        while True:
            if time.perf_counter() - begin > TIMEOUT_S:
                raise LaunchError(f"{path} did not answer PING within {TIMEOUT_S} s")
            with socket.socket() as client:
                try:
                    client.connect(("127.0.0.1", port))
                    client.sendall(b"PING\r\n")
                    if client.recv(64) == b"+PONG\r\n":
                        return (time.perf_counter() - begin) * 1000
                except (ConnectionRefusedError, ConnectionResetError):
                    os.sched_yield()
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        shutil.rmtree(directory, ignore_errors=True)


def measure(servers, options):
    starts = max(STARTS_MIN, options.rounds * 5)
    print(f"\nCold start to the first PONG: median of {starts} starts, in turn")
    print(f"{'server':<14} {'median ms':>10} {'min ms':>8} {'max ms':>8} {'ratio':>7}")
    samples = {name: [] for name in servers}
    with open(os.devnull, "wb") as silence:
        for _ in range(starts):
            for name, path in servers.items():
                samples[name].append(first_pong_ms(path, silence.fileno()))
    reference = statistics.median(samples["redis-server"])
    figures = {}
    for name, taken in samples.items():
        median = statistics.median(taken)
        figures[name] = {"median_ms": median, "ratio": median / reference, "samples_ms": taken}
        print(f"{name:<14} {median:>10.2f} {min(taken):>8.2f} {max(taken):>8.2f} "
              f"{median / reference:>7.2f}")
    return figures
