// IFEQ, IFNE, IFDEQ and IFDNE: conditions on the value that a string has now, for SET and DELEX,
// and the digest that two of them compare with.
#pragma once

#include "core/command/call.h"

namespace hotkv {

enum class Condition : uint8_t { kEqual, kNotEqual, kDigestEqual, kDigestNotEqual };

// False when `word` names none of the four.
bool condition_from(Bytes word, Condition& condition);
// XXH3, 64 bits, seed 0, as 16 lower-case hexadecimal digits.
struct Digest {
  char digits[16];
  Bytes text() const { return {digits, sizeof(digits)}; }
};
Digest digest_of(Bytes value);

enum class Verdict : uint8_t { kHolds, kFails, kBadDigest };
// `entry` is null when the key is absent: then the negated conditions hold, and the form of a
// digest is not looked at. REQUIRES: otherwise entry is a string.
Verdict judge(Condition condition, Bytes operand, const Entry* entry);

}  // namespace hotkv
