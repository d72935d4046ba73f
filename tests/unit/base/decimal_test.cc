// The wider arithmetic of INCRBYFLOAT. tests/groups.txt compares 10,000 random pairs with
// redis-server in group decimals; the table here also runs in wasm.
#include <gtest/gtest.h>

#include "core/base/numbers.h"

namespace hotkv {
namespace {

struct Case {
  Bytes left, right, sum;
};

// What redis-server 7.0.15 on x86 answered to `SET k left`, `INCRBYFLOAT k right`.
const Case kSums[] = {
    {"0.1", "0.2", "0.3"},
    {"3.0e3", "200", "3200"},
    {"10.50", "0.1", "10.6"},
    {"5.0e3", "2.0e2", "5200"},
    {"0x10", "0x1p-4", "16.0625"},
    {"-0x.8P2", "1", "-1"},
    {".5", "5.", "5.5"},
    {"1e17", "1", "100000000000000001"},
    {"1e18", "0.5", "1000000000000000000.5"},
    {"18446744073709551617", "0", "18446744073709551616"},
    {"18446744073709551615", "0", "18446744073709551615"},
    {"9223372036854775807", "1", "9223372036854775808"},
    {"-1.5", "1.5", "0"},
    {"0", "-0", "0"},
    {"-0", "-0", "0"},
    {"1e-17", "0", "0.00000000000000001"},
    {"5e-18", "0", "0"},
    {"4.9e-18", "0", "0"},
    {"1.5e-17", "0", "0.00000000000000002"},
    {"-4e-18", "0", "0"},
    {"123456789.123456789123456789", "0", "123456789.12345678912242875"},
    {"0.3", "-0.1", "0.2"},
    {"1", "-0.9", "0.1"},
    {"3", "1.000000000000000005", "4.00000000000000001"},
    {"1e-4950", "0", "0"},
    {"1.1", "2.2", "3.3"},
    {"2.675", "0", "2.675"},
    {"1.005", "0.005", "1.01"},
    {"100", "-99.99", "0.01"},
    {"0.7", "0.1", "0.8"},
    {"1e20", "-1e20", "0"},
    {"99999999999999999999", "1", "100000000000000000000"},
    {"4.35", "100", "104.35"},
};

TEST(Decimal, AddsAsRedisDoesOnX86) {
  for (const Case& c : kSums) {
    std::string sum;
    int which;
    EXPECT_EQ(add_decimal(c.left, c.right, sum, which), FloatSum::kOk) << c.left;
    EXPECT_EQ(sum, c.sum) << c.left << " + " << c.right;
  }
}

TEST(Decimal, HasTheRangeOfX87) {
  std::string sum;
  int which;
  // The sum of two of the greatest doubles is exact: 2^1025 - 2^972, whose digits `bc` gives.
  EXPECT_EQ(add_decimal("1.7976931348623157e308", "1.7976931348623157e308", sum, which),
            FloatSum::kOk);
  EXPECT_EQ(sum.size(), 309u);
  EXPECT_EQ(sum.substr(0, 25), "3595386269724631399918420");
  EXPECT_EQ(sum.substr(301), "79072768");
  EXPECT_EQ(add_decimal("1e4932", "0", sum, which), FloatSum::kOk);
  EXPECT_EQ(sum.size(), 4933u);
  EXPECT_EQ(add_decimal("1.18e4932", "1.18e4932", sum, which), FloatSum::kNotFinite);
  EXPECT_EQ(add_decimal("1", "inf", sum, which), FloatSum::kNotFinite);
  EXPECT_EQ(add_decimal("inf", "-inf", sum, which), FloatSum::kNotFinite);
  EXPECT_EQ(add_decimal("3.7e-4951", "0", sum, which), FloatSum::kOk);  // Subnormal.
  EXPECT_EQ(sum, "0");
}

TEST(Decimal, NamesTheOperandThatIsNoNumber) {
  std::string sum;
  int which = 7;
  for (Bytes bad : {"", "x", " 1", "1 ", "nan", "1e", "2e4932", "1e5000", "1e-4952", "1e999999999",
                    "1e-999999999", "0x", "1..2"}) {
    EXPECT_EQ(add_decimal(bad, "1", sum, which), FloatSum::kNotANumber) << bad;
    EXPECT_EQ(which, 0);
    EXPECT_EQ(add_decimal("1", bad, sum, which), FloatSum::kNotANumber) << bad;
    EXPECT_EQ(which, 1);
  }
  // Redis reads at most 5119 characters.
  EXPECT_EQ(add_decimal("1." + std::string(5117, '0'), "1", sum, which), FloatSum::kOk);
  EXPECT_EQ(add_decimal("1." + std::string(5118, '0'), "1", sum, which), FloatSum::kNotANumber);
}

TEST(Decimal, Compares) {
  EXPECT_EQ(compare_decimal("1", "1.0"), 0);
  EXPECT_EQ(compare_decimal("-1", "1"), -1);
  EXPECT_EQ(compare_decimal("0x10", "15.99"), 1);
  EXPECT_EQ(compare_decimal("-0", "0"), 0);
  EXPECT_EQ(compare_decimal("1e4000", "1e4001"), -1);
  EXPECT_EQ(compare_decimal("-1e4000", "-1e4001"), 1);
}

TEST(Decimal, PrintsCanonicallyAndNegates) {
  EXPECT_EQ(canonical_decimal("5.0e3"), "5000");
  EXPECT_EQ(canonical_decimal("-.50"), "-0.5");
  EXPECT_EQ(canonical_decimal("-0"), "0");
  EXPECT_EQ(negate_decimal("1.5"), "-1.5");
  EXPECT_EQ(negate_decimal("-2"), "2");
  EXPECT_EQ(negate_decimal("0"), "0");
  EXPECT_TRUE(is_decimal("1e4932"));
  EXPECT_FALSE(is_decimal("inf"));
  EXPECT_FALSE(is_decimal("1e4933"));
}

}  // namespace
}  // namespace hotkv
