#include "core/command/call.h"
#include "core/command/deadline_option.h"
#include "core/command/strings.h"
#include "core/command/strings_condition.h"

namespace hotkv {

namespace {

constexpr Arg kSetConditions[] = {flag("nx", "NX"),
                                  flag("xx", "XX"),
                                  text("value").after("IFEQ"),
                                  text("value").after("IFNE"),
                                  text("digest").after("IFDEQ"),
                                  text("digest").after("IFDNE")};
constexpr Arg kSetExpiry[] = {kEx, kPx, kExAt, kPxAt, flag("keepttl", "KEEPTTL")};
constexpr Arg kSetArgs[] = {key("key"), text("value"), one_of("condition", kSetConditions).maybe(),
                            flag("get", "GET").maybe(), one_of("expiration", kSetExpiry).maybe()};
constexpr int kLeafIfeq = leaf(kSetArgs, "IFEQ");

// The IFEQ family's condition, if one was given: its operand's position, else 0.
int value_condition(const Parsed& parsed, Condition& condition) {
  constexpr Condition kConditions[] = {Condition::kEqual, Condition::kNotEqual,
                                       Condition::kDigestEqual, Condition::kDigestNotEqual};
  for (int i = 0; i < 4; i++) {
    if (!parsed.has(kLeafIfeq + i)) continue;
    condition = kConditions[i];
    return parsed.position(kLeafIfeq + i);
  }
  return 0;
}

void set_with_options(Call& call) {
  Parsed parsed;
  EntryExtras extras;
  if (!call.parse(parsed) ||
      !read_deadline(call, parsed, leaf(kSetArgs, "EX"), extras.deadline_ms)) {
    return;
  }
  Bytes key = call.argument(1), value = call.argument(2);
  bool wants_old = parsed.has(leaf(kSetArgs, "GET"));
  Condition condition{};
  int operand = value_condition(parsed, condition);
  const Entry* now = wants_old ? call.txn.find(key) : call.txn.peek(key);
  if (now && now->type() != Type::kString && (wants_old || operand)) {
    call.reply.error(errors::kWrongType);
    return;
  }
  Verdict verdict = Verdict::kHolds;
  if (operand) {
    verdict = judge(condition, call.argument(operand), now);
  } else if (now ? parsed.has(leaf(kSetArgs, "NX")) : parsed.has(leaf(kSetArgs, "XX"))) {
    verdict = Verdict::kFails;
  }
  if (verdict == Verdict::kBadDigest) {
    call.reply.error(errors::kDigestLength);
    return;
  }
  // The old value must be written before the change, which ends the entry.
  bool holds = verdict == Verdict::kHolds;
  if (wants_old) {
    call.reply_string(now);
  } else if (holds) {
    call.reply.ok();
  } else {
    call.reply.null();
  }
  if (!holds) return;
  if (now && parsed.has(leaf(kSetArgs, "KEEPTTL"))) extras.deadline_ms = now->deadline_ms();
  // The owner of a lock extends it by SET IFEQ with its own token: the grant goes on.
  if (now && operand && condition == Condition::kEqual && value == call.argument(operand)) {
    extras.lock_number = now->lock_number();
  }
  call.txn.set(key, value, extras);
}

void set(Call& call) {
  if (call.count() > 3) {
    set_with_options(call);
    return;
  }
  call.txn.set(call.argument(1), call.argument(2));
  call.reply.ok();
}

constexpr Arg kKeyValue[] = {key("key"), text("value")};

void setnx(Call& call) {
  bool absent = call.txn.peek(call.argument(1)) == nullptr;
  if (absent) call.txn.set(call.argument(1), call.argument(2));
  call.reply.integer(absent);
}

void getset(Call& call) {
  const Entry* entry;
  if (!call.find_string(call.argument(1), entry)) return;
  call.reply_string(entry);
  call.txn.set(call.argument(1), call.argument(2));
}

void set_for(Call& call, bool is_seconds) {
  EntryExtras extras;
  if (!read_relative_deadline(call, 2, is_seconds, extras.deadline_ms)) return;
  call.txn.set(call.argument(1), call.argument(3), extras);
  call.reply.ok();
}

constexpr Arg kSetexArgs[] = {key("key"), integer("seconds"), text("value")};
constexpr Arg kPsetexArgs[] = {key("key"), integer("milliseconds"), text("value")};

void setex(Call& call) { set_for(call, true); }
void psetex(Call& call) { set_for(call, false); }

constexpr Arg kPairs[] = {block("data", kKeyValue).many()};

// Sets the pairs that stand in arguments [first, end).
void set_pairs(Call& call, int first, int end, const EntryExtras& extras) {
  for (int i = first; i < end; i += 2) call.txn.set(call.argument(i), call.argument(i + 1), extras);
}

bool are_pairs(Call& call) {
  if (call.count() % 2 == 1) return true;
  call.reply.error(errors::wrong_arity(call.spec->name));
  return false;
}

// Whether all keys of the pairs in arguments [first, end) exist, or all do not.
bool all_keys(Call& call, int first, int end, bool exist) {
  for (int i = first; i < end; i += 2) {
    if ((call.txn.peek(call.argument(i)) != nullptr) != exist) return false;
  }
  return true;
}

void mset(Call& call) {
  if (!are_pairs(call)) return;
  set_pairs(call, 1, call.count(), {});
  call.reply.ok();
}

void msetnx(Call& call) {
  if (!are_pairs(call)) return;
  bool absent = all_keys(call, 1, call.count(), false);
  if (absent) set_pairs(call, 1, call.count(), {});
  call.reply.integer(absent);
}

constexpr Arg kMsetexConditions[] = {flag("nx", "NX"), flag("xx", "XX")};
constexpr Arg kMsetexArgs[] = {count("numkeys"), block("data", kKeyValue).many(),
                               one_of("condition", kMsetexConditions).maybe(),
                               one_of("expiration", kSetExpiry).maybe()};

void msetex(Call& call) {
  Parsed parsed;
  EntryExtras extras;
  if (!call.parse(parsed) ||
      !read_deadline(call, parsed, leaf(kMsetexArgs, "EX"), extras.deadline_ms)) {
    return;
  }
  int end = 2 + 2 * parsed.repeats(leaf(kMsetexArgs, "key"));
  bool nx = parsed.has(leaf(kMsetexArgs, "NX")), xx = parsed.has(leaf(kMsetexArgs, "XX"));
  if ((nx && !all_keys(call, 2, end, false)) || (xx && !all_keys(call, 2, end, true))) {
    call.reply.integer(0);
    return;
  }
  bool keeps = parsed.has(leaf(kMsetexArgs, "KEEPTTL"));
  for (int i = 2; i < end; i += 2) {
    if (keeps) {
      const Entry* now = call.txn.peek(call.argument(i));
      extras.deadline_ms = now ? now->deadline_ms() : kNoDeadline;
    }
    call.txn.set(call.argument(i), call.argument(i + 1), extras);
  }
  call.reply.integer(1);
}

constexpr CommandSpec kCommands[] = {
    {.name = "set",
     .summary = "Stores a string at a key, on conditions and for a time if so asked.",
     .since = "1.0.0",
     .group = "string",
     .complexity = "O(1)",
     .arity = -3,
     .flags = kWrite | kDenyOom,
     .categories = kStringCategory,
     .keys = {1, 1, 1, kKeyRw | kKeyAccess | kKeyUpdate | kKeyVariable},
     .grammar = kSetArgs,
     .handler = set},
    {.name = "setnx",
     .summary = "Stores a string at a key if the key does not exist.",
     .since = "1.0.0",
     .group = "string",
     .complexity = "O(1)",
     .arity = 3,
     .flags = kWrite | kDenyOom | kFast,
     .categories = kStringCategory,
     .keys = {1, 1, 1, kKeyOw | kKeyInsert},
     .grammar = kKeyValue,
     .handler = setnx},
    {.name = "getset",
     .summary = "Stores a string at a key and returns the one that was there.",
     .since = "1.0.0",
     .group = "string",
     .complexity = "O(1)",
     .arity = 3,
     .flags = kWrite | kDenyOom | kFast,
     .categories = kStringCategory,
     .keys = {1, 1, 1, kKeyRw | kKeyAccess | kKeyUpdate},
     .grammar = kKeyValue,
     .handler = getset},
    {.name = "setex",
     .summary = "Stores a string at a key for a number of seconds.",
     .since = "2.0.0",
     .group = "string",
     .complexity = "O(1)",
     .arity = 4,
     .flags = kWrite | kDenyOom,
     .categories = kStringCategory,
     .keys = {1, 1, 1, kKeyOw | kKeyUpdate},
     .grammar = kSetexArgs,
     .handler = setex},
    {.name = "psetex",
     .summary = "Stores a string at a key for a number of milliseconds.",
     .since = "2.6.0",
     .group = "string",
     .complexity = "O(1)",
     .arity = 4,
     .flags = kWrite | kDenyOom,
     .categories = kStringCategory,
     .keys = {1, 1, 1, kKeyOw | kKeyUpdate},
     .grammar = kPsetexArgs,
     .handler = psetex},
    {.name = "mset",
     .summary = "Stores strings at several keys at once.",
     .since = "1.0.1",
     .group = "string",
     .complexity = "O(N) for N keys",
     .arity = -3,
     .tips = "request_policy:multi_shard response_policy:all_succeeded",
     .flags = kWrite | kDenyOom,
     .categories = kStringCategory,
     .keys = {1, -1, 2, kKeyOw | kKeyUpdate},
     .grammar = kPairs,
     .handler = mset},
    {.name = "msetnx",
     .summary = "Stores strings at several keys at once if none of the keys exists.",
     .since = "1.0.1",
     .group = "string",
     .complexity = "O(N) for N keys",
     .arity = -3,
     .tips = "request_policy:multi_shard response_policy:agg_min",
     .flags = kWrite | kDenyOom,
     .categories = kStringCategory,
     .keys = {1, -1, 2, kKeyOw | kKeyInsert},
     .grammar = kPairs,
     .handler = msetnx},
    {.name = "msetex",
     .summary = "Stores strings at several keys at once, with one condition and time to live.",
     .since = "8.4.0",
     .group = "string",
     .complexity = "O(N) for N keys",
     .arity = -4,
     .flags = kWrite | kDenyOom | kMovableKeys,
     .categories = kStringCategory,
     .keys = {},  // Behind a count: found by the grammar.
     .grammar = kMsetexArgs,
     .handler = msetex},
};
static_assert(arities_match(kCommands));

}  // namespace

std::span<const CommandSpec> string_set_commands() { return kCommands; }

}  // namespace hotkv
