// ReplyParser: bytes of a server -> one reply value. Used by hotkv-cli, the console, simulated
// clients and tests; replicas and sentinels will read their peers with it.
//
// Unlike the server's parser it builds an owned tree, because its users keep replies. It remembers
// how far it has come inside a partial reply, so that a reply in many pieces costs linear time.
// Depth is limited to 128, a line to 64 KiB, a bulk to 512 MiB; a violation is an error, never a
// crash, and nothing is allocated from a number in a header.
#pragma once

#include <string>
#include <vector>

#include "core/base/bytes.h"

namespace hotkv {

struct Reply {
  enum class Type : uint8_t {
    kSimple,
    kError,
    kInteger,
    kBulk,
    kArray,
    kNull,
    kNullArray,
    kDouble,
    kBoolean,
    kBigNumber,
    kVerbatim,
    kMap,
    kSet,
    kPush,
    kBulkError,
  };
  Type type = Type::kNull;
  std::string
      text;  // kSimple, kError, kBulk, kDouble, kBigNumber (as sent), kVerbatim (no prefix).
  int64_t integer = 0;          // kInteger; kBoolean as 0 or 1.
  std::vector<Reply> elements;  // kMap: key, value, key, value ...
};

class ReplyParser {
 public:
  enum class State : uint8_t { kReply, kNeedMore, kError };
  // Reads one reply from the front of `buffer`. kReply: `reply` is set and consumed() bytes are
  // its; the next call is about what follows them. kNeedMore: call again with the same bytes and
  // more. kError: error() says what is wrong; the parser is of no more use.
  State next(Bytes buffer, Reply& reply);
  size_t consumed() const { return consumed_; }
  const std::string& error() const { return error_; }

 private:
  // An aggregate whose elements are still coming.
  struct Open {
    Reply reply;
    int64_t missing = 0;
    bool is_attribute = false;
  };

  State read_value(Bytes buffer, Reply& value, bool& is_open);
  State bulk(Bytes buffer, Reply::Type type, Bytes line, size_t behind, Reply& value);
  State aggregate(char type, Bytes line, Reply& value, bool& is_open);
  bool close_with(Reply& value);
  State fail(const char* why);

  std::vector<Open> open_;  // Outermost first.
  size_t position_ = 0;     // Where to go on.
  size_t consumed_ = 0;
  std::string error_;
};

// Appends `*n` and `$len` framing of a command: the one writer of requests (clients, effects).
void append_command(std::string& out, const std::vector<Bytes>& words);

}  // namespace hotkv
