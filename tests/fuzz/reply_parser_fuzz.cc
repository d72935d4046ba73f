// Any bytes, in one piece and in several: no crash, the same replies, and every reply can be shown.
#include <string>

#include "core/console/reply_format.h"
#include "tests/fuzz/pieces.h"

namespace {

using namespace hotkv;

// The text of every reply in `buffer` in all three styles, and of the error; `buffer` keeps what
// is not read yet.
class Reader {
 public:
  void add(Bytes piece) {
    buffer_ += piece;
    while (!failed_) {
      Reply reply;
      ReplyParser::State state = parser_.next(buffer_, reply);
      if (state == ReplyParser::State::kNeedMore) return;
      failed_ = state == ReplyParser::State::kError;
      if (failed_) {
        seen_ += parser_.error();
        return;
      }
      buffer_.erase(0, parser_.consumed());
      for (ReplyStyle style : {ReplyStyle::kTerminal, ReplyStyle::kRaw, ReplyStyle::kJson}) {
        seen_ += format_reply(reply, style);
      }
    }
  }
  const std::string& seen() const { return seen_; }

 private:
  ReplyParser parser_;
  std::string buffer_, seen_;
  bool failed_ = false;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Pieces pieces(data, size);
  Reader whole, cut;
  whole.add(pieces.all());
  while (!pieces.all().empty()) cut.add(pieces.next());
  HOTKV_CHECK(whole.seen() == cut.seen());
  return 0;
}
