#include <cstdio>

#include "native/tools/sim/commands.h"

namespace hotkv {
int run_seeds(const SimArguments&) { return 2; }
int run_replay(const SimArguments&) { return 2; }
}  // namespace hotkv
