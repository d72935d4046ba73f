// Completion and hints while a command is typed: for hotkv-cli and the page's console.
//
// Everything comes from the command table: names, subcommands, the option words of the grammar and
// the synopsis of what is still missing. There is no list of commands to keep up to date.
#pragma once

#include <string>
#include <vector>

#include "core/command/command_table.h"

namespace hotkv {

// Words that can stand at the end of `line`, which is what stands left of the cursor. `keys` are
// the names of present keys, offered where the grammar has a key, in quotes where they need them.
// Command and option words keep the case in which their first letter was typed. Sorted, each once,
// at most kCandidatesMax.
constexpr size_t kCandidatesMax = 200;
std::vector<std::string> complete(Bytes line, const CommandTable& table,
                                  const std::vector<std::string>& keys);

// Where the word that `complete` replaces begins in `line`.
size_t completion_start(Bytes line);

// The rest of the syntax, as ghost text behind `line`; empty when there is nothing to say.
std::string hint(Bytes line, const CommandTable& table);

// Help for a command or "container subcommand": synopsis, summary, since, group; for "@group": the
// synopsis and summary of each of its commands. Empty if unknown. After the word `help`, complete()
// offers these names.
std::string help_text(Bytes name, const CommandTable& table);

std::vector<std::string> help_groups(const CommandTable& table);  // With their '@'.

}  // namespace hotkv
