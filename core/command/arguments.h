// Parsing and printing by the grammar of spec.h.
#pragma once

#include <span>
#include <string>

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
  kSyntax,       // A word that fits nowhere, a value missing, two alternatives at once.
  kArity,        // A repeated block is cut short ("wrong number of arguments").
  kNotInteger,   // `at` names the argument.
  kNotFloat,
  kCountRange,   // A kCount below 1, or more than there are arguments.
};

struct ParseOutcome {
  ParseError error = ParseError::kNone;
  int at = 0;  // Index of the argument that does not fit.
};

// Matches arguments[1..] (arguments[0] is the name; a subcommand's grammar starts behind its own
// name: pass first = 2). Structure is checked first, then numbers in order, as Redis does: `SET k v
// PX abc NX XX` is a syntax error, `SET k v PX abc` is not an integer. The same option may repeat
// (the last one counts); two alternatives of one group may not.
ParseOutcome parse_arguments(std::span<const Arg> grammar, std::span<const Bytes> arguments,
                             Parsed& parsed, int first = 1);

// "key value [NX | XX] [EX seconds | PX milliseconds]": the text behind the name.
std::string print_synopsis(std::span<const Arg> grammar);

// Least and greatest argument count (with the name) that the grammar takes; -1 = no greatest.
int least_arity(std::span<const Arg> grammar);
bool has_fixed_arity(std::span<const Arg> grammar);

}  // namespace hotkv
