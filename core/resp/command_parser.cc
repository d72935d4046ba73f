#include "core/resp/command_parser.h"

#include <algorithm>
#include <climits>

#include "core/base/numbers.h"

namespace hotkv {

namespace {

constexpr size_t kLineMax = 64 * 1024;  // From the first byte of a line up to its end.
constexpr size_t kKeepSpans = 64;       // What an idle parser may hold on to.
constexpr size_t kKeepUnquoted = 1024;
constexpr int64_t kUnauthenticatedArguments = 10;
constexpr int64_t kUnauthenticatedBulk = 16384;

enum class Line : uint8_t { kFound, kPartial, kTooLong };

// The number of a header line ("*3", "$16") whose type byte is at buffer[at]; `at` ends behind the
// line when it is complete.
Line read_header(Bytes buffer, size_t& at, int64_t& number, bool& valid) {
  Bytes line = buffer.substr(at);
  size_t end = line.substr(0, kLineMax + 1).find('\r');
  if (end == Bytes::npos) return line.size() > kLineMax ? Line::kTooLong : Line::kPartial;
  if (end + 1 == line.size()) return Line::kPartial;
  valid = parse_int64(line.substr(1, end - 1), number);
  at += end + 2;
  return Line::kFound;
}

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

// "*n\r\n$m\r\n" with one digit each, as nearly every command begins, by one comparison of eight
// bytes.
inline bool two_short_headers(const char* p, const char* end, Header& count, Header& first) {
  if (end - p < 8) return false;
  uint64_t word;
  std::memcpy(&word, p, 8);
  constexpr uint64_t kMask = 0xfffff0fffffff0ff, kPattern = 0x0a0d30240a0d302a;
  auto n = static_cast<uint32_t>(word >> 8 & 15), m = static_cast<uint32_t>(word >> 40 & 15);
  // The high halves of both digits are in the pattern; ':' to '?' share them.
  if ((word & kMask) != kPattern || n > 9 || m > 9) return false;
  count = {p + 4, n};
  first = {p + 8, m};
  return true;
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
  Header count, first;
  if (!two_short_headers(p, end, count, first)) {
    count = any_header(p, end, '*');
    if (!count.behind) return 0;
    first = short_header(count.behind, end, '$');
  }
  if (count.number - 1 >= kWholeArguments || !first.behind) return 0;
  if (end - first.behind < int64_t{first.number} + 2) return 0;
  Bytes* out = pool.grow(count.number);
  const Bytes* out_end = out + count.number;
  *out++ = {first.behind, first.number};
  p = first.behind + first.number + 2;
  while (out != out_end) {
    Header length = short_header(p, end, '$');
    if (!length.behind || end - length.behind < int64_t{length.number} + 2) return 0;
    *out++ = {length.behind, length.number};
    p = length.behind + length.number + 2;
  }
  pool.commit(count.number);
  return static_cast<size_t>(p - buffer.data());
}

CommandParser::State CommandParser::fail(Bytes text) {
  error_ = text;
  return State::kError;
}

CommandParser::State CommandParser::next(Bytes buffer, const ParserLimits& limits,
                                         ArgumentPool& pool) {
  consumed_ = 0;
  if (unquoted_.capacity() > kKeepUnquoted) unquoted_ = {};
  const size_t before = pool.size();
  while (true) {
    if (buffer.empty()) return State::kNeedMore;
    bool multibulk_begins = remaining_ >= 0 || buffer[0] == '*';
    size_t skipped = consumed_;
    State state = multibulk_begins ? multibulk(buffer, limits, pool) : inline_command(buffer, pool);
    if (state != State::kCommand || pool.size() > before) return state;
    // An empty request: skipped, and the next one is looked for.
    buffer.remove_prefix(consumed_ - skipped);
  }
}

// `*n`: kNeedMore also when the line is not complete. On kCommand remaining_ tells whether
// arguments follow; an empty request has none.
CommandParser::State CommandParser::begin_multibulk(Bytes buffer, const ParserLimits& limits) {
  size_t at = 0;
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
    return fail(std::string("ERR Protocol error: expected '$', got '") + buffer[at] + '\'');
  }
  size_t behind = at;
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

CommandParser::State CommandParser::multibulk(Bytes buffer, const ParserLimits& limits,
                                              ArgumentPool& pool) {
  if (remaining_ < 0) {
    State state = begin_multibulk(buffer, limits);
    if (state != State::kCommand || remaining_ < 0) return state;
  }
  for (; remaining_ > 0; remaining_--) {
    if (bulk_length_ < 0) {
      State state = read_bulk_length(buffer, limits, position_);
      if (state != State::kCommand) return state;
    }
    auto length = static_cast<size_t>(bulk_length_);
    if (buffer.size() - position_ < length + 2) return State::kNeedMore;
    spans_.emplace_back(position_, length);
    position_ += length + 2;
    bulk_length_ = -1;
  }
  Bytes* out = pool.grow(spans_.size());
  for (auto [offset, length] : spans_) *out++ = buffer.substr(offset, length);
  pool.commit(spans_.size());
  spans_.clear();
  if (spans_.capacity() > kKeepSpans) spans_ = {};
  remaining_ = -1;
  consumed_ += position_;
  return State::kCommand;
}

CommandParser::State CommandParser::inline_command(Bytes buffer, ArgumentPool& pool) {
  size_t end = buffer.substr(0, kLineMax + 2).find('\n');
  bool complete = end != Bytes::npos;
  Bytes line = buffer.substr(0, complete ? end : kLineMax + 2);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  if (line.size() > kLineMax) return fail("ERR Protocol error: too big inline request");
  if (!complete) return State::kNeedMore;
  std::vector<std::string> words;
  if (!split_quoted(line, words)) {
    return fail("ERR Protocol error: unbalanced quotes in request");
  }
  unquoted_.clear();
  for (const std::string& word : words) unquoted_ += word;
  Bytes* out = pool.grow(words.size());
  size_t at = 0;
  for (const std::string& word : words) {
    *out++ = Bytes(unquoted_).substr(at, word.size());
    at += word.size();
  }
  pool.commit(words.size());
  consumed_ += end + 1;
  return State::kCommand;
}

}  // namespace hotkv
