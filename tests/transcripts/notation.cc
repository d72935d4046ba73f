#include "tests/transcripts/notation.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace hotkv::transcripts {
namespace {

using Type = Reply::Type;

constexpr size_t kRunLengthMin = 65;

// True when the bytes read the same on a line of their own: printable, no blank at the ends.
bool is_plain(const std::string& text) {
  std::string escaped;
  append_quoted(escaped, text);
  auto quotes = std::count(text.begin(), text.end(), '"');
  return !text.empty() && text.front() != ' ' && text.back() != ' ' && text.front() != '"' &&
         escaped.size() == text.size() + 2 + static_cast<size_t>(quotes);
}

// A simple string that could be taken for another type's text is written out.
std::string simple_text(const std::string& text) {
  bool clear = is_plain(text) && text[0] != '(' && text.find(") ") == text.npos;
  return clear ? text : "(simple) " + quoted(text);
}

std::string error_text(const std::string& text) { return is_plain(text) ? text : quoted(text); }

std::string scalar_text(const Reply& reply) {
  switch (reply.type) {
    case Type::kSimple: return simple_text(reply.text);
    case Type::kError: return "(error) " + error_text(reply.text);
    case Type::kInteger: return "(integer) " + std::to_string(reply.integer);
    case Type::kBulk: return quoted(reply.text);
    case Type::kNull: return "(nil)";
    case Type::kNullArray: return "(nil array)";
    case Type::kDouble: return "(double) " + reply.text;
    case Type::kBoolean: return reply.integer != 0 ? "(true)" : "(false)";
    case Type::kBigNumber: return "(big number) " + reply.text;
    case Type::kVerbatim: return "(verbatim) " + quoted(reply.text);
    case Type::kBulkError: return "(blob error) " + error_text(reply.text);
    case Type::kArray: return "(empty array)";
    case Type::kMap: return "(empty map)";
    case Type::kSet: return "(empty set)";
    case Type::kPush: return "(empty push)";
  }
  return "(unknown)";
}

char mark_of(Type type) {
  switch (type) {
    case Type::kMap: return '#';
    case Type::kSet: return '~';
    case Type::kPush: return '>';
    default: return ')';
  }
}

// Elements go one per line; the first follows whatever the parent already wrote on its line.
void append_text(const Reply& reply, const std::string& indent, std::string* out) {
  if (reply.elements.empty()) {
    *out += scalar_text(reply);
    return;
  }
  size_t step = reply.type == Type::kMap ? 2 : 1;
  size_t count = reply.elements.size() / step;
  size_t width = std::to_string(count).size();
  std::string inner = indent + std::string(width + 2, ' ');
  for (size_t i = 0; i < count; ++i) {
    if (i > 0) *out += "\n" + indent;
    std::string number = std::to_string(i + 1);
    *out += std::string(width - number.size(), ' ') + number + mark_of(reply.type) + " ";
    append_text(reply.elements[i * step], inner, out);
    if (step == 2) {
      *out += " => ";
      append_text(reply.elements[i * 2 + 1], inner, out);
    }
  }
}

bool is_text_less(const Reply& a, const Reply& b) { return reply_lines(a) < reply_lines(b); }

}  // namespace

std::string quoted(Bytes bytes) {
  std::string out;
  if (bytes.size() < kRunLengthMin || bytes.find_first_not_of(bytes[0]) != bytes.npos) {
    append_quoted(out, bytes);
    return out;
  }
  append_quoted(out, bytes.substr(0, 1));
  out.insert(1, "{");
  out.insert(out.size() - 1, "*" + std::to_string(bytes.size()) + "}");
  return out;
}

std::string quoted_if_needed(Bytes bytes) {
  std::string text = quoted(bytes);
  bool plain =
      !bytes.empty() && text.size() == bytes.size() + 2 && bytes.find_first_of(" '") == Bytes::npos;
  return plain ? std::string(bytes) : text;
}

bool split_command(Bytes line, std::vector<std::string>* words) {
  return split_quoted(line, *words);
}

std::string expand_runs(Bytes word) {
  std::string out;
  for (size_t at = 0; at < word.size();) {
    size_t close = word[at] == '{' ? word.find('}', at) : Bytes::npos;
    size_t star = close == Bytes::npos ? close : word.rfind('*', close);
    bool is_run = star != Bytes::npos && star > at + 1 && star + 1 < close && close - star < 12;
    size_t count = 0;
    for (size_t i = star + 1; is_run && i < close; ++i) {
      is_run = isdigit(static_cast<unsigned char>(word[i])) != 0;
      count = count * 10 + static_cast<size_t>(word[i] - '0');
    }
    if (!is_run) {
      out.push_back(word[at++]);
      continue;
    }
    Bytes once = word.substr(at + 1, star - at - 1);
    out.reserve(out.size() + once.size() * count);
    for (size_t i = 0; i < count; ++i) out += once;
    at = close + 1;
  }
  return out;
}

std::string command_bytes(const std::vector<std::string>& words) {
  std::vector<Bytes> views(words.begin(), words.end());
  std::string out;
  append_command(out, views);
  return out;
}

std::vector<std::string> reply_lines(const Reply& reply) {
  std::string text;
  append_text(reply, "", &text);
  std::vector<std::string> lines;
  size_t at = 0;
  while (true) {
    size_t end = text.find('\n', at);
    lines.push_back(text.substr(at, end == text.npos ? text.npos : end - at));
    if (end == text.npos) return lines;
    at = end + 1;
  }
}

void sort_unordered(Reply* reply) {
  std::vector<Reply>& elements = reply->elements;
  for (Reply& element : elements) sort_unordered(&element);
  if (reply->type == Type::kMap) {
    std::vector<std::pair<Reply, Reply>> pairs;
    for (size_t i = 0; i + 1 < elements.size(); i += 2) {
      pairs.emplace_back(elements[i], elements[i + 1]);
    }
    std::sort(pairs.begin(), pairs.end(),
              [](const auto& a, const auto& b) { return is_text_less(a.first, b.first); });
    elements.clear();
    for (const auto& pair : pairs) {
      elements.push_back(pair.first);
      elements.push_back(pair.second);
    }
    return;
  }
  auto is_bulk = [](const Reply& element) { return element.type == Type::kBulk; };
  if (std::all_of(elements.begin(), elements.end(), is_bulk)) {
    std::sort(elements.begin(), elements.end(), is_text_less);
  }
}

}  // namespace hotkv::transcripts
