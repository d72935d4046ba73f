#include "core/command/families.h"

#include "core/command/strings.h"

namespace hotkv {

std::vector<std::span<const CommandSpec>> data_families() {
  return {string_commands(), string_set_commands()};
}

}  // namespace hotkv
