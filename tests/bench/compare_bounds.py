"""The bounds that hotkv-server must keep against redis-server 7.0.15, and the verdict on each."""

# Row of the throughput table -> most CPU per operation, as a share of the reference's.
CPU_RATIO_MAX = {
    "GET 16 B pipeline 1": 1.05, "SET 16 B pipeline 1": 1.05,
    "GET 16 B pipeline 16": 0.55, "SET 16 B pipeline 16": 0.55,
    "GET 16 B pipeline 64": 0.45, "SET 16 B pipeline 64": 0.45,
}
# Case of the memory table -> (most bytes per key or None, most as a share of the reference's).
MEMORY_MAX = {
    "5 M keys, 16 B values": (64, 0.50),
    "5 M keys, 16 B values, TTL": (None, 0.45),
}
START_RATIO_MAX = 1.2


def judge(figures):
    """A list of {what, value, limit, ok} for everything that was measured and has a bound."""
    verdicts = []

    def add(what, value, limit):
        verdicts.append({"what": what, "value": value, "limit": limit, "ok": value <= limit})

    for row, limit in CPU_RATIO_MAX.items():
        if row in figures.get("throughput", {}):
            add(f"{row}: server CPU per operation, ratio to redis-server",
                figures["throughput"][row]["hotkv-server"]["cpu_ratio"], limit)
    for case, (bytes_max, ratio_max) in MEMORY_MAX.items():
        if case in figures.get("memory", {}):
            measured = figures["memory"][case]["hotkv-server"]
            if bytes_max is not None:
                add(f"{case}: bytes per key", measured["bytes_per_key"], bytes_max)
            add(f"{case}: bytes per key, ratio to redis-server", measured["ratio"], ratio_max)
    if "start" in figures:
        add("cold start to the first PONG, ratio to redis-server",
            figures["start"]["hotkv-server"]["ratio"], START_RATIO_MAX)
    return verdicts


def print_verdicts(verdicts):
    """Prints one line a bound and returns how many were missed."""
    missed = sum(not v["ok"] for v in verdicts)
    if verdicts:
        print("\nBounds")
        for v in verdicts:
            print(f"{'ok  ' if v['ok'] else 'MISS'} {v['what']}: {v['value']:.2f} <= {v['limit']}")
        print(f"bounds: {len(verdicts) - missed} kept, {missed} missed")
    return missed
