// MULTI EXEC DISCARD WATCH UNWATCH.
#include "core/node/server.h"

namespace hotkv {

namespace {

void multi(Call& call) {
  if (call.session.in_multi) return call.reply.error("ERR MULTI calls can not be nested");
  call.session.in_multi = true;
  call.reply.ok();
}

void discard(Call& call) {
  if (!call.session.in_multi) return call.reply.error("ERR DISCARD without MULTI");
  call.server.discard_transaction(call.session);
  call.reply.ok();
}

constexpr Arg kWatchArgs[] = {key("key").many()};

void watch(Call& call) {
  Session& s = call.session;
  if (s.in_multi) return call.reply.error("ERR WATCH inside MULTI is not allowed");
  for (int i = 1; i < call.count(); i++) {
    Bytes name = call.argument(i);
    const Table& keys = call.txn.keyspace().table(s.db);
    const Entry* e = keys.find(name, keys.hash(name));
    call.txn.watches().watch(s.id, s.db, name, e && call.txn.is_expired(*e));
  }
  s.watched = static_cast<int>(call.txn.watches().watched_by(s.id));
  call.reply.ok();
}

void unwatch(Call& call) {
  call.txn.watches().unwatch(call.session.id);
  call.session.watched = 0;
  call.reply.ok();
}

// A watched key that has expired since WATCH, but is not reclaimed yet, has changed all the same.
bool watched_key_expired(Call& call) {
  bool expired = false;
  call.txn.watches().visit(call.session.id, [&](int db, Bytes name, bool was_expired) {
    if (was_expired) return;
    const Table& keys = call.txn.keyspace().table(db);
    const Entry* e = keys.find(name, keys.hash(name));
    if (e && call.txn.is_expired(*e)) expired = true;
  });
  return expired;
}

void exec(Call& call) {
  Session& s = call.session;
  Server& server = call.server;
  if (!s.in_multi) return call.reply.error("ERR EXEC without MULTI");
  if (s.multi_failed) {
    server.discard_transaction(s);
    return call.reply.error(errors::kExecAbort);
  }
  bool dirty = server.watches.is_dirty(s.id) || watched_key_expired(call);
  std::vector<QueuedCommand> queue = std::move(s.queue);
  server.discard_transaction(s);
  if (dirty) return call.reply.null_array();
  call.reply.array(static_cast<int64_t>(queue.size()));
  std::vector<Bytes> words;
  s.in_exec = true;
  for (const QueuedCommand& queued : queue) {
    words.assign(queued.words.begin(), queued.words.end());
    server.invoke(s, queued.subcommand ? *queued.subcommand : *queued.spec, words,
                  queued.subcommand ? 2 : 1);
  }
  s.in_exec = false;
}

constexpr uint32_t kTransactionFast = kFastCategory | kTransactionCategory;
constexpr uint32_t kAlways = kNoScript | kLoading | kStale | kAllowBusy | kUnqueued;

constexpr CommandSpec kCommands[] = {
    {.name = "multi",
     .summary = "Starts a transaction: commands are queued until EXEC.",
     .since = "1.2.0",
     .group = "transactions",
     .complexity = "O(1)",
     .arity = 1,
     .flags = kAlways | kFast,
     .categories = kTransactionFast,
     .handler = multi},
    {.name = "exec",
     .summary = "Runs the queued commands as one step.",
     .since = "1.2.0",
     .group = "transactions",
     .complexity = "Depends on the commands.",
     .arity = 1,
     .flags = kNoScript | kLoading | kStale | kSkipSlowlog | kUnqueued,
     .categories = kSlowCategory | kTransactionCategory,
     .handler = exec},
    {.name = "discard",
     .summary = "Gives up the transaction.",
     .since = "2.0.0",
     .group = "transactions",
     .complexity = "O(N) in the number of queued commands.",
     .arity = 1,
     .flags = kAlways | kFast,
     .categories = kTransactionFast,
     .handler = discard},
    {.name = "watch",
     .summary = "Makes the next EXEC fail when one of the keys changes before it.",
     .since = "2.2.0",
     .group = "transactions",
     .complexity = "O(1) for each key.",
     .arity = -2,
     .flags = kAlways | kFast,
     .categories = kTransactionFast,
     .keys = {1, -1, 1, kKeyRo},
     .grammar = kWatchArgs,
     .handler = watch},
    {.name = "unwatch",
     .summary = "Forgets all watched keys of the connection.",
     .since = "2.2.0",
     .group = "transactions",
     .complexity = "O(1)",
     .arity = 1,
     .flags = kNoScript | kLoading | kStale | kFast | kAllowBusy,
     .categories = kTransactionFast,
     .handler = unwatch},
};

}  // namespace

std::span<const CommandSpec> transaction_commands() { return kCommands; }

}  // namespace hotkv
