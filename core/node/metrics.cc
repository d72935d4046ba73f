#include "core/node/metrics.h"

#include <algorithm>

#include "core/base/numbers.h"
#include "core/node/server.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace hotkv {

namespace {

std::string decimal(uint64_t n) {
  NumberText text;
  return std::string(format_uint64(n, text));
}

std::string decimal(int64_t n) {
  NumberText text;
  return std::string(format_int64(n, text));
}

// "1.50M": two digits behind the point, as INFO's *_human fields have it.
std::string human(uint64_t bytes) {
  constexpr char kUnits[] = {'B', 'K', 'M', 'G', 'T'};
  int unit = 0;
  uint64_t whole = bytes, scale = 1;
  while (whole >= 1024 && unit < 4) {
    whole /= 1024;
    scale *= 1024;
    unit++;
  }
  if (unit == 0) return decimal(bytes) + "B";
  uint64_t hundredths = (bytes % scale) * 100 / scale;
  std::string tail = decimal(hundredths);
  return decimal(whole) + "." + (tail.size() < 2 ? "0" : "") + tail + kUnits[unit];
}

uint64_t resident(const Server& s) {
  return s.setup.resident_bytes ? s.setup.resident_bytes(s.setup.ticks_context) : s.used_memory();
}

uint64_t waiting_clients(const Server& s) {
  uint64_t n = 0;
  s.visit_sessions([&](const Session& session) { n += session.wait != Session::Wait::kNone; });
  return n;
}

using S = const Server&;
constexpr auto kCounter = MetricKind::kCounter;
constexpr auto kGauge = MetricKind::kGauge;
constexpr auto kText = MetricKind::kText;

// Fields whose part of the engine does not exist yet are left out, not shown as zero, except those
// that clients require to connect (INTEROP section 1).
constexpr MetricSpec kMetrics[] = {
    {"Server", "redis_version", kText, "", "Redis release whose commands are spoken.",
     [](S) { return std::string(kRedisVersion); }},
    {"Server", "hotkv_version", kText, "", "Release of HotKV.",
     [](S) { return std::string(kHotkvVersion); }},
    {"Server", "redis_mode", kText, "", "Always standalone.",
     [](S) { return std::string("standalone"); }},
    {"Server", "os", kText, "", "Operating system.", [](S s) { return s.setup.operating_system; }},
    {"Server", "arch_bits", kText, "", "Bits of an address.",
     [](S) { return decimal(uint64_t{sizeof(void*) * 8}); }},
    {"Server", "process_id", kText, "", "Process id.",
     [](S s) { return decimal(s.setup.process_id); }},
    {"Server", "run_id", kText, "", "Random name of this run.", [](S s) { return s.run_id; }},
    {"Server", "tcp_port", kText, "", "TCP port.", [](S s) { return s.options.text("port"); }},
    {"Server", "server_time_usec", kText, "", "Wall time, microseconds since 1970.",
     [](S s) { return decimal(s.now.wall.us); }},
    {"Server", "uptime_in_seconds", kGauge, "uptime_seconds", "Seconds since the start.",
     [](S s) { return decimal(s.uptime_seconds()); }},
    {"Server", "uptime_in_days", kText, "", "Days since the start.",
     [](S s) { return decimal(s.uptime_seconds() / 86400); }},
    {"Server", "hz", kText, "", "Upkeep rounds per second.",
     [](S s) { return s.options.text("hz"); }},
    {"Server", "configured_hz", kText, "", "Option hz.", [](S s) { return s.options.text("hz"); }},
    {"Server", "lru_clock", kText, "", "Clock of key access times, seconds.",
     [](S s) { return decimal(s.now.wall.seconds() & 0xffffff); }},
    {"Server", "executable", kText, "", "Path of the binary.",
     [](S s) { return s.setup.executable; }},
    {"Server", "config_file", kText, "", "Path of the configuration file.",
     [](S s) { return s.setup.config_file; }},
    {"Server", "lock_epoch", kGauge, "lock_epoch", "Epoch of fencing numbers; 0 = not ready.",
     [](S s) { return decimal(s.settings.lock_epoch); }},

    {"Clients", "connected_clients", kGauge, "connected_clients", "Clients connected now.",
     [](S s) { return decimal(int64_t{s.connected}); }},
    {"Clients", "maxclients", kGauge, "max_clients", "Option maxclients.",
     [](S s) { return s.options.text("maxclients"); }},
    {"Clients", "blocked_clients", kGauge, "waiting_clients",
     "Clients whose commands are held back.", [](S s) { return decimal(waiting_clients(s)); }},
    {"Clients", "watching_clients", kGauge, "watching_clients", "Clients with watched keys.",
     [](S s) { return decimal(uint64_t{s.watches.watching_clients()}); }},
    {"Clients", "total_watched_keys", kGauge, "watched_keys", "Keys that are watched.",
     [](S s) { return decimal(uint64_t{s.watches.watched_keys()}); }},

    {"Memory", "used_memory", kGauge, "used_memory_bytes", "Bytes allocated.",
     [](S s) { return decimal(s.used_memory()); }},
    {"Memory", "used_memory_human", kText, "", "The same, shortened.",
     [](S s) { return human(s.used_memory()); }},
    {"Memory", "used_memory_rss", kGauge, "resident_memory_bytes", "Bytes resident in memory.",
     [](S s) { return decimal(resident(s)); }},
    {"Memory", "used_memory_rss_human", kText, "", "The same, shortened.",
     [](S s) { return human(resident(s)); }},
    {"Memory", "used_memory_peak", kGauge, "used_memory_peak_bytes", "Greatest used_memory seen.",
     [](S s) { return decimal(std::max(s.peak_memory, s.used_memory())); }},
    {"Memory", "maxmemory", kText, "", "No limit in this version.",
     [](S) { return std::string("0"); }},
    {"Memory", "maxmemory_policy", kText, "", "No eviction in this version.",
     [](S) { return std::string("noeviction"); }},

    {"Persistence", "loading", kText, "", "Whether a data file is being loaded.",
     [](S) { return std::string("0"); }},
    {"Persistence", "rdb_changes_since_last_save", kCounter, "changes_total", "Changes of keys.",
     [](S s) { return decimal(s.txn.counts().changes); }},
    {"Persistence", "rdb_bgsave_in_progress", kText, "", "Whether a snapshot is being written.",
     [](S) { return std::string("0"); }},
    {"Persistence", "rdb_last_bgsave_status", kText, "", "Outcome of the last snapshot.",
     [](S) { return std::string("ok"); }},
    {"Persistence", "aof_enabled", kText, "", "Whether the append-only file is on.",
     [](S) { return std::string("0"); }},

    {"Stats", "total_connections_received", kCounter, "connections_total", "Clients accepted.",
     [](S s) { return decimal(s.counts.connections); }},
    {"Stats", "total_commands_processed", kCounter, "commands_total", "Commands executed.",
     [](S s) { return decimal(s.counts.commands); }},
    {"Stats", "instantaneous_ops_per_sec", kGauge, "commands_per_second",
     "Commands executed in the last upkeep round, per second.",
     [](S s) { return decimal(s.commands_per_second); }},
    {"Stats", "total_net_input_bytes", kCounter, "input_bytes_total", "Bytes received.",
     [](S s) { return decimal(s.counts.bytes_in); }},
    {"Stats", "total_net_output_bytes", kCounter, "output_bytes_total", "Bytes sent.",
     [](S s) { return decimal(s.counts.bytes_out); }},
    {"Stats", "rejected_connections", kCounter, "rejected_connections_total", "Clients refused.",
     [](S s) { return decimal(s.counts.rejected_connections); }},
    {"Stats", "expired_keys", kCounter, "expired_keys_total", "Keys removed at their deadline.",
     [](S s) { return decimal(s.txn.counts().expired); }},
    {"Stats", "evicted_keys", kText, "", "No eviction in this version.",
     [](S) { return std::string("0"); }},
    {"Stats", "keyspace_hits", kCounter, "keyspace_hits_total", "Look-ups that found a key.",
     [](S s) { return decimal(s.txn.counts().hits); }},
    {"Stats", "keyspace_misses", kCounter, "keyspace_misses_total", "Look-ups that found none.",
     [](S s) { return decimal(s.txn.counts().misses); }},
    {"Stats", "total_error_replies", kCounter, "error_replies_total", "Error replies sent.",
     [](S s) { return decimal(s.counts.error_replies); }},
    {"Stats", "protocol_errors", kCounter, "protocol_errors_total",
     "Clients closed for bad protocol.", [](S s) { return decimal(s.counts.protocol_errors); }},
    {"Stats", "client_query_buffer_limit_disconnections", kCounter, "query_limit_closes_total",
     "Clients closed for too much unexecuted input.",
     [](S s) { return decimal(s.counts.query_limit_closes); }},
    {"Stats", "client_output_buffer_limit_disconnections", kCounter, "output_limit_closes_total",
     "Clients closed for too many unsent replies.",
     [](S s) { return decimal(s.counts.output_limit_closes); }},

    {"Replication", "role", kText, "", "Always master in this version.",
     [](S) { return std::string("master"); }},
    {"Replication", "connected_slaves", kText, "", "Replicas.", [](S) { return std::string("0"); }},
    {"Replication", "master_repl_offset", kCounter, "effect_offset_bytes_total",
     "Bytes of effects so far.", [](S s) { return decimal(s.effects.end_offset()); }},
    {"Replication", "repl_backlog_size", kText, "", "Option repl-backlog-size.",
     [](S s) { return s.options.text("repl-backlog-size"); }},
    {"Replication", "repl_backlog_first_byte_offset", kText, "", "Oldest effect byte kept.",
     [](S s) { return decimal(s.effects.start_offset()); }},
    {"Replication", "repl_backlog_histlen", kText, "", "Effect bytes kept.",
     [](S s) { return decimal(s.effects.end_offset() - s.effects.start_offset()); }},

    {"CPU", "used_cpu_sys", kCounter, "cpu_system_seconds_total", "Seconds of system time.",
     [](S s) { return s.cpu_seconds(false); }},
    {"CPU", "used_cpu_user", kCounter, "cpu_user_seconds_total", "Seconds of user time.",
     [](S s) { return s.cpu_seconds(true); }},
    {"Cluster", "cluster_enabled", kText, "", "Always 0.", [](S) { return std::string("0"); }},
};

// Sections of plain INFO, in order, with those computed from other tables; the last three of these
// names are given only when asked for or with "all" and "everything".
struct Section {
  const char* name;
  bool standard;
};
constexpr Section kSections[] = {
    {"Server", true},        {"Clients", true},     {"Memory", true},  {"Persistence", true},
    {"Stats", true},         {"Replication", true}, {"CPU", true},     {"Modules", true},
    {"Commandstats", false}, {"Errorstats", true},  {"Cluster", true}, {"Keyspace", true},
};

void append_line(std::string& out, Bytes name, Bytes value) {
  out += name;
  out += ':';
  out += value;
  out += "\r\n";
}

void append_command_counts(std::string& out, S server, const CommandSpec& spec,
                           const CommandSpec* container) {
  const CommandCounts& c = server.command_counts[spec.id];
  if (spec.handler && (c.calls || c.rejected)) {
    std::string name =
        "cmdstat_" + (container ? std::string(container->name) + "|" : "") + std::string(spec.name);
    uint64_t hundredths = c.calls ? c.microseconds * 100 / c.calls : 0;
    std::string tail = decimal(hundredths % 100);
    append_line(out, name,
                "calls=" + decimal(c.calls) + ",usec=" + decimal(c.microseconds) +
                    ",usec_per_call=" + decimal(hundredths / 100) + "." +
                    (tail.size() < 2 ? "0" : "") + tail + ",rejected_calls=" + decimal(c.rejected) +
                    ",failed_calls=" + decimal(c.failed));
  }
  for (const CommandSpec& sub : spec.subcommands) append_command_counts(out, server, sub, &spec);
}

void append_keyspace(std::string& out, S server) {
  for (int db = 0; db < server.keyspace.databases(); db++) {
    const Table& table = server.keyspace.table(db);
    if (table.size() == 0) continue;
    append_line(out, "db" + decimal(int64_t{db}),
                "keys=" + decimal(uint64_t{table.size()}) +
                    ",expires=" + decimal(uint64_t{table.deadlines()}) + ",avg_ttl=0");
  }
}

void append_section(std::string& out, S server, const char* name) {
  if (!out.empty()) out += "\r\n";
  out += "# ";
  out += name;
  out += "\r\n";
  for (const MetricSpec& m : kMetrics) {
    if (m.section == name) append_line(out, m.field, m.read(server));
  }
  Bytes section(name);
  if (section == "Keyspace") append_keyspace(out, server);
  if (section == "Commandstats") {
    for (const CommandSpec* spec : server.table.all()) {
      append_command_counts(out, server, *spec, nullptr);
    }
  }
  if (section == "Errorstats") {
    for (const auto& [word, n] : server.error_counts) {
      append_line(out, "errorstat_" + word, "count=" + decimal(n));
    }
  }
}

}  // namespace

