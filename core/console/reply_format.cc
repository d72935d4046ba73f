#include "core/console/reply_format.h"

#include "core/base/numbers.h"

namespace hotkv {

namespace {

using Type = Reply::Type;

std::string decimal(int64_t n) {
  NumberText text;
  return std::string(format_int64(n, text));
}

const char* empty_text(Type type) {
  switch (type) {
    case Type::kMap: return "(empty hash)\n";
    case Type::kSet: return "(empty set)\n";
    case Type::kPush: return "(empty push)\n";
    default: return "(empty array)\n";
  }
}

char separator(Type type) { return type == Type::kMap ? '#' : type == Type::kSet ? '~' : ')'; }

std::string terminal(const Reply& reply, const std::string& prefix);

// Elements are numbered; what belongs to one is indented behind its number.
std::string terminal_list(const Reply& reply, const std::string& prefix) {
  if (reply.elements.empty()) return empty_text(reply.type);
  bool pairs = reply.type == Type::kMap;
  size_t step = pairs ? 2 : 1;
  size_t count = reply.elements.size() / step;
  auto width = static_cast<size_t>(decimal_length(count));
  std::string inner = prefix + std::string(width + 2, ' ');
  std::string out;
  for (size_t i = 0; i < count; i++) {
    std::string number = decimal(static_cast<int64_t>(i) + 1);
    if (i > 0) out += prefix;
    out += std::string(width - number.size(), ' ') + number + separator(reply.type) + " ";
    std::string first = terminal(reply.elements[i * step], inner);
    if (pairs) {
      const Reply& value = reply.elements[i * step + 1];
      if (!first.empty() && first.back() == '\n') first.pop_back();
      first += " => ";
      // A list of several begins on a line of its own.
      size_t inside = value.elements.size() / (value.type == Type::kMap ? 2 : 1);
      if (inside > 1) first += '\n' + inner;
      first += terminal(value, inner);
    }
    out += first;
  }
  return out;
}

std::string terminal(const Reply& reply, const std::string& prefix) {
  switch (reply.type) {
    case Type::kError:
    case Type::kBulkError: return "(error) " + reply.text + "\n";
    case Type::kSimple:
    case Type::kVerbatim: return reply.text + "\n";
    case Type::kBigNumber: return reply.text + "\n";
    case Type::kInteger: return "(integer) " + decimal(reply.integer) + "\n";
    case Type::kDouble: return "(double) " + reply.text + "\n";
    case Type::kBoolean: return reply.integer ? "(true)\n" : "(false)\n";
    case Type::kNull:
    case Type::kNullArray: return "(nil)\n";
    case Type::kBulk: {
      std::string out;
      append_quoted(out, reply.text);
      return out + "\n";
    }
    default: return terminal_list(reply, prefix);
  }
}

std::string raw(const Reply& reply) {
  switch (reply.type) {
    case Type::kNull:
    case Type::kNullArray: return "";
    case Type::kError:
    case Type::kBulkError: return reply.text + "\n";
    case Type::kInteger: return decimal(reply.integer);
    case Type::kBoolean: return reply.integer ? "(true)" : "(false)";
    case Type::kArray:
    case Type::kSet:
    case Type::kPush: {
      std::string out;
      for (size_t i = 0; i < reply.elements.size(); i++) {
        if (i) out += '\n';
        out += raw(reply.elements[i]);
      }
      return out;
    }
    case Type::kMap: {
      std::string out;
      for (size_t i = 0; i + 1 < reply.elements.size(); i += 2) {
        if (i) out += '\n';
        out += raw(reply.elements[i]) + " " + raw(reply.elements[i + 1]);
      }
      return out;
    }
    default: return reply.text;
  }
}

// A JSON string as redis-cli writes it: bytes above 0x7f stay as they are.
std::string json_string(Bytes text) {
  static constexpr char kHex[] = "0123456789abcdef";
  std::string out = "\"";
  for (char c : text) {
    switch (c) {
      case '\\':
      case '"': out += '\\', out += c; break;
      case '\n': out += "\\n"; break;
      case '\f': out += "\\f"; break;
      case '\r': out += "\\r"; break;
      case '\t': out += "\\t"; break;
      case '\b': out += "\\b"; break;
      default:
        if (static_cast<unsigned char>(c) < 0x20) {
          out += "\\u00";
          out += kHex[c >> 4];
          out += kHex[c & 15];
        } else {
          out += c;
        }
    }
  }
  return out + '"';
}

std::string json(const Reply& reply) {
  switch (reply.type) {
    case Type::kNull:
    case Type::kNullArray: return "null";
    case Type::kInteger: return decimal(reply.integer);
    case Type::kBoolean: return reply.integer ? "true" : "false";
    case Type::kDouble: return reply.text;
    case Type::kError:
    case Type::kBulkError: return "error:" + json_string(reply.text);
    case Type::kArray:
    case Type::kSet:
    case Type::kPush: {
      std::string out = "[";
      for (size_t i = 0; i < reply.elements.size(); i++) {
        if (i) out += ',';
        out += json(reply.elements[i]);
      }
      return out + ']';
    }
    case Type::kMap: {
      std::string out = "{";
      for (size_t i = 0; i + 1 < reply.elements.size(); i += 2) {
        if (i) out += ',';
        std::string key = json(reply.elements[i]);
        out += key[0] == '"' ? key : json_string(key);
        out += ':';
        out += json(reply.elements[i + 1]);
      }
      return out + '}';
    }
    default: return json_string(reply.text);
  }
}

}  // namespace

std::string format_reply(const Reply& reply, ReplyStyle style) {
  switch (style) {
    case ReplyStyle::kRaw: return raw(reply) + "\n";
    case ReplyStyle::kJson: return json(reply) + "\n";
    default: return terminal(reply, "");
  }
}

}  // namespace hotkv
