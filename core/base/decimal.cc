// The wider arithmetic of INCRBYFLOAT: binary floats with a 64-bit mantissa and the exponent range
// of x87's extended type, on integers, so that wasm and every processor agree with Redis on x86.
#include "core/base/big_natural.h"
#include "core/base/float_text.h"
#include "core/base/numbers.h"

namespace hotkv {

namespace {

constexpr int kMantissaBits = 64;
constexpr int kExponentMax = 16384;   // A value is below 2^kExponentMax.
constexpr int kExponentMin = -16445;  // The least bit of the smallest value.
constexpr int kFractionDigits = 17;
constexpr size_t kTextMax = 5119;  // Longer operands are refused, as in Redis.

// mantissa * 2^exponent, rounded; zero has mantissa 0.
struct Wide {
  bool negative = false;
  bool infinite = false;
  uint64_t mantissa = 0;
  int exponent = 0;
};

// Rounds value * 2^exponent to nearest, ties to even. `sticky`: something below value's last bit.
Wide round_wide(const BigNatural& value, int exponent, bool sticky, bool negative) {
  Wide w;
  w.negative = negative;
  if (value.is_zero()) return w;
  int drop = value.bit_length() - kMantissaBits;
  if (drop < kExponentMin - exponent) drop = kExponentMin - exponent;
  if (drop <= 0) {
    BigNatural scaled = value;
    if (!sticky || drop == 0) {
      w.mantissa = scaled.bits_from(0);
      w.exponent = exponent;
      return w;
    }
  }
  uint64_t mantissa = value.bits_from(drop);
  bool half = value.bit(drop - 1);
  bool below = sticky || value.any_bit_below(drop - 1);
  if (half && (below || (mantissa & 1))) {
    mantissa++;
    if (mantissa == 0) {
      mantissa = uint64_t{1} << 63;
      drop++;
    }
  }
  w.mantissa = mantissa;
  w.exponent = exponent + drop;
  w.infinite = BigNatural(mantissa).bit_length() + w.exponent > kExponentMax;
  return w;
}

// False when the text is no number, or one that is too large or too small for the type.
bool read_wide(Bytes text, Wide& out) {
  FloatText parts;
  if (text.size() > kTextMax || !scan_float(text, parts)) return false;
  out = {};
  out.negative = parts.negative;
  out.infinite = parts.infinite;
  if (parts.infinite || parts.is_zero()) return true;
  BigNatural digits;
  for (Bytes part : {parts.whole, parts.fraction}) {
    for (char c : part) {
      digits.multiply(parts.hexadecimal ? 16 : 10);
      digits.add(static_cast<uint32_t>(digit_value(c)));
    }
  }
  int places = static_cast<int>(parts.fraction.size());
  // Beyond these powers the value is out of range whatever its digits are.
  constexpr int kPowerMax = 4 * static_cast<int>(kTextMax) + 20000;
  int power = parts.exponent - (parts.hexadecimal ? 4 * places : places);
  if (power > kPowerMax || power < -kPowerMax) return false;
  if (parts.hexadecimal) {
    out = round_wide(digits, power, false, parts.negative);
  } else if (power >= 0) {
    digits.multiply_power_of_ten(power);
    out = round_wide(digits, 0, false, parts.negative);
  } else {
    BigNatural divisor(1);
    divisor.multiply_power_of_ten(-power);
    // Enough bits for a quotient of 65 or 66, so that rounding sees one bit below the mantissa.
    int shift = kMantissaBits + 2 - (digits.bit_length() - divisor.bit_length());
    if (shift > 0) {
      digits.shift_left(shift);
    } else {
      divisor.shift_left(-shift);
    }
    BigNatural quotient = digits.divide(divisor);
    out = round_wide(quotient, -shift, !digits.is_zero(), parts.negative);
  }
  return !out.infinite && out.mantissa != 0;
}

Wide add_wide(const Wide& a, const Wide& b) {
  if (a.mantissa == 0) return b.mantissa ? b : Wide{a.negative && b.negative, false, 0, 0};
  if (b.mantissa == 0) return a;
  int low = a.exponent < b.exponent ? a.exponent : b.exponent;
  BigNatural x(a.mantissa), y(b.mantissa);
  x.shift_left(a.exponent - low);
  y.shift_left(b.exponent - low);
  if (a.negative == b.negative) {
    x.add(y);
    return round_wide(x, low, false, a.negative);
  }
  if (BigNatural::compare(x, y) >= 0) {
    x.subtract(y);
    return round_wide(x, low, false, a.negative && !x.is_zero());
  }
  y.subtract(x);
  return round_wide(y, low, false, b.negative);
}

// As "%.17Lf", without trailing zeros and without the sign of zero.
std::string print_wide(const Wide& w) {
  BigNatural scaled(w.mantissa);
  scaled.multiply_power_of_ten(kFractionDigits);
  if (w.exponent >= 0) {
    scaled.shift_left(w.exponent);
  } else {
    int drop = -w.exponent;
    bool half = scaled.bit(drop - 1), below = scaled.any_bit_below(drop - 1);
    scaled.shift_right(drop);
    if (half && (below || scaled.bit(0))) scaled.add(1u);
  }
  std::string digits = scaled.decimal();
  if (digits.size() <= kFractionDigits) digits.insert(0, kFractionDigits + 1 - digits.size(), '0');
  digits.insert(digits.size() - kFractionDigits, 1, '.');
  while (digits.back() == '0') digits.pop_back();
  if (digits.back() == '.') digits.pop_back();
  return w.negative && digits != "0" ? "-" + digits : digits;
}

}  // namespace

FloatSum add_decimal(Bytes left, Bytes right, std::string& sum, int& which_invalid) {
  Wide a, b;
  which_invalid = 0;
  if (!read_wide(left, a)) return FloatSum::kNotANumber;
  which_invalid = 1;
  if (!read_wide(right, b)) return FloatSum::kNotANumber;
  if (a.infinite || b.infinite) return FloatSum::kNotFinite;
  Wide total = add_wide(a, b);
  if (total.infinite) return FloatSum::kNotFinite;
  sum = print_wide(total);
  return FloatSum::kOk;
}

int compare_decimal(Bytes left, Bytes right) {
  Wide a, b;
  bool sound = read_wide(left, a) && read_wide(right, b);
  if (!sound) return 0;
  b.negative = !b.negative;
  Wide difference = add_wide(a, b);
  if (difference.mantissa == 0) return 0;
  return difference.negative ? -1 : 1;
}

bool is_decimal(Bytes text) {
  Wide w;
  return read_wide(text, w) && !w.infinite;
}

std::string negate_decimal(Bytes text) {
  Wide w;
  if (!read_wide(text, w)) return {};
  w.negative = !w.negative;
  return print_wide(w);
}

std::string canonical_decimal(Bytes text) {
  Wide w;
  return read_wide(text, w) ? print_wide(w) : std::string();
}

}  // namespace hotkv
