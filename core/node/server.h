// Server: the insides of a node that its own files and command families share.
//
// Who does what: node.cc turns inputs into calls here; input.cc cuts bytes into commands and
// dispatch.cc executes them; sessions.cc opens and closes clients; upkeep.cc is the timer;
// metrics.cc reads it all. Nothing outside core/node includes this file, except hosts that show a
// node's insides (sim, tests).
#pragma once

#include <deque>
#include <map>
#include <memory>

#include "core/command/call.h"
#include "core/command/command_table.h"
#include "core/node/lock_epoch.h"
#include "core/node/node.h"
#include "core/node/options.h"
#include "core/node/session.h"
#include "core/node/version.h"

namespace hotkv {

struct ServerCounts {
  uint64_t connections = 0;
  uint64_t rejected_connections = 0;
  uint64_t commands = 0;
  uint64_t bytes_in = 0;
  uint64_t bytes_out = 0;
  uint64_t error_replies = 0;
  uint64_t output_limit_closes = 0;
  uint64_t query_limit_closes = 0;
  uint64_t protocol_errors = 0;
};

struct CommandCounts {
  uint64_t calls = 0;
  uint64_t microseconds = 0;
  uint64_t rejected = 0;
  uint64_t failed = 0;
};

enum class ServerTimer : uint8_t { kUpkeep, kPauseEnd, kCount };

class Server {
 public:
  explicit Server(const NodeSetup& setup);

  void start();  // server.cc

  // ---- input.cc ----
  void receive(Session& s, Bytes bytes);
  void run_input(Session& s);  // Executes what is in s.input.
  void run_runnable();         // Sessions that stopped at a bound or a wait.
  void make_runnable(Session& s);
  void wake(Session::Wait reason);
  void mark_writable(Session& s);

  // ---- dispatch.cc ----
  // Runs one command for `s` in the open unit; EXEC calls it for each queued one.
  void invoke(Session& s, const CommandSpec& spec, std::span<const Bytes> arguments, int first);

  // ---- sessions.cc ----
  void accept(LinkId link, Bytes addresses);
  void forget(LinkId link);
  void close_session(Session& s, Bytes reason, bool after_flush);
  void reset_session(Session& s);  // RESET: back to a fresh connection's state.
  void discard_transaction(Session& s);
  void output_taken(Session& s, size_t size);
  void check_output_limit(Session& s);
  Session* find_session(LinkId link) const {
    return link.value < sessions_.size() ? sessions_[link.value].get() : nullptr;
  }
  template <class Visit>
  void visit_sessions(Visit visit) {
    for (auto& s : sessions_) {
      if (s) visit(*s);
    }
  }
  template <class Visit>
  void visit_sessions(Visit visit) const {
    for (const auto& s : sessions_) {
      if (s) visit(static_cast<const Session&>(*s));
    }
  }
  std::string describe(const Session& s) const;  // A line of CLIENT LIST.
  // enable-debug-command and enable-protected-configs: no, yes, or local clients only.
  bool is_permitted(const Session& s, Bytes option) const;
  bool password_needed() const { return !options.text(kRequirepass).empty(); }

  // ---- upkeep.cc ----
  void upkeep();
  void schedule();
  Time next_deadline() const;
  void options_changed();  // Refreshes what is read from the options.
  void pause_clients(bool writes_only, int64_t ms);
  void unpause_clients();

  // ---- metrics.cc ----
  std::string info_text(std::span<const Bytes> sections) const;
  std::string metrics_text() const;
  uint64_t used_memory() const;
  uint64_t data_digest() const;
  std::string cpu_seconds(bool user) const;

  void log(LogLevel level, std::string text) { outputs->logs.push_back({level, std::move(text)}); }
  FileOpId next_file_op() { return FileOpId{++last_file_op}; }
  uint64_t ticks_us() const { return setup.ticks_us ? setup.ticks_us(setup.ticks_context) : 0; }
  int64_t uptime_seconds() const { return (now.mono - started_at).us / 1000000; }

  static const int kRequirepass, kMaxClients, kTimeout, kOutputPause, kQueryLimit;

  NodeSetup setup;
  Status setup_status;
  Options options;
  const CommandTable& table;
  Random random;
  std::string run_id;
  trace::Trace trace;
  Keyspace keyspace;
  EffectLog effects;
  WatchTable watches;
  Txn txn;
  CommandSettings settings;
  LockEpoch epoch;
  ServerCounts counts;
  std::vector<CommandCounts> command_counts;
  std::map<std::string, uint64_t> error_counts;  // By code word; bounded in count_error.
  TimerTable<ServerTimer> timers;

