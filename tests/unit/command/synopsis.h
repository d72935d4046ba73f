// A second reading of the grammar: from the printed synopsis alone, with another algorithm.
//
// The parser of core/command walks the declaration without backtracking; this one reads the text
// that users see and tries everything. Where both agree on random and on damaged argument lists,
// grammar, parser and synopsis are one. Upper-case words are literal, lower-case ones stand for
// values.
#pragma once

#include <string>
#include <vector>

#include "core/base/random.h"
#include "core/command/spec.h"

namespace hotkv::test {

struct Part {
  enum class Kind { kWord, kValue, kSequence, kChoice } kind = Kind::kSequence;
  std::string text;  // kWord, kValue
  std::vector<Part> parts;
  bool is_optional = false;
  bool is_repeated = false;
};

class Synopsis {
 public:
  explicit Synopsis(std::string_view text);

  bool is_well_formed() const { return well_formed_; }
  std::string print() const;  // The same text when it was understood.
  // Words that fit; the types of values are taken from the grammar's leaves by name.
  std::vector<std::string> draw(std::span<const Arg> grammar, Random& random) const;
  // Whether the words fit, numbers other than counts aside.
  bool accepts(std::span<const Arg> grammar, const std::vector<std::string>& words) const;

 private:
  Part root_;
  bool well_formed_ = true;
};

}  // namespace hotkv::test
