// Doubles <-> text: strtod reads (it rounds correctly everywhere), exact integers write.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "core/base/big_natural.h"
#include "core/base/float_text.h"
#include "core/base/numbers.h"

namespace hotkv {

namespace {

// `count` significant decimal digits of a positive finite double, rounded to nearest, ties to even;
// `exponent`: the value is 0.d1d2d3... * 10^exponent.
std::string significant_digits(double value, int count, int& exponent) {
  int binary;
  auto mantissa = static_cast<uint64_t>(std::ldexp(std::frexp(value, &binary), 53));
  binary -= 53;
  exponent = static_cast<int>(std::floor((binary + 53) * 0.30102999566398114)) + 1;
  while (true) {
    BigNatural numerator(mantissa), denominator(1);
    int scale = count - exponent;
    (scale >= 0 ? numerator : denominator).multiply_power_of_ten(scale >= 0 ? scale : -scale);
    (binary >= 0 ? numerator : denominator).shift_left(binary >= 0 ? binary : -binary);
    BigNatural quotient = numerator.divide(denominator);
    size_t whole_digits = quotient.is_zero() ? 0 : quotient.decimal().size();
    if (whole_digits != static_cast<size_t>(count)) {
      exponent += whole_digits > static_cast<size_t>(count) ? 1 : -1;  // The estimate was one off.
      continue;
    }
    numerator.shift_left(1);
    int rest = BigNatural::compare(numerator, denominator);
    if (rest > 0 || (rest == 0 && quotient.bit(0))) quotient.add(1u);
    std::string digits = quotient.decimal();
    if (digits.size() > static_cast<size_t>(count)) {
      digits.pop_back();  // 99.. has become 100..
      exponent++;
    }
    return digits;
  }
}

// As "%.17g" lays a number out.
std::string layout(std::string digits, int exponent) {
  while (digits.size() > 1 && digits.back() == '0') digits.pop_back();
  int n = static_cast<int>(digits.size());
  if (exponent > 0 && exponent <= 17) {
    if (n <= exponent) return digits + std::string(static_cast<size_t>(exponent - n), '0');
    return digits.substr(0, static_cast<size_t>(exponent)) + "." +
           digits.substr(static_cast<size_t>(exponent));
  }
  if (exponent <= 0 && exponent > -4) {
    return "0." + std::string(static_cast<size_t>(-exponent), '0') + digits;
  }
  std::string out = digits.substr(0, 1);
  if (n > 1) out += "." + digits.substr(1);
  int shown = exponent - 1;
  out += shown < 0 ? "e-" : "e+";
  NumberText text;
  std::string power(format_int64(shown < 0 ? -shown : shown, text));
  return out + (power.size() < 2 ? "0" : "") + power;
}

// The shortest text of a number with few digits, found with one rounding each of multiplication and
// division: `scaled` and `power` are exact, so scaled / power is the double that its text reads as.
// Two texts of at most 15 digits never read as one double, so the first that fits is the only one.
bool format_plain(double magnitude, std::string& out) {
  constexpr double kDigitsMax = 1e15;
  if (magnitude < 1e-4) return false;  // Shown with an exponent.
  double power = 1;
  for (int places = 0;; places++, power *= 10) {
    double scaled = std::floor(magnitude * power + 0.5);
    if (scaled >= kDigitsMax) return false;
    if (scaled / power != magnitude) continue;
    NumberText text;
    out = std::string(format_uint64(static_cast<uint64_t>(scaled), text));
    if (places == 0) return true;
    size_t least = static_cast<size_t>(places) + 1;
    if (out.size() < least) out.insert(0, least - out.size(), '0');
    out.insert(out.size() - static_cast<size_t>(places), 1, '.');
    return true;
  }
}

bool reads_as(const std::string& text, double magnitude) {
  double back = 0;
  return parse_double(text, back) && back == magnitude;
}

// 15 digits of a normal double always survive, 17 always suffice; the least count that reads back
// is the shortest. A subnormal may need as little as one. REQUIRES: magnitude > 0
std::string format_shortest(double magnitude) {
  constexpr double kLeastNormal = 2.2250738585072014e-308;
  std::string out;
  for (int count = magnitude < kLeastNormal ? 1 : 15; count <= 17; count++) {
    int exponent;
    std::string digits = significant_digits(magnitude, count, exponent);
    out = layout(digits, exponent);
    if (reads_as(out, magnitude)) break;
    // Below a power of two doubles lie twice as dense: the nearest decimal may be too far there,
    // while the next one above still reads back.
    size_t last = digits.find_last_not_of('9');
    if (last == std::string::npos) continue;
    digits[last]++;
    std::fill(digits.begin() + static_cast<std::ptrdiff_t>(last) + 1, digits.end(), '0');
    out = layout(digits, exponent);
    if (reads_as(out, magnitude)) break;
  }
  return out;
}

}  // namespace

bool parse_double(Bytes text, double& out) {
  FloatText parts;
  if (!scan_float(text, parts)) return false;
  if (parts.infinite) {
    out = parts.negative ? -HUGE_VAL : HUGE_VAL;
    return true;
  }
  out = std::strtod(std::string(text).c_str(), nullptr);
  return !std::isinf(out) && (out != 0 || parts.is_zero());
}

Bytes format_double(double value, NumberText& text) {
  std::string out;
  if (std::isnan(value)) {
    out = "nan";
  } else if (std::isinf(value)) {
    out = value < 0 ? "-inf" : "inf";
  } else if (value == 0) {
    out = std::signbit(value) ? "-0" : "0";
  } else {
    double magnitude = std::fabs(value);
    if (!format_plain(magnitude, out)) out = format_shortest(magnitude);
    if (value < 0) out.insert(0, 1, '-');
  }
  std::memcpy(text.data, out.data(), out.size());
  return {text.data, out.size()};
}

}  // namespace hotkv
