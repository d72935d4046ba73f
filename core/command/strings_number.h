// Strings read as numbers, for the counters.
#pragma once

#include "core/data/entry.h"

namespace hotkv {

// The integer that a string spells; 0 when the entry is absent (null). REQUIRES: else a string.
inline bool integer_of(const Entry* entry, int64_t& value) {
  if (!entry) {
    value = 0;
    return true;
  }
  if (entry->encoding() == Encoding::kInteger) {
    value = entry->integer();
    return true;
  }
  NumberText text;
  return parse_int64(entry->string(text), value);
}

}  // namespace hotkv
