#include "core/command/strings.h"

#include "core/command/call.h"
#include "core/command/deadline_option.h"
#include "core/command/strings_condition.h"

namespace hotkv {

namespace {

constexpr Arg kKeyOnly[] = {key("key")};

// The hot one: fixed arity, so that there is nothing to parse.
void get(Call& call) {
  const Entry* entry;
  if (call.find_string(call.argument(1), entry)) call.reply_string(entry);
}

void getdel(Call& call) {
  const Entry* entry;
  if (!call.find_string(call.argument(1), entry)) return;
  call.reply_string(entry);
  if (entry) call.txn.remove(call.argument(1));
}

constexpr Arg kGetexExpiry[] = {kEx, kPx, kExAt, kPxAt, flag("persist", "PERSIST")};
constexpr Arg kGetexArgs[] = {key("key"), one_of("expiration", kGetexExpiry).maybe()};

// The key comes before the numbers: an absent key is null whatever time was asked for.
void getex(Call& call) {
  constexpr int kLeafEx = leaf(kGetexArgs, "EX");
  Parsed parsed;
  ParseOutcome outcome = parse_arguments(call.spec->grammar, call.arguments, parsed);
  if (outcome.error != ParseError::kNone && outcome.error != ParseError::kNotInteger) {
    call.reply.error(errors::kSyntax);
    return;
  }
  const Entry* entry;
  if (!call.find_string(call.argument(1), entry)) return;
  if (!entry) {
    call.reply.null();
    return;
  }
  if (outcome.error == ParseError::kNotInteger) {
    call.reply.error(errors::kNotInteger);
    return;
  }
  int64_t deadline_ms = kNoDeadline;
  if (!read_deadline(call, parsed, kLeafEx, deadline_ms)) return;
  call.reply_string(entry);
  if (deadline_ms != kNoDeadline) {
    call.txn.set_deadline(call.argument(1), deadline_ms);
  } else if (parsed.has(leaf(kGetexArgs, "PERSIST"))) {
    call.txn.persist(call.argument(1));
  }
}

constexpr Arg kMgetArgs[] = {key("key").many()};

void mget(Call& call) {
  call.reply.array(call.count() - 1);
  for (int i = 1; i < call.count(); i++) {
    const Entry* entry = call.txn.find(call.argument(i));
    call.reply_string(entry && entry->type() == Type::kString ? entry : nullptr);
  }
}

void digest(Call& call) {
  const Entry* entry;
  if (!call.find_string(call.argument(1), entry)) return;
  if (!entry) {
    call.reply.null();
    return;
  }
  NumberText text;
  call.reply.bulk(digest_of(entry->string(text)).text());
}

constexpr Arg kDelexConditions[] = {text("value").after("IFEQ"), text("value").after("IFNE"),
                                    text("digest").after("IFDEQ"), text("digest").after("IFDNE")};
constexpr Arg kDelexArgs[] = {key("key"), one_of("condition", kDelexConditions).maybe()};

// Removes the string when the condition holds; absent keys are 0 before anything else is looked at.
void remove_if(Call& call, Condition condition, Bytes operand) {
  switch (judge(condition, operand, call.txn.peek(call.argument(1)))) {
    case Verdict::kHolds:
      call.txn.remove(call.argument(1));
      call.reply.integer(1);
      break;
    case Verdict::kFails: call.reply.integer(0); break;
    case Verdict::kBadDigest: call.reply.error(errors::kDigestLength); break;
  }
}

void delex(Call& call) {
  if (call.count() == 2) {
    call.reply.integer(call.txn.remove(call.argument(1)));
    return;
  }
  if (call.count() != 4) {
    call.reply.error(errors::wrong_arity(call.spec->name));
    return;
  }
  const Entry* entry = call.txn.peek(call.argument(1));
  Condition condition;
  if (!entry) {
    call.reply.integer(0);
  } else if (entry->type() != Type::kString) {
    call.reply.error(errors::kDelexType);
  } else if (!condition_from(call.argument(2), condition)) {
    call.reply.error(errors::kDelexCondition);
  } else {
    remove_if(call, condition, call.argument(3));
  }
}

constexpr Arg kDelifeqArgs[] = {key("key"), text("value")};

void delifeq(Call& call) {
  const Entry* entry;
  if (call.peek_string(call.argument(1), entry)) {
    remove_if(call, Condition::kEqual, call.argument(2));
  }
}

constexpr CommandSpec kCommands[] = {
    {.name = "get",
     .summary = "Returns the string stored at a key.",
     .since = "1.0.0",
     .group = "string",
     .complexity = "O(1)",
     .arity = 2,
     .flags = kReadonly | kFast,
     .categories = kStringCategory,
     .keys = {1, 1, 1, kKeyRo | kKeyAccess},
     .grammar = kKeyOnly,
     .handler = get},
    {.name = "getdel",
     .summary = "Returns the string stored at a key and deletes the key.",
     .since = "6.2.0",
     .group = "string",
     .complexity = "O(1)",
     .arity = 2,
     .flags = kWrite | kFast,
     .categories = kStringCategory,
     .keys = {1, 1, 1, kKeyRw | kKeyAccess | kKeyDelete},
     .grammar = kKeyOnly,
     .handler = getdel},
    {.name = "getex",
     .summary = "Returns the string stored at a key and sets or removes its time to live.",
     .since = "6.2.0",
     .group = "string",
     .complexity = "O(1)",
     .arity = -2,
     .flags = kWrite | kFast,
     .categories = kStringCategory,
     .keys = {1, 1, 1, kKeyRw | kKeyAccess | kKeyUpdate},
     .grammar = kGetexArgs,
     .handler = getex},
    {.name = "mget",
     .summary = "Returns the strings stored at several keys, null where there is none.",
     .since = "1.0.0",
     .group = "string",
     .complexity = "O(N) for N keys",
     .arity = -2,
     .tips = "request_policy:multi_shard",
     .flags = kReadonly | kFast,
     .categories = kStringCategory,
     .keys = {1, -1, 1, kKeyRo | kKeyAccess},
     .grammar = kMgetArgs,
     .handler = mget},
    {.name = "digest",
     .summary = "Returns the XXH3 digest of a string as 16 hexadecimal digits.",
     .since = "8.4.0",
     .group = "string",
     .complexity = "O(N) for a string of N bytes",
     .arity = 2,
     .flags = kReadonly | kFast,
     .categories = kStringCategory,
     .keys = {1, 1, 1, kKeyRo | kKeyAccess},
     .grammar = kKeyOnly,
     .handler = digest},
    {.name = "delex",
     .summary = "Deletes a key, on request only if its string or the digest of it compares so.",
     .since = "8.4.0",
     .group = "string",
     .complexity = "O(1), or O(N) for the digest of N bytes",
     .arity = -2,
     .flags = kWrite | kFast,
     .categories = kStringCategory,
     .keys = {1, 1, 1, kKeyRw | kKeyAccess | kKeyDelete},
     .grammar = kDelexArgs,
     .handler = delex},
    {.name = "delifeq",
     .summary = "Deletes a key if its string equals the value given.",
     .since = "0.1.0",
     .group = "string",
     .complexity = "O(1)",
     .arity = 3,
     .flags = kWrite | kFast,
     .categories = kStringCategory,
     .keys = {1, 1, 1, kKeyRw | kKeyAccess | kKeyDelete},
     .grammar = kDelifeqArgs,
     .handler = delifeq},
};
static_assert(arities_match(kCommands));

}  // namespace

std::span<const CommandSpec> string_commands() { return kCommands; }

}  // namespace hotkv