  Now now;
  Time started_at;
  bool started = false;
  Outputs* outputs = nullptr;  // Of the present step.
  uint64_t last_client_id = 0;
  uint64_t last_file_op = 0;
  int connected = 0;
  int commands_left = 0;  // Bound of this step.
  uint64_t commands_at_upkeep = 0;
  int64_t commands_per_second = 0;
  int64_t upkeep_rounds = 0;
  uint64_t peak_memory = 0;
  bool active_expire = true;  // DEBUG SET-ACTIVE-EXPIRE
  bool paused = false;
  bool paused_writes_only = false;
  uint64_t epoch_wraps = 0;  // How often the effect offset has passed 2^36 in this run.
  // CONFIG REWRITE waits for the disk: the client that gets the answer.
  FileOpId rewrite_op;
  LinkId rewrite_waiter;
  void rewrite_done(const Status& status);  // config_commands.cc

  // A CONFIG SET of bind or port until the host has answered: who waits, and what to go back to.
  LinkId listen_waiter;
  std::vector<std::pair<int, std::string>> listen_undo;  // Empty: none is under way.
  void listened(const Status& status);                   // config_commands.cc
  bool output_limited = false;  // client-output-buffer-limit is set for normal clients

 private:
  // What is known of a parsed command before it runs.
  struct BatchItem {
    const CommandSpec* spec;  // Null: unknown.
    const void* place;        // Of its first key's bucket, for the look-ahead.
    uint64_t hash;            // Of its first key.
    bool is_plain;            // A plain command with the right number of arguments; hashed.
  };
  static constexpr size_t kBatchMax = 32;
  struct Progress {
    size_t consumed = 0;      // Bytes of the buffer that are done with.
    bool needs_more = false;  // The rest is a partial command; else there is work left.
  };

  Progress execute_buffer(Session& s, Bytes buffer);
  size_t parse_batch(Session& s, Bytes buffer, size_t& at, CommandParser::State& state);
  void look_ahead(const Table& keys, bool far, size_t i);
  std::span<const Bytes> arguments_of(const ParsedCommand& parsed) const {
    return argument_pool_.part(parsed.first_argument, parsed.argument_count);
  }
  bool is_usual(const Session& s) const;
  size_t run_plain(Session& s, size_t begin, size_t end, size_t output_pause);
  void run(Session& s, Call& call, size_t reply_begin, bool traced);
  void count_commands(Session& s, size_t commands);
  void conclude(Session& s, const CommandSpec& spec, std::span<const Bytes> arguments,
                size_t reply_begin, bool failed);
  void execute(Session& s, const CommandSpec* spec, std::span<const Bytes> arguments);
  bool must_wait(Session& s, const CommandSpec& spec);
  const char* refusal(const Session& s, const CommandSpec& spec) const;
  void keep_rest(Session& s, const Progress& progress);
  void queue_command(Session& s, const CommandSpec& spec, const CommandSpec* sub,
                     std::span<const Bytes> arguments);
  void reject(Session& s, const CommandSpec* spec, Bytes error);
  void count_error(Bytes error);
  void protocol_error(Session& s, Bytes error);
  void trace_command(Session& s, std::span<const Bytes> arguments, size_t reply_begin);
  void close_idle();
  void expire_keys();
  bool txn_idle() const;  // No key has a deadline and nothing waits to be tried again.

  std::vector<std::unique_ptr<Session>> sessions_;  // By link number.
  std::deque<LinkId> runnable_;
  ArgumentPool argument_pool_;
  ParsedCommand parsed_[kBatchMax];  // A batch; its arguments lie in argument_pool_.
  BatchItem batch_[kBatchMax];
  uint64_t last_ticks_us_ = 0;
  int slices_left_ = 0;  // Of this round's expiry scan.
};

// The families of core/node; the data families are in core/command.
std::span<const CommandSpec> connection_commands();
std::span<const CommandSpec> client_commands();
std::span<const CommandSpec> command_commands();
std::span<const CommandSpec> config_commands();
std::span<const CommandSpec> server_commands();
std::span<const CommandSpec> transaction_commands();
// Every command of HotKV: dispatch, COMMAND, console and docs read this one table.
const CommandTable& all_commands();

}  // namespace hotkv
