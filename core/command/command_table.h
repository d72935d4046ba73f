// CommandTable: every command by name. One table for dispatch, COMMAND, docs and the console.
//
// Built once from the families' constexpr arrays; look-up is one probe in an open-addressed table
// over the folded name, without allocation.
//
// A name is folded into 64 bits, eight bytes at a time, with the bit that tells letter cases apart
// set: case costs nothing. Up to eight letters the fold and the length are the name; longer names
// and those with other characters are compared byte by byte after equal folds.
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
  struct Slot {
    uint64_t fold = 0;
    const CommandSpec* spec = nullptr;
    uint32_t size = 0;
    bool is_fold_exact = false;
  };

  size_t place(uint64_t fold) const;
  // Copies a family, numbers its specs and lets containers point to the copies of their parts.
  std::span<const CommandSpec> own(std::span<const CommandSpec> specs);
  void insert(const CommandSpec& spec);

  std::vector<std::vector<CommandSpec>> owned_;  // Copies that carry ids; nested ones too.
  std::vector<const CommandSpec*> sorted_;
  std::vector<Slot> slots_;
  size_t mask_ = 0;
  int next_id_ = 0;
};

}  // namespace hotkv
