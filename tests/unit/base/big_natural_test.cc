#include "core/base/big_natural.h"

#include <gtest/gtest.h>

#include "core/base/random.h"

namespace hotkv {
namespace {

BigNatural random_natural(Random& random, int limbs) {
  BigNatural n;
  for (int i = 0; i < limbs; i++) {
    n.shift_left(32);
    n.add(static_cast<uint32_t>(random.next()));
  }
  return n;
}

TEST(BigNatural, PrintsPowers) {
  BigNatural n(1);
  n.shift_left(200);
  EXPECT_EQ(n.decimal(), "1606938044258990275541962092341162602522202993782792835301376");  // bc
  EXPECT_EQ(n.bit_length(), 201);
  BigNatural ten(1);
  ten.multiply_power_of_ten(40);
  EXPECT_EQ(ten.decimal(), "1" + std::string(40, '0'));
  EXPECT_EQ(BigNatural().decimal(), "0");
  EXPECT_EQ(BigNatural(UINT64_MAX).decimal(), "18446744073709551615");
  EXPECT_EQ(BigNatural(1000000000).decimal(), "1000000000");  // A part of nine zeros.
}

TEST(BigNatural, BitsAndShifts) {
  BigNatural n(0b1011);
  n.shift_left(70);
  EXPECT_TRUE(n.bit(70) && n.bit(71) && !n.bit(72) && n.bit(73));
  EXPECT_FALSE(n.bit(-1) || n.bit(1000));
  EXPECT_FALSE(n.any_bit_below(70));
  EXPECT_TRUE(n.any_bit_below(71));
  EXPECT_EQ(n.bits_from(69), 0b10110u);
  n.shift_right(71);
  EXPECT_EQ(BigNatural::compare(n, BigNatural(0b101)), 0);
  n.shift_right(1000);
  EXPECT_TRUE(n.is_zero());
  n.shift_left(5);
  EXPECT_TRUE(n.is_zero());
}

// (a + b) - b = a; shifting is multiplying; a = quotient * divisor + remainder.
TEST(BigNatural, ObeysTheLawsOfArithmetic) {
  Random random(11);
  for (int i = 0; i < 500; i++) {
    BigNatural a = random_natural(random, static_cast<int>(random.below(12)));
    BigNatural b = random_natural(random, static_cast<int>(random.below(12)));
    BigNatural sum = a;
    sum.add(b);
    EXPECT_TRUE(BigNatural::compare(sum, a) >= 0 && BigNatural::compare(sum, b) >= 0);
    sum.subtract(b);
    ASSERT_EQ(BigNatural::compare(sum, a), 0);

    BigNatural shifted = a, doubled = a;
    int bits = static_cast<int>(random.below(80));
    shifted.shift_left(bits);
    for (int n = 0; n < bits; n++) doubled.multiply(2);
    ASSERT_EQ(BigNatural::compare(shifted, doubled), 0);
    shifted.shift_right(bits);
    ASSERT_EQ(BigNatural::compare(shifted, a), 0);

    auto divisor = static_cast<uint32_t>(random.next() >> random.below(60) | 1);
    BigNatural quotient = a;
    uint32_t remainder = quotient.divide(divisor);
    EXPECT_LT(remainder, divisor);
    quotient.multiply(divisor);
    quotient.add(remainder);
    ASSERT_EQ(BigNatural::compare(quotient, a), 0);
  }
}

TEST(BigNatural, DividesByNaturals) {
  Random random(12);
  for (int i = 0; i < 300; i++) {
    BigNatural divisor = random_natural(random, 1 + static_cast<int>(random.below(6)));
    if (divisor.is_zero()) continue;
    uint64_t wanted = random.next() >> random.below(64);
    BigNatural rest = random_natural(random, 1);
    if (BigNatural::compare(rest, divisor) >= 0) rest = BigNatural();
    // divisor * wanted + rest, from halves of `wanted`.
    BigNatural n = divisor;
    n.multiply(static_cast<uint32_t>(wanted >> 32));
    n.shift_left(32);
    BigNatural low = divisor;
    low.multiply(static_cast<uint32_t>(wanted));
    n.add(low);
    n.add(rest);
    BigNatural quotient = n.divide(divisor);
    ASSERT_EQ(BigNatural::compare(quotient, BigNatural(wanted)), 0);
    ASSERT_EQ(BigNatural::compare(n, rest), 0);
  }
}

}  // namespace
}  // namespace hotkv
