#include "core/base/big_natural.h"

#include <algorithm>

namespace hotkv {

BigNatural::BigNatural(uint64_t value) {
  while (value) {
    limbs_.push_back(static_cast<uint32_t>(value));
    value >>= 32;
  }
}

void BigNatural::trim() {
  while (!limbs_.empty() && limbs_.back() == 0) limbs_.pop_back();
}

int BigNatural::bit_length() const {
  if (limbs_.empty()) return 0;
  return static_cast<int>(limbs_.size()) * 32 - __builtin_clz(limbs_.back());
}

bool BigNatural::bit(int index) const {
  auto limb = static_cast<size_t>(index / 32);
  return index >= 0 && limb < limbs_.size() && (limbs_[limb] >> (index % 32) & 1);
}

bool BigNatural::any_bit_below(int index) const {
  for (int i = 0; i < index && i < bit_length();) {
    if (i % 32 == 0 && i + 32 <= index) {
      if (limbs_[static_cast<size_t>(i / 32)]) return true;
      i += 32;
    } else {
      if (bit(i)) return true;
      i++;
    }
  }
  return false;
}

uint64_t BigNatural::bits_from(int low) const {
  uint64_t out = 0;
  for (int i = 63; i >= 0; i--) out = out << 1 | (bit(low + i) ? 1u : 0u);
  return out;
}

void BigNatural::multiply(uint32_t factor) {
  uint64_t carry = 0;
  for (uint32_t& limb : limbs_) {
    uint64_t product = uint64_t{limb} * factor + carry;
    limb = static_cast<uint32_t>(product);
    carry = product >> 32;
  }
  if (carry) limbs_.push_back(static_cast<uint32_t>(carry));
  trim();
}

void BigNatural::add(uint32_t value) {
  uint64_t carry = value;
  for (size_t i = 0; carry; i++) {
    if (i == limbs_.size()) limbs_.push_back(0);
    uint64_t sum = limbs_[i] + carry;
    limbs_[i] = static_cast<uint32_t>(sum);
    carry = sum >> 32;
  }
}

void BigNatural::multiply_power_of_ten(int exponent) {
  for (; exponent >= 9; exponent -= 9) multiply(1000000000);
  for (; exponent > 0; exponent--) multiply(10);
}

void BigNatural::shift_left(int bits) {
  if (limbs_.empty()) return;
  if (bits % 32) multiply(1u << (bits % 32));
  limbs_.insert(limbs_.begin(), static_cast<size_t>(bits / 32), 0);
}

void BigNatural::shift_right(int bits) {
  auto whole = std::min(static_cast<size_t>(bits / 32), limbs_.size());
  limbs_.erase(limbs_.begin(), limbs_.begin() + static_cast<std::ptrdiff_t>(whole));
  if (bits % 32) {
    uint32_t carry = 0;
    for (size_t i = limbs_.size(); i-- > 0;) {
      uint32_t limb = limbs_[i];
      limbs_[i] = limb >> (bits % 32) | carry;
      carry = limb << (32 - bits % 32);
    }
  }
  trim();
}

void BigNatural::add(const BigNatural& other) {
  if (limbs_.size() < other.limbs_.size()) limbs_.resize(other.limbs_.size());
  uint64_t carry = 0;
  for (size_t i = 0; i < limbs_.size(); i++) {
    uint64_t sum = carry + limbs_[i] + (i < other.limbs_.size() ? other.limbs_[i] : 0);
    limbs_[i] = static_cast<uint32_t>(sum);
    carry = sum >> 32;
  }
  if (carry) limbs_.push_back(static_cast<uint32_t>(carry));
}

void BigNatural::subtract(const BigNatural& other) {
  int64_t borrow = 0;
  for (size_t i = 0; i < limbs_.size(); i++) {
    int64_t difference =
        int64_t{limbs_[i]} - borrow - (i < other.limbs_.size() ? int64_t{other.limbs_[i]} : 0);
    borrow = difference < 0;
    limbs_[i] = static_cast<uint32_t>(difference);
  }
  trim();
}

uint32_t BigNatural::divide(uint32_t divisor) {
  uint64_t remainder = 0;
  for (size_t i = limbs_.size(); i-- > 0;) {
    uint64_t value = remainder << 32 | limbs_[i];
    limbs_[i] = static_cast<uint32_t>(value / divisor);
    remainder = value % divisor;
  }
  trim();
  return static_cast<uint32_t>(remainder);
}

BigNatural BigNatural::divide(const BigNatural& divisor) {
  BigNatural quotient;
  int shift = std::max(0, bit_length() - divisor.bit_length());
  BigNatural scaled = divisor;
  scaled.shift_left(shift);
  for (; shift >= 0; shift--) {
    quotient.shift_left(1);
    if (compare(*this, scaled) >= 0) {
      subtract(scaled);
      quotient.add(1u);
    }
    scaled.shift_right(1);
  }
  return quotient;
}

int BigNatural::compare(const BigNatural& a, const BigNatural& b) {
  if (a.limbs_.size() != b.limbs_.size()) return a.limbs_.size() < b.limbs_.size() ? -1 : 1;
  for (size_t i = a.limbs_.size(); i-- > 0;) {
    if (a.limbs_[i] != b.limbs_[i]) return a.limbs_[i] < b.limbs_[i] ? -1 : 1;
  }
  return 0;
}

std::string BigNatural::decimal() const {
  if (is_zero()) return "0";
  BigNatural rest = *this;
  std::string reversed;
  while (!rest.is_zero()) {
    uint32_t part = rest.divide(1000000000u);
    for (int i = 0; i < 9 && (part || !rest.is_zero()); i++, part /= 10) {
      reversed += static_cast<char>('0' + part % 10);
    }
  }
  std::reverse(reversed.begin(), reversed.end());
  return reversed;
}

}  // namespace hotkv
