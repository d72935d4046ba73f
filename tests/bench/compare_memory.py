"""Bytes per key of compare: growth of the resident set divided by the number of keys.

Every case runs on a fresh server. Names are exactly 16 bytes and in no order. The figure is read
when the resident set has stood still for a second, so that a table still growing by increments is
not counted twice.
"""

import time

from compare_loader import load
from server_process import Server

# (keys, bytes of the value, has a TTL)
CASES = tuple((keys, size, ttl) for keys in (1_000_000, 5_000_000) for size in (16, 64)
              for ttl in (False, True))
TTL_S = 1_000_000
STILL_S = 1.0
STILL_LIMIT_S = 5.0
SCRAMBLE = 0x9E3779B97F4A7C15  # odd, so that multiplying modulo 2^64 gives each name once


def name_of(index):
    return b"%016x" % (index * SCRAMBLE & 0xFFFFFFFFFFFFFFFF)


def case_name(keys, size, ttl):
    return f"{keys // 1_000_000} M keys, {size} B values{', TTL' if ttl else ''}"


def settled_rss(server):
    """The resident set once it has not changed for STILL_S."""
    start = time.monotonic()
    last, since = server.rss_bytes(), start
    while time.monotonic() - since < STILL_S and time.monotonic() - start < STILL_LIMIT_S:
        time.sleep(0.05)
        now = server.rss_bytes()
        if now != last:
            last, since = now, time.monotonic()
    return last


def measure(servers, options):
    print("\nMemory: growth of the resident set / keys, 16-byte names")
    print(f"{'case':<28} {'server':<14} {'bytes/key':>10} {'ratio':>7} {'peak b/key':>11} "
          f"{'load us/key':>12}")
    figures = {}
    for keys, size, ttl in CASES:
        if options.quick and keys > 1_000_000:
            continue
        case = case_name(keys, size, ttl)
        figures[case] = {}
        for name, path in servers.items():
            with Server(path, cores=options.server_core) as server:
                before, cpu_before_ns = settled_rss(server), server.cpu_ns()
                load(server, keys, name_of, b"x" * size, TTL_S if ttl else None)
                cpu_ns = server.cpu_ns() - cpu_before_ns
                peak = server.rss_bytes()
                after = settled_rss(server)
                server.stop(kill=True)
            figures[case][name] = {"bytes_per_key": (after - before) / keys,
                                   "peak_bytes_per_key": (max(peak, after) - before) / keys,
                                   "load_us_per_key": cpu_ns / 1000 / keys}
            f = figures[case][name]
            f["ratio"] = f["bytes_per_key"] / figures[case]["redis-server"]["bytes_per_key"]
            shown = case if name == "redis-server" else ""
            print(f"{shown:<28} {name:<14} {f['bytes_per_key']:>10.1f} {f['ratio']:>7.2f} "
                  f"{f['peak_bytes_per_key']:>11.1f} {f['load_us_per_key']:>12.2f}", flush=True)
    return figures
