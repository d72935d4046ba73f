#include "core/base/numbers.h"
#include "core/node/options.h"

namespace hotkv {

namespace {

// Persistence comes with its own part of the project; until then a setting that would promise it is
// refused instead of being ignored (SPEC: Server).
std::string check_save(Bytes value) {
  if (value.empty()) return {};
  return "snapshots are not available in this version; only \"\" is accepted";
}

std::string check_appendonly(Bytes value) {
  if (equal_ignoring_case(value, "no")) return {};
  return "the append-only file is not available in this version; only 'no' is accepted";
}

std::string check_output_limits(Bytes value) {
  std::vector<std::string> words;
  if (!split_quoted(value, words) || words.empty() || words.size() % 4 != 0) {
    return "give groups of four: class, hard limit, soft limit, seconds";
  }
  for (size_t i = 0; i < words.size(); i += 4) {
    uint64_t n;
    int64_t s;
    if (words[i] != "normal" && words[i] != "replica" && words[i] != "slave" &&
        words[i] != "pubsub") {
      return "unknown client class '" + words[i] + "'; use normal, replica or pubsub";
    }
    if (!parse_memory_size(words[i + 1], n) || !parse_memory_size(words[i + 2], n) ||
        !parse_int64(words[i + 3], s) || s < 0) {
      return "limits are memory sizes and the last word is a number of seconds";
    }
  }
  return {};
}

// The limits of every class in their order; a value may name only the classes that it changes.
std::string merge_output_limits(Bytes present, Bytes value) {
  std::vector<std::string> limits, changes;
  bool sound = split_quoted(present, limits) && split_quoted(value, changes);
  (void)sound;  // Both have passed the check above.
  for (size_t i = 0; i + 3 < changes.size(); i += 4) {
    const std::string name = changes[i] == "replica" ? "slave" : changes[i];
    for (size_t at = 0; at + 3 < limits.size(); at += 4) {
      if (limits[at] != name) continue;
      for (size_t word = 1; word < 3; word++) {
        uint64_t bytes = 0;
        NumberText decimal;
        sound = parse_memory_size(changes[i + word], bytes);
        limits[at + word] = std::string(format_int64(static_cast<int64_t>(bytes), decimal));
      }
      limits[at + 3] = changes[i + 3];
    }
  }
  std::string text;
  for (const std::string& word : limits) text += (text.empty() ? "" : " ") + word;
  return text;
}

std::string check_words(Bytes value) {
  std::vector<std::string> words;
  return split_quoted(value, words) ? std::string() : "unbalanced quotes";
}

constexpr int64_t kGiB = int64_t{1} << 30;
using enum OptionType;

constexpr OptionSpec kOptions[] = {
    {.name = "bind",
     .type = kText,
     .standard = "127.0.0.1 -::1",
     .summary = "Addresses to listen on; a leading '-' makes an address optional.",
     .flags = kManyWords,
     .check = check_words},
    {.name = "port",
     .type = kInteger,
     .standard = "6379",
     .summary = "TCP port of the server; 0 listens on no TCP port.",
     .least = 0,
     .greatest = 65535},
    {.name = "unixsocket",
     .type = kText,
     .standard = "",
     .summary = "Path of a unix socket to listen on; empty for none.",
     .flags = kStartOnly},
    {.name = "unixsocketperm",
     .type = kOctal,
     .standard = "0",
     .summary = "Permissions of the unix socket in octal; 0 leaves the umask's.",
     .flags = kStartOnly,
     .least = 0,
     .greatest = 0777},
    {.name = "protected-mode",
     .type = kBool,
     .standard = "yes",
     .summary = "Without a password, refuse clients that do not come from this machine."},
    {.name = "tcp-backlog",
     .type = kInteger,
     .standard = "511",
     .summary = "Connections that may wait to be accepted.",
     .flags = kStartOnly,
     .least = 1},
    {.name = "tcp-keepalive",
     .type = kInteger,
     .standard = "300",
     .summary = "Seconds of silence before TCP probes a client; 0 never.",
     .greatest = 86400},
    {.name = "timeout",
     .type = kInteger,
     .standard = "0",
     .summary = "Seconds after which an idle client is closed; 0 never.",
     .greatest = INT32_MAX},
    {.name = "maxclients",
     .type = kInteger,
     .standard = "10000",
     .summary = "Clients that may be connected at the same time.",
     .least = 1,
     .greatest = UINT32_MAX},
    {.name = "databases",
     .type = kInteger,
     .standard = "16",
     .summary = "Number of databases.",
     .flags = kStartOnly,
     .least = 1,
     .greatest = 10000},
    {.name = "requirepass",
     .type = kText,
     .standard = "",
     .summary = "Password of the default user; empty for none.",
     .flags = kSecret},
    {.name = "proto-max-bulk-len",
     .type = kMemory,
     .standard = "536870912",
     .summary = "Longest value of one argument.",
     .least = 1024 * 1024,
     .greatest = 2 * kGiB - 1},
    {.name = "client-query-buffer-limit",
     .type = kMemory,
     .standard = "1073741824",
     .summary = "Unexecuted input of one client at which it is closed.",
     .least = 1024 * 1024},
    {.name = "client-output-buffer-limit",
     .type = kText,
     .standard = "normal 0 0 0 slave 268435456 67108864 60 pubsub 33554432 8388608 60",
     .summary = "Unsent replies at which a client is closed: class, hard, soft, soft seconds.",
     .flags = kManyWords,
     .check = check_output_limits,
     .merge = merge_output_limits},
    {.name = "client-output-pause-bytes",
     .type = kMemory,
     .standard = "268435456",
     .summary = "Unsent replies at which no more commands of a client are read.",
     .least = 1024},
    {.name = "hz",
     .type = kInteger,
     .standard = "10",
     .summary = "Upkeep rounds per second.",
     .least = 1,
     .greatest = 500},
    {.name = "active-expire-effort",
     .type = kInteger,
     .standard = "1",
     .summary = "How hard upkeep looks for expired keys.",
     .least = 1,
     .greatest = 10},
    {.name = "repl-backlog-size",
     .type = kMemory,
     .standard = "1048576",
     .summary = "Bytes of recent effects that are kept.",
     .flags = kStartOnly,
     .least = 16384},
    {.name = "save",
     .type = kText,
     .standard = "",
     .summary = "Rules for automatic snapshots; only empty for now.",
     .flags = kManyWords,
     .check = check_save},
    {.name = "appendonly",
     .type = kText,
     .standard = "no",
     .summary = "Whether an append-only file is kept; only 'no' for now.",
     .check = check_appendonly},
    {.name = "dir",
     .type = kText,
     .standard = ".",
     .summary = "Folder of the server's files.",
     .flags = kProtectedOption | kStartOnly},
    {.name = "loglevel",
     .type = kChoice,
     .standard = "notice",
     .summary = "Least important lines that are logged.",
     .choices = "debug verbose notice warning nothing"},
    {.name = "logfile",
     .type = kText,
     .standard = "",
     .summary = "File of the log; empty for standard output.",
     .flags = kStartOnly},
    {.name = "pidfile",
     .type = kText,
     .standard = "",
     .summary = "File that holds the process id.",
     .flags = kStartOnly},
    {.name = "daemonize",
     .type = kBool,
     .standard = "no",
     .summary = "Go to the background.",
     .flags = kStartOnly},
    {.name = "http-port",
     .type = kInteger,
     .standard = "0",
     .summary = "Port of the page, health and metrics; 0 for no HTTP.",
     .flags = kStartOnly,
     .greatest = 65535},
    {.name = "http-bind",
     .type = kText,
     .standard = "127.0.0.1",
     .summary = "Address of the HTTP port.",
     .flags = kStartOnly},
    {.name = "http-root",
     .type = kText,
     .standard = "",
     .summary = "Folder of the page; empty for ../site beside the binary.",
     .flags = kStartOnly},
    {.name = "http-allowed-hosts",
     .type = kText,
     .standard = "",
     .summary = "Host names beyond localhost that a browser may use; * allows any.",
     .flags = kStartOnly | kManyWords,
     .check = check_words},
    {.name = "enable-debug-command",
     .type = kChoice,
     .standard = "no",
     .summary = "Who may use DEBUG.",
     .flags = kStartOnly,
     .choices = "no yes local"},
    {.name = "enable-protected-configs",
     .type = kChoice,
     .standard = "no",
     .summary = "Who may change protected options.",
     .flags = kStartOnly,
     .choices = "no yes local"},
};

}  // namespace

std::span<const OptionSpec> option_table() { return kOptions; }

int find_option(Bytes name) {
  int i = 0;
  for (const OptionSpec& o : kOptions) {
    if (equal_ignoring_case(o.name, name)) return i;
    i++;
  }
  return -1;
}

}  // namespace hotkv
