// Numbers <-> text, the same on every platform: integers, doubles, and the wider decimal
// arithmetic of INCRBYFLOAT.
//
// Why our own: the C library's double text depends on locale and platform, libc++ 13 has no
// floating from_chars/to_chars, and `long double` differs between x86 (80 bits) and wasm (128).
#pragma once

#include <cstdint>
#include <cstring>
#include <string>

#include "core/base/bytes.h"

namespace hotkv {

// Room for any int64 or double text, for callers that format on the stack.
struct NumberText {
  char data[40];
};

// Strict decimal int64 as Redis accepts it: no blanks, no plus sign, no leading zero (but "0"),
// "-0" is refused. False leaves `out` unspecified.
bool parse_int64(Bytes text, int64_t& out);
bool parse_uint64(Bytes text, uint64_t& out);
Bytes format_int64(int64_t value, NumberText& text);
Bytes format_uint64(uint64_t value, NumberText& text);
// Writes the digits at `out` and returns the place behind them. REQUIRES: value < 100.
inline char* write_short_decimal(char* out, uint64_t value) {
  if (value < 10) {
    *out = static_cast<char>('0' + value);
    return out + 1;
  }
  auto tens = static_cast<uint32_t>(value) * 205 >> 11;  // value / 10 up to 1,023
  out[0] = static_cast<char>('0' + tens);
  out[1] = static_cast<char>('0' + value - 10 * tens);
  return out + 2;
}
// The same for any value; `out` has room for 20. Lengths of keys and values are mostly short.
inline char* write_decimal(char* out, uint64_t value) {
  if (value < 100) return write_short_decimal(out, value);
  NumberText text;
  Bytes digits = format_uint64(value, text);
  std::memcpy(out, digits.data(), digits.size());
  return out + digits.size();
}
int decimal_length(uint64_t value);  // Number of decimal digits of `value`.

// Doubles as Redis reads them in commands: decimal or exponent form, "inf", "-inf", "+inf",
// "infinity" in any case; NaN, blanks and trailing characters are refused.
bool parse_double(Bytes text, double& out);
// Shortest text that reads back as the same double ("0.1", "3", "1e+30", "inf", "-inf", "nan");
// integers below 2^53 print without exponent.
Bytes format_double(double value, NumberText& text);

// A decimal floating value for INCRBYFLOAT: at least as precise as x87's 64-bit mantissa, printed
// with up to 17 fractional digits, trailing zeros removed (Redis: "%.17Lf"). Arithmetic is on
// integers, so native == wasm. 0.1 + 0.2 = 0.3.
enum class FloatSum : uint8_t { kOk, kNotANumber, kNotFinite };
// sum = left + right, as text. kNotANumber: an operand is no valid float. kNotFinite: NaN or
// infinity would result. `which_invalid` of kNotANumber: 0 left, 1 right.
FloatSum add_decimal(Bytes left, Bytes right, std::string& sum, int& which_invalid);
// -1, 0, 1 for left < = > right. REQUIRES: both are valid finite decimals (is_decimal).
int compare_decimal(Bytes left, Bytes right);
bool is_decimal(Bytes text);                // Valid finite float text for add_decimal.
std::string negate_decimal(Bytes text);     // REQUIRES: is_decimal(text).
std::string canonical_decimal(Bytes text);  // As add_decimal(text, "0") prints it.

// Sizes of redis.conf: "64mb" (1024^2), "64m" (1000^2), "1gb", "100kb", "512b", "42".
bool parse_memory_size(Bytes text, uint64_t& bytes);

}  // namespace hotkv
