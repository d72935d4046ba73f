#include "core/command/keys.h"

#include "core/command/call.h"

namespace hotkv {

namespace {

constexpr Arg kKeyOnly[] = {key("key")};
constexpr Arg kKeys[] = {key("key").many()};

// Values live in one or two blocks, so freeing one never takes long and UNLINK is DEL.
void del(Call& call) {
  int64_t removed = 0;
  for (int i = 1; i < call.count(); i++) removed += call.txn.remove(call.argument(i));
  call.reply.integer(removed);
}

void exists(Call& call) {
  int64_t found = 0;
  for (int i = 1; i < call.count(); i++) found += call.txn.look(call.argument(i)) != nullptr;
  call.reply.integer(found);
}

// TOUCH is asked for by name, so it refreshes the access clock for a NO-TOUCH client, too.
void touch(Call& call) {
  int64_t found = 0;
  bool was_touching = call.txn.is_touching();
  call.txn.set_touching(true);
  for (int i = 1; i < call.count(); i++) found += call.txn.find(call.argument(i)) != nullptr;
  call.txn.set_touching(was_touching);
  call.reply.integer(found);
}

void type(Call& call) {
  const Entry* entry = call.txn.look(call.argument(1));
  call.reply.simple(entry ? type_name(entry->type()) : "none");
}

constexpr Arg kRenameArgs[] = {key("key"), key("newkey")};

bool require_source(Call& call) {
  if (call.txn.peek(call.argument(1))) return true;
  call.reply.error(errors::kNoSuchKey);
  return false;
}

void rename(Call& call) {
  if (!require_source(call)) return;
  // A key renamed to itself has not changed: no effect, no watcher fails.
  if (call.argument(1) != call.argument(2)) call.txn.rename(call.argument(1), call.argument(2));
  call.reply.ok();
}

void renamenx(Call& call) {
  if (!require_source(call)) return;
  bool is_free = call.txn.peek(call.argument(2)) == nullptr;
  if (is_free) call.txn.rename(call.argument(1), call.argument(2));
  call.reply.integer(is_free);
}

// The number of a database; false when it is none, with the error written.
bool database_from(Call& call, int64_t number, int& db) {
  if (number < INT32_MIN || number > INT32_MAX) {
    call.reply.error(errors::kNotInt32);
  } else if (number < 0 || number >= call.txn.keyspace().databases()) {
    call.reply.error(errors::kDatabaseRange);
  } else {
    db = static_cast<int>(number);
    return true;
  }
  return false;
}

constexpr Arg kCopyArgs[] = {key("source"), key("destination"),
                             integer("destination-db").after("DB").maybe(),
                             flag("replace", "REPLACE").maybe()};

void copy(Call& call) {
  Parsed parsed;
  if (!call.parse(parsed)) return;
  int to_db = call.txn.db();
  constexpr int kLeafDb = leaf(kCopyArgs, "DB");
  if (parsed.has(kLeafDb) && !database_from(call, parsed.integer(kLeafDb), to_db)) return;
  Bytes from = call.argument(1), to = call.argument(2);
  if (from == to && to_db == call.txn.db()) {
    call.reply.error(errors::kSameObject);
    return;
  }
  bool replaces = parsed.has(leaf(kCopyArgs, "REPLACE"));
  bool copies = call.txn.find(from) && (replaces || !call.txn.peek_in(to_db, to));
  if (copies) call.txn.copy(from, to_db, to);
  call.reply.integer(copies);
}

constexpr Arg kMoveArgs[] = {key("key"), integer("db")};

void move(Call& call) {
  int64_t number;
  int to_db;
  if (!call.parse_integer(2, number) || !database_from(call, number, to_db)) return;
  if (to_db == call.txn.db()) {
    call.reply.error(errors::kSameObject);
    return;
  }
  bool moves = call.txn.peek(call.argument(1)) && !call.txn.peek_in(to_db, call.argument(1));
  if (moves) call.txn.move(call.argument(1), to_db);
  call.reply.integer(moves);
}

constexpr CommandSpec kCommands[] = {
    {.name = "del",
     .summary = "Deletes keys and returns how many of them existed.",
     .since = "1.0.0",
     .group = "generic",
     .complexity = "O(N) for N keys",
     .arity = -2,
     .tips = "request_policy:multi_shard response_policy:agg_sum",
     .flags = kWrite,
     .categories = kKeyspaceCategory,
     .keys = {1, -1, 1, kKeyRm | kKeyDelete},
     .grammar = kKeys,
     .handler = del},
    {.name = "unlink",
     .summary = "Deletes keys as DEL does; no value here takes long to free.",
     .since = "4.0.0",
     .group = "generic",
     .complexity = "O(N) for N keys",
     .arity = -2,
     .tips = "request_policy:multi_shard response_policy:agg_sum",
     .flags = kWrite | kFast,
     .categories = kKeyspaceCategory,
     .keys = {1, -1, 1, kKeyRm | kKeyDelete},
     .grammar = kKeys,
     .handler = del},
    {.name = "exists",
     .summary = "Counts how many of the keys exist; a key named twice counts twice.",
     .since = "1.0.0",
     .group = "generic",
     .complexity = "O(N) for N keys",
     .arity = -2,
     .tips = "request_policy:multi_shard response_policy:agg_sum",
     .flags = kReadonly | kFast,
     .categories = kKeyspaceCategory,
     .keys = {1, -1, 1, kKeyRo},
     .grammar = kKeys,
     .handler = exists},
    {.name = "touch",
     .summary = "Marks keys as used just now and returns how many of them exist.",
     .since = "3.2.1",
     .group = "generic",
     .complexity = "O(N) for N keys",
     .arity = -2,
     .tips = "request_policy:multi_shard response_policy:agg_sum",
     .flags = kReadonly | kFast,
     .categories = kKeyspaceCategory,
     .keys = {1, -1, 1, kKeyRo},
     .grammar = kKeys,
     .handler = touch},
    {.name = "type",
     .summary = "Returns the type of the value at a key.",
     .since = "1.0.0",
     .group = "generic",
     .complexity = "O(1)",
     .arity = 2,
     .flags = kReadonly | kFast,
     .categories = kKeyspaceCategory,
     .keys = {1, 1, 1, kKeyRo},
     .grammar = kKeyOnly,
     .handler = type},
    {.name = "rename",
     .summary = "Gives a key another name, in place of whatever had that name.",
     .since = "1.0.0",
     .group = "generic",
     .complexity = "O(1)",
     .arity = 3,
     .flags = kWrite,
     .categories = kKeyspaceCategory,
     .keys = {1, 2, 1, kKeyRw | kKeyAccess | kKeyDelete, kKeyOw | kKeyUpdate},
     .grammar = kRenameArgs,
     .handler = rename},
    {.name = "renamenx",
     .summary = "Gives a key another name if nothing has that name.",
     .since = "1.0.0",
     .group = "generic",
     .complexity = "O(1)",
     .arity = 3,
     .flags = kWrite | kFast,
     .categories = kKeyspaceCategory,
     .keys = {1, 2, 1, kKeyRw | kKeyAccess | kKeyDelete, kKeyOw | kKeyInsert},
     .grammar = kRenameArgs,
     .handler = renamenx},
    {.name = "copy",
     .summary = "Copies a value with its time to live to another key or database.",
     .since = "6.2.0",
     .group = "generic",
     .complexity = "O(N) for a value of N bytes",
     .arity = -3,
     .flags = kWrite | kDenyOom,
     .categories = kKeyspaceCategory,
     .keys = {1, 2, 1, kKeyRo | kKeyAccess, kKeyOw | kKeyUpdate},
     .grammar = kCopyArgs,
     .handler = copy},
    {.name = "move",
     .summary = "Moves a key to another database if that one lacks it.",
     .since = "1.0.0",
     .group = "generic",
     .complexity = "O(1)",
     .arity = 3,
     .flags = kWrite | kFast,
     .categories = kKeyspaceCategory,
     .keys = {1, 1, 1, kKeyRw | kKeyAccess | kKeyUpdate},
     .grammar = kMoveArgs,
     .handler = move},
};
static_assert(arities_match(kCommands));

}  // namespace

std::span<const CommandSpec> key_commands() { return kCommands; }

}  // namespace hotkv
