"""Throughput, latency and server CPU of compare, with redis-benchmark as the generator.

CPU per operation is the server's user and system time divided by the operations done: it holds even
where the generator, not the server, is the slower side. Unit: microseconds.
"""

import csv
import io
import statistics
import subprocess
from typing import NamedTuple

from compare_loader import load
from resp_wire import Connection
from server_process import LaunchError, Server

CONNECTIONS = 50
KEYS = 1_000_000


class Row(NamedTuple):
    test: str           # redis-benchmark's name of the test
    value_bytes: int
    pipeline: int
    requests: int

    @property
    def name(self):
        if self.test == "incr":
            return f"INCR pipeline {self.pipeline}"
        size = "1 KiB" if self.value_bytes == 1024 else f"{self.value_bytes} B"
        return f"{self.test.upper()} {size} pipeline {self.pipeline}"


ROWS = (
    Row("get", 16, 1, 200_000), Row("set", 16, 1, 200_000),
    Row("get", 16, 16, 1_200_000), Row("set", 16, 16, 1_000_000),
    Row("get", 16, 64, 2_000_000), Row("set", 16, 64, 2_000_000),
    Row("incr", 0, 16, 1_000_000),
    Row("get", 1024, 16, 600_000), Row("set", 1024, 16, 600_000),
)


def run_generator(server, row, requests, core):
    """One run of redis-benchmark: (kops/s, p50 ms, p99 ms, server CPU us/op)."""
    command = ["taskset", "-c", str(core), "redis-benchmark", "-h", "127.0.0.1",
               "-p", str(server.port), "-c", str(CONNECTIONS), "-n", str(requests),
               "-r", str(KEYS), "-P", str(row.pipeline), "-t", row.test,
               "-d", str(max(row.value_bytes, 1)), "--csv"]
    cpu_before_ns = server.cpu_ns()
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    cpu_ns = server.cpu_ns() - cpu_before_ns
    lines = [line for line in done.stdout.splitlines() if line.startswith('"')]
    if done.returncode != 0 or len(lines) != 2:
        raise LaunchError(f"redis-benchmark failed on '{row.name}': {done.stdout}{done.stderr}")
    result = next(csv.DictReader(io.StringIO("\n".join(lines))))
    return (float(result["rps"]) / 1000, float(result["p50_latency_ms"]),
            float(result["p99_latency_ms"]), cpu_ns / 1000 / requests)


def fill(server, row):
    """Brings the data set of a row into the server: every key that the generator may draw."""
    with Connection(server.address) as connection:
        connection.command("FLUSHALL")
    if row.test == "incr":
        load(server, KEYS, lambda i: b"counter:%012d" % i, b"0")
    else:
        load(server, KEYS, lambda i: b"key:%012d" % i, b"x" * row.value_bytes)


def measure(servers, options):
    """All rows for all servers; prints the table as it grows and returns {row: {server: ...}}."""
    rows = [row for row in ROWS if not options.row or options.row.lower() in row.name.lower()]
    print(f"\nThroughput: {CONNECTIONS} connections, {KEYS:,} random keys, median of "
          f"{options.rounds} rounds; CPU = server's user + system time per operation")
    print(f"{'row':<24} {'server':<14} {'kops/s':>8} {'p50 ms':>8} {'p99 ms':>8} {'CPU us/op':>10} "
          f"{'CPU ratio':>10} {'CPU min..max':>15}")
    running = {name: Server(path, cores=options.server_core) for name, path in servers.items()}
    figures = {}
    try:
        data_set = None
        for row in rows:
            if data_set != (row.test == "incr", row.value_bytes):
                data_set = (row.test == "incr", row.value_bytes)
                for server in running.values():
                    fill(server, row)
            requests = row.requests // (5 if options.quick else 1)
            samples = {name: [] for name in running}
            for turn in range(options.rounds):
                order = list(running)
                order = order[turn % len(order):] + order[:turn % len(order)]
                for name in order:
                    samples[name].append(run_generator(running[name], row, requests,
                                                       options.load_core))
            figures[row.name] = summary(samples)
            print_row(row.name, figures[row.name])
    finally:
        for server in running.values():
            server.stop(kill=True)
    return figures


def summary(samples):
    reference_cpu = statistics.median(s[3] for s in samples["redis-server"])
    result = {}
    for name, taken in samples.items():
        kops, p50, p99, cpu = (statistics.median(column) for column in zip(*taken))
        result[name] = {"kops_per_s": kops, "p50_ms": p50, "p99_ms": p99, "cpu_us_per_op": cpu,
                        "cpu_ratio": cpu / reference_cpu, "cpu_us_samples": [s[3] for s in taken]}
    return result


def print_row(name, servers):
    for server, f in servers.items():
        spread = f"{min(f['cpu_us_samples']):.2f}..{max(f['cpu_us_samples']):.2f}"
        print(f"{name:<24} {server:<14} {f['kops_per_s']:>8.0f} {f['p50_ms']:>8.3f} "
              f"{f['p99_ms']:>8.3f} {f['cpu_us_per_op']:>10.3f} {f['cpu_ratio']:>10.2f} "
              f"{spread:>15}", flush=True)
        name = ""
