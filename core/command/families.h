// All command families of the data layer, for the table of a node and the reference.
#pragma once

#include <span>
#include <vector>

#include "core/command/spec.h"

namespace hotkv {

std::vector<std::span<const CommandSpec>> data_families();

}  // namespace hotkv
