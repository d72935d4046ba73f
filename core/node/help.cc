#include "core/node/help.h"

namespace hotkv {

void write_help(Call& call, const CommandSpec& container) {
  call.reply.array(1 + 2 * static_cast<int64_t>(container.subcommands.size()));
  call.reply.simple(upper_case(container.name) +
                    " <subcommand> [<arg> [value] [opt] ...]. Subcommands are:");
  for (const CommandSpec& sub : container.subcommands) {
    std::string synopsis = print_synopsis(sub.grammar);
    call.reply.simple(upper_case(sub.name) + (synopsis.empty() ? "" : " " + synopsis));
    call.reply.simple("    " + std::string(sub.summary));
  }
}

}  // namespace hotkv
