#include "core/command/deadline_option.h"

namespace hotkv {

bool to_deadline(int64_t value, TimeForm form, int64_t wall_ms, int64_t& deadline_ms) {
  if (form.is_seconds && __builtin_mul_overflow(value, 1000, &value)) return false;
  if (form.is_relative && __builtin_add_overflow(value, wall_ms, &value)) return false;
  deadline_ms = value < kDeadlineMax ? value : kDeadlineMax;
  return true;
}

bool positive_deadline(Call& call, int64_t value, TimeForm form, int64_t& deadline_ms) {
  if (value > 0 && to_deadline(value, form, call.txn.wall_ms(), deadline_ms)) return true;
  call.reply.error(errors::invalid_expire(call.spec->name));
  return false;
}

bool read_deadline(Call& call, const Parsed& parsed, int leaf_ex, int64_t& deadline_ms) {
  constexpr TimeForm kForms[] = {{true, true}, {false, true}, {true, false}, {false, false}};
  for (int i = 0; i < 4; i++) {
    int leaf = leaf_ex + i;
    if (parsed.has(leaf)) {
      return positive_deadline(call, parsed.integer(leaf), kForms[i], deadline_ms);
    }
  }
  return true;
}

bool read_relative_deadline(Call& call, int i, bool is_seconds, int64_t& deadline_ms) {
  int64_t value;
  return call.parse_integer(i, value) &&
         positive_deadline(call, value, {is_seconds, true}, deadline_ms);
}

}  // namespace hotkv
