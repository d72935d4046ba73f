#include "core/resp/reply_parser.h"

#include "core/base/numbers.h"

namespace hotkv {

namespace {

constexpr int kDepthMax = 128;
constexpr size_t kLineMax = 64 * 1024;
constexpr int64_t kBulkMax = 512 * 1024 * 1024;

using State = ReplyParser::State;
using Type = Reply::Type;

// One pass over the buffer from its front. Recursion is bounded by kDepthMax.
class Reader {
 public:
  Reader(Bytes buffer, std::string& error) : buffer_(buffer), error_(error) {}
  size_t position() const { return at_; }

  State reply(Reply& out, int depth) {
    if (depth > kDepthMax) return fail("reply is nested deeper than 128");
    if (at_ == buffer_.size()) return State::kNeedMore;
    char type = buffer_[at_];
    Bytes line;
    State state = read_line(line);
    if (state != State::kReply) return state;
    switch (type) {
      case '+': return text(out, Type::kSimple, line);
      case '-': return text(out, Type::kError, line);
      case ',': return text(out, Type::kDouble, line);
      case '(': return text(out, Type::kBigNumber, line);
      case ':': return integer(out, line);
      case '#': return boolean(out, line);
      case '_': return text(out, Type::kNull, {});
      case '$': return bulk(out, Type::kBulk, line);
      case '=': return bulk(out, Type::kVerbatim, line);
      case '!': return bulk(out, Type::kBulkError, line);
      case '*': return aggregate(out, Type::kArray, line, 1, depth);
      case '~': return aggregate(out, Type::kSet, line, 1, depth);
      case '>': return aggregate(out, Type::kPush, line, 1, depth);
      case '%': return aggregate(out, Type::kMap, line, 2, depth);
      case '|': return attribute(out, line, depth);
      default: return fail("unknown reply type");
    }
  }

 private:
  State fail(const char* why) {
    error_ = why;
    return State::kError;
  }

  // The rest of the line behind the type byte.
  State read_line(Bytes& line) {
    size_t end = buffer_.find("\r\n", at_ + 1);
    if (end == Bytes::npos) {
      return buffer_.size() - at_ > kLineMax ? fail("line longer than 64 KiB") : State::kNeedMore;
    }
    line = buffer_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 2;
    return State::kReply;
  }

  State text(Reply& out, Type type, Bytes line) {
    out.type = type;
    out.text = std::string(line);
    return State::kReply;
  }

  State integer(Reply& out, Bytes line) {
    out.type = Type::kInteger;
    return parse_int64(line, out.integer) ? State::kReply : fail("bad integer");
  }

  State boolean(Reply& out, Bytes line) {
    if (line != "t" && line != "f") return fail("bad boolean");
    out.type = Type::kBoolean;
    out.integer = line == "t";
    return State::kReply;
  }

  State bulk(Reply& out, Type type, Bytes line) {
    int64_t length;
    if (!parse_int64(line, length) || length < -1 || length > kBulkMax) {
      return fail("bad bulk length");
    }
    if (length == -1) return text(out, Type::kNull, {});
    auto size = static_cast<size_t>(length);
    if (buffer_.size() - at_ < size + 2) return State::kNeedMore;
    Bytes body = buffer_.substr(at_, size);
    if (buffer_.substr(at_ + size, 2) != "\r\n") return fail("bulk does not end with CR LF");
    at_ += size + 2;
    if (type == Type::kVerbatim) {
      if (body.size() < 4 || body[3] != ':') return fail("bad verbatim prefix");
      body.remove_prefix(4);
    }
    return text(out, type, body);
  }

  State aggregate(Reply& out, Type type, Bytes line, int64_t per_element, int depth) {
    int64_t count;
    if (!parse_int64(line, count) || count < -1 || count > INT32_MAX) return fail("bad length");
    if (count == -1) return text(out, Type::kNullArray, {});
    out.type = type;
    out.elements.clear();
    for (int64_t i = 0; i < count * per_element; i++) {
      out.elements.emplace_back();
      State state = reply(out.elements.back(), depth + 1);
      if (state != State::kReply) return state;
    }
    return State::kReply;
  }

  // Attributes go before the reply they describe; no user of this parser reads them.
  State attribute(Reply& out, Bytes line, int depth) {
    Reply ignored;
    State state = aggregate(ignored, Type::kMap, line, 2, depth);
    return state == State::kReply ? reply(out, depth + 1) : state;
  }

  Bytes buffer_;
  size_t at_ = 0;
  std::string& error_;
};

}  // namespace

ReplyParser::State ReplyParser::next(Bytes buffer, Reply& reply) {
  consumed_ = 0;
  Reader reader(buffer, error_);
  Reply fresh;
  State state = reader.reply(fresh, 0);
  if (state == State::kReply) {
    reply = std::move(fresh);
    consumed_ = reader.position();
  }
  return state;
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
