#include "core/command/call.h"
#include "core/command/strings.h"

namespace hotkv {

namespace {

// Writes the error when a string of `size` bytes with `more` behind it would be too long.
bool fits(Call& call, uint64_t size, uint64_t more) {
  if (size <= static_cast<uint64_t>(call.settings.max_bulk_bytes) &&
      more <= static_cast<uint64_t>(call.settings.max_bulk_bytes) - size) {
    return true;
  }
  call.reply.error(errors::kStringTooLong);
  return false;
}

constexpr Arg kKeyOnly[] = {key("key")};

void strlen(Call& call) {
  const Entry* entry;
  if (!call.find_string(call.argument(1), entry)) return;
  call.reply.integer(entry ? static_cast<int64_t>(entry->string_length()) : 0);
}

constexpr Arg kAppendArgs[] = {key("key"), text("value")};

void append(Call& call) {
  const Entry* entry;
  Bytes suffix = call.argument(2);
  if (!call.peek_string(call.argument(1), entry)) return;
  if (entry && !fits(call, entry->string_length(), suffix.size())) return;
  call.reply.integer(static_cast<int64_t>(call.txn.append(call.argument(1), suffix)));
}

constexpr Arg kGetrangeArgs[] = {key("key"), integer("start"), integer("end")};

// Both ends are inclusive and count from the end when negative.
Bytes slice(Bytes value, int64_t start, int64_t end) {
  auto size = static_cast<int64_t>(value.size());
  if (start < 0 && end < 0 && start > end) return {};
  if (start < 0) start = std::max<int64_t>(start + size, 0);
  if (end < 0) end = std::max<int64_t>(end + size, 0);
  end = std::min(end, size - 1);
  if (start > end) return {};
  return value.substr(static_cast<size_t>(start), static_cast<size_t>(end - start + 1));
}

void getrange(Call& call) {
  int64_t start, end;
  const Entry* entry;
  if (!call.parse_integer(2, start) || !call.parse_integer(3, end) ||
      !call.find_string(call.argument(1), entry)) {
    return;
  }
  NumberText text;
  call.reply.bulk(slice(entry ? entry->string(text) : Bytes(), start, end));
}

constexpr Arg kSetrangeArgs[] = {key("key"), integer("offset"), text("value")};

void setrange(Call& call) {
  int64_t offset;
  const Entry* entry;
  Bytes bytes = call.argument(3);
  if (!call.parse_integer(2, offset)) return;
  if (offset < 0) {
    call.reply.error(errors::kOffsetRange);
    return;
  }
  if (!call.peek_string(call.argument(1), entry)) return;
  if (bytes.empty()) {  // Changes nothing, not even the length.
    call.reply.integer(entry ? static_cast<int64_t>(entry->string_length()) : 0);
    return;
  }
  if (!fits(call, static_cast<uint64_t>(offset), bytes.size())) return;
  size_t length = call.txn.write_range(call.argument(1), static_cast<size_t>(offset), bytes);
  call.reply.integer(static_cast<int64_t>(length));
}

constexpr CommandSpec kCommands[] = {
    {.name = "append",
     .summary = "Adds bytes to the end of a string; an absent key is an empty string.",
     .since = "2.0.0",
     .group = "string",
     .complexity = "O(1) amortised for short suffixes",
     .arity = 3,
     .flags = kWrite | kDenyOom | kFast,
     .categories = kStringCategory,
     .keys = {1, 1, 1, kKeyRw | kKeyInsert},
     .grammar = kAppendArgs,
     .handler = append},
    {.name = "getrange",
     .summary = "Returns a part of a string by its first and last position.",
     .since = "2.4.0",
     .group = "string",
     .complexity = "O(N) for a part of N bytes",
     .arity = 4,
     .flags = kReadonly,
     .categories = kStringCategory,
     .keys = {1, 1, 1, kKeyRo | kKeyAccess},
     .grammar = kGetrangeArgs,
     .handler = getrange},
    {.name = "substr",
     .summary = "Returns a part of a string: the old name of GETRANGE.",
     .since = "1.0.0",
     .group = "string",
     .complexity = "O(N) for a part of N bytes",
     .arity = 4,
     .flags = kReadonly,
     .categories = kStringCategory,
     .keys = {1, 1, 1, kKeyRo | kKeyAccess},
     .grammar = kGetrangeArgs,
     .handler = getrange},
    {.name = "setrange",
     .summary = "Overwrites a part of a string, filling a gap with zero bytes.",
     .since = "2.2.0",
     .group = "string",
     .complexity = "O(N) for N bytes written or filled",
     .arity = 4,
     .flags = kWrite | kDenyOom,
     .categories = kStringCategory,
     .keys = {1, 1, 1, kKeyRw | kKeyUpdate},
     .grammar = kSetrangeArgs,
     .handler = setrange},
    {.name = "strlen",
     .summary = "Returns the length of a string in bytes, 0 for an absent key.",
     .since = "2.2.0",
     .group = "string",
     .complexity = "O(1)",
     .arity = 2,
     .flags = kReadonly | kFast,
     .categories = kStringCategory,
     .keys = {1, 1, 1, kKeyRo},
     .grammar = kKeyOnly,
     .handler = strlen},
};
static_assert(arities_match(kCommands));

}  // namespace

std::span<const CommandSpec> string_range_commands() { return kCommands; }

}  // namespace hotkv