std::span<const MetricSpec> metric_table() { return kMetrics; }

std::string Server::cpu_seconds(bool user) const {
  uint64_t us = setup.cpu_us ? setup.cpu_us(setup.ticks_context, user) : 0;
  std::string micro = decimal(us % 1000000);
  return decimal(us / 1000000) + "." + std::string(6 - micro.size(), '0') + micro;
}

std::string Server::info_text(std::span<const Bytes> wanted) const {
  std::string out;
  for (const Section& section : kSections) {
    bool show = wanted.empty() && section.standard;
    for (Bytes word : wanted) {
      show = show || equal_ignoring_case(word, section.name) ||
             (equal_ignoring_case(word, "default") && section.standard) ||
             equal_ignoring_case(word, "all") || equal_ignoring_case(word, "everything");
    }
    if (show) append_section(out, *this, section.name);
  }
  return out;
}

std::string Server::metrics_text() const {
  std::string out;
  for (const MetricSpec& m : kMetrics) {
    if (m.prometheus.empty()) continue;
    std::string name = "hotkv_" + std::string(m.prometheus);
    out += "# HELP " + name + " " + std::string(m.summary) + "\n";
    out += "# TYPE " + name + (m.kind == MetricKind::kCounter ? " counter\n" : " gauge\n");
    out += name + " " + m.read(*this) + "\n";
  }
  out += "# HELP hotkv_keys Keys of a database.\n# TYPE hotkv_keys gauge\n";
  for (int db = 0; db < keyspace.databases(); db++) {
    if (keyspace.table(db).size() == 0) continue;
    out += "hotkv_keys{db=\"" + decimal(int64_t{db}) + "\"} " +
           decimal(uint64_t{keyspace.table(db).size()}) + "\n";
  }
  return out;
}

uint64_t Server::used_memory() const {
  if (setup.allocated_bytes) return setup.allocated_bytes(setup.ticks_context);
  // Without the allocator's own count (wasm, tests): the tables, at a typical entry size.
  uint64_t n = 0;
  for (int db = 0; db < keyspace.databases(); db++) {
    n += keyspace.table(db).bucket_bytes() + keyspace.table(db).size() * 48;
  }
  return n;
}

uint64_t Server::data_digest() const {
  // A sum over entries does not depend on the order in which the table holds them.
  uint64_t sum = 0;
  for (int db = 0; db < keyspace.databases(); db++) {
    uint64_t cursor = 0;
    do {
      cursor = keyspace.table(db).scan(cursor, [&](const Entry* e) {
        if (txn.is_expired(*e)) return;
        NumberText text;
        uint64_t h =
            XXH3_64bits_withSeed(e->key().data(), e->key().size(), static_cast<uint64_t>(db));
        Bytes value = e->string(text);
        h = XXH3_64bits_withSeed(value.data(), value.size(), h);
        sum += mix64(h ^ mix64(static_cast<uint64_t>(e->deadline_ms()) ^ e->lock_number() << 1));
      });
    } while (cursor != 0);
  }
  return sum;
}

}  // namespace hotkv
