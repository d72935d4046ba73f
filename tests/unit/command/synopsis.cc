#include "tests/unit/command/synopsis.h"

#include <functional>

#include "core/base/numbers.h"

namespace hotkv::test {

namespace {

// ---- reading ----

std::vector<std::string> tokens_of(std::string_view text) {
  std::vector<std::string> tokens;
  std::string word;
  auto flush = [&] {
    if (!word.empty()) tokens.push_back(word);
    word.clear();
  };
  for (char c : text) {
    if (c == ' ') {
      flush();
    } else if (c == '[' || c == ']' || c == '<' || c == '>' || c == '|') {
      flush();
      tokens.push_back(std::string(1, c));
    } else {
      word += c;
    }
  }
  flush();
  return tokens;
}

std::string print_part(const Part& part);

std::string print_parts(const std::vector<Part>& parts, const char* between) {
  std::string out;
  for (const Part& part : parts) {
    if (!out.empty()) out += between;
    out += print_part(part);
  }
  return out;
}

std::string print_part(const Part& part) {
  std::string once;
  switch (part.kind) {
    case Part::Kind::kWord:
    case Part::Kind::kValue: once = part.text; break;
    case Part::Kind::kSequence: once = print_parts(part.parts, " "); break;
    case Part::Kind::kChoice:
      once = print_parts(part.parts, " | ");
      if (!part.is_optional || part.is_repeated) once = "<" + once + ">";
      break;
  }
  if (part.is_repeated) once += " [" + once + " ...]";
  return part.is_optional ? "[" + once + "]" : once;
}

class Reader {
 public:
  explicit Reader(std::string_view text) : tokens_(tokens_of(text)) {}

  Part read(bool& ok) {
    Part part = choice("");
    ok = ok_ && at_ == tokens_.size();
    return part;
  }

 private:
  bool next_is(const char* token) const { return at_ < tokens_.size() && tokens_[at_] == token; }

  // Sequences separated by bars, up to `end`.
  Part choice(const std::string& end) {
    std::vector<Part> alternatives = {sequence(end)};
    while (next_is("|")) {
      at_++;
      alternatives.push_back(sequence(end));
    }
    if (alternatives.size() == 1) return alternatives[0];
    Part part;
    part.kind = Part::Kind::kChoice;
    part.parts = alternatives;
    return part;
  }

  Part sequence(const std::string& end) {
    std::vector<Part> parts;
    while (at_ < tokens_.size() && tokens_[at_] != end && tokens_[at_] != "|") {
      std::string token = tokens_[at_++];
      if (token == "[") {
        Part inner = choice("]");
        ok_ = ok_ && next_is("]");
        at_++;
        if (repeats_) {
          repeats_ = false;
          fold_repeat(parts, inner);
        } else {
          inner.is_optional = true;
          parts.push_back(inner);
        }
      } else if (token == "<") {
        parts.push_back(choice(">"));
        ok_ = ok_ && next_is(">");
        at_++;
      } else if (token == "...") {
        repeats_ = true;
      } else {
        Part part;
        bool literal = token.find_first_of("abcdefghijklmnopqrstuvwxyz") == std::string::npos;
        part.kind = literal ? Part::Kind::kWord : Part::Kind::kValue;
        part.text = token;
        parts.push_back(part);
      }
    }
    if (parts.size() == 1) return parts[0];
    Part part;
    part.parts = parts;
    return part;
  }

  // "a b [a b ...]": the bracket repeats what stands before it.
  void fold_repeat(std::vector<Part>& parts, const Part& repeat) {
    size_t n = repeat.kind == Part::Kind::kSequence ? repeat.parts.size() : 1;
    if (parts.size() < n) {
      ok_ = false;
      return;
    }
    Part before;
    before.parts.assign(parts.end() - static_cast<long>(n), parts.end());
    if (n == 1) before = Part(before.parts[0]);
    ok_ = ok_ && print_part(before) == print_part(repeat);
    parts.resize(parts.size() - n);
    before.is_repeated = true;
    parts.push_back(before);
  }

