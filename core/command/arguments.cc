#include "core/command/arguments.h"

#include <cstring>

#include "core/base/numbers.h"

namespace hotkv {

double Parsed::number(int leaf) const {
  double value;
  std::memcpy(&value, &integer_[leaf], sizeof(value));
  return value;
}

namespace {

// Most words differ in their first letter already.
inline bool is_word(Bytes token, Bytes word) {
  return token.size() == word.size() && ((token[0] ^ word[0]) & ~0x20) == 0 &&
         equal_ignoring_case(token, word);
}

// Whether `word` is one that the argument begins with.
bool word_begins(const Arg& arg, Bytes word) {
  if (!arg.token.empty()) return is_word(arg.token, word);
  if (arg.type == ArgType::kBlock) return arg.begins_with_word && word_begins(arg.of[0], word);
  if (arg.type != ArgType::kOneOf) return false;
  for (const Arg& alternative : arg.of) {
    if (word_begins(alternative, word)) return true;
  }
  return false;
}

bool has_words(std::span<const Arg> grammar) {
  for (const Arg& arg : grammar) {
    if (!arg.token.empty() || has_words(arg.of)) return true;
  }
  return false;
}

}  // namespace

// Recursive descent without backtracking. `leaf` is the number of the first leaf of what is being
// matched; `reserve` counts the words that required arguments further right still need, so that an
// optional or repeated one does not take them.
class GrammarParser {
 public:
  GrammarParser(std::span<const Bytes> words, Parsed& parsed, int first,
                std::vector<int>* keys = nullptr)
      : words_(words),
        parsed_(parsed),
        at_(first),
        end_(static_cast<int>(words.size())),
        keys_(keys) {}

  ParseOutcome parse(std::span<const Arg> grammar) {
    if (sequence(grammar, 0, 0, ParseError::kArity) && at_ < end_) {
      fail(has_words(grammar) ? ParseError::kSyntax : ParseError::kArity);
    }
    for (int i = 0; i < number_count_ && outcome_.error == ParseError::kNone; i++) {
      read_number(numbers_[i].type, numbers_[i].leaf);
    }
    return outcome_;
  }

 private:
  bool fail(ParseError error) {
    outcome_ = {error, at_};
    return false;
  }

  // Arguments in their order; neighbours that begin with a word form a run in any order. `missing`
  // is the error for a value that is not there.
  bool sequence(std::span<const Arg> args, int leaf, int reserve, ParseError missing) {
    for (size_t i = 0; i < args.size();) {
      size_t run = i;
      int leaves = 0;
      while (run < args.size() && args[run].begins_with_word) leaves += args[run++].leaves;
      if (run > i) {
        if (!any_order(args.subspan(i, run - i), leaf)) return false;
        i = run;
        leaf += leaves;
        continue;
      }
      int needed = reserve + least_words(args.subspan(i + 1));
      if (!positional(args[i], leaf, needed, missing)) return false;
      leaf += args[i++].leaves;
    }
    return true;
  }

  bool any_order(std::span<const Arg> run, int first_leaf) {
    while (at_ < end_) {
      int leaf = first_leaf;
      const Arg* match = nullptr;
      for (const Arg& arg : run) {
        // An option may be given again, the last one counts; a required argument may not.
        bool may_stand = arg.is_optional || arg.is_multiple || !is_set(leaf, arg.leaves);
        if (may_stand && word_begins(arg, words_[static_cast<size_t>(at_)])) {
          match = &arg;
          break;
        }
        leaf += arg.leaves;
      }
      if (!match) break;
      if (!worded(*match, leaf)) return false;
    }
    int leaf = first_leaf;
    for (const Arg& arg : run) {
      if (!arg.is_optional && !is_set(leaf, arg.leaves)) return fail(ParseError::kSyntax);
      leaf += arg.leaves;
    }
    return true;
  }

