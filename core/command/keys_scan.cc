#include "core/base/numbers.h"
#include "core/command/call.h"
#include "core/command/keys.h"

namespace hotkv {

namespace {

constexpr Arg kKeysArgs[] = {pattern("pattern")};

void reply_keys(Call& call, const std::vector<const Entry*>& entries) {
  call.reply.array(static_cast<int64_t>(entries.size()));
  for (const Entry* entry : entries) call.reply.bulk(entry->key());
}

// What the client wants of the entries that were met since `from`.
template <class Wanted>
void keep(std::vector<const Entry*>& entries, size_t from, Wanted wanted) {
  size_t kept = from;
  for (size_t i = from; i < entries.size(); i++) {
    if (wanted(*entries[i])) entries[kept++] = entries[i];
  }
  entries.resize(kept);
}

// Nothing changes between two calls of scan here, so each key is met once.
void keys(Call& call) {
  Bytes pattern = call.argument(1);
  std::vector<const Entry*> entries;
  uint64_t cursor = 0;
  do {
    size_t before = entries.size();
    cursor = call.txn.scan(cursor, entries);
    if (pattern != "*") {
      keep(entries, before, [&](const Entry& e) { return glob_match(pattern, e.key()); });
    }
  } while (cursor != 0);
  reply_keys(call, entries);
}

constexpr Arg kScanArgs[] = {integer("cursor"), pattern("pattern").after("MATCH").maybe(),
                             integer("count").after("COUNT").maybe(),
                             text("type").after("TYPE").maybe()};
constexpr int64_t kScanCountDefault = 10;
// Buckets looked at per call, in multiples of COUNT, when few keys match.
constexpr int64_t kScanEffort = 10;

struct ScanFilter {
  Bytes pattern = "*";
  Bytes type;
  bool wants(const Entry& e) const {
    return (pattern == "*" || glob_match(pattern, e.key())) &&
           (type.empty() || equal_ignoring_case(type_name(e.type()), type));
  }
};

// The cursor comes first and is unsigned, so the grammar sees the words behind it only.
bool parse_scan(Call& call, uint64_t& cursor, int64_t& count, ScanFilter& filter) {
  if (!parse_uint64(call.argument(1), cursor)) {
    call.reply.error(errors::kInvalidCursor);
    return false;
  }
  Parsed parsed;
  constexpr std::span<const Arg> kOptions = std::span<const Arg>(kScanArgs).subspan(1);
  ParseOutcome outcome = parse_arguments(kOptions, call.arguments, parsed, 2);
  constexpr int kLeafCount = leaf(kOptions, "COUNT");
  if (outcome.error == ParseError::kNotInteger) {
    call.reply.error(errors::kNotInteger);
    return false;
  }
  if (parsed.has(kLeafCount)) count = parsed.integer(kLeafCount);
  if (outcome.error != ParseError::kNone || count < 1) {
    call.reply.error(errors::kSyntax);
    return false;
  }
  if (int i = parsed.position(leaf(kOptions, "MATCH"))) filter.pattern = call.argument(i);
  if (int i = parsed.position(leaf(kOptions, "TYPE"))) filter.type = call.argument(i);
  return true;
}

void scan(Call& call) {
  uint64_t cursor;
  int64_t count = kScanCountDefault;
  ScanFilter filter;
  if (!parse_scan(call, cursor, count, filter)) return;
  std::vector<const Entry*> entries;
  int64_t buckets = count < INT64_MAX / kScanEffort ? count * kScanEffort : INT64_MAX;
  int64_t seen = 0;
  do {
    size_t before = entries.size();
    cursor = call.txn.scan(cursor, entries);
    seen += static_cast<int64_t>(entries.size() - before);
    keep(entries, before, [&](const Entry& e) { return filter.wants(e); });
  } while (cursor != 0 && --buckets > 0 && seen < count);
  NumberText text;
  call.reply.array(2);
  call.reply.bulk(format_uint64(cursor, text));
  reply_keys(call, entries);
}

void randomkey(Call& call) {
  const Entry* entry = call.txn.random_key(call.random);
  if (entry) {
    call.reply.bulk(entry->key());
  } else {
    call.reply.null();
  }
}

constexpr CommandSpec kCommands[] = {
    {.name = "keys",
     .summary = "Returns all keys that match a pattern, in one reply.",
     .since = "1.0.0",
     .group = "generic",
     .complexity = "O(N) for N keys in the database",
     .arity = 2,
     .tips = "request_policy:all_shards nondeterministic_output_order",
     .flags = kReadonly,
     .categories = kKeyspaceCategory | kDangerousCategory,
     .grammar = kKeysArgs,
     .handler = keys},
    {.name = "scan",
     .summary = "Walks through the keys of the database, some at a time.",
     .since = "2.8.0",
     .group = "generic",
     .complexity = "O(1) a call, O(N) for a walk over N keys",
     .arity = -2,
     .tips = "nondeterministic_output request_policy:special",
     .flags = kReadonly,
     .categories = kKeyspaceCategory,
     .grammar = kScanArgs,
     .handler = scan},
    {.name = "randomkey",
     .summary = "Returns a key drawn at random.",
     .since = "1.0.0",
     .group = "generic",
     .complexity = "O(1)",
     .arity = 1,
     .tips = "request_policy:all_shards nondeterministic_output",
     .flags = kReadonly,
     .categories = kKeyspaceCategory,
     .handler = randomkey},
};
static_assert(arities_match(kCommands));

}  // namespace

std::span<const CommandSpec> key_scan_commands() { return kCommands; }

}  // namespace hotkv
