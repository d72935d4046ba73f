#include "core/command/families.h"

#include "core/command/keys.h"
#include "core/command/locks.h"
#include "core/command/strings.h"

namespace hotkv {

std::vector<std::span<const CommandSpec>> data_families() {
  return {string_commands(),       string_set_commands(), string_counter_commands(),
          string_range_commands(), increx_commands(),     lcs_commands(),
          key_commands(),          key_expire_commands(), key_scan_commands(),
          database_commands(),     object_commands(),     lock_commands()};
}

}  // namespace hotkv
