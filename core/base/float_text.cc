#include "core/base/float_text.h"

namespace hotkv {

namespace {

// Takes digits of `base` from the front of `text`.
Bytes take_digits(Bytes& text, int base) {
  size_t n = 0;
  while (n < text.size() && digit_value(text[n]) >= 0 && digit_value(text[n]) < base) n++;
  Bytes digits = text.substr(0, n);
  text.remove_prefix(n);
  return digits;
}

// Reads the sign at the front of `text`, if there is one; true for a minus.
bool take_minus(Bytes& text) {
  if (text.empty() || (text[0] != '+' && text[0] != '-')) return false;
  bool minus = text[0] == '-';
  text.remove_prefix(1);
  return minus;
}

bool only_zeros(Bytes digits) { return digits.find_first_not_of('0') == Bytes::npos; }

}  // namespace

bool FloatText::is_zero() const { return !infinite && only_zeros(whole) && only_zeros(fraction); }

int digit_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  c = to_lower(c);
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool scan_float(Bytes text, FloatText& out) {
  constexpr int kExponentMax = 1000000;
  out = {};
  out.negative = take_minus(text);
  if (equal_ignoring_case(text, "inf") || equal_ignoring_case(text, "infinity")) {
    out.infinite = true;
    return true;
  }
  out.hexadecimal = text.size() > 2 && text[0] == '0' && to_lower(text[1]) == 'x';
  if (out.hexadecimal) text.remove_prefix(2);
  int base = out.hexadecimal ? 16 : 10;
  out.whole = take_digits(text, base);
  if (!text.empty() && text[0] == '.') {
    text.remove_prefix(1);
    out.fraction = take_digits(text, base);
  }
  if (out.whole.empty() && out.fraction.empty()) return false;
  if (text.empty()) return true;
  if (to_lower(text[0]) != (out.hexadecimal ? 'p' : 'e')) return false;
  text.remove_prefix(1);
  bool minus = take_minus(text);
  Bytes digits = take_digits(text, 10);
  if (digits.empty() || !text.empty()) return false;
  for (char c : digits) {
    if (out.exponent < kExponentMax) out.exponent = out.exponent * 10 + (c - '0');
  }
  if (minus) out.exponent = -out.exponent;
  return true;
}

}  // namespace hotkv
