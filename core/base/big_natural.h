// BigNatural: a natural number of any size, for exact conversion between binary and decimal.
//
// Used where a rounding must be exact and equal on every platform (numbers.h); speed does not
// matter there. 32-bit limbs, least first, no leading zero limb; zero has no limbs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hotkv {

class BigNatural {
 public:
  BigNatural() = default;
  explicit BigNatural(uint64_t value);

  bool is_zero() const { return limbs_.empty(); }
  int bit_length() const;
  bool bit(int index) const;
  bool any_bit_below(int index) const;
  // The 64 bits from `low` upwards.
  uint64_t bits_from(int low) const;

  void multiply(uint32_t factor);
  void add(uint32_t value);
  void multiply_power_of_ten(int exponent);
  void shift_left(int bits);
  void shift_right(int bits);  // Drops the low bits.
  void add(const BigNatural& other);
  void subtract(const BigNatural& other);  // REQUIRES: *this >= other
  uint32_t divide(uint32_t divisor);       // *this becomes the quotient; returns the remainder.
  // *this becomes the remainder; returns the quotient. REQUIRES: the quotient is below 2^70.
  BigNatural divide(const BigNatural& divisor);
  static int compare(const BigNatural& a, const BigNatural& b);
  std::string decimal() const;

 private:
  void trim();
  std::vector<uint32_t> limbs_;
};

}  // namespace hotkv
