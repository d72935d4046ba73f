// The interactive side: lines from a person to the shell.
#include <cstdio>

#include "core/console/completion.h"
#include "core/console/secret.h"
#include "core/node/server.h"
#include "native/cli/interrupt.h"
#include "native/cli/line_reader.h"
#include "native/cli/shell.h"

namespace hotkv::cli {

namespace {

class Adviser : public LineAdviser {
 public:
  explicit Adviser(Shell& shell) : shell_(shell) {}

  std::string hint(Bytes line) override { return hotkv::hint(line, all_commands()); }
  std::vector<std::string> candidates(Bytes line) override {
    std::string word(line.substr(completion_start(line)));
    if (!word.empty() && word[0] == '"') word.erase(0, 1);
    return complete(line, all_commands(), shell_.key_names(word));
  }

 private:
  Shell& shell_;
};

}  // namespace

int run_interactive(Shell& shell) {
  Adviser adviser(shell);
  LineReader reader(adviser);
  catch_interrupts();
  shell.connect();
  std::string line;
  for (bool leave = false; !leave;) {
    switch (reader.read(shell.prompt(), line)) {
      case LineReader::Result::kEnd: std::printf("\n"); return 0;
      case LineReader::Result::kGivenUp: continue;
      case LineReader::Result::kLine: break;
    }
    if (line.find_first_not_of(" \t") == std::string::npos) continue;
    if (!holds_secret(line)) reader.remember(line);
    shell.run_line(line, leave);
  }
  return 0;
}

}  // namespace hotkv::cli
