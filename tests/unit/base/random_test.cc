#include "core/base/random.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace hotkv {
namespace {

// splitmix64's published first outputs for the states 0 and 1234567 (Rosetta Code).
TEST(Random, MixIsOneStepOfSplitmix64) {
  EXPECT_EQ(mix64(0), 0xe220a8397b1dcdafu);
  EXPECT_EQ(mix64(1234567), 6457827717110365317u);
}

// Computed by a separate program in Python that gives xoshiro256**'s published numbers (11520, 0,
// 1509978240, 1215971899390074240, 1216172134540287360) for the state 1, 2, 3, 4.
TEST(Random, DrawsTheNumbersOfXoshiro256StarStar) {
  struct Case {
    uint64_t seed, stream, first[4];
  };
  const Case cases[] = {
      {1, 0, {0xef75d62a19ba94ed, 0x8e9490536375f270, 0xc05630b1c614195d, 0x66daa2d5136a8f29}},
      {1, 1, {0x309714ec38d33b4c, 0x1bc11473d28024a0, 0xaa4f7bbef2a5a194, 0xe418b571ccc48341}},
      {0xdeadbeef,
       42,
       {0x532189a185e518e4, 0x95379a02fd8836fb, 0x744a6e3f54969edb, 0x9d3265420347798b}},
  };
  for (const Case& c : cases) {
    Random random(c.seed, c.stream);
    for (uint64_t wanted : c.first) EXPECT_EQ(random.next(), wanted);
  }
}

TEST(Random, BelowIsEven) {
  Random random(3);
  constexpr int kDraws = 70000, kBound = 7;
  int counts[kBound] = {};
  for (int i = 0; i < kDraws; i++) counts[random.below(kBound)]++;
  double chi_square = 0;
  for (int n : counts) {
    double off = n - kDraws / kBound;
    chi_square += off * off / (kDraws / kBound);
  }
  EXPECT_LT(chi_square, 22.46);  // 6 degrees of freedom: 0.1 % of fair generators exceed it.
  EXPECT_EQ(random.below(1), 0u);
  // 2^64 modulo this bound is nearly the bound: without the redraw small numbers come twice as
  // often.
  int low = 0;
  uint64_t bound = uint64_t{3} << 62;
  for (int i = 0; i < 10000; i++) low += random.below(bound) < bound / 3;
  EXPECT_NEAR(low, 3333, 250);
}

TEST(Random, BetweenReachesBothEnds) {
  Random random(4);
  bool seen[3] = {};
  for (int i = 0; i < 200; i++) {
    int64_t x = random.between(-1, 1);
    ASSERT_TRUE(x >= -1 && x <= 1);
    seen[x + 1] = true;
  }
  EXPECT_TRUE(seen[0] && seen[1] && seen[2]);
  EXPECT_EQ(random.between(5, 5), 5);
  bool negative = false, positive = false;
  for (int i = 0; i < 100; i++)
    (random.between(INT64_MIN, INT64_MAX) < 0 ? negative : positive) = 1;
  EXPECT_TRUE(negative && positive);
}

TEST(Random, HexHasTheLengthAndOnlyDigits) {
  Random random(5);
  std::string text = random.hex(40);
  EXPECT_EQ(text.size(), 40u);
  EXPECT_EQ(text.find_first_not_of("0123456789abcdef"), std::string::npos);
  EXPECT_NE(text, random.hex(40));
}

}  // namespace
}  // namespace hotkv
