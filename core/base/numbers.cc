#include "core/base/numbers.h"

#include <cmath>
#include <cstdlib>
#include <cstring>

namespace hotkv {

// ---- integers ----

bool parse_uint64(Bytes text, uint64_t& out) {
  if (text.empty() || text.size() > 20) return false;
  if (text[0] == '0' && text.size() > 1) return false;
  uint64_t value = 0;
  for (char c : text) {
    if (c < '0' || c > '9') return false;
    auto digit = static_cast<uint64_t>(c - '0');
    if (value > UINT64_MAX / 10 || value * 10 > UINT64_MAX - digit) return false;
    value = value * 10 + digit;
  }
  out = value;
  return true;
}

bool parse_int64(Bytes text, int64_t& out) {
  bool negative = !text.empty() && text[0] == '-';
  uint64_t magnitude;
  if (!parse_uint64(text.substr(negative ? 1 : 0), magnitude)) return false;
  if (negative) {
    if (magnitude == 0 || magnitude > uint64_t{1} << 63) return false;
    out = static_cast<int64_t>(0 - magnitude);
  } else {
    if (magnitude > static_cast<uint64_t>(INT64_MAX)) return false;
    out = static_cast<int64_t>(magnitude);
  }
  return true;
}

namespace {

// Two digits behind `end`; `value` < 100.
inline char* put_pair(char* end, uint64_t value) {
  auto tens = static_cast<uint32_t>(value) * 205 >> 11;  // value / 10
  end[-2] = static_cast<char>('0' + tens);
  end[-1] = static_cast<char>('0' + value - 10 * tens);
  return end - 2;
}

}  // namespace

Bytes format_uint64(uint64_t value, NumberText& text) {
  char* end = text.data + sizeof(text.data);
  char* p = end;
  while (value >= 100) {
    uint64_t hundreds = value / 100;
    p = put_pair(p, value - 100 * hundreds);
    value = hundreds;
  }
  if (value >= 10) {
    p = put_pair(p, value);
  } else {
    *--p = static_cast<char>('0' + value);
  }
  return {p, static_cast<size_t>(end - p)};
}

Bytes format_int64(int64_t value, NumberText& text) {
  if (value >= 0) return format_uint64(static_cast<uint64_t>(value), text);
  Bytes digits = format_uint64(0 - static_cast<uint64_t>(value), text);
  char* p = text.data + (digits.data() - text.data) - 1;
  *p = '-';
  return {p, digits.size() + 1};
}

int decimal_length(uint64_t value) {
  int n = 1;
  while (value >= 10) {
    value /= 10;
    n++;
  }
  return n;
}

// ---- sizes ----

bool parse_memory_size(Bytes text, uint64_t& bytes) {
  size_t digits = 0;
  while (digits < text.size() && text[digits] >= '0' && text[digits] <= '9') digits++;
  uint64_t count;
  if (!parse_uint64(text.substr(0, digits), count)) return false;
  struct Unit {
    Bytes name;
    uint64_t factor;
  };
  static constexpr Unit kUnits[] = {
      {"", 1},        {"b", 1},         {"k", 1000},       {"kb", 1024},
      {"m", 1000000}, {"mb", 1u << 20}, {"g", 1000000000}, {"gb", 1u << 30},
  };
  for (const Unit& unit : kUnits) {
    if (!equal_ignoring_case(text.substr(digits), unit.name)) continue;
    if (count > UINT64_MAX / unit.factor) return false;
    bytes = count * unit.factor;
    return true;
  }
  return false;
}

}  // namespace hotkv
