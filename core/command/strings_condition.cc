#include "core/command/strings_condition.h"

namespace hotkv {

bool condition_from(Bytes word, Condition& condition) {
  constexpr struct {
    Bytes word;
    Condition condition;
  } kWords[] = {{"IFEQ", Condition::kEqual},
                {"IFNE", Condition::kNotEqual},
                {"IFDEQ", Condition::kDigestEqual},
                {"IFDNE", Condition::kDigestNotEqual}};
  for (const auto& known : kWords) {
    if (!equal_ignoring_case(known.word, word)) continue;
    condition = known.condition;
    return true;
  }
  return false;
}

Digest digest_of(Bytes value) {
  constexpr char kHex[] = "0123456789abcdef";
  // The table's hash is XXH3 too; with seed 0 it is XXH3_64bits of the default secret.
  uint64_t hash = hash_key(value, 0);
  Digest digest;
  for (int i = 0; i < 16; i++) digest.digits[i] = kHex[hash >> (60 - 4 * i) & 15];
  return digest;
}

Verdict judge(Condition condition, Bytes operand, const Entry* entry) {
  bool negated = condition == Condition::kNotEqual || condition == Condition::kDigestNotEqual;
  if (!entry) return negated ? Verdict::kHolds : Verdict::kFails;
  NumberText text;
  Bytes value = entry->string(text);
  bool equal;
  if (condition == Condition::kEqual || condition == Condition::kNotEqual) {
    equal = value == operand;
  } else {
    // Only the length is checked: other characters simply match no digest.
    if (operand.size() != sizeof(Digest::digits)) return Verdict::kBadDigest;
    equal = equal_ignoring_case(digest_of(value).text(), operand);
  }
  return equal != negated ? Verdict::kHolds : Verdict::kFails;
}

}  // namespace hotkv
