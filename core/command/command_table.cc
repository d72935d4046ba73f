#include "core/command/command_table.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "core/base/check.h"

namespace hotkv {

namespace {

// The bit for the letter case tells no letters apart, but some other characters.
bool has_letters_only(Bytes name) {
  for (char c : name) {
    if (c < 'a' || c > 'z') return false;
  }
  return true;
}

// `lower` is lower case already.
bool is_name(Bytes lower, Bytes name) {
  if (lower.size() != name.size()) return false;
  for (size_t i = 0; i < lower.size(); i++) {
    if (to_lower(name[i]) != lower[i]) return false;
  }
  return true;
}

// Commands with keys are those of the data families, and WATCH; a key's place is certain when the
// arity reaches beyond it.
bool touches_only_data(const CommandSpec& spec) {
  constexpr uint32_t kSpecial = kGrantsLock | kUnqueued | kProtected | kAdmin | kNoAuth | kBlocking;
  return spec.handler && spec.keys.first > 0 && std::abs(spec.arity) > spec.keys.first &&
         (spec.flags & kSpecial) == 0;
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
  int bits = 4;
  while ((size_t{1} << bits) < count * 2) bits++;
  slots_.resize(size_t{1} << bits);
  shift_ = 64 - bits;
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
    spec.is_plain = touches_only_data(spec);
    if (!spec.subcommands.empty()) spec.subcommands = own(spec.subcommands);
  }
  owned_.push_back(std::move(copies));  // Moving keeps the addresses of the elements.
  return owned_.back();
}

// Equal to fold_short for short names.
uint64_t CommandTable::fold_any(Bytes name) {
  const char* at = name.data();
  size_t left = name.size();
  uint64_t fold = 0;
  for (; left > kShortMax; at += 8, left -= 8) {
    fold = (fold ^ (load<uint64_t>(at) | kCaseBits)) * kOddMultiplier;
    fold ^= fold >> 29;
  }
  return fold ^ (load_short(at, left) | kCaseBits);
}

void CommandTable::insert(const CommandSpec& spec) {
  HOTKV_CHECK(find(spec.name) == nullptr);
  uint64_t fold = fold_any(spec.name);
  size_t at = place(fold);
  while (slots_[at].spec) at = (at + 1) % slots_.size();
  size_t size = spec.name.size();
  bool is_exact = size <= kShortMax && has_letters_only(spec.name);
  slots_[at] = {fold, &spec, is_exact ? size : 0};
}

const CommandSpec* CommandTable::find_any(Bytes name) const {
  uint64_t fold = fold_any(name);
  for (size_t at = place(fold); slots_[at].spec; at = (at + 1) % slots_.size()) {
    if (slots_[at].fold == fold && is_name(slots_[at].spec->name, name)) return slots_[at].spec;
  }
  return nullptr;
}

const CommandSpec* CommandTable::find_subcommand(const CommandSpec& container, Bytes name) const {
  for (const CommandSpec& spec : container.subcommands) {
    if (is_name(spec.name, name)) return &spec;
  }
  return nullptr;
}

}  // namespace hotkv
