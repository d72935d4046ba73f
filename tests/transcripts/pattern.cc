#include "tests/transcripts/pattern.h"

#include <cctype>
#include <charconv>
#include <optional>

namespace hotkv::transcripts {
namespace {

bool is_name_char(char c) { return isalnum(static_cast<unsigned char>(c)) || c == '_'; }

std::optional<int64_t> number_of(std::string_view text) {
  int64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<int64_t> sum_of(std::string_view text, const Variables& variables) {
  size_t at = 0;
  int64_t total = 0;
  int64_t sign = 1;
  if (text.substr(0, 1) == "-") {
    sign = -1;
    at = 1;
  }
  while (true) {
    size_t start = at;
    while (at < text.size() && is_name_char(text[at])) ++at;
    std::string term(text.substr(start, at - start));
    if (term.empty()) return std::nullopt;
    if (!isdigit(static_cast<unsigned char>(term[0]))) {
      auto found = variables.find(term);
      if (found == variables.end()) return std::nullopt;
      term = found->second;
    }
    std::optional<int64_t> value = number_of(term);
    if (!value) return std::nullopt;
    total += sign * *value;
    if (at == text.size()) return total;
    if (text[at] != '+' && text[at] != '-') return std::nullopt;
    sign = text[at] == '+' ? 1 : -1;
    ++at;
  }
}

// What one {...} stands for.
struct Mark {
  enum class Kind { kLiteral, kAny, kText, kRange };
  Kind kind = Kind::kLiteral;
  std::string name;  // Non-empty: capture under this name.
  std::string text;  // kText.
  int64_t low = 0;   // kRange.
  int64_t high = 0;
};

Mark read_mark(std::string_view inside, const Variables& variables) {
  Mark mark;
  size_t colon = inside.find(':');
  if (colon != std::string_view::npos) {
    for (char c : inside.substr(0, colon)) {
      if (!is_name_char(c)) return mark;
    }
    mark.name = std::string(inside.substr(0, colon));
    inside = inside.substr(colon + 1);
  }
  if (inside == "*") {
    mark.kind = Mark::Kind::kAny;
    return mark;
  }
  size_t dots = inside.find("..");
  if (dots != std::string_view::npos) {
    auto low = sum_of(inside.substr(0, dots), variables);
    auto high = sum_of(inside.substr(dots + 2), variables);
    if (!low || !high) return mark;
    mark.kind = Mark::Kind::kRange;
    mark.low = *low;
    mark.high = *high;
    return mark;
  }
  if (auto found = variables.find(std::string(inside)); found != variables.end()) {
    mark.kind = Mark::Kind::kText;
    mark.text = found->second;
  } else if (auto sum = sum_of(inside, variables); sum && !number_of(inside)) {
    mark.kind = Mark::Kind::kText;
    mark.text = std::to_string(*sum);
  }
  return mark;
}

// kStop: a later '{*}' was reached and failed, so a longer run for this one cannot help either.
// It keeps the match linear in practice: INFO is one line of 5,000 bytes with several marks.
enum class Match { kYes, kNo, kStop };

Match match_from(std::string_view pattern, std::string_view text, Variables* variables);

Match match_range(const Mark& mark, std::string_view rest, std::string_view text,
                  Variables* variables) {
  size_t end = text.substr(0, 1) == "-" ? 1 : 0;
  while (end < text.size() && isdigit(static_cast<unsigned char>(text[end]))) ++end;
  std::optional<int64_t> value = number_of(text.substr(0, end));
  if (!value || *value < mark.low || *value > mark.high) return Match::kNo;
  if (!mark.name.empty()) (*variables)[mark.name] = std::string(text.substr(0, end));
  return match_from(rest, text.substr(end), variables);
}

Match match_any(const Mark& mark, std::string_view rest, std::string_view text,
                Variables* variables) {
  for (size_t length = 0; length <= text.size(); ++length) {
    Variables attempt = *variables;
    if (!mark.name.empty()) attempt[mark.name] = std::string(text.substr(0, length));
    Match match = match_from(rest, text.substr(length), &attempt);
    if (match == Match::kYes) *variables = attempt;
    if (match != Match::kNo) return match;
  }
  return Match::kStop;
}

Match match_from(std::string_view pattern, std::string_view text, Variables* variables) {
  while (!pattern.empty()) {
    size_t close = pattern[0] == '{' ? pattern.find('}') : std::string_view::npos;
    Mark mark;
    if (close != std::string_view::npos) {
      mark = read_mark(pattern.substr(1, close - 1), *variables);
    }
    if (mark.kind == Mark::Kind::kLiteral) {
      if (text.empty() || text[0] != pattern[0]) return Match::kNo;
      pattern.remove_prefix(1);
      text.remove_prefix(1);
      continue;
    }
    std::string_view rest = pattern.substr(close + 1);
    if (mark.kind == Mark::Kind::kAny) return match_any(mark, rest, text, variables);
    if (mark.kind == Mark::Kind::kRange) return match_range(mark, rest, text, variables);
    if (text.substr(0, mark.text.size()) != mark.text) return Match::kNo;
    text.remove_prefix(mark.text.size());
    pattern = rest;
  }
  return text.empty() ? Match::kYes : Match::kNo;
}

}  // namespace

bool matches(std::string_view pattern, std::string_view text, Variables* variables) {
  Variables attempt = *variables;
  if (match_from(pattern, text, &attempt) != Match::kYes) return false;
  *variables = attempt;
  return true;
}

std::string substitute(std::string_view word, const Variables& variables) {
  std::string out;
  while (!word.empty()) {
    size_t close = word[0] == '{' ? word.find('}') : std::string_view::npos;
    Mark mark;
    if (close != std::string_view::npos) mark = read_mark(word.substr(1, close - 1), variables);
    if (mark.kind == Mark::Kind::kText) {
      out += mark.text;
      word.remove_prefix(close + 1);
    } else {
      out.push_back(word[0]);
      word.remove_prefix(1);
    }
  }
  return out;
}

}  // namespace hotkv::transcripts
