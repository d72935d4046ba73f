// The interactive side: libedit for editing and history, the core for completion and hints.
#include <editline/readline.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "core/console/completion.h"
#include "core/node/server.h"
#include "native/cli/shell.h"

namespace hotkv::cli {

namespace {

// libedit's callbacks carry no context.
Shell* shell_of_completion = nullptr;
std::vector<std::string> candidates;

char* next_candidate(const char*, int state) {
  static size_t index;
  if (state == 0) index = 0;
  return index < candidates.size() ? ::strdup(candidates[index++].c_str()) : nullptr;
}

char** complete_word(const char* word, int start, int end) {
  Bytes line(rl_line_buffer, static_cast<size_t>(end));
  candidates = complete(line, all_commands(), shell_of_completion->key_names());
  rl_attempted_completion_over = 1;  // Never file names.
  (void)start;
  return candidates.empty() ? nullptr : rl_completion_matches(word, next_candidate);
}

// A second meaning of "?" at the end of a line: show what is missing.
bool show_hint(const std::string& line) {
  if (line.size() < 2 || line.substr(line.size() - 2) != " ?") return false;
  std::string rest = hint(line.substr(0, line.size() - 1), all_commands());
  std::printf("%s\n", rest.empty() ? "(nothing more)" : rest.c_str());
  return true;
}

std::string history_path() {
  if (const char* path = std::getenv("HOTKV_HISTORY")) return path;
  const char* home = std::getenv("HOME");
  return home ? std::string(home) + "/.hotkv_history" : std::string();
}

// A password must not end up in a file.
bool is_secret(const std::string& line) {
  std::string lower = lower_case(line);
  return lower.find("auth") != std::string::npos || lower.find("requirepass") != std::string::npos;
}

}  // namespace

int run_interactive(Shell& shell) {
  shell_of_completion = &shell;
  rl_readline_name = "hotkv-cli";
  rl_attempted_completion_function = complete_word;
  using_history();
  stifle_history(1000);
  std::string path = history_path();
  if (!path.empty()) read_history(path.c_str());
  shell.connect();
  while (char* text = readline(shell.prompt().c_str())) {
    std::string line(text);
    std::free(text);
    if (line.find_first_not_of(" \t") == std::string::npos) continue;
    if (!is_secret(line)) {
      add_history(line.c_str());
      if (!path.empty()) write_history(path.c_str());
    }
    if (show_hint(line)) continue;
    if (!shell.run_line(line)) return 0;
  }
  std::printf("\n");
  return 0;
}

}  // namespace hotkv::cli
