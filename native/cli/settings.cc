#include "native/cli/settings.h"

#include <cstdlib>

#include "core/base/numbers.h"

namespace hotkv::cli {

const char* usage() {
  return "Usage: hotkv-cli [OPTIONS] [command [argument ...]]\n"
         "  -h HOST            server (default 127.0.0.1)\n"
         "  -p PORT            port (default 6379)\n"
         "  -s PATH            unix socket instead of host and port\n"
         "  -a PASSWORD        password; better in the environment, as HOTKV_AUTH or "
         "REDISCLI_AUTH\n"
         "  --user NAME        user that the password is for (default: the default user)\n"
         "  -n NUMBER          database\n"
         "  -3                 RESP3\n"
         "  -r N, -i SECONDS   repeat the command N times (-1 = for ever), with pauses\n"
         "  -x                 read the last argument from standard input\n"
         "  --raw, --no-raw    plain or formatted replies (default: formatted on a terminal)\n"
         "  --json             replies as JSON (uses RESP3)\n"
         "  --latency          measure the round trip of PING until interrupted\n"
         "  --help, --version\n"
         "Without a command: interactive, or the lines of standard input when it is no terminal.\n";
}

namespace {

Status number(const std::string& name, const std::string& text, int64_t low, int64_t high,
              int64_t& out) {
  if (parse_int64(text, out) && out >= low && out <= high) return {};
  return Status::error(name + " takes a number from " + std::to_string(low) + " to " +
                       std::to_string(high) + ", not '" + text + "'");
}

// One option that takes a value; false when `name` is none of them.
bool value_option(const std::string& name, const std::string& value, Settings& s, Status& status) {
  int64_t n = 0;
  double seconds = 0;
  if (name == "-h")
    s.address.host = value;
  else if (name == "-s")
    s.address.socket_path = value;
  else if (name == "-a" || name == "--pass")
    s.password = value;
  else if (name == "--user")
    s.user = value;
  else if (name == "-p") {
    status = number(name, value, 1, 65535, n);
    s.address.port = static_cast<int>(n);
  } else if (name == "-n") {
    status = number(name, value, 0, 1000000, n);
    s.database = static_cast<int>(n);
  } else if (name == "-r") {
    status = number(name, value, -1, INT64_MAX, s.repeat);
  } else if (name == "-i") {
    if (!parse_double(value, seconds) || seconds < 0) {
      status = Status::error("-i takes seconds, not '" + value + "'");
    }
    s.interval_s = seconds;
  } else {
    return false;
  }
  return true;
}

bool plain_option(const std::string& name, Settings& s) {
  if (name == "-3")
    s.resp3 = true;
  else if (name == "-x")
    s.last_from_stdin = true;
  else if (name == "--raw")
    s.style = ReplyStyle::kRaw;
  else if (name == "--no-raw")
    s.style = ReplyStyle::kTerminal;
  else if (name == "--latency")
    s.latency = true;
  else if (name == "--help")
    s.show = Settings::Show::kHelp;
  else if (name == "--version")
    s.show = Settings::Show::kVersion;
  else if (name == "--json") {
    s.style = ReplyStyle::kJson;
    s.resp3 = true;
  } else {
    return false;
  }
  return true;
}

}  // namespace

Status read_settings(int argc, char** argv, bool terminal, Settings& s) {
  s.style = terminal ? ReplyStyle::kTerminal : ReplyStyle::kRaw;
  for (const char* variable : {"REDISCLI_AUTH", "HOTKV_AUTH"}) {
    if (const char* password = std::getenv(variable)) s.password = password;
  }
  int i = 1;
  for (; i < argc && argv[i][0] == '-'; i++) {
    std::string name = argv[i];
    Status status;
    if (plain_option(name, s)) continue;
    if (i + 1 == argc) return Status::error("unknown option, or one without its value: " + name);
    if (!value_option(name, argv[i + 1], s, status)) return Status::error("unknown option " + name);
    if (!status.ok()) return status;
    i++;
  }
  for (; i < argc; i++) s.command.emplace_back(argv[i]);
  return {};
}

}  // namespace hotkv::cli
