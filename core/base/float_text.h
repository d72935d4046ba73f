// FloatText: the parts of a number as Redis reads it: the syntax of C's strtod without blanks in
// front and without NaN. "1.5e3", ".5", "0x1.8p4", "-inf", "+Infinity".
//
// One reader for doubles and for the wider arithmetic of INCRBYFLOAT, so that both accept the same.
#pragma once

#include "core/base/bytes.h"

namespace hotkv {

struct FloatText {
  bool negative = false;
  bool infinite = false;     // Then nothing below is set.
  bool hexadecimal = false;  // Digits of base 16; `exponent` is one of two, not of ten.
  Bytes whole, fraction;     // The digits before and behind the point; at least one altogether.
  int exponent = 0;          // As written; beyond a million it stays there.

  bool is_zero() const;
};

// False when `text` is no such number.
bool scan_float(Bytes text, FloatText& out);

// The value of a digit of base 16, in either case; -1 for any other character.
int digit_value(char c);

}  // namespace hotkv
