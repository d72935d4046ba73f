#include "core/resp/command_parser.h"

#include <algorithm>
#include <climits>
#include <cstring>

#include "core/base/numbers.h"

namespace hotkv {

namespace {

constexpr size_t kLineMax = 64 * 1024;
constexpr int64_t kUnauthenticatedArguments = 10;
constexpr int64_t kUnauthenticatedBulk = 16384;
constexpr size_t kKeepSpans = 4096;  // More room than this is given back after use.

enum class Line : uint8_t { kFound, kPartial, kTooLong };

// The number of a header line ("*3", "$16") at `at`, which points behind the type byte.
Line read_header(Bytes buffer, size_t& at, int64_t& number, bool& valid) {
  const char* p = buffer.data() + at;
  size_t left = buffer.size() - at;
  const void* cr = std::memchr(p, '\r', left);
  if (!cr) return left > kLineMax ? Line::kTooLong : Line::kPartial;
  auto length = static_cast<size_t>(static_cast<const char*>(cr) - p);
  if (length + 1 >= left) return Line::kPartial;
  valid = parse_int64({p, length}, number);
  at += length + 2;
  return Line::kFound;
}

}  // namespace

namespace {

constexpr uint32_t kWholeArguments = 1024;  // Longer commands take the way with state.
// A longer bulk may exceed proto-max-bulk-len, whose least value this is.
constexpr uint32_t kWholeBulkMax = 1024 * 1024;

struct Header {
  const char* behind;  // Null: not a plain number, or not all there.
  uint32_t number;
};

// Reads "<type> digits CR LF" at `p`.
Header any_header(const char* p, const char* end, char type) {
  if (end - p < 4 || *p++ != type) return {nullptr, 0};
  uint32_t value = 0;
  const char* digits = p;
  for (; p < end && *p >= '0' && *p <= '9'; p++) {
    if (value > kWholeBulkMax) return {nullptr, 0};
    value = value * 10 + static_cast<uint32_t>(*p - '0');
  }
  bool leading_zero = *digits == '0' && p - digits > 1;
  bool complete = p > digits && end - p >= 2 && *p == '\r';
  if (!complete || leading_zero || value > kWholeBulkMax) return {nullptr, 0};
  return {p + 2, value};
}

// The same; numbers of one and two digits, which most are, come first.
inline Header short_header(const char* p, const char* end, char type) {
  if (end - p >= 5) {
    uint32_t high = static_cast<uint8_t>(p[1]) - uint32_t{'0'};
    uint32_t low = static_cast<uint8_t>(p[2]) - uint32_t{'0'};
    if (p[2] == '\r' && p[0] == type && high <= 9) return {p + 4, high};
    if (p[3] == '\r' && p[0] == type && low <= 9 && high - 1 <= 8) {
      return {p + 5, high * 10 + low};
    }
  }
  return any_header(p, end, type);
}

}  // namespace

void ArgumentPool::reserve(size_t wanted) {
  size_t capacity = std::max(wanted, 2 * capacity_);
  std::unique_ptr<Bytes[]> bigger(new Bytes[capacity]);
  std::copy(slots_.get(), slots_.get() + used_, bigger.get());
  slots_ = std::move(bigger);
  capacity_ = capacity;
}

size_t CommandParser::take_whole(Bytes buffer, const ParserLimits& limits,
                                 ArgumentPool& pool) const {
  if (remaining_ >= 0 || !limits.authenticated) return 0;
  const char* p = buffer.data();
  const char* end = p + buffer.size();
  Header count = short_header(p, end, '*');
  if (!count.behind || count.number - 1 >= kWholeArguments) return 0;
  p = count.behind;
  Bytes* out = pool.grow(count.number);
  const Bytes* out_end = out + count.number;
  do {
    Header length = short_header(p, end, '$');
    if (!length.behind || end - length.behind < int64_t{length.number} + 2) return 0;
    *out++ = {length.behind, length.number};
    p = length.behind + length.number + 2;
  } while (out != out_end);
  pool.commit(count.number);
  return static_cast<size_t>(p - buffer.data());
}

CommandParser::State CommandParser::fail(const char* text) {
  error_ = text;
  remaining_ = -1;
  return State::kError;
}

CommandParser::State CommandParser::next(Bytes buffer, const ParserLimits& limits) {
  consumed_ = 0;
  while (true) {
    if (buffer.empty()) return State::kNeedMore;
    bool multibulk_begins = remaining_ >= 0 || buffer[0] == '*';
    size_t before = consumed_;
    State state = multibulk_begins ? multibulk(buffer, limits) : inline_command(buffer);
    if (state != State::kCommand || !arguments_.empty()) return state;
    // An empty request: skipped, and the next one is looked for.
    buffer.remove_prefix(consumed_ - before);
  }
}

// Reads "*n": kCommand when that is done, and `remaining_` arguments follow.
CommandParser::State CommandParser::array_header(Bytes buffer, const ParserLimits& limits) {
  size_t at = 1;
  int64_t count = 0;
  bool valid = false;
  Line line = read_header(buffer, at, count, valid);
  if (line == Line::kPartial) return State::kNeedMore;
  if (line == Line::kTooLong) return fail("ERR Protocol error: too big mbulk count string");
  if (!valid || count > INT_MAX) return fail("ERR Protocol error: invalid multibulk length");
  if (!limits.authenticated && count > kUnauthenticatedArguments) {
    return fail("ERR Protocol error: unauthenticated multibulk length");
  }
  remaining_ = count > 0 ? count : 0;
  bulk_length_ = -1;
  position_ = at;
  spans_.clear();
  return State::kCommand;
}

// Reads "$n" at position_: kCommand when that is done.
CommandParser::State CommandParser::bulk_header(Bytes buffer, const ParserLimits& limits) {
  if (position_ >= buffer.size()) return State::kNeedMore;
  if (buffer[position_] != '$') {
    error_text_ = "ERR Protocol error: expected '$', got '";
    error_text_ += buffer[position_];
    error_text_ += '\'';
    return fail(error_text_.c_str());
  }
  size_t behind = position_ + 1;
  int64_t length = 0;
  bool valid = false;
  Line line = read_header(buffer, behind, length, valid);
  if (line == Line::kPartial) return State::kNeedMore;
  if (line == Line::kTooLong) return fail("ERR Protocol error: too big bulk count string");
  if (!valid || length < 0 || length > limits.max_bulk_bytes) {
    return fail("ERR Protocol error: invalid bulk length");
  }
  if (!limits.authenticated && length > kUnauthenticatedBulk) {
    return fail("ERR Protocol error: unauthenticated bulk length");
  }
  bulk_length_ = length;
  position_ = behind;
  return State::kCommand;
}

CommandParser::State CommandParser::multibulk(Bytes buffer, const ParserLimits& limits) {
  State state = remaining_ < 0 ? array_header(buffer, limits) : State::kCommand;
  for (; state == State::kCommand && remaining_ > 0; remaining_--) {
    if (bulk_length_ < 0) state = bulk_header(buffer, limits);
    if (state != State::kCommand) break;
    auto length = static_cast<size_t>(bulk_length_);
    if (buffer.size() - position_ < length + 2) {
      state = State::kNeedMore;
      break;
    }
    spans_.emplace_back(position_, length);
    position_ += length + 2;
    bulk_length_ = -1;
  }
  if (state != State::kCommand) {
    wanted_ = bulk_length_ < 0 ? 0 : position_ + static_cast<size_t>(bulk_length_) + 2;
    return state;
  }
  arguments_.clear();
  for (auto [offset, length] : spans_) arguments_.emplace_back(buffer.data() + offset, length);
  if (spans_.capacity() > kKeepSpans) spans_ = {};
  remaining_ = -1;
  consumed_ += position_;
  return State::kCommand;
}

CommandParser::State CommandParser::inline_command(Bytes buffer) {
  size_t end = buffer.find('\n');
  if (end == Bytes::npos) {
    if (buffer.size() > kLineMax) return fail("ERR Protocol error: too big inline request");
    return State::kNeedMore;
  }
  Bytes line = buffer.substr(0, end);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  if (line.size() > kLineMax) return fail("ERR Protocol error: too big inline request");
  if (!split_quoted(line, words_)) {
    return fail("ERR Protocol error: unbalanced quotes in request");
  }
  arguments_.assign(words_.begin(), words_.end());
  consumed_ += end + 1;
  return State::kCommand;
}

}  // namespace hotkv
