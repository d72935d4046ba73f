// CommandParser: bytes of one link -> commands (argument views), RESP multibulk and inline.
//
// The parser owns no bytes. It is fed a contiguous buffer again and again; it remembers how far it
// has come inside a partial command, so that feeding byte by byte costs linear time. Argument views
// point into the buffer and hold until the buffer's owner drops those bytes. Nothing is ever
// allocated from a number in a header (CASES PROTO-01).
//
// Limits (INTEROP section 8): a line without its end over 64 KiB; `*` up to INT_MAX; `$` up to
// max_bulk_bytes; before authentication 10 arguments and 16,384 bytes each. Error texts are
// Redis's; after an error the link answers it and closes.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/bytes.h"

namespace hotkv {

struct ParserLimits {
  int64_t max_bulk_bytes = 512 * 1024 * 1024;  // proto-max-bulk-len, never below 1 MiB
  bool authenticated = true;
};

// Room for the arguments of a batch of commands, used again for the next one. Slots move when it
// grows, so that arguments are remembered by index until the batch is complete.
class ArgumentPool {
 public:
  void clear() { used_ = 0; }
  size_t size() const { return used_; }
  size_t capacity() const { return capacity_; }
  Bytes& operator[](size_t i) { return slots_[i]; }
  std::span<const Bytes> part(size_t first, size_t count) const {
    return {slots_.get() + first, count};
  }
  // Room for `count` more; commit() makes them part of the pool.
  Bytes* grow(size_t count) {
    if (capacity_ - used_ < count) reserve(used_ + count);
    return slots_.get() + used_;
  }
  void commit(size_t count) { used_ += count; }
  void release() { *this = ArgumentPool(); }

 private:
  void reserve(size_t wanted);

  std::unique_ptr<Bytes[]> slots_;
  size_t used_ = 0;
  size_t capacity_ = 0;
};

// A command of a batch: where its bytes begin in the buffer, and its arguments in the pool.
struct ParsedCommand {
  const char* begin = nullptr;
  uint32_t first_argument = 0;
  uint32_t argument_count = 0;
  bool repeats = false;  // The command before it has the same name, byte by byte, and count.
};

class CommandParser {
 public:
  enum class State : uint8_t {
    kCommand,   // The pool has one command more; consumed() bytes of the buffer belong to it.
    kNeedMore,  // The buffer ends inside a command (or is empty).
    kError,     // `error()` is the reply; the link must close.
  };

  // Looks for the next command in `buffer`, which starts where the last command ended (the caller
  // drops consumed() bytes after each kCommand, or passes a later view of the same bytes), and adds
  // its arguments to `pool`. Empty requests (`*0`, `*-1`, blank lines) are skipped and counted in
  // consumed() with no command. On kNeedMore, consumed() bytes (skipped empty requests) may be
  // dropped; the rest must be fed again with more bytes after it, unchanged. On kError the parser
  // is of no more use.
  State next(Bytes buffer, const ParserLimits& limits, ArgumentPool& pool);

  // The common case in one pass and without state: the whole multibulk commands with ordinary
  // headers from buffer[at] on, as many as there are and `commands` has places for. Adds their
  // arguments to `pool`, moves `at` behind them and returns how many; 0 = ask next().
  size_t take_whole(Bytes buffer, size_t& at, const ParserLimits& limits, ArgumentPool& pool,
                    std::span<ParsedCommand> commands) const;

  size_t consumed() const { return consumed_; }
  Bytes error() const { return error_; }

 private:
  State multibulk(Bytes buffer, const ParserLimits& limits, ArgumentPool& pool);
  State begin_multibulk(Bytes buffer, const ParserLimits& limits);
  State read_bulk_length(Bytes buffer, const ParserLimits& limits, size_t& at);
  State inline_command(Bytes buffer, ArgumentPool& pool);
  State fail(Bytes text);

  // (offset, length) pairs of the arguments of a partial command: views would dangle when the
  // owner's buffer moves.
  std::vector<std::pair<size_t, size_t>> spans_;
  std::string unquoted_;  // The words of an inline command are unquoted, so they need a home.
  size_t consumed_ = 0;
  size_t position_ = 0;     // Where to go on inside the partial command.
  int64_t remaining_ = -1;  // Arguments still to come; -1 = the header is not read yet.
  int64_t bulk_length_ = -1;
  std::string error_;
};

}  // namespace hotkv
