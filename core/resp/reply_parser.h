// ReplyParser: bytes of a server -> one reply value. Used by hotkv-cli, the console, simulated
// clients and tests; replicas and sentinels will read their peers with it.
//
// Unlike the server's parser it builds an owned tree, because its users keep replies. Depth is
// limited to 128, a line to 64 KiB, a bulk to 512 MiB; a violation is an error, never a crash.
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
  // its. kNeedMore: call again with the same bytes and more. kError: error() says what is wrong.
  State next(Bytes buffer, Reply& reply);
  size_t consumed() const { return consumed_; }
  const std::string& error() const { return error_; }

 private:
  size_t consumed_ = 0;
  std::string error_;
};

// Appends `*n` and `$len` framing of a command: the one writer of requests (clients, effects).
void append_command(std::string& out, const std::vector<Bytes>& words);

}  // namespace hotkv
