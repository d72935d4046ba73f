// CommandTable: every command by name. One table for dispatch, COMMAND, docs and the console.
//
// Built once from the families' constexpr arrays; look-up is one probe in an open-addressed table
// over the folded name, without allocation.
//
// A name is folded into 64 bits, eight bytes at a time, with the bit that tells letter cases apart
// set: case costs nothing. Up to eight letters the fold and the length are the name; longer names
// and those with other characters are compared byte by byte after equal folds.
#pragma once

#include <cstring>
#include <span>
#include <vector>

#include "core/command/spec.h"

namespace hotkv {

class CommandTable {
 public:
  // The spans must outlive the table. A name that occurs twice is our own fault (HOTKV_CHECK).
  explicit CommandTable(std::span<const std::span<const CommandSpec>> families);

  // Any case; null if unknown.
  const CommandSpec* find(Bytes name) const {
    if (name.size() - 1 < kShortMax) {
      uint64_t fold = fold_short(name);
      const Slot& slot = slots_[place(fold)];
      if (slot.fold == fold && slot.short_size == name.size()) return slot.spec;
    }
    return find_any(name);
  }
  const CommandSpec* find_subcommand(const CommandSpec& container, Bytes name) const;
  // All commands in alphabetical order; subcommands are reached through them.
  std::span<const CommandSpec* const> all() const { return sorted_; }
  // Number of ids handed out (commands and subcommands): the size of a statistics array.
  int ids() const { return next_id_; }

 private:
  static constexpr size_t kShortMax = 8;
  static constexpr uint64_t kCaseBits = 0x2020202020202020;
  static constexpr uint64_t kOddMultiplier = 0x9e3779b97f4a7c15;

  struct Slot {
    uint64_t fold = 0;
    const CommandSpec* spec = nullptr;
    uint64_t short_size = 0;  // The name's length if its fold is exact, else 0.
  };

  template <class Word>
  static uint64_t load(const char* from) {
    Word word;
    std::memcpy(&word, from, sizeof(word));
    return word;
  }
  // Up to eight bytes as one number, by overlapping loads instead of a loop.
  static uint64_t load_short(const char* from, size_t size) {
    if (size >= 4) return load<uint32_t>(from) | load<uint32_t>(from + size - 4) << 32;
    if (size == 0) return 0;
    return load<uint8_t>(from) | load<uint8_t>(from + size / 2) << 8 |
           load<uint8_t>(from + size - 1) << 16;
  }
  static uint64_t fold_short(Bytes name) {
    return load_short(name.data(), name.size()) | kCaseBits;
  }
  static uint64_t fold_any(Bytes name);
  // The best bits of a product are the high ones.
  size_t place(uint64_t fold) const { return (fold * kOddMultiplier) >> shift_; }
  const CommandSpec* find_any(Bytes name) const;
  // Copies a family, numbers its specs and lets containers point to the copies of their parts.
  std::span<const CommandSpec> own(std::span<const CommandSpec> specs);
  void insert(const CommandSpec& spec);

  std::vector<std::vector<CommandSpec>> owned_;  // Copies that carry ids; nested ones too.
  std::vector<const CommandSpec*> sorted_;
  std::vector<Slot> slots_;
  int shift_ = 0;  // 64 less the bits of a slot's number.
  int next_id_ = 0;
};

}  // namespace hotkv
