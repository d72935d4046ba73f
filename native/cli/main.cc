// hotkv-cli: the command line client. Its output is redis-cli's, byte for byte.
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <iostream>
#include <iterator>
#include <thread>

#include "core/node/version.h"
#include "native/cli/shell.h"

namespace hotkv::cli {

namespace {

int run_command(Shell& shell, const Settings& settings) {
  std::vector<std::string> words = settings.command;
  if (settings.last_from_stdin) {
    words.emplace_back(std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>());
  }
  bool good = true;
  for (int64_t n = 0; settings.repeat < 0 || n < settings.repeat; n++) {
    if (n > 0 && settings.interval_s > 0) {
      std::this_thread::sleep_for(std::chrono::duration<double>(settings.interval_s));
    }
    good = shell.run(words);
  }
  return good ? 0 : 1;
}

int run_lines(Shell& shell) {
  if (!shell.connect()) return 1;
  std::string line;
  while (std::getline(std::cin, line)) {
    if (!shell.run_line(line)) break;
  }
  return 0;
}

int run(int argc, char** argv) {
  Settings settings;
  Status status = read_settings(argc, argv, ::isatty(STDOUT_FILENO) != 0, settings);
  if (!status.ok()) {
    std::fprintf(stderr, "hotkv-cli: %s\n%s", status.message().c_str(), usage());
    return 2;
  }
  if (settings.show == Settings::Show::kHelp) return std::fputs(usage(), stdout) < 0;
  if (settings.show == Settings::Show::kVersion) {
    return std::printf("hotkv-cli %s\n", kHotkvVersion.data()) < 0;
  }
  Shell shell(settings);
  if (settings.latency) return shell.run_latency();
  if (!settings.command.empty()) return run_command(shell, settings);
  return ::isatty(STDIN_FILENO) ? run_interactive(shell) : run_lines(shell);
}

}  // namespace

}  // namespace hotkv::cli

int main(int argc, char** argv) { return hotkv::cli::run(argc, argv); }
