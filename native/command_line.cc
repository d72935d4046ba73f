#include "native/command_line.h"

#include <algorithm>

#include "core/base/bytes.h"

namespace hotkv {

const char kUsage[] =
    "Usage: hotkv-server [FILE | -] [--name value...]...\n"
    "       hotkv-server --help | --version\n"
    "\n"
    "FILE is a configuration file in redis.conf syntax; - reads it from standard input.\n"
    "Options on the command line hold over the file:\n"
    "\n"
    "  --port N             TCP port (6379; 0 = none)\n"
    "  --bind ADDRESS...    addresses to listen on (127.0.0.1 and ::1)\n"
    "  --unixsocket PATH    unix socket to listen on as well\n"
    "  --dir FOLDER         folder of the server's files (.)\n"
    "  --requirepass WORD   password of clients\n"
    "  --http-port N        port of the page, /healthz and /metrics (0 = none)\n"
    "  --http-root FOLDER   folder of the page (../site beside the program)\n"
    "  --loglevel LEVEL     debug, verbose, notice, warning or nothing (notice)\n"
    "  --logfile FILE       log to a file instead of standard output\n"
    "  --daemonize yes      go to the background\n"
    "  --record FILE        write every input of the server, for a replay\n"
    "\n"
    "All other options: CONFIG GET * on a running server.\n"
    "\n"
    "Examples:\n"
    "  hotkv-server\n"
    "  hotkv-server /etc/hotkv.conf --port 7777\n"
    "  hotkv-server --port 7777 --bind 127.0.0.1 --loglevel verbose\n";

namespace {

bool is_option(const std::string& word) { return word.size() > 2 && word.compare(0, 2, "--") == 0; }

// A word as it must stand in a configuration file. A word with blanks stays one word there; an
// option of several words takes them either way.
std::string config_word(const std::string& word) {
  const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
    return c > ' ' && c < 0x7f && c != '"' && c != '\'' && c != '\\' && c != '#';
  });
  if (plain) return word;
  std::string quoted;
  append_quoted(quoted, word);
  return quoted;
}

}  // namespace

Result<CommandLine> parse_command_line(const std::vector<std::string>& words) {
  CommandLine line;
  size_t at = 0;
  if (words.size() == 1) {
    line.help = words[0] == "--help" || words[0] == "-h";
    line.version = words[0] == "--version" || words[0] == "-v";
    if (line.help || line.version) return line;
  }
  if (at < words.size() && !is_option(words[at])) {
    if (words[at].size() > 1 && words[at][0] == '-') {
      return Status::error("'" + words[at] + "' is no option; options begin with -- (see --help)");
    }
    line.config_file = words[at++];
  }
  while (at < words.size()) {
    const std::string& word = words[at++];
    if (!is_option(word)) {
      return Status::error("'" + word + "' stands where an option (--name) was expected");
    }
    std::string name = lower_case(word.substr(2));
    std::string value;
    // `--name "value"` and `--"name value"` are both in use.
    const size_t blank = name.find(' ');
    if (blank != std::string::npos) {
      value = word.substr(2 + blank + 1);
      name.resize(blank);
    }
    if (name == "sentinel") return Status::error("--sentinel is not available in this version");
    const size_t first = at;
    for (; at < words.size() && !is_option(words[at]); at++) {
      if (!value.empty()) value += ' ';
      value += name == "record" ? words[at] : config_word(words[at]);
    }
    if (name == "record") {
      if (at - first != 1) return Status::error("--record takes one file");
      line.record_file = value;
      continue;
    }
    line.options.emplace_back(name, value);
  }
  return line;
}

}  // namespace hotkv
