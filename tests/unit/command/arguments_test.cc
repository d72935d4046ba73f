#include "core/command/arguments.h"

#include "gtest/gtest.h"

namespace hotkv {
namespace {

constexpr Arg kConditions[] = {flag("nx", "NX"), flag("xx", "XX"), text("value").after("IFEQ")};
constexpr Arg kExpiry[] = {integer("seconds").after("EX"), unix_time("ms").after("PXAT"),
                           flag("keepttl", "KEEPTTL")};
constexpr Arg kSetLike[] = {key("key"), text("value"), one_of("condition", kConditions).maybe(),
                            flag("get", "GET").maybe(), one_of("expiration", kExpiry).maybe()};
constexpr Arg kPair[] = {key("key"), text("value")};
constexpr Arg kCounted[] = {count("numkeys"), block("data", kPair).many(),
                            flag("nx", "NX").maybe()};
constexpr Arg kPairs[] = {block("data", kPair).many()};
constexpr Arg kKeysThenTimeout[] = {key("key").many(), number("timeout")};
constexpr Arg kUserPassword[] = {text("username").maybe(), text("password")};
constexpr Arg kLimit[] = {integer("offset"), integer("count")};
constexpr Arg kSortLike[] = {key("key"), block("limit", kLimit).after("LIMIT").maybe(),
                             pattern("pattern").after("GET").maybe().many()};
constexpr Arg kLockLike[] = {key("key"), text("token"), integer("ms").after("PX")};

struct Parse {
  ParseOutcome outcome;
  Parsed parsed;
};

Parse parse(std::span<const Arg> grammar, std::vector<Bytes> words) {
  Parse p;
  words.insert(words.begin(), "command");
  p.outcome = parse_arguments(grammar, words, p.parsed);
  return p;
}

TEST(Arguments, OptionsStandInAnyOrderAndAnyCase) {
  Parse p = parse(kSetLike, {"k", "v", "get", "Ex", "10", "nX"});
  ASSERT_EQ(p.outcome.error, ParseError::kNone);
  EXPECT_EQ(p.parsed.position(leaf(kSetLike, "key")), 1);
  EXPECT_EQ(p.parsed.position(leaf(kSetLike, "value")), 2);
  EXPECT_TRUE(p.parsed.has(leaf(kSetLike, "GET")));
  EXPECT_TRUE(p.parsed.has(leaf(kSetLike, "NX")));
  EXPECT_FALSE(p.parsed.has(leaf(kSetLike, "XX")));
  EXPECT_EQ(p.parsed.position(leaf(kSetLike, "EX")), 5);
  EXPECT_EQ(p.parsed.integer(leaf(kSetLike, "EX")), 10);
}

TEST(Arguments, TheSameOptionMayRepeatAndTheLastOneCounts) {
  Parse p = parse(kSetLike, {"k", "v", "EX", "10", "GET", "GET", "EX", "20"});
  ASSERT_EQ(p.outcome.error, ParseError::kNone);
  EXPECT_EQ(p.parsed.integer(leaf(kSetLike, "EX")), 20);
}

TEST(Arguments, TwoAlternativesExcludeEachOther) {
  for (std::vector<Bytes> words : {std::vector<Bytes>{"k", "v", "NX", "XX"},
                                   {"k", "v", "EX", "1", "GET", "KEEPTTL"},
                                   {"k", "v", "IFEQ", "a", "NX"}}) {
    EXPECT_EQ(parse(kSetLike, words).outcome.error, ParseError::kSyntax);
  }
}

TEST(Arguments, StructureIsCheckedBeforeNumbers) {
  EXPECT_EQ(parse(kSetLike, {"k", "v", "EX", "abc", "NX", "XX"}).outcome.error,
            ParseError::kSyntax);
  Parse p = parse(kSetLike, {"k", "v", "NX", "EX", "abc"});
  EXPECT_EQ(p.outcome.error, ParseError::kNotInteger);
  EXPECT_EQ(p.outcome.at, 5);
}

TEST(Arguments, AWordThatFitsNowhereIsNamed) {
  Parse p = parse(kSetLike, {"k", "v", "NX", "FOO"});
  EXPECT_EQ(p.outcome.error, ParseError::kSyntax);
  EXPECT_EQ(p.outcome.at, 4);
  EXPECT_EQ(parse(kSetLike, {"k", "v", "EX"}).outcome.error, ParseError::kSyntax);
}

TEST(Arguments, AnOptionWordMayBeAValue) {
  Parse p = parse(kSetLike, {"NX", "EX", "IFEQ", "XX"});
  ASSERT_EQ(p.outcome.error, ParseError::kNone);
  EXPECT_EQ(p.parsed.position(leaf(kSetLike, "IFEQ")), 4);
  EXPECT_FALSE(p.parsed.has(leaf(kSetLike, "XX")));
}

TEST(Arguments, ACountSaysHowOftenTheNextArgumentRepeats) {
  Parse p = parse(kCounted, {"2", "a", "1", "b", "2", "NX"});
  ASSERT_EQ(p.outcome.error, ParseError::kNone);
  EXPECT_EQ(p.parsed.integer(leaf(kCounted, "numkeys")), 2);
  EXPECT_EQ(p.parsed.position(leaf(kCounted, "key")), 2);
  EXPECT_EQ(p.parsed.repeats(leaf(kCounted, "key")), 2);
  EXPECT_TRUE(p.parsed.has(leaf(kCounted, "NX")));
  EXPECT_EQ(parse(kCounted, {"2", "NX", "1", "NX", "2"}).parsed.repeats(1), 2);
}

TEST(Arguments, BadCounts) {
  EXPECT_EQ(parse(kCounted, {"0", "a", "1"}).outcome.error, ParseError::kCountRange);
  EXPECT_EQ(parse(kCounted, {"-1", "a", "1"}).outcome.error, ParseError::kCountRange);
  EXPECT_EQ(parse(kCounted, {"9", "a", "1"}).outcome.error, ParseError::kCountRange);
  EXPECT_EQ(parse(kCounted, {"x", "a", "1"}).outcome.error, ParseError::kNotInteger);
  EXPECT_EQ(parse(kCounted, {"2", "a", "1", "b"}).outcome.error, ParseError::kArity);
  EXPECT_EQ(parse(kCounted, {"1", "a", "1", "b", "2"}).outcome.error, ParseError::kSyntax);
}

TEST(Arguments, ARepeatedBlockMustBeWhole) {
  EXPECT_EQ(parse(kPairs, {"a", "1", "b", "2"}).parsed.repeats(0), 2);
  EXPECT_EQ(parse(kPairs, {"a", "1", "b"}).outcome.error, ParseError::kArity);
}

TEST(Arguments, RepeatedArgumentsLeaveRoomForWhatFollows) {
  Parse p = parse(kKeysThenTimeout, {"a", "b", "c", "1.5"});
  ASSERT_EQ(p.outcome.error, ParseError::kNone);
  EXPECT_EQ(p.parsed.repeats(0), 3);
  EXPECT_EQ(p.parsed.position(0), 1);
  EXPECT_EQ(p.parsed.number(1), 1.5);
  EXPECT_EQ(parse(kKeysThenTimeout, {"a", "x"}).outcome.error, ParseError::kNotFloat);
}

TEST(Arguments, AnOptionalArgumentLeavesRoomForARequiredOne) {
  EXPECT_FALSE(parse(kUserPassword, {"secret"}).parsed.has(0));
  EXPECT_EQ(parse(kUserPassword, {"bob", "secret"}).parsed.position(1), 2);
  EXPECT_EQ(parse(kUserPassword, {"bob", "secret", "x"}).outcome.error, ParseError::kArity);
}

TEST(Arguments, WordedBlocksAndRepeatedOptions) {
  Parse p = parse(kSortLike, {"k", "GET", "a", "LIMIT", "1", "2", "GET", "b"});
  ASSERT_EQ(p.outcome.error, ParseError::kNone);
  EXPECT_EQ(p.parsed.integer(leaf(kSortLike, "count")), 2);
  EXPECT_EQ(p.parsed.position(leaf(kSortLike, "GET")), 3);
  EXPECT_EQ(p.parsed.repeats(leaf(kSortLike, "GET")), 2);
  EXPECT_EQ(parse(kSortLike, {"k", "LIMIT", "1"}).outcome.error, ParseError::kSyntax);
}

TEST(Arguments, ARequiredOptionMustBeGiven) {
  EXPECT_EQ(parse(kLockLike, {"k", "t", "PX", "5"}).outcome.error, ParseError::kNone);
  EXPECT_EQ(parse(kLockLike, {"k", "t", "EX", "5"}).outcome.error, ParseError::kSyntax);
}

TEST(Arguments, Synopses) {
  EXPECT_EQ(print_synopsis(kSetLike),
            "key value [NX | XX | IFEQ value] [GET] [EX seconds | PXAT ms | KEEPTTL]");
  EXPECT_EQ(print_synopsis(kCounted), "numkeys key value [key value ...] [NX]");
  EXPECT_EQ(print_synopsis(kKeysThenTimeout), "key [key ...] timeout");
  EXPECT_EQ(print_synopsis(kUserPassword), "[username] password");
  EXPECT_EQ(print_synopsis(kSortLike), "key [LIMIT offset count] [GET pattern [GET pattern ...]]");
  EXPECT_EQ(print_synopsis(kLockLike), "key token PX ms");
}

TEST(Arguments, LeastWords) {
  EXPECT_EQ(least_words(kSetLike), 2);
  EXPECT_EQ(least_words(kCounted), 3);
  EXPECT_EQ(least_words(kUserPassword), 1);
  EXPECT_EQ(least_words(kLockLike), 4);
  EXPECT_TRUE(has_fixed_words(kLockLike));
  EXPECT_FALSE(has_fixed_words(kSetLike));
  EXPECT_FALSE(has_fixed_words(kPairs));
}

TEST(Arguments, FindsTheKeys) {
  std::vector<Bytes> words = {"msetex", "2", "a", "1", "b", "2", "NX"};
  std::vector<int> keys;
  ASSERT_TRUE(find_keys(kCounted, words, keys));
  EXPECT_EQ(keys, (std::vector<int>{2, 4}));
  words[1] = "5";
  EXPECT_FALSE(find_keys(kCounted, words, keys));
}

}  // namespace
}  // namespace hotkv
