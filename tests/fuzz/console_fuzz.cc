// Any half-typed line: completion, hint and help answer, and a completion continues the word.
#include "core/console/completion.h"
#include "core/node/server.h"
#include "tests/fuzz/pieces.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace hotkv;
  Bytes line(reinterpret_cast<const char*>(data), size);
  const CommandTable& table = all_commands();
  size_t start = completion_start(line);
  HOTKV_CHECK(start <= size);
  std::vector<std::string> words = complete(line, table, {"key:1", "key:2"});
  HOTKV_CHECK(words.size() <= kCandidatesMax);
  hint(line, table);
  help_text(line, table);
  return 0;
}
