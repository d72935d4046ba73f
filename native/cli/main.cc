// hotkv-cli: the command line client. Its output is redis-cli's, byte for byte.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <iterator>
#include <thread>

#include "core/node/version.h"
#include "native/cli/shell.h"

namespace hotkv::cli {

namespace {

int status_of(Outcome outcome, const Settings& settings) {
  if (outcome == Outcome::kErrorReply) return settings.error_is_failure ? 1 : 0;
  return outcome == Outcome::kFailed ? 1 : 0;
}

int run_command(Shell& shell, const Settings& settings) {
  std::vector<std::string> words = settings.command;
  if (settings.last_from_stdin) {
    words.emplace_back(std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>());
  }
  Outcome outcome = Outcome::kDone;
  for (int64_t n = 0; settings.repeat < 0 || n < settings.repeat; n++) {
    if (n > 0 && settings.interval_s > 0) {
      std::this_thread::sleep_for(std::chrono::duration<double>(settings.interval_s));
    }
    outcome = shell.run(words);
    if (status_of(outcome, settings) != 0) break;
  }
  return status_of(outcome, settings);
}

// Every line is tried, also after one that failed; the exit status tells of any that did.
int run_lines(Shell& shell, const Settings& settings) {
  if (!shell.connect()) return 1;
  std::string line;
  int status = 0;
  for (bool leave = false; !leave && std::getline(std::cin, line);) {
    status = std::max(status, status_of(shell.run_line(line, leave), settings));
  }
  return status;
}

bool read_password(Settings& settings) {
  // getpass is old, but does all that is needed: opens the terminal and turns its echo off.
  const char* password = ::getpass("Password: ");
  if (!password) {
    std::fprintf(stderr, "hotkv-cli: --askpass needs a terminal\n");
    return false;
  }
  settings.password = password;
  settings.password_is_visible = false;
  return true;
}

int run(int argc, char** argv) {
  Settings settings;
  Status status = read_settings(argc, argv, ::isatty(STDOUT_FILENO) != 0, settings);
  if (!status.ok()) {
    std::fprintf(stderr, "hotkv-cli: %s (hotkv-cli --help lists the options)\n",
                 status.message().c_str());
    return 1;
  }
  if (settings.show == Settings::Show::kHelp) return std::fputs(usage(), stdout) < 0;
  if (settings.show == Settings::Show::kVersion) {
    return std::printf("hotkv-cli %s\n", kHotkvVersion.data()) < 0;
  }
  if (settings.ask_password && !read_password(settings)) return 1;
  if (settings.password_is_visible && settings.warn_of_password) {
    std::fprintf(stderr,
                 "Warning: a password given with -a or --pass can be seen by other users of this "
                 "machine; HOTKV_AUTH or --askpass hide it.\n");
  }
  Shell shell(settings);
  if (settings.latency) return run_latency(shell, settings);
  if (!settings.command.empty()) return run_command(shell, settings);
  return ::isatty(STDIN_FILENO) ? run_interactive(shell) : run_lines(shell, settings);
}

}  // namespace

}  // namespace hotkv::cli

int main(int argc, char** argv) { return hotkv::cli::run(argc, argv); }
