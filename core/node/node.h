// Node: a key-value server as a machine: bytes in, bytes out.
//
// The host feeds inputs with the time and carries out the outputs; the node reads no clock, socket,
// file or random device. Dispatch only: sessions, commands, options and metrics have their own
// files.
//
// Bounds: one step runs at most kCommandsPerStep commands and one bounded slice of expiry, then
// asks for more_work. A link's unsent replies pause its reading at client-output-pause-bytes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/base/io.h"
#include "core/trace/trace.h"

namespace hotkv {

class Server;  // core/node/server.h: the node's insides, shared by its command families.

// What the host knows and the node cannot find out. Texts appear in INFO.
struct NodeSetup {
  uint64_t seed = 0;  // Run id, hash seed, node's PRNG. From the system on a real host.
  // Start options in order, as "name" -> "value" words of redis.conf syntax; `config_file` is the
  // file CONFIG REWRITE replaces, "" = none, and `config_text` its contents as read at start.
  std::vector<std::pair<std::string, std::string>> options;
  std::string config_file;
  std::string config_text;
  std::string executable;
  std::string operating_system;
  int64_t process_id = 0;
  uint64_t (*ticks_us)(void*) = nullptr;  // Cheap monotonic microseconds for statistics only.
  void* ticks_context = nullptr;
  uint64_t (*resident_bytes)(void*) = nullptr;     // RSS for INFO memory; null = unknown.
  uint64_t (*cpu_us)(void*, bool user) = nullptr;  // CPU time so far, for INFO; null = unknown.
  uint64_t (*allocated_bytes)(void*) =
      nullptr;  // Allocator's count for used_memory; null = own sum.
};

class Node {
 public:
  // With 50 clients that all send long pipelines of 1 KB reads, another client waits 50 times this:
  // 40 ms at 256 and 500 ms at 1024, at the same cost per command.
  static constexpr int kCommandsPerStep = 256;

  explicit Node(const NodeSetup& setup);
  ~Node();
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  // Empty when the options are sound, else one sentence that names the option: the host prints it
  // and does not start.
  const Status& setup_status() const;

  // REQUIRES: now.mono >= that of the last step. Outputs are appended to, not cleared.
  void step(const Input& input, Now now, Outputs& outputs);
  // Call step(kTimer) at or after this time; never() = nothing is waiting.
  Time next_deadline() const;

  Bytes pending(LinkId link) const;      // The oldest bytes to send; valid until the next step
                                         // or taken(), after which there may be more.
  void taken(LinkId link, size_t size);  // The host has sent the first `size` of them.
  // False while the host should not read from the link (unsent replies or unparsed commands pile
  // up); ask again after taken() or a step.
  bool reads(LinkId link) const;

  // Values of options that the host acts on: "port", "bind", "unixsocket", "loglevel" ...
  std::string option(Bytes name) const;
  uint64_t option_generation() const;  // Changes when CONFIG SET changed something.
  std::string metrics_text() const;    // Prometheus exposition format.
  bool ready() const;                  // Start-up is done: for /healthz.

  trace::Trace& trace();
  // A hash over all data (keys, values, deadlines, lock numbers), independent of table layout.
  uint64_t data_digest() const;
  Server& server() { return *server_; }

 private:
  std::unique_ptr<Server> server_;
};

}  // namespace hotkv
