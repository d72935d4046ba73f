// The commands on keys of any type, a table per file.
#pragma once

#include <span>

#include "core/command/spec.h"

namespace hotkv {

std::span<const CommandSpec> key_commands();         // DEL, EXISTS, RENAME, COPY, MOVE ...
std::span<const CommandSpec> key_expire_commands();  // EXPIRE, TTL and their kin, PERSIST
std::span<const CommandSpec> key_scan_commands();    // SCAN, KEYS, RANDOMKEY
std::span<const CommandSpec> database_commands();    // DBSIZE, FLUSHDB, FLUSHALL, SWAPDB
std::span<const CommandSpec> object_commands();      // OBJECT

}  // namespace hotkv
