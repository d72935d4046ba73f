// LOCK, UNLOCK and LOCKINFO: locks on plain string keys.
//
// The lock is the key, its holder the string, its lease the time to live; a fencing number lies
// beside it. SET NX and DELEX clients mix with these. The number grows with every grant, over
// restarts too: it is the epoch of this run times 2^36 plus the offset of the grant's effect.
// A number belongs to a grant: renewing keeps it, any overwrite that is no renewal drops it.
#pragma once

#include <span>

#include "core/command/spec.h"

namespace hotkv {

std::span<const CommandSpec> lock_commands();

}  // namespace hotkv
