// CommandTable: every command by name. One table for dispatch, COMMAND, docs and the console.
//
// Built once from the families' constexpr arrays; look-up is one probe in an open-addressed table
// over the lower-cased name, without allocation.
#pragma once

#include <span>
#include <vector>

#include "core/command/spec.h"

namespace hotkv {

class CommandTable {
 public:
  // The spans must outlive the table. A name that occurs twice is our own fault (HOTKV_CHECK).
  explicit CommandTable(std::span<const std::span<const CommandSpec>> families);

  const CommandSpec* find(Bytes name) const;  // Any case; null if unknown.
  const CommandSpec* find_subcommand(const CommandSpec& container, Bytes name) const;
  // All commands in alphabetical order; subcommands are reached through them.
  std::span<const CommandSpec* const> all() const { return sorted_; }
  // Number of ids handed out (commands and subcommands): the size of a statistics array.
  int ids() const { return next_id_; }

 private:
  static uint32_t hash_name(Bytes name);
  void add_ids(CommandSpec& spec);

  std::vector<std::vector<CommandSpec>> owned_;  // Copies that carry ids; nested ones too.
  std::vector<const CommandSpec*> sorted_;
  std::vector<const CommandSpec*> slots_;
  uint32_t mask_ = 0;
  int next_id_ = 0;
};

}  // namespace hotkv
