#include "core/resp/reply_parser.h"

#include <utility>

#include "core/base/numbers.h"

namespace hotkv {

namespace {

constexpr size_t kDepthMax = 128;
constexpr size_t kLineMax = 64 * 1024;
constexpr int64_t kBulkMax = 512 * 1024 * 1024;

using State = ReplyParser::State;
using Type = Reply::Type;

State text(Reply& value, Type type, Bytes line) {
  value.type = type;
  value.text = std::string(line);
  return State::kReply;
}

}  // namespace

State ReplyParser::fail(const char* why) {
  error_ = why;
  return State::kError;
}

State ReplyParser::next(Bytes buffer, Reply& reply) {
  consumed_ = 0;
  while (true) {
    Reply value;
    bool is_open = false;
    State state = read_value(buffer, value, is_open);
    if (state != State::kReply) return state;
    if (is_open || !close_with(value)) continue;
    reply = std::move(value);
    consumed_ = position_;
    position_ = 0;
    return State::kReply;
  }
}

// Puts a complete value where it belongs. True when `value` is now the whole reply.
bool ReplyParser::close_with(Reply& value) {
  while (!open_.empty()) {
    Open& inner = open_.back();
    inner.reply.elements.push_back(std::move(value));
    if (--inner.missing > 0) return false;
    // Attributes go before the value they describe; no user of this parser reads them.
    bool is_attribute = inner.is_attribute;
    value = std::move(inner.reply);
    open_.pop_back();
    if (is_attribute) return false;
  }
  return true;
}

// Reads the line at position_ and, if it is a bulk, its body. `is_open`: it was the header of an
// aggregate that is now the innermost one in open_, or of an empty attribute.
State ReplyParser::read_value(Bytes buffer, Reply& value, bool& is_open) {
  Bytes rest = buffer.substr(position_);
  if (rest.empty()) return State::kNeedMore;
  size_t end = rest.substr(0, kLineMax + 2).find("\r\n");
  if (end == Bytes::npos) {
    return rest.size() > kLineMax + 1 ? fail("line longer than 64 KiB") : State::kNeedMore;
  }
  Bytes line = rest.substr(1, end == 0 ? 0 : end - 1);
  size_t behind = position_ + end + 2;
  State state = State::kReply;
  switch (rest[0]) {
    case '+': state = text(value, Type::kSimple, line); break;
    case '-': state = text(value, Type::kError, line); break;
    case ',': state = text(value, Type::kDouble, line); break;
    case '(': state = text(value, Type::kBigNumber, line); break;
    case '_': break;
    case ':':
      value.type = Type::kInteger;
      if (!parse_int64(line, value.integer)) return fail("bad integer");
      break;
    case '#':
      if (line != "t" && line != "f") return fail("bad boolean");
      value.type = Type::kBoolean;
      value.integer = line == "t";
      break;
    case '$': return bulk(buffer, Type::kBulk, line, behind, value);
    case '=': return bulk(buffer, Type::kVerbatim, line, behind, value);
    case '!': return bulk(buffer, Type::kBulkError, line, behind, value);
    case '*':
    case '~':
    case '>':
    case '%':
    case '|': state = aggregate(rest[0], line, value, is_open); break;
    default: return fail("unknown reply type");
  }
  position_ = behind;
  return state;
}

State ReplyParser::bulk(Bytes buffer, Type type, Bytes line, size_t behind, Reply& value) {
  int64_t length;
  if (!parse_int64(line, length) || length < -1 || length > kBulkMax) {
    return fail("bad bulk length");
  }
  if (length == -1) {
    position_ = behind;
    return State::kReply;
  }
  auto size = static_cast<size_t>(length);
  if (buffer.size() - behind < size + 2) return State::kNeedMore;
  Bytes body = buffer.substr(behind, size);
  if (buffer.substr(behind + size, 2) != "\r\n") return fail("bulk does not end with CR LF");
  if (type == Type::kVerbatim) {
    if (body.size() < 4 || body[3] != ':') return fail("bad verbatim prefix");
    body.remove_prefix(4);
  }
  position_ = behind + size + 2;
  return text(value, type, body);
}

State ReplyParser::aggregate(char type, Bytes line, Reply& value, bool& is_open) {
  int64_t count;
  if (!parse_int64(line, count) || count < -1 || count > INT32_MAX) return fail("bad length");
  if (count == -1) {
    value.type = Type::kNullArray;
    return State::kReply;
  }
  bool is_attribute = type == '|';
  value.type = type == '*'   ? Type::kArray
               : type == '~' ? Type::kSet
               : type == '>' ? Type::kPush
                             : Type::kMap;
  is_open = count > 0 || is_attribute;
  if (count == 0) return State::kReply;
  if (open_.size() == kDepthMax) return fail("reply is nested deeper than 128");
  int64_t missing = value.type == Type::kMap ? 2 * count : count;
  open_.push_back({std::move(value), missing, is_attribute});
  return State::kReply;
}

void append_command(std::string& out, const std::vector<Bytes>& words) {
  NumberText text;
  out += '*';
  out += format_uint64(words.size(), text);
  out += "\r\n";
  for (Bytes word : words) {
    out += '$';
    out += format_uint64(word.size(), text);
    out += "\r\n";
    out += word;
    out += "\r\n";
  }
}

}  // namespace hotkv
