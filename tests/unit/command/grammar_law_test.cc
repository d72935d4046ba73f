// Law: grammar = parser = synopsis, for every command of the server.
#include "core/command/arguments.h"
#include "core/node/server.h"
#include "gtest/gtest.h"
#include "tests/unit/command/synopsis.h"

namespace hotkv {
namespace {

constexpr uint64_t kSeed = 20240607;
constexpr int kDraws = 500;

// Calls visit(full name, spec) for every command and subcommand that has a handler.
template <class Visit>
void visit_specs(Visit visit) {
  for (const CommandSpec* spec : all_commands().all()) {
    if (spec->handler) visit(std::string(spec->name), *spec, 1);
    for (const CommandSpec& sub : spec->subcommands) {
      visit(std::string(spec->name) + "|" + std::string(sub.name), sub, 2);
    }
  }
}

ParseError parse(const CommandSpec& spec, const std::vector<std::string>& words) {
  std::vector<Bytes> arguments = {"name"};
  arguments.insert(arguments.end(), words.begin(), words.end());
  Parsed parsed;
  return parse_arguments(spec.grammar, arguments, parsed).error;
}

bool is_fit(ParseError error) {
  return error == ParseError::kNone || error == ParseError::kNotInteger ||
         error == ParseError::kNotFloat;
}

std::string join(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += " " + word;
  return line;
}

std::vector<std::string> damaged(std::vector<std::string> words, Random& random) {
  if (words.empty()) return {"extra"};
  size_t at = random.below(words.size());
  auto place = words.begin() + static_cast<long>(at);
  switch (random.below(4)) {
    case 0: words.erase(place); break;
    case 1: words.insert(place, words[random.below(words.size())]); break;
    case 2: std::swap(words[at], words[random.below(words.size())]); break;
    default: words.insert(place, "extra");
  }
  return words;
}

TEST(GrammarLaw, SynopsesReadBack) {
  visit_specs([](const std::string& name, const CommandSpec& spec, int) {
    std::string text = print_synopsis(spec.grammar);
    test::Synopsis synopsis(text);
    EXPECT_TRUE(synopsis.is_well_formed()) << name << ": " << text;
    EXPECT_EQ(synopsis.print(), text) << name;
  });
}

TEST(GrammarLaw, WhatTheSynopsisAllowsIsParsed) {
  Random random(kSeed, 1);
  visit_specs([&](const std::string& name, const CommandSpec& spec, int) {
    test::Synopsis synopsis(print_synopsis(spec.grammar));
    for (int i = 0; i < kDraws; i++) {
      std::vector<std::string> words = synopsis.draw(spec.grammar, random);
      EXPECT_EQ(parse(spec, words), ParseError::kNone) << name << join(words);
    }
  });
}

TEST(GrammarLaw, DamagedArgumentsAreJudgedAlike) {
  Random random(kSeed, 2);
  visit_specs([&](const std::string& name, const CommandSpec& spec, int) {
    test::Synopsis synopsis(print_synopsis(spec.grammar));
    for (int i = 0; i < kDraws; i++) {
      std::vector<std::string> words = damaged(synopsis.draw(spec.grammar, random), random);
      if (random.chance(1, 3)) words = damaged(words, random);
      bool expected = synopsis.accepts(spec.grammar, words);
      // A count out of range or no number cannot be told from a list that does not fit it.
      ParseError error = parse(spec, words);
      bool fits = is_fit(error);
      if (error == ParseError::kNotInteger && !expected) fits = false;
      EXPECT_EQ(fits, expected) << name << join(words);
    }
  });
}

TEST(GrammarLaw, AritiesFollowFromTheGrammar) {
  visit_specs([](const std::string& name, const CommandSpec& spec, int names) {
    int least = least_words(spec.grammar) + names;
    EXPECT_EQ(std::abs(spec.arity), least) << name << " " << print_synopsis(spec.grammar);
    if (spec.arity > 0) {
      EXPECT_TRUE(has_fixed_words(spec.grammar)) << name;
    }
  });
}

}  // namespace
}  // namespace hotkv
