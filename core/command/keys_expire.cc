#include "core/command/call.h"
#include "core/command/deadline_option.h"
#include "core/command/keys.h"

namespace hotkv {

namespace {

constexpr Arg kExistence[] = {flag("nx", "NX"), flag("xx", "XX")};
constexpr Arg kComparison[] = {flag("gt", "GT"), flag("lt", "LT")};
constexpr Arg kExpireArgs[] = {key("key"), integer("seconds"),
                               one_of("existence", kExistence).maybe(),
                               one_of("comparison", kComparison).maybe()};
constexpr Arg kPexpireArgs[] = {key("key"), integer("milliseconds"),
                                one_of("existence", kExistence).maybe(),
                                one_of("comparison", kComparison).maybe()};
constexpr Arg kExpireatArgs[] = {key("key"), unix_time("unix-time-seconds"),
                                 one_of("existence", kExistence).maybe(),
                                 one_of("comparison", kComparison).maybe()};
constexpr Arg kPexpireatArgs[] = {key("key"), unix_time("unix-time-milliseconds"),
                                  one_of("existence", kExistence).maybe(),
                                  one_of("comparison", kComparison).maybe()};
// The four grammars number their leaves alike.
constexpr int kLeafTime = 1;
constexpr int kLeafNx = leaf(kExpireArgs, "NX"), kLeafXx = leaf(kExpireArgs, "XX"),
              kLeafGt = leaf(kExpireArgs, "GT"), kLeafLt = leaf(kExpireArgs, "LT");

// Words that do not go together and words that are none have texts of their own.
void reply_bad_options(Call& call) {
  bool seen[4] = {};
  constexpr Bytes kWords[] = {"NX", "XX", "GT", "LT"};
  for (int i = 3; i < call.count(); i++) {
    bool known = false;
    for (int w = 0; w < 4; w++) {
      if (!equal_ignoring_case(kWords[w], call.argument(i))) continue;
      known = seen[w] = true;
    }
    if (!known) {
      call.reply.error(errors::unsupported_option(call.argument(i)));
      return;
    }
  }
  bool nx_conflict = seen[0] && (seen[1] || seen[2] || seen[3]);
  call.reply.error(nx_conflict ? errors::kExpireNxConflict : errors::kExpireGtLtConflict);
}

bool parse_expire(Call& call, Parsed& parsed) {
  ParseOutcome outcome = parse_arguments(call.spec->grammar, call.arguments, parsed);
  bool nx_conflict = parsed.has(kLeafNx) && (parsed.has(kLeafGt) || parsed.has(kLeafLt));
  if (outcome.error == ParseError::kSyntax || nx_conflict) {
    reply_bad_options(call);
    return false;
  }
  if (outcome.error == ParseError::kNone) return true;
  call.reply.error(errors::kNotInteger);
  return false;
}

// A key without a deadline counts as one that lives for ever.
bool conditions_hold(const Parsed& parsed, const Entry& entry, int64_t deadline_ms) {
  if (parsed.has(kLeafNx) && entry.has_deadline()) return false;
  if (parsed.has(kLeafXx) && !entry.has_deadline()) return false;
  if (parsed.has(kLeafGt) && deadline_ms <= entry.deadline_ms()) return false;
  return !(parsed.has(kLeafLt) && deadline_ms >= entry.deadline_ms());
}

void expire_as(Call& call, TimeForm form) {
  Parsed parsed;
  if (!parse_expire(call, parsed)) return;
  int64_t deadline_ms;
  if (!to_deadline(parsed.integer(kLeafTime), form, call.txn.wall_ms(), deadline_ms)) {
    call.reply.error(errors::invalid_expire(call.spec->name));
    return;
  }
  const Entry* entry = call.txn.peek(call.argument(1));
  bool sets = entry && conditions_hold(parsed, *entry, deadline_ms);
  if (sets) call.txn.set_deadline(call.argument(1), deadline_ms);
  call.reply.integer(sets);
}

void expire(Call& call) { expire_as(call, {true, true}); }
void pexpire(Call& call) { expire_as(call, {false, true}); }
void expireat(Call& call) { expire_as(call, {true, false}); }
void pexpireat(Call& call) { expire_as(call, {false, false}); }

constexpr Arg kKeyOnly[] = {key("key")};

// Replies with the deadline less `origin_ms`, in the unit wanted: -2 without the key, -1 without a
// deadline. Seconds are rounded to the nearest.
void reply_deadline(Call& call, bool is_seconds, int64_t origin_ms) {
  const Entry* entry = call.txn.look(call.argument(1));
  if (!entry || !entry->has_deadline()) {
    call.reply.integer(entry ? -1 : -2);
    return;
  }
  int64_t ms = entry->deadline_ms() - origin_ms;
  call.reply.integer(is_seconds ? ms / 1000 + (ms % 1000 >= 500) : ms);
}

void ttl(Call& call) { reply_deadline(call, true, call.txn.wall_ms()); }
void pttl(Call& call) { reply_deadline(call, false, call.txn.wall_ms()); }
void expiretime(Call& call) { reply_deadline(call, true, 0); }
void pexpiretime(Call& call) { reply_deadline(call, false, 0); }

void persist(Call& call) { call.reply.integer(call.txn.persist(call.argument(1))); }

constexpr CommandSpec setter(std::string_view name, std::string_view summary,
                             std::string_view since, std::span<const Arg> grammar,
                             Handler handler) {
  return {.name = name,
          .summary = summary,
          .since = since,
          .group = "generic",
          .complexity = "O(1)",
          .arity = -3,
          .flags = kWrite | kFast,
          .categories = kKeyspaceCategory,
          .keys = {1, 1, 1, kKeyRw | kKeyUpdate},
          .grammar = grammar,
          .handler = handler};
}

// What is left of a time to live depends on when one asks.
constexpr std::string_view kPasses = "nondeterministic_output";

constexpr CommandSpec getter(std::string_view name, std::string_view summary,
                             std::string_view since, Handler handler, std::string_view tips) {
  return {.name = name,
          .summary = summary,
          .since = since,
          .group = "generic",
          .complexity = "O(1)",
          .arity = 2,
          .tips = tips,
          .flags = kReadonly | kFast,
          .categories = kKeyspaceCategory,
          .keys = {1, 1, 1, kKeyRo | kKeyAccess},
          .grammar = kKeyOnly,
          .handler = handler};
}

constexpr CommandSpec kCommands[] = {
    setter("expire", "Lets a key live for a number of seconds from now.", "1.0.0", kExpireArgs,
           expire),
    setter("pexpire", "Lets a key live for a number of milliseconds from now.", "2.6.0",
           kPexpireArgs, pexpire),
    setter("expireat", "Lets a key live until a Unix time in seconds.", "1.2.0", kExpireatArgs,
           expireat),
    setter("pexpireat", "Lets a key live until a Unix time in milliseconds.", "2.6.0",
           kPexpireatArgs, pexpireat),
    getter("ttl", "Returns how many seconds a key has left to live.", "1.0.0", ttl, kPasses),
    getter("pttl", "Returns how many milliseconds a key has left to live.", "2.6.0", pttl, kPasses),
    getter("expiretime", "Returns the Unix time in seconds at which a key expires.", "7.0.0",
           expiretime, ""),
    getter("pexpiretime", "Returns the Unix time in milliseconds at which a key expires.", "7.0.0",
           pexpiretime, ""),
    {.name = "persist",
     .summary = "Lets a key live for ever by removing its time to live.",
     .since = "2.2.0",
     .group = "generic",
     .complexity = "O(1)",
     .arity = 2,
     .flags = kWrite | kFast,
     .categories = kKeyspaceCategory,
     .keys = {1, 1, 1, kKeyRw | kKeyUpdate},
     .grammar = kKeyOnly,
     .handler = persist},
};
static_assert(arities_match(kCommands));

}  // namespace

std::span<const CommandSpec> key_expire_commands() { return kCommands; }

}  // namespace hotkv