  std::vector<std::string> tokens_;
  size_t at_ = 0;
  bool repeats_ = false;
  bool ok_ = true;
};

ArgType type_of(std::span<const Arg> grammar, const std::string& name) {
  for (const Arg& arg : grammar) {
    if (arg.is_leaf() && arg.name == name) return arg.type;
    if (arg.is_leaf()) continue;
    ArgType inner = type_of(arg.of, name);
    if (inner != ArgType::kFlag) return inner;
  }
  return ArgType::kFlag;  // Not found.
}

// ---- drawing ----

struct Drawer {
  std::span<const Arg> grammar;
  Random& random;
  std::vector<std::string> words;
  int count_at = -1;  // The word that waits for the number of repeats.

  void draw(const Part& part) {
    if (part.is_optional && random.chance(1, 2)) return;
    int times = part.is_repeated ? static_cast<int>(random.between(1, 3)) : 1;
    if (part.is_repeated && count_at >= 0) {
      words[static_cast<size_t>(count_at)] = std::to_string(times);
      count_at = -1;
    }
    for (int i = 0; i < times; i++) draw_once(part);
  }

  void draw_once(const Part& part) {
    switch (part.kind) {
      case Part::Kind::kWord: {
        std::string word = part.text;
        for (char& c : word) c = random.chance(1, 2) ? to_lower(c) : c;
        words.push_back(word);
        break;
      }
      case Part::Kind::kValue: draw_value(type_of(grammar, part.text)); break;
      case Part::Kind::kSequence:
        for (const Part& p : part.parts) draw(p);
        break;
      case Part::Kind::kChoice: draw(part.parts[random.below(part.parts.size())]); break;
    }
  }

  void draw_value(ArgType type) {
    if (type == ArgType::kCount) count_at = static_cast<int>(words.size());
    bool is_number = type == ArgType::kInteger || type == ArgType::kUnixTime ||
                     type == ArgType::kDouble || type == ArgType::kCount;
    words.push_back(is_number ? std::to_string(random.between(-5, 100))
                              : "v" + std::to_string(random.below(100)));
  }
};

// ---- matching: everything is tried ----

using Rest = std::function<bool(size_t at)>;

bool begins_with_word(const Part& part) {
  if (part.kind == Part::Kind::kWord) return true;
  if (part.kind == Part::Kind::kValue || part.parts.empty()) return false;
  if (part.kind == Part::Kind::kSequence) return begins_with_word(part.parts[0]);
  for (const Part& p : part.parts) {
    if (!begins_with_word(p)) return false;
  }
  return true;
}

// Parts that the parser takes in any order: brackets and choices that begin with a word.
bool is_free(const Part& part) {
  return begins_with_word(part) && (part.is_optional || part.kind == Part::Kind::kChoice);
}

struct Matcher {
  std::span<const Arg> grammar;
  const std::vector<std::string>& words;
  int64_t pending_count = -1;

  bool once(const Part& part, size_t at, const Rest& rest) {
    switch (part.kind) {
      case Part::Kind::kWord:
        return at < words.size() && equal_ignoring_case(words[at], part.text) && rest(at + 1);
      case Part::Kind::kValue: {
        if (at >= words.size()) return false;
        if (type_of(grammar, part.text) != ArgType::kCount) return rest(at + 1);
        int64_t count;
        if (!parse_int64(words[at], count) || count < 1) return false;
        pending_count = count;
        bool ok = rest(at + 1);
        pending_count = -1;
        return ok;
      }
      case Part::Kind::kSequence: return sequence(part.parts, 0, at, rest);
      case Part::Kind::kChoice:
        for (const Part& p : part.parts) {
          // A literal word wins over a value that could be the same.
          if (named(part, at) && !begins_with_word(p)) continue;
          if (all(p, at, rest)) return true;
        }
        return false;
    }
    return false;
  }