  // An argument whose first word is at hand.
  bool worded(const Arg& arg, int leaf) {
    repeating_ += arg.is_multiple;
    bool ok = worded_once(arg, leaf);
    repeating_ -= arg.is_multiple;
    return ok;
  }

  bool worded_once(const Arg& arg, int leaf) {
    if (arg.type == ArgType::kFlag) {
      take(arg, leaf);
      return true;
    }
    if (!arg.token.empty()) at_++;
    if (arg.is_leaf()) {
      if (at_ >= end_) return fail(ParseError::kSyntax);
      take(arg, leaf);
      return true;
    }
    if (arg.type == ArgType::kBlock) return sequence(arg.of, leaf, 0, ParseError::kSyntax);
    return alternative(arg, leaf, 0, ParseError::kSyntax);
  }

  // Picks the alternative by its word, or the first one that begins with a value. Another one of
  // the same group having been given is an error.
  bool alternative(const Arg& group, int group_leaf, int reserve, ParseError missing) {
    if (at_ >= end_) return fail(missing);
    const Arg* chosen = nullptr;
    const Arg* by_value = nullptr;
    int leaf = group_leaf, chosen_leaf = 0, value_leaf = 0;
    for (const Arg& arg : group.of) {
      if (!chosen && word_begins(arg, words_[static_cast<size_t>(at_)])) {
        chosen = &arg;
        chosen_leaf = leaf;
      } else if (!by_value && !arg.begins_with_word) {
        by_value = &arg;
        value_leaf = leaf;
      }
      leaf += arg.leaves;
    }
    bool by_word = chosen != nullptr;
    if (!by_word) {
      chosen = by_value;
      chosen_leaf = value_leaf;
    }
    if (!chosen) return fail(ParseError::kSyntax);
    int size = chosen->leaves;
    bool other_given = is_set(group_leaf, chosen_leaf - group_leaf) ||
                       is_set(chosen_leaf + size, leaf - chosen_leaf - size);
    if (other_given && !group.is_multiple && repeating_ == 0) return fail(ParseError::kSyntax);
    if (!by_word) return positional(*chosen, chosen_leaf, reserve, missing);
    do {
      if (!worded(*chosen, chosen_leaf)) return false;
    } while (chosen->is_multiple && at_ < end_ &&
             word_begins(*chosen, words_[static_cast<size_t>(at_)]));
    return true;
  }

  bool positional(const Arg& arg, int leaf, int reserve, ParseError missing) {
    if (arg.is_multiple) {
      repeating_++;
      bool ok = repeated(arg, leaf, reserve, missing);
      repeating_--;
      return ok;
    }
    if (arg.is_optional && end_ - at_ <= reserve) return true;
    return single(arg, leaf, reserve, missing);
  }

  bool repeated(const Arg& arg, int leaf, int reserve, ParseError missing) {
    if (pending_count_ >= 0) {
      int64_t left = pending_count_;
      pending_count_ = -1;
      for (; left > 0; left--) {
        if (!single(arg, leaf, reserve, ParseError::kArity)) return false;
      }
      return true;
    }
    if (!arg.is_optional && !single(arg, leaf, reserve, missing)) return false;
    while (end_ - at_ > reserve) {
      if (!single(arg, leaf, reserve, ParseError::kArity)) return false;
    }
    return true;
  }

  bool single(const Arg& arg, int leaf, int reserve, ParseError missing) {
    if (arg.type == ArgType::kBlock) return sequence(arg.of, leaf, reserve, missing);
    if (arg.type == ArgType::kOneOf) return alternative(arg, leaf, reserve, missing);
    if (at_ >= end_) return fail(missing);
    if (arg.type == ArgType::kCount) return count_of(arg, leaf);
    take(arg, leaf);
    return true;
  }

  // A count is needed to go on, so it is the one number that is read while matching.
  bool count_of(const Arg& arg, int leaf) {
    int64_t value;
    if (!parse_int64(words_[static_cast<size_t>(at_)], value)) return fail(ParseError::kNotInteger);
    if (value < 1 || value > end_ - at_ - 1) return fail(ParseError::kCountRange);
    pending_count_ = value;
    take(arg, leaf);
    return true;
  }

