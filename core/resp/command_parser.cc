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

enum class Line : uint8_t { kFound, kPartial, kTooLong };

// The number of a header line ("*3", "$16") at `at`, which points behind the type byte. Fast for
// the short positive numbers of nearly every header; anything else goes through parse_int64.
Line read_header(Bytes buffer, size_t& at, int64_t& number, bool& valid) {
  const char* p = buffer.data() + at;
  size_t left = buffer.size() - at;
  int64_t value = 0;
  size_t i = 0;
  while (i < left && i < 9 && p[i] >= '0' && p[i] <= '9') value = value * 10 + (p[i++] - '0');
  if (i > 0 && i + 1 < left && p[i] == '\r' && !(p[0] == '0' && i > 1)) {
    number = value;
    valid = true;
    at += i + 2;
    return Line::kFound;
  }
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

// `*n`: kNeedMore also when the line is not complete. On kCommand remaining_ tells whether
// arguments follow; an empty request has none.
CommandParser::State CommandParser::begin_multibulk(Bytes buffer, const ParserLimits& limits) {
  size_t at = 1;
  int64_t count = 0;
  bool valid = false;
  switch (read_header(buffer, at, count, valid)) {
    case Line::kPartial: return State::kNeedMore;
    case Line::kTooLong: return fail("ERR Protocol error: too big mbulk count string");
    case Line::kFound: break;
  }
  if (!valid || count > INT_MAX) return fail("ERR Protocol error: invalid multibulk length");
  if (!limits.authenticated && count > kUnauthenticatedArguments) {
    return fail("ERR Protocol error: unauthenticated multibulk length");
  }
  arguments_.clear();
  spans_.clear();
  bulk_length_ = -1;
  position_ = at;
  remaining_ = count > 0 ? count : -1;
  if (count <= 0) consumed_ += at;
  return State::kCommand;
}

// `$n` of one argument at `at`, which moves behind it; kNeedMore leaves it where it is.
CommandParser::State CommandParser::read_bulk_length(Bytes buffer, const ParserLimits& limits,
                                                     size_t& at) {
  if (at >= buffer.size()) return State::kNeedMore;
  if (buffer[at] != '$') {
    error_text_ = "ERR Protocol error: expected '$', got '";
    error_text_ += buffer[at];
    error_text_ += '\'';
    return fail(error_text_.c_str());
  }
  size_t behind = at + 1;
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
  at = behind;
  return State::kCommand;
}

CommandParser::State CommandParser::multibulk(Bytes buffer, const ParserLimits& limits) {
  if (remaining_ < 0) {
    State state = begin_multibulk(buffer, limits);
    if (state != State::kCommand || remaining_ < 0) return state;
  }
  // While the whole command lies in the buffer, views are made at once; `spans_` only keeps those
  // of a command whose rest has not arrived yet.
  bool resumed = !spans_.empty();
  if (!resumed) arguments_.clear();
  size_t at = position_;
  while (remaining_ > 0) {
    if (bulk_length_ < 0) {
      State state = read_bulk_length(buffer, limits, at);
      if (state == State::kError) return state;
      if (state == State::kNeedMore) break;
    }
    auto length = static_cast<size_t>(bulk_length_);
    if (buffer.size() - at < length + 2) break;
    if (resumed) {
      spans_.emplace_back(at, length);
    } else {
      arguments_.emplace_back(buffer.data() + at, length);
    }
    at += length + 2;
    bulk_length_ = -1;
    remaining_--;
  }
  if (remaining_ > 0) {
    if (!resumed) {
      for (Bytes a : arguments_) {
        spans_.emplace_back(static_cast<size_t>(a.data() - buffer.data()), a.size());
      }
    }
    position_ = at;
    wanted_ = bulk_length_ < 0 ? 0 : at + static_cast<size_t>(bulk_length_) + 2;
    return State::kNeedMore;
  }
  if (resumed) {
    arguments_.clear();
    for (auto [offset, length] : spans_) arguments_.emplace_back(buffer.data() + offset, length);
    spans_.clear();
    if (spans_.capacity() > 4096) spans_ = {};
  }
  remaining_ = -1;
  consumed_ += at;
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
