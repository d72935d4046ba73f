// The words of COMMAND INFO and COMMAND DOCS for the bits and types of spec.h.
#pragma once

#include <span>

#include "core/command/spec.h"

namespace hotkv {

struct NamedBit {
  uint32_t bit;
  Bytes name;
};

std::span<const NamedBit> flag_names();
std::span<const NamedBit> category_names();  // With the leading "@".
std::span<const NamedBit> key_use_names();
Bytes arg_type_name(ArgType type);

// Calls visit(name) for every bit that is set, in the order of the table.
template <class Visit>
void visit_names(uint32_t bits, std::span<const NamedBit> names, Visit visit) {
  for (const NamedBit& named : names) {
    if (bits & named.bit) visit(named.name);
  }
}

}  // namespace hotkv
