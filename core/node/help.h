// The HELP subcommands, written from the command table so that they never lag behind it.
#pragma once

#include "core/command/call.h"

namespace hotkv {

// Answers an array of lines: each subcommand of `container` with its synopsis and its summary.
void write_help(Call& call, const CommandSpec& container);

}  // namespace hotkv