  bool is_named(const Part& part, size_t at) const {
    if (part.kind == Part::Kind::kWord) return equal_ignoring_case(words[at], part.text);
    if (part.kind == Part::Kind::kSequence)
      return !part.parts.empty() && is_named(part.parts[0], at);
    return part.kind == Part::Kind::kChoice && named(part, at);
  }
  // Whether an alternative begins with the very word.
  bool named(const Part& choice, size_t at) const {
    if (at >= words.size()) return false;
    for (const Part& p : choice.parts) {
      if (is_named(p, at)) return true;
    }
    return false;
  }

  bool times(const Part& part, int64_t left, size_t at, const Rest& rest) {
    if (left == 0) return rest(at);
    return once(part, at, [&](size_t next) { return times(part, left - 1, next, rest); });
  }

  bool more(const Part& part, size_t at, const Rest& rest) {
    return rest(at) ||
           once(part, at, [&](size_t next) { return next > at && more(part, next, rest); });
  }

  bool all(const Part& part, size_t at, const Rest& rest) {
    if (part.is_optional && rest(at)) return true;
    if (!part.is_repeated) return once(part, at, rest);
    if (pending_count >= 0) {
      int64_t count = pending_count;
      pending_count = -1;
      bool ok = times(part, count, at, rest);
      pending_count = count;
      return ok;
    }
    return once(part, at, [&](size_t next) { return more(part, next, rest); });
  }

  bool sequence(const std::vector<Part>& parts, size_t i, size_t at, const Rest& rest) {
    if (i == parts.size()) return rest(at);
    size_t end = i;
    while (end < parts.size() && is_free(parts[end])) end++;
    if (end > i) {
      std::vector<int> chosen(end - i, -1);
      return any_order(parts, i, end, chosen, at,
                       [&](size_t next) { return sequence(parts, end, next, rest); });
    }
    return all(parts[i], at, [&](size_t next) { return sequence(parts, i + 1, next, rest); });
  }

  // `chosen` holds which alternative of each part was taken; another one may not follow it.
  bool any_order(const std::vector<Part>& parts, size_t begin, size_t end, std::vector<int>& chosen,
                 size_t at, const Rest& rest) {
    bool complete = true;
    for (size_t i = begin; i < end; i++) {
      complete = complete && (parts[i].is_optional || chosen[i - begin] >= 0);
    }
    if (complete && rest(at)) return true;
    for (size_t i = begin; i < end; i++) {
      const Part& part = parts[i];
      int alternatives = part.kind == Part::Kind::kChoice ? static_cast<int>(part.parts.size()) : 1;
      for (int a = 0; a < alternatives; a++) {
        int& now = chosen[i - begin];
        if (now >= 0 && !part.is_repeated && (now != a || !part.is_optional)) continue;
        int before = now;
        now = a;
        const Part& one =
            part.kind == Part::Kind::kChoice ? part.parts[static_cast<size_t>(a)] : part;
        bool ok = once(
            one, at, [&](size_t next) { return any_order(parts, begin, end, chosen, next, rest); });
        if (ok) return true;
        now = before;
      }
    }
    return false;
  }
};

}  // namespace

Synopsis::Synopsis(std::string_view text) { root_ = Reader(text).read(well_formed_); }

std::string Synopsis::print() const { return print_part(root_); }

std::vector<std::string> Synopsis::draw(std::span<const Arg> grammar, Random& random) const {
  Drawer drawer{grammar, random, {}};
  drawer.draw(root_);
  return drawer.words;
}

bool Synopsis::accepts(std::span<const Arg> grammar, const std::vector<std::string>& words) const {
  Matcher matcher{grammar, words};
  return matcher.sequence({root_}, 0, 0, [&](size_t at) { return at == words.size(); });
}

}  // namespace hotkv::test
