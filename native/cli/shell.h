// Shell: a conversation with a server: connects, authenticates, runs commands, prints replies.
#pragma once

#include <string>
#include <vector>

#include "native/cli/settings.h"

namespace hotkv::cli {

class Shell {
 public:
  explicit Shell(const Settings& settings) : settings_(settings) {}

  // Connects if need be and prepares the session (AUTH, HELLO, SELECT). Prints what goes wrong.
  bool connect();
  // Runs one command and prints its reply. False when it failed or the reply is an error.
  bool run(const std::vector<std::string>& words);
  // Runs a typed line: a command, a count before a command, `help`, `clear`, `exit`. False = leave.
  bool run_line(const std::string& line);
  int run_latency();
  std::string prompt() const;
  const std::vector<std::string>& key_names();  // For completion; asked from the server.

 private:
  bool exchange(const std::vector<std::string>& words, Reply& reply);
  bool prepare(const std::vector<std::string>& words);
  void note_state(const std::vector<std::string>& words, const Reply& reply);

  Settings settings_;
  Connection connection_;
  int database_ = 0;
  bool in_multi_ = false;
  std::vector<std::string> keys_;
};

// Reads lines with editing, history, completion and hints until the end of input.
int run_interactive(Shell& shell);

}  // namespace hotkv::cli
