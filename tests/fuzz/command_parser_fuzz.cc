// Any bytes, in one piece and in several: no crash, the same commands and the same error.
#include "tests/fuzz/pieces.h"
#include "tests/unit/resp/command_feed.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace hotkv;
  Pieces pieces(data, size);
  ParserLimits limits{.max_bulk_bytes = 1024 * 1024, .authenticated = pieces.draw(4) != 0};
  Understood whole = understood(pieces.all(), limits);
  CommandFeed feed(limits);
  while (!pieces.all().empty()) feed.add(pieces.next());
  HOTKV_CHECK(feed.seen() == whole);
  return 0;
}
