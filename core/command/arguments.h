// Parsing and printing by the grammar of spec.h.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/command/spec.h"

namespace hotkv {

// Values of the leaves of one command, by leaf number.
class Parsed {
 public:
  static constexpr int kLeavesMax = 40;

  bool has(int leaf) const { return position_[leaf] != 0; }
  // Index of the leaf's value (the word itself for a flag) in the arguments; the first one for
  // `many`; 0 = absent.
  int position(int leaf) const { return position_[leaf]; }
  int repeats(int leaf) const { return repeats_[leaf]; }
  int64_t integer(int leaf) const { return integer_[leaf]; }  // kInteger, kUnixTime, kCount
  double number(int leaf) const;                              // kDouble

 private:
  friend class GrammarParser;
  int32_t position_[kLeavesMax] = {};
  int32_t repeats_[kLeavesMax] = {};
  int64_t integer_[kLeavesMax] = {};
};

enum class ParseError : uint8_t {
  kNone,
  kSyntax,      // A word that fits nowhere, a value missing, two alternatives at once.
  kArity,       // A repeated block is cut short ("wrong number of arguments").
  kNotInteger,  // `at` names the argument.
  kNotFloat,
  kCountRange,  // A kCount below 1, or more than there are arguments.
};

struct ParseOutcome {
  ParseError error = ParseError::kNone;
  int at = 0;  // Index of the argument that does not fit.
};

// Matches arguments[1..] (arguments[0] is the name; a subcommand's grammar starts behind its own
// name: pass first = 2). Structure is checked first, then numbers in order, as Redis does: `SET k v
// PX abc NX XX` is a syntax error, `SET k v PX abc` is not an integer. The same option may repeat
// (the last one counts); two alternatives of one group may not, nor may a required argument.
ParseOutcome parse_arguments(std::span<const Arg> grammar, std::span<const Bytes> arguments,
                             Parsed& parsed, int first = 1);

// Indexes of the arguments that are keys, in their order, for COMMAND GETKEYS. False if the
// arguments do not fit the grammar.
bool find_keys(std::span<const Arg> grammar, std::span<const Bytes> arguments,
               std::vector<int>& keys, int first = 1);

// "key value [NX | XX] [EX seconds | PX milliseconds]": the text behind the name.
std::string print_synopsis(std::span<const Arg> grammar);

constexpr bool has_fixed_words(std::span<const Arg> grammar) {
  for (const Arg& arg : grammar) {
    if (arg.is_optional || arg.is_multiple || !has_fixed_words(arg.of)) return false;
    if (arg.type != ArgType::kOneOf) continue;
    for (const Arg& alternative : arg.of) {
      if (least_words(alternative) != least_words(arg.of[0])) return false;
    }
  }
  return true;
}

// Whether every spec of a family declares the arity of its grammar, as Redis counts: `names` is 1
// for a command and 2 for a subcommand, whose container counts too. A negative arity leaves surplus
// words to the parser, a positive one needs a grammar of fixed length. `static_assert` it beside
// the table. Containers are only walked through.
constexpr bool arities_match(std::span<const CommandSpec> specs, int names = 1) {
  for (const CommandSpec& spec : specs) {
    int least = least_words(spec.grammar) + names;
    bool fits = spec.arity == -least || (spec.arity == least && has_fixed_words(spec.grammar));
    if (spec.handler && !fits) return false;
    if (count_leaves(spec.grammar) > Parsed::kLeavesMax) return false;
    if (!arities_match(spec.subcommands, names + 1)) return false;
  }
  return true;
}

}  // namespace hotkv
