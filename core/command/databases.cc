#include "core/command/call.h"
#include "core/command/keys.h"

namespace hotkv {

namespace {

void dbsize(Call& call) { call.reply.integer(static_cast<int64_t>(call.txn.database_size())); }

constexpr Arg kFlushModes[] = {flag("async", "ASYNC"), flag("sync", "SYNC")};
constexpr Arg kFlushArgs[] = {one_of("flush-type", kFlushModes).maybe()};

// Both modes unlink at once and free in bounded slices: neither ever blocks.
void flushdb(Call& call) {
  Parsed parsed;
  if (!call.parse(parsed)) return;
  call.txn.flush_database(call.txn.db());
  call.reply.ok();
}

void flushall(Call& call) {
  Parsed parsed;
  if (!call.parse(parsed)) return;
  call.txn.flush_all();
  call.reply.ok();
}

constexpr Arg kSwapdbArgs[] = {integer("index1"), integer("index2")};

void swapdb(Call& call) {
  int64_t index[2];
  for (int i = 0; i < 2; i++) {
    bool is_int = parse_int64(call.argument(i + 1), index[i]) && index[i] >= INT32_MIN &&
                  index[i] <= INT32_MAX;
    if (is_int) continue;
    call.reply.error(i == 0 ? errors::kFirstDatabase : errors::kSecondDatabase);
    return;
  }
  for (int64_t number : index) {
    if (number >= 0 && number < call.txn.keyspace().databases()) continue;
    call.reply.error(errors::kDatabaseRange);
    return;
  }
  call.txn.swap_databases(static_cast<int>(index[0]), static_cast<int>(index[1]));
  call.reply.ok();
}

constexpr CommandSpec kCommands[] = {
    {.name = "dbsize",
     .summary = "Returns how many keys the database has.",
     .since = "1.0.0",
     .group = "server",
     .complexity = "O(1)",
     .arity = 1,
     .tips = "request_policy:all_shards response_policy:agg_sum",
     .flags = kReadonly | kFast,
     .categories = kKeyspaceCategory,
     .handler = dbsize},
    {.name = "flushdb",
     .summary = "Removes all keys of the database.",
     .since = "1.0.0",
     .group = "server",
     .complexity = "O(N) for N keys, in slices after the reply",
     .arity = -1,
     .tips = "request_policy:all_shards response_policy:all_succeeded",
     .flags = kWrite,
     .categories = kKeyspaceCategory | kDangerousCategory,
     .grammar = kFlushArgs,
     .handler = flushdb},
    {.name = "flushall",
     .summary = "Removes all keys of all databases.",
     .since = "1.0.0",
     .group = "server",
     .complexity = "O(N) for N keys, in slices after the reply",
     .arity = -1,
     .tips = "request_policy:all_shards response_policy:all_succeeded",
     .flags = kWrite,
     .categories = kKeyspaceCategory | kDangerousCategory,
     .grammar = kFlushArgs,
     .handler = flushall},
    {.name = "swapdb",
     .summary = "Exchanges the contents of two databases.",
     .since = "4.0.0",
     .group = "server",
     .complexity = "O(N) for N watched keys",
     .arity = 3,
     .flags = kWrite | kFast,
     .categories = kKeyspaceCategory | kDangerousCategory,
     .grammar = kSwapdbArgs,
     .handler = swapdb},
};
static_assert(arities_match(kCommands));

}  // namespace

std::span<const CommandSpec> database_commands() { return kCommands; }

}  // namespace hotkv
