#include "core/command/locks.h"

#include "core/command/call.h"
#include "core/command/deadline_option.h"

namespace hotkv {

namespace {

bool is_held_by(const Entry& entry, Bytes token) {
  NumberText text;
  return entry.string(text) == token;
}

constexpr Arg kLockArgs[] = {key("key"), text("token"), integer("milliseconds").after("PX")};

void lock(Call& call) {
  Parsed parsed;
  int64_t deadline_ms;
  constexpr int kLeafPx = leaf(kLockArgs, "PX");
  if (!call.parse(parsed) ||
      !positive_deadline(call, parsed.integer(kLeafPx), {false, true}, deadline_ms)) {
    return;
  }
  if (call.settings.lock_epoch == 0) {
    return call.reply.error(errors::lock_unavailable(call.settings.lock_failure));
  }
  Bytes key = call.argument(1), token = call.argument(2);
  const Entry* entry;
  if (!call.peek_string(key, entry)) return;
  if (entry && !is_held_by(*entry, token)) {
    call.reply.null();
    return;
  }
  uint64_t number = entry ? entry->lock_number() : 0;
  if (number) {
    call.txn.set_deadline(key, deadline_ms);
  } else {
    // Free, or taken by SET: such an owner has no number yet and gets one.
    number = call.txn.grant_lock(key, token, deadline_ms, call.settings.lock_epoch);
  }
  call.reply.integer(static_cast<int64_t>(number));
}

constexpr Arg kUnlockArgs[] = {key("key"), text("token")};

void unlock(Call& call) {
  const Entry* entry;
  if (!call.peek_string(call.argument(1), entry)) return;
  bool releases = entry && is_held_by(*entry, call.argument(2));
  if (releases) call.txn.remove(call.argument(1));
  call.reply.integer(releases);
}

constexpr Arg kLockinfoArgs[] = {key("key")};

void lockinfo(Call& call) {
  const Entry* entry;
  if (!call.peek_string(call.argument(1), entry)) return;
  if (!entry) {
    call.reply.null();
    return;
  }
  call.reply.map(4);
  call.reply.bulk("holder");
  call.reply_string(entry);
  call.reply.bulk("number");
  call.reply.integer(static_cast<int64_t>(entry->lock_number()));
  call.reply.bulk("ttl_ms");
  call.reply.integer(entry->has_deadline() ? entry->deadline_ms() - call.txn.wall_ms() : -1);
  call.reply.bulk("waiters");
  call.reply.integer(0);  // Nobody can wait for a lock yet.
}

constexpr CommandSpec kCommands[] = {
    {.name = "lock",
     .summary = "Takes or renews a lock for a time and returns its fencing number.",
     .since = "0.1.0",
     .group = "lock",
     .complexity = "O(1)",
     .arity = -5,
     .flags = kWrite | kDenyOom | kFast | kGrantsLock,
     .categories = kStringCategory,
     .keys = {1, 1, 1, kKeyRw | kKeyAccess | kKeyUpdate},
     .grammar = kLockArgs,
     .handler = lock},
    {.name = "unlock",
     .summary = "Releases a lock if the token holds it.",
     .since = "0.1.0",
     .group = "lock",
     .complexity = "O(1)",
     .arity = 3,
     .flags = kWrite | kFast,
     .categories = kStringCategory,
     .keys = {1, 1, 1, kKeyRw | kKeyAccess | kKeyDelete},
     .grammar = kUnlockArgs,
     .handler = unlock},
    {.name = "lockinfo",
     .summary = "Returns who holds a lock, with its fencing number and time left.",
     .since = "0.1.0",
     .group = "lock",
     .complexity = "O(1)",
     .arity = 2,
     .flags = kReadonly | kFast,
     .categories = kStringCategory,
     .keys = {1, 1, 1, kKeyRo | kKeyAccess},
     .grammar = kLockinfoArgs,
     .handler = lockinfo},
};
static_assert(arities_match(kCommands));

}  // namespace

std::span<const CommandSpec> lock_commands() { return kCommands; }

}  // namespace hotkv
