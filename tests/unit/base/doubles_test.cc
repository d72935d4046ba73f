#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "core/base/numbers.h"
#include "core/base/random.h"

namespace hotkv {
namespace {

std::string shown(double value) {
  NumberText text;
  return std::string(format_double(value, text));
}

// Python's repr gives the digits (it prints the shortest that read back), C's %g the layout.
TEST(Doubles, PrintTheShortestText) {
  struct Case {
    double value;
    Bytes text;
  };
  const Case cases[] = {{0.0, "0"},
                        {-0.0, "-0"},
                        {1, "1"},
                        {-3, "-3"},
                        {0.1, "0.1"},
                        {0.1 + 0.2, "0.30000000000000004"},
                        {1.0 / 3, "0.3333333333333333"},
                        {100, "100"},
                        {3.141, "3.141"},
                        {1e15, "1000000000000000"},
                        {123456789012345680.0, "1.2345678901234568e+17"},
                        {1e16, "10000000000000000"},
                        {1e17, "1e+17"},
                        {1e30, "1e+30"},
                        {9007199254740992.0, "9007199254740992"},
                        {0.0001, "0.0001"},
                        {0.00001, "1e-05"},
                        {-1.5e-10, "-1.5e-10"},
                        {5e-324, "5e-324"},
                        {7.9050503334599447e-323, "8e-323"},
                        {2.2250738585072014e-308, "2.2250738585072014e-308"},
                        {1.7976931348623157e308, "1.7976931348623157e+308"},
                        {0x1p-44, "5.684341886080802e-14"},
                        {9007199254740993.0, "9007199254740992"},
                        {0.9999999999999999, "0.9999999999999999"},
                        {1e23, "1e+23"}};
  for (const Case& c : cases) EXPECT_EQ(shown(c.value), c.text);
  EXPECT_EQ(shown(HUGE_VAL), "inf");
  EXPECT_EQ(shown(-HUGE_VAL), "-inf");
  EXPECT_EQ(shown(std::numeric_limits<double>::quiet_NaN()), "nan");
}

int digits_in(const std::string& text) {
  std::string digits;
  for (char c : text.substr(0, text.find('e'))) {
    if (c >= '0' && c <= '9') digits += c;
  }
  size_t first = digits.find_first_not_of('0'), last = digits.find_last_not_of('0');
  return static_cast<int>(last - first) + 1;
}

// The text reads back, and the C library's nearest text with one digit less does not.
void expect_shortest(double value) {
  if (!std::isfinite(value) || value == 0) return;
  std::string text = shown(value);
  ASSERT_EQ(std::strtod(text.c_str(), nullptr), value) << text;
  double back;
  ASSERT_TRUE(parse_double(text, back)) << text;
  ASSERT_EQ(back, value) << text;
  int digits = digits_in(text);
  if (digits == 1) return;
  char shorter[40];
  std::snprintf(shorter, sizeof(shorter), "%.*e", digits - 2, value);
  ASSERT_NE(std::strtod(shorter, nullptr), value) << text << " and " << shorter;
}

TEST(Doubles, AreShortestAtPowersOfTwoAndTheirNeighbours) {
  for (int power = -1074; power < 1024; power++) {
    double value = std::ldexp(1.0, power);
    expect_shortest(value);
    expect_shortest(std::nextafter(value, 0.0));
    expect_shortest(std::nextafter(value, HUGE_VAL));
  }
}

TEST(Doubles, AreShortestAnywhere) {
  Random random(31);
  for (int i = 0; i < 20000; i++) {
    uint64_t bits = random.next();
    double value;
    std::memcpy(&value, &bits, sizeof(value));
    expect_shortest(value);
    expect_shortest(static_cast<double>(random.below(10000000)) / 1000);
    expect_shortest(static_cast<double>(random.below(uint64_t{1} << 60)));
    expect_shortest(std::ldexp(static_cast<double>(bits >> 30), -1074));  // Subnormal.
    uint64_t part = random.next() >> 11, whole = random.below(1000000) + 1;
    expect_shortest(static_cast<double>(part) / static_cast<double>(whole));
  }
}

TEST(Doubles, AreReadAsRedisReadsThem) {
  struct Case {
    Bytes text;
    double value;
  };
  const Case good[] = {{"0", 0},
                       {"-0", 0},
                       {"5.", 5},
                       {".5", .5},
                       {"+5", 5},
                       {"1e5", 1e5},
                       {"1E-5", 1e-5},
                       {"00012", 12},
                       {"0x10", 16},
                       {"0x1.8P+1", 3},
                       {"0X.8", 0.5},
                       {"-0x1p-2", -.25},
                       {"1e0005", 1e5},
                       {"inf", HUGE_VAL},
                       {"+InF", HUGE_VAL},
                       {"0e9999999", 0},
                       {"-infinity", -HUGE_VAL}};
  for (const Case& c : good) {
    double value = 99;
    EXPECT_TRUE(parse_double(c.text, value)) << c.text;
    EXPECT_EQ(value, c.value) << c.text;
  }
  for (Bytes bad :
       {"",    ".",    "+",      "e5",    "1e",        "1e+",   " 5",    "5 ",     "-+5",
        "nan", "-nan", "nan(1)", "infin", "infinityy", "0x",    "0x.",   "0xp1",   "0x1p",
        "1_0", "1d5",  "1f",     "0b1",   "1.2.3",     "1e5.0", "1e400", "-1e400", "1e-400"}) {
    double value;
    EXPECT_FALSE(parse_double(bad, value)) << bad;
  }
  double value;
  EXPECT_FALSE(parse_double(Bytes("1\0", 2), value));
}

}  // namespace
}  // namespace hotkv
