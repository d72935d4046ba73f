// What the command line of hotkv-cli asks for.
#pragma once

#include <string>
#include <vector>

#include "core/console/reply_format.h"
#include "native/cli/connection.h"

namespace hotkv::cli {

struct Settings {
  Address address;
  std::string password, user;  // From -a and --user or HOTKV_AUTH, REDISCLI_AUTH.
  int database = 0;
  bool resp3 = false;
  bool latency = false;
  bool last_from_stdin = false;   // -x
  bool error_is_failure = false;  // -e: an error reply makes the exit status 1.
  bool ask_password = false;
  bool password_is_visible = false;  // It stood on the command line.
  bool warn_of_password = true;
  ReplyStyle style = ReplyStyle::kTerminal;
  int64_t repeat = 1;     // -r; -1 = for ever
  double interval_s = 0;  // -i
  std::vector<std::string> command;
  enum class Show : uint8_t { kNothing, kHelp, kVersion } show = Show::kNothing;
};

// The status names the option and what is wrong. `terminal`: standard output is one.
Status read_settings(int argc, char** argv, bool terminal, Settings& settings);
const char* usage();

}  // namespace hotkv::cli
