// Doubles <-> text: strtod reads (it rounds correctly everywhere), exact integers write.
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "core/base/big_natural.h"
#include "core/base/numbers.h"

namespace hotkv {

namespace {

bool is_infinity(Bytes word) {
  return equal_ignoring_case(word, "inf") || equal_ignoring_case(word, "infinity");
}

bool is_number_text(Bytes text) {
  size_t at = !text.empty() && (text[0] == '+' || text[0] == '-') ? 1 : 0;
  bool digits = false, point = false;
  for (; at < text.size(); at++) {
    char c = text[at];
    if (c >= '0' && c <= '9') {
      digits = true;
    } else if (c == '.' && !point) {
      point = true;
    } else {
      break;
    }
  }
  if (!digits || at == text.size()) return digits;
  if (to_lower(text[at]) != 'e') return false;
  at++;
  if (at < text.size() && (text[at] == '+' || text[at] == '-')) at++;
  if (at == text.size()) return false;
  for (; at < text.size(); at++) {
    if (text[at] < '0' || text[at] > '9') return false;
  }
  return true;
}

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
    numerator.shift_left(1);
    int rest = BigNatural::compare(numerator, denominator);
    if (rest > 0 || (rest == 0 && quotient.bit(0))) quotient.add(1u);
    std::string digits = quotient.decimal();
    if (digits.size() == static_cast<size_t>(count)) return digits;
    // The estimate of the exponent is one off, or rounding carried into a new digit.
    exponent += digits.size() > static_cast<size_t>(count) ? 1 : -1;
  }
}

std::string layout(const std::string& digits, int exponent) {
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

}  // namespace

bool parse_double(Bytes text, double& out) {
  bool sign = !text.empty() && (text[0] == '+' || text[0] == '-');
  if (is_infinity(text.substr(sign ? 1 : 0))) {
    out = text[0] == '-' ? -HUGE_VAL : HUGE_VAL;
    return true;
  }
  if (!is_number_text(text)) return false;
  std::string terminated(text);
  char* end = nullptr;
  out = std::strtod(terminated.c_str(), &end);
  return end == terminated.c_str() + terminated.size() && !std::isinf(out);
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
    // 15 digits of a normal double always survive, 17 always suffice; the least count that reads
    // back is the shortest. A subnormal may need as little as one.
    for (int count = magnitude < 2.2250738585072014e-308 ? 1 : 15; count <= 17; count++) {
      int exponent;
      std::string digits = significant_digits(magnitude, count, exponent);
      while (digits.size() > 1 && digits.back() == '0') digits.pop_back();
      out = layout(digits, exponent);
      double back = 0;
      if (parse_double(out, back) && back == magnitude) break;
    }
    if (value < 0) out.insert(0, 1, '-');
  }
  std::memcpy(text.data, out.data(), out.size());
  return {text.data, out.size()};
}

}  // namespace hotkv
