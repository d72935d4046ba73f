#include "core/base/bytes.h"

namespace hotkv {

bool equal_ignoring_case(Bytes a, Bytes b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); i++) {
    if (to_lower(a[i]) != to_lower(b[i])) return false;
  }
  return true;
}

std::string lower_case(Bytes text) {
  std::string out(text);
  for (char& c : out) c = to_lower(c);
  return out;
}

std::string upper_case(Bytes text) {
  std::string out(text);
  for (char& c : out) c = to_upper(c);
  return out;
}

namespace {

// Matches one character class, whose '[' is at pattern[at]; `at` ends behind the ']'. An unclosed
// class ends with the pattern, as in Redis.
bool class_matches(Bytes pattern, size_t& at, char c, bool ignore_case) {
  at++;
  bool negated = at < pattern.size() && pattern[at] == '^';
  if (negated) at++;
  auto fold = [&](char x) { return static_cast<unsigned char>(ignore_case ? to_lower(x) : x); };
  bool found = false;
  while (at < pattern.size() && pattern[at] != ']') {
    if (pattern[at] == '\\' && at + 1 < pattern.size()) {
      at++;
      found = found || fold(pattern[at]) == fold(c);
      at++;
    } else if (at + 2 < pattern.size() && pattern[at + 1] == '-') {
      unsigned char low = fold(pattern[at]), high = fold(pattern[at + 2]);
      if (low > high) std::swap(low, high);
      found = found || (fold(c) >= low && fold(c) <= high);
      at += 3;
    } else {
      found = found || fold(pattern[at]) == fold(c);
      at++;
    }
  }
  if (at < pattern.size()) at++;
  return found != negated;
}

}  // namespace

bool glob_match(Bytes pattern, Bytes text, bool ignore_case) {
  size_t p = 0, t = 0;
  size_t star = Bytes::npos, star_text = 0;
  while (true) {
    bool matched = false;
    size_t next = p;
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      star_text = t;
      continue;
    }
    if (t == text.size()) {
      while (p < pattern.size() && pattern[p] == '*') p++;
      return p == pattern.size();
    }
    if (p < pattern.size()) {
      if (pattern[p] == '?') {
        matched = true;
        next = p + 1;
      } else if (pattern[p] == '[') {
        matched = class_matches(pattern, next, text[t], ignore_case);
      } else {
        if (pattern[p] == '\\' && p + 1 < pattern.size()) next++;
        char a = pattern[next], b = text[t];
        matched = ignore_case ? to_lower(a) == to_lower(b) : a == b;
        next++;
      }
    }
    if (matched) {
      p = next;
      t++;
    } else if (star != Bytes::npos) {
      p = star + 1;
      t = ++star_text;
    } else {
      return false;
    }
  }
}

void append_quoted(std::string& out, Bytes text) {
  static constexpr char kHex[] = "0123456789abcdef";
  out += '"';
  for (char ch : text) {
    switch (ch) {
      case '\\': out += "\\\\"; break;
      case '"': out += "\\\""; break;
      case '\n': out += "\\n"; break;
      case '\r': out += "\\r"; break;
      case '\t': out += "\\t"; break;
      case '\a': out += "\\a"; break;
      case '\b': out += "\\b"; break;
      default: {
        auto c = static_cast<unsigned char>(ch);
        if (c >= 0x20 && c < 0x7f) {
          out += ch;
        } else {
          out += "\\x";
          out += kHex[c >> 4];
          out += kHex[c & 15];
        }
      }
    }
  }
  out += '"';
}

namespace {

// As Redis splits: any white space separates words, but these two stand inside a word.
bool ends_word(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_blank(char c) { return ends_word(c) || c == '\v' || c == '\f'; }

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  c = to_lower(c);
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// The escape behind a backslash at line[at] in double quotes; `at` ends behind it.
char unescape(Bytes line, size_t& at) {
  char c = line[at + 1];
  if (c == 'x' && at + 3 < line.size() && hex_value(line[at + 2]) >= 0 &&
      hex_value(line[at + 3]) >= 0) {
    char byte = static_cast<char>(hex_value(line[at + 2]) * 16 + hex_value(line[at + 3]));
    at += 4;
    return byte;
  }
  at += 2;
  switch (c) {
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    case 'a': return '\a';
    case 'b': return '\b';
    default: return c;
  }
}

// One quoted run whose quote is at line[at]; false when it does not close or something follows it.
bool read_quoted(Bytes line, size_t& at, std::string& word) {
  char quote = line[at++];
  while (at < line.size() && line[at] != quote) {
    if (quote == '"' && line[at] == '\\' && at + 1 < line.size()) {
      word += unescape(line, at);
    } else if (quote == '\'' && line[at] == '\\' && at + 1 < line.size() && line[at + 1] == '\'') {
      word += '\'';
      at += 2;
    } else {
      word += line[at++];
    }
  }
  if (at == line.size()) return false;
  at++;
  return at == line.size() || is_blank(line[at]);
}

}  // namespace

bool split_quoted(Bytes line, std::vector<std::string>& words) {
  words.clear();
  size_t at = 0;
  while (true) {
    while (at < line.size() && is_blank(line[at])) at++;
    if (at == line.size()) return true;
    std::string word;
    while (at < line.size() && !ends_word(line[at])) {
      if (line[at] == '"' || line[at] == '\'') {
        if (!read_quoted(line, at, word)) return false;
        break;
      }
      word += line[at++];
    }
    words.push_back(std::move(word));
  }
}

}  // namespace hotkv
