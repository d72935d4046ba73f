#include "native/cli/settings.h"

#include <cstdlib>

#include "core/base/numbers.h"

namespace hotkv::cli {

const char* usage() {
  return "Usage: hotkv-cli [OPTIONS] [command [argument ...]]\n"
         "  -h HOST            server (default 127.0.0.1)\n"
         "  -p PORT            port (default 6379)\n"
         "  -s PATH            unix socket instead of host and port\n"
         "  -a, --pass WORD    password; better in the environment, as HOTKV_AUTH or "
         "REDISCLI_AUTH\n"
         "  --askpass          ask for the password on the terminal\n"
         "  --user NAME        user that the password is for (default: the default user)\n"
         "  --no-auth-warning  be silent about a password on the command line\n"
         "  -n NUMBER          database\n"
         "  -2, -3             RESP2 (the default) or RESP3\n"
         "  -r N, -i SECONDS   repeat the command N times (-1 = for ever), with pauses\n"
         "  -x                 read the last argument from standard input\n"
         "  -e                 exit with 1 when a reply is an error\n"
         "  --raw, --no-raw    plain or formatted replies (default: formatted on a terminal)\n"
         "  --json             replies as JSON (uses RESP3)\n"
         "  --latency          measure the round trip of PING until interrupted\n"
         "  --help, --version\n"
         "Without a command: interactive, or the lines of standard input when it is no terminal.\n"
         "Exit status: 1 when the command could not be carried out (no server, connection lost,\n"
         "wrong options); error replies count only with -e.\n";
}

namespace {

constexpr double kIntervalMax_s = 1e6;

Status number(const std::string& name, const std::string& text, int64_t low, int64_t high,
              int64_t& out) {
  if (parse_int64(text, out) && out >= low && out <= high) return {};
  return Status::error(name + " takes a number from " + std::to_string(low) + " to " +
                       std::to_string(high) + ", not '" + text + "'");
}

bool takes_value(const std::string& name) {
  for (const char* known : {"-h", "-p", "-s", "-a", "--pass", "--user", "-n", "-r", "-i"}) {
    if (name == known) return true;
  }
  return false;
}

// REQUIRES: takes_value(name).
Status set_value(const std::string& name, const std::string& value, Settings& s) {
  Status status;
  int64_t n = 0;
  if (name == "-h") {
    if (value.empty()) return Status::error("-h takes a host, not ''");
    s.address.host = value;
  } else if (name == "-s") {
    s.address.socket_path = value;
  } else if (name == "-a" || name == "--pass") {
    s.password = value;
    s.password_is_visible = true;
  } else if (name == "--user") {
    s.user = value;
  } else if (name == "-p") {
    status = number(name, value, 1, 65535, n);
    s.address.port = static_cast<int>(n);
  } else if (name == "-n") {
    status = number(name, value, 0, INT32_MAX, n);
    s.database = static_cast<int>(n);
  } else if (name == "-r") {
    if (!parse_int64(value, s.repeat) || s.repeat < -1 || s.repeat == 0) {
      status = Status::error("-r takes a count, or -1 for ever, not '" + value + "'");
    }
  } else if (!parse_double(value, s.interval_s) ||
             !(s.interval_s >= 0 && s.interval_s <= kIntervalMax_s)) {
    status = Status::error("-i takes seconds from 0 to 1000000, not '" + value + "'");
  }
  return status;
}

bool plain_option(const std::string& name, Settings& s) {
  if (name == "-3")
    s.resp3 = true;
  else if (name == "-2")
    s.resp3 = false;
  else if (name == "-e")
    s.error_is_failure = true;
  else if (name == "--askpass")
    s.ask_password = true;
  else if (name == "--no-auth-warning")
    s.warn_of_password = false;
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
    if (plain_option(name, s)) continue;
    if (!takes_value(name)) return Status::error("unknown option '" + name + "'");
    if (i + 1 == argc) return Status::error("option " + name + " needs a value");
    Status status = set_value(name, argv[++i], s);
    if (!status.ok()) return status;
  }
  for (; i < argc; i++) s.command.emplace_back(argv[i]);
  if (s.last_from_stdin && s.command.empty()) {
    return Status::error("-x needs a command, whose last argument comes from standard input");
  }
  return {};
}

}  // namespace hotkv::cli
