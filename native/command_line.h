// CommandLine: what the words behind `hotkv-server` say.
//
//   hotkv-server [FILE | -] [--name value...]... | --help | --version
//
// As Redis: an optional configuration file first (`-` reads it from standard input), then options,
// each taking the words up to the next `--`. One word may hold several: `--replicaof "H P"`.
// Options hold over the file. `--record FILE` is the host's own and no option of the server.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"

namespace hotkv {

struct CommandLine {
  bool help = false;
  bool version = false;
  std::string config_file;  // "" = none, "-" = standard input.
  std::string record_file;
  std::vector<std::pair<std::string, std::string>> options;  // Name, words in redis.conf syntax.
};

Result<CommandLine> parse_command_line(const std::vector<std::string>& words);
extern const char kUsage[];

}  // namespace hotkv
