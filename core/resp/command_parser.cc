#include "core/resp/command_parser.h"

#include <algorithm>
#include <climits>
#include <cstring>

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

// The same; lengths of one and two digits, which most are, by comparisons of four bytes.
inline Header bulk_header(const char* p, const char* end) {
  if (end - p >= 5) {
    uint32_t word;
    std::memcpy(&word, p, 4);
    // The high halves of digits are in the patterns; ':' to '?' share them.
    uint32_t high = word >> 8 & 15, low = word >> 16 & 15;
    if ((word & 0xfff0f0ff) == 0x0d303024 && high - 1 <= 8 && low <= 9) {
      return {p + 5, high * 10 + low};
    }
    if ((word & 0xfffff0ff) == 0x0a0d3024 && high <= 9) return {p + 4, high};
  }
  return any_header(p, end, '$');
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

// How a command begins: the number of its arguments and the first of them, its name.
struct Start {
  uint32_t count = 0;  // 0: not whole, or not usual.
  Bytes name;
};

// The first bytes of a command, "*n\r\n$m\r\nname\r\n", kept to recognize the next one that begins
// with the same: pipelines repeat commands.
class Opening {
 public:
  // The bytes at `p`, which mean `start`; unusually many are never found again.
  Opening(const char* p, const Start& start)
      : size_(start.name.size() + kAroundName), count_(start.count) {
    bool fits = start.name.data() - p == kBeforeName && size_ <= kMax;
    if (!fits) {
      size_ = 8;
      count_ = 0;
    }
    head_ = fits ? load(p) : 0;  // No command begins with a zero byte.
    tail_ = load(p + size_ - 8);
  }
  bool is_at(const char* p, const char* end) const {
    return end - p >= kMax && load(p) == head_ && load(p + size_ - 8) == tail_;
  }
  uint32_t count() const { return count_; }  // One digit.
  // REQUIRES: is_at(p)
  Start start(const char* p) const { return {count_, {p + kBeforeName, size_ - kAroundName}}; }

 private:
  static constexpr int kMax = 16;
  // Bytes in front of the name, and all but the name, when both numbers have one digit.
  static constexpr int kBeforeName = 8, kAroundName = 10;

  static uint64_t load(const char* p) {
    uint64_t word;
    std::memcpy(&word, p, 8);
    return word;
  }

  uint64_t head_;
  uint64_t tail_;
  size_t size_;
  uint32_t count_;
};

Start read_start(const char* p, const char* end) {
  Header count, first;
  if (!two_short_headers(p, end, count, first)) {
    count = any_header(p, end, '*');
    if (!count.behind) return {};
    first = bulk_header(count.behind, end);
  }
  if (count.number - 1 >= kWholeArguments || !first.behind) return {};
  if (end - first.behind < int64_t{first.number} + 2) return {};
  return {count.number, {first.behind, first.number}};
}

// Reads the arguments behind the name; null: they are not whole, or not usual.
inline const char* read_arguments(const Start& start, const char* end, Bytes* out) {
  const char* p = start.name.data() + start.name.size() + 2;
  const Bytes* out_end = out + start.count;
  for (*out++ = start.name; out != out_end; out++) {
    Header length = bulk_header(p, end);
    if (!length.behind || end - length.behind < int64_t{length.number} + 2) return nullptr;
    *out = {length.behind, length.number};
    p = length.behind + length.number + 2;
  }
  return p;
}

// Takes the commands at `p` that begin like the one before them; answers the place behind them.
// A function of its own because the compiler then keeps the loop in registers.
[[gnu::noinline]] const char* take_repeats(const Opening opening, const char* p, const char* end,
                                           ArgumentPool& pool, std::span<ParsedCommand>& commands) {
  ParsedCommand* command = commands.data();
  ParsedCommand* const commands_end = command + commands.size();
  Bytes* out = pool.grow(opening.count() * commands.size());
  for (; command != commands_end && opening.is_at(p, end); command++) {
    const char* behind = read_arguments(opening.start(p), end, out);
    if (!behind) break;
    *command = {p, static_cast<uint32_t>(pool.size()), opening.count(), true};
    pool.commit(opening.count());
    out += opening.count();
    p = behind;
  }
  commands = {command, commands_end};
  return p;
}

}  // namespace

void ArgumentPool::reserve(size_t wanted) {
  size_t capacity = std::max(wanted, 2 * capacity_);
  std::unique_ptr<Bytes[]> bigger(new Bytes[capacity]);
  std::copy(slots_.get(), slots_.get() + used_, bigger.get());
  slots_ = std::move(bigger);
  capacity_ = capacity;
}

size_t CommandParser::take_whole(Bytes buffer, size_t& at, const ParserLimits& limits,
                                 ArgumentPool& pool, std::span<ParsedCommand> commands) const {
  if (remaining_ >= 0 || !limits.authenticated) return 0;
  const char* end = buffer.data() + buffer.size();
  const char* p = buffer.data() + at;
  std::span<ParsedCommand> places = commands;
  while (!places.empty()) {
    Start start = read_start(p, end);
    if (start.count == 0) break;
    const char* behind = read_arguments(start, end, pool.grow(start.count));
    if (!behind) break;
    places[0] = {p, static_cast<uint32_t>(pool.size()), start.count, false};
    places = places.subspan(1);
    pool.commit(start.count);
    p = take_repeats(Opening(p, start), behind, end, pool, places);
  }
  at = static_cast<size_t>(p - buffer.data());
  return commands.size() - places.size();
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
