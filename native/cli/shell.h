// Shell: a conversation with a server: connects, authenticates, runs commands, prints replies.
//
// A connection that the server has ended is replaced before the next command. A command is never
// sent twice: whether the first one was carried out is not known.
#pragma once

#include <string>
#include <vector>

#include "native/cli/settings.h"

namespace hotkv::cli {

enum class Outcome : uint8_t {
  kDone,
  kErrorReply,
  kFailed,  // Not carried out, or nobody knows: no server, or the connection was lost.
};

class Shell {
 public:
  explicit Shell(const Settings& settings) : settings_(settings) {}

  // Connects if need be and prepares the session (AUTH, HELLO, SELECT). Prints what goes wrong.
  bool connect();
  // Runs one command and prints its reply.
  Outcome run(const std::vector<std::string>& words);
  // Runs a typed line: a command, a count before a command, `help`, `clear`, `exit`. Sets `leave`.
  Outcome run_line(const std::string& line, bool& leave);
  std::string prompt() const;
  // Names of present keys that begin with `prefix`, for completion; asked from the server.
  std::vector<std::string> key_names(const std::string& prefix);
  // The time of a PING there and back; false = no answer.
  bool measure_ms(double& ms);

 private:
  bool exchange(const std::vector<std::string>& words, Reply& reply);
  bool prepare(const std::vector<std::string>& words);
  void note_state(const std::vector<std::string>& words, const Reply& reply);
  bool notice_lost_transaction();

  Settings settings_;
  Connection connection_;
  int database_ = -1;  // -1: never connected; else what the session has selected.
  bool in_multi_ = false;
};

// Reads lines with editing, history, completion and hints until the end of input.
int run_interactive(Shell& shell);
// Measures round trips: for ever on a terminal, else for `settings.interval_s`, and prints.
int run_latency(Shell& shell, const Settings& settings);

}  // namespace hotkv::cli
