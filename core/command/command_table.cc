#include "core/command/command_table.h"

#include <algorithm>
#include <cstring>

#include "core/base/check.h"

namespace hotkv {

namespace {

constexpr uint64_t kCaseBits = 0x2020202020202020;
constexpr uint64_t kOddMultiplier = 0x9e3779b97f4a7c15;

template <class Word>
uint64_t load(const char* from) {
  Word word;
  std::memcpy(&word, from, sizeof(word));
  return word;
}

// Up to eight bytes as one number; short runs by overlapping loads instead of a loop.
inline uint64_t load_tail(const char* from, size_t size) {
  if (size >= 4) return load<uint32_t>(from) | load<uint32_t>(from + size - 4) << 32;
  if (size == 0) return 0;
  auto byte = [&](size_t i) { return static_cast<uint64_t>(static_cast<uint8_t>(from[i])); };
  return byte(0) | byte(size / 2) << 8 | byte(size - 1) << 16;
}

// Different names of at most eight letters and equal length have different folds.
inline uint64_t fold_name(Bytes name) {
  const char* at = name.data();
  size_t left = name.size();
  uint64_t fold = 0;
  for (; left > 8; at += 8, left -= 8) {
    fold = (fold ^ (load<uint64_t>(at) | kCaseBits)) * kOddMultiplier;
    fold ^= fold >> 29;
  }
  return fold ^ (load_tail(at, left) | kCaseBits);
}

bool is_short_word(Bytes name) {
  for (char c : name) {
    if (c < 'a' || c > 'z') return false;
  }
  return name.size() <= 8;
}

// `lower` is lower case already.
bool is_name(Bytes lower, Bytes name) {
  if (lower.size() != name.size()) return false;
  for (size_t i = 0; i < lower.size(); i++) {
    if (to_lower(name[i]) != lower[i]) return false;
  }
  return true;
}

// The categories that follow from the flags, so that no table repeats them.
uint32_t implied_categories(uint32_t flags) {
  uint32_t implied = (flags & kFast) ? kFastCategory : kSlowCategory;
  if (flags & kWrite) implied |= kWriteCategory;
  if (flags & kReadonly) implied |= kReadCategory;
  if (flags & kAdmin) implied |= kAdminCategory | kDangerousCategory;
  if (flags & kPubsub) implied |= kPubsubCategory;
  if (flags & kBlocking) implied |= kBlockingCategory;
  return implied;
}

}  // namespace

CommandTable::CommandTable(std::span<const std::span<const CommandSpec>> families) {
  size_t count = 0;
  for (std::span<const CommandSpec> family : families) count += family.size();
  // At most half full, so that a probe rarely meets a second slot.
  size_t size = 16;
  while (size < count * 2) size *= 2;
  slots_.resize(size);
  mask_ = size - 1;
  for (std::span<const CommandSpec> family : families) {
    for (const CommandSpec& spec : own(family)) {
      insert(spec);
      sorted_.push_back(&spec);
    }
  }
  std::sort(sorted_.begin(), sorted_.end(),
            [](const CommandSpec* a, const CommandSpec* b) { return a->name < b->name; });
}

std::span<const CommandSpec> CommandTable::own(std::span<const CommandSpec> specs) {
  std::vector<CommandSpec> copies(specs.begin(), specs.end());
  for (CommandSpec& spec : copies) {
    spec.id = static_cast<uint16_t>(next_id_++);
    spec.categories |= implied_categories(spec.flags);
    if (!spec.subcommands.empty()) spec.subcommands = own(spec.subcommands);
  }
  owned_.push_back(std::move(copies));  // Moving keeps the addresses of the elements.
  return owned_.back();
}

inline size_t CommandTable::place(uint64_t fold) const {
  // The best bits of a product are the high ones.
  return static_cast<size_t>((fold * kOddMultiplier) >> 32) & mask_;
}

void CommandTable::insert(const CommandSpec& spec) {
  HOTKV_CHECK(find(spec.name) == nullptr);
  uint64_t fold = fold_name(spec.name);
  size_t at = place(fold);
  while (slots_[at].spec) at = (at + 1) & mask_;
  slots_[at] = {fold, &spec, static_cast<uint32_t>(spec.name.size()), is_short_word(spec.name)};
}

const CommandSpec* CommandTable::find(Bytes name) const {
  uint64_t fold = fold_name(name);
  for (size_t at = place(fold);; at = (at + 1) & mask_) {
    const Slot& slot = slots_[at];
    if (!slot.spec) return nullptr;
    if (slot.fold != fold || slot.size != name.size()) continue;
    if (slot.is_fold_exact || is_name(slot.spec->name, name)) return slot.spec;
  }
}

const CommandSpec* CommandTable::find_subcommand(const CommandSpec& container, Bytes name) const {
  for (const CommandSpec& spec : container.subcommands) {
    if (is_name(spec.name, name)) return &spec;
  }
  return nullptr;
}

}  // namespace hotkv
