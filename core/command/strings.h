// The string commands, a table per file.
#pragma once

#include <span>

#include "core/command/spec.h"

namespace hotkv {

std::span<const CommandSpec> string_commands();          // GET and its kin, MGET, DIGEST, DELEX
std::span<const CommandSpec> string_set_commands();      // SET and its kin, MSET
std::span<const CommandSpec> string_counter_commands();  // INCR and its kin
std::span<const CommandSpec> string_range_commands();    // APPEND, GETRANGE, SETRANGE, STRLEN
std::span<const CommandSpec> increx_commands();          // INCREX
std::span<const CommandSpec> lcs_commands();             // LCS

}  // namespace hotkv