  void take(const Arg& arg, int leaf) {
    bool keeps_first = repeating_ > 0 || arg.is_multiple;
    if (keys_ && arg.type == ArgType::kKey) keys_->push_back(at_);
    bool is_new = parsed_.repeats_[leaf]++ == 0;
    if (is_new || !keeps_first) parsed_.position_[leaf] = at_;
    if (is_new && is_number(arg.type)) numbers_[number_count_++] = {leaf, arg.type};
    at_++;
  }

  bool is_set(int leaf, int count) const {
    for (int i = leaf; i < leaf + count; i++) {
      if (parsed_.has(i)) return true;
    }
    return false;
  }

  static bool is_number(ArgType type) {
    return type == ArgType::kInteger || type == ArgType::kDouble || type == ArgType::kUnixTime ||
           type == ArgType::kCount;
  }

  void read_number(ArgType type, int leaf) {
    at_ = parsed_.position(leaf);
    Bytes word = words_[static_cast<size_t>(at_)];
    double value;
    if (type != ArgType::kDouble) {
      if (!parse_int64(word, parsed_.integer_[leaf])) fail(ParseError::kNotInteger);
    } else if (parse_double(word, value)) {
      std::memcpy(&parsed_.integer_[leaf], &value, sizeof(value));
    } else {
      fail(ParseError::kNotFloat);
    }
  }

  std::span<const Bytes> words_;
  Parsed& parsed_;
  int at_;
  int end_;
  int64_t pending_count_ = -1;  // Value of a kCount whose repeated argument comes next.
  struct Number {
    int leaf;
    ArgType type;
  };
  Number numbers_[Parsed::kLeavesMax];  // Leaves that were given and hold numbers.
  int number_count_ = 0;
  int repeating_ = 0;  // Depth of repeated arguments: their leaves keep the first position.
  std::vector<int>* keys_;
  ParseOutcome outcome_;
};

ParseOutcome parse_arguments(std::span<const Arg> grammar, std::span<const Bytes> arguments,
                             Parsed& parsed, int first) {
  return GrammarParser(arguments, parsed, first).parse(grammar);
}

bool find_keys(std::span<const Arg> grammar, std::span<const Bytes> arguments,
               std::vector<int>& keys, int first) {
  Parsed parsed;
  return GrammarParser(arguments, parsed, first, &keys).parse(grammar).error == ParseError::kNone;
}

namespace {

void print_sequence(std::span<const Arg> grammar, Bytes between, std::string& out);

// The argument once, with its word, without brackets.
void print_once(const Arg& arg, bool bracket_choices, std::string& out) {
  out += arg.token;
  if (arg.type == ArgType::kFlag) return;
  if (!arg.token.empty()) out += ' ';
  if (arg.type == ArgType::kBlock) {
    print_sequence(arg.of, " ", out);
  } else if (arg.type == ArgType::kOneOf) {
    bool brackets = bracket_choices || !arg.token.empty();
    if (brackets) out += '<';
    print_sequence(arg.of, " | ", out);
    if (brackets) out += '>';
  } else {
    out += arg.name;
  }
}

void print_sequence(std::span<const Arg> grammar, Bytes between, std::string& out) {
  Bytes separator;
  for (const Arg& arg : grammar) {
    out += separator;
    separator = between;
    if (arg.is_optional) out += '[';
    print_once(arg, !arg.is_optional || arg.is_multiple, out);
    if (arg.is_multiple) {
      out += " [";
      print_once(arg, true, out);
      out += " ...]";
    }
    if (arg.is_optional) out += ']';
  }
}

}  // namespace

std::string print_synopsis(std::span<const Arg> grammar) {
  std::string out;
  print_sequence(grammar, " ", out);
  return out;
}

}  // namespace hotkv
