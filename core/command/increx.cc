// INCREX: a counter with bounds and a time to live, which is what a rate limiter needs in one step.
#include "core/command/call.h"
#include "core/command/deadline_option.h"
#include "core/command/strings.h"
#include "core/command/strings_number.h"

namespace hotkv {

namespace {

constexpr Arg kSteps[] = {text("increment").after("BYFLOAT"), text("increment").after("BYINT")};
constexpr Arg kExpiry[] = {kEx, kPx, kExAt, kPxAt, flag("persist", "PERSIST")};
constexpr Arg kIncrexArgs[] = {key("key"),
                               one_of("step", kSteps).maybe(),
                               text("lower-bound").after("LBOUND").maybe(),
                               text("upper-bound").after("UBOUND").maybe(),
                               flag("saturate", "SATURATE").maybe(),
                               one_of("expiration", kExpiry).maybe(),
                               flag("enx", "ENX").maybe()};
constexpr int kLeafByfloat = leaf(kIncrexArgs, "BYFLOAT"), kLeafByint = leaf(kIncrexArgs, "BYINT"),
              kLeafLower = leaf(kIncrexArgs, "LBOUND"), kLeafUpper = leaf(kIncrexArgs, "UBOUND"),
              kLeafSaturate = leaf(kIncrexArgs, "SATURATE"), kLeafEx = leaf(kIncrexArgs, "EX"),
              kLeafPersist = leaf(kIncrexArgs, "PERSIST"), kLeafEnx = leaf(kIncrexArgs, "ENX");

struct Increx {
  Call& call;
  Parsed parsed;
  const Entry* entry = nullptr;
  int64_t asked_deadline_ms = kNoDeadline;

  bool has(int leaf) const { return parsed.has(leaf); }
  bool saturates() const { return has(kLeafSaturate); }
  bool refuse(Bytes error) const {
    call.reply.error(error);
    return false;
  }
  // What the entry's deadline becomes.
  EntryExtras extras() const {
    EntryExtras now;
    if (entry) now.deadline_ms = entry->deadline_ms();
    bool stays = has(kLeafEnx) && now.deadline_ms != kNoDeadline;
    if (has(kLeafPersist)) {
      now.deadline_ms = kNoDeadline;
    } else if (asked_deadline_ms != kNoDeadline && !stays) {
      now.deadline_ms = asked_deadline_ms;
    }
    return now;
  }
};

// ---- integers ----

bool read_integer(Increx& x, int leaf, int64_t& value) {
  if (!x.has(leaf)) return true;
  return parse_int64(x.call.argument(x.parsed.position(leaf)), value) ||
         x.refuse(errors::kNotInteger);
}

void reply_integers(Increx& x, int64_t value, int64_t applied) {
  x.call.reply.array(2);
  x.call.reply.integer(value);
  x.call.reply.integer(applied);
}

void increase_integer(Increx& x) {
  int64_t step = 1, lower = INT64_MIN, upper = INT64_MAX, now;
  if (!read_integer(x, kLeafByint, step) || !read_integer(x, kLeafLower, lower) ||
      !read_integer(x, kLeafUpper, upper)) {
    return;
  }
  if (lower > upper) {
    x.refuse(errors::kBoundsOrder);
    return;
  }
  if (!integer_of(x.entry, now)) {
    x.refuse(errors::kNotInteger);
    return;
  }
  int64_t next, applied;
  bool overflows = __builtin_add_overflow(now, step, &next);
  if (overflows) next = step > 0 ? INT64_MAX : INT64_MIN;
  bool within = !overflows && next >= lower && next <= upper;
  next = std::min(std::max(next, lower), upper);
  if ((!within && !x.saturates()) || __builtin_sub_overflow(next, now, &applied)) {
    reply_integers(x, now, 0);
    return;
  }
  x.call.txn.set_integer(x.call.argument(1), next, x.extras());
  reply_integers(x, next, applied);
}

// ---- decimals ----

bool read_decimal(Increx& x, int leaf, Bytes& value) {
  if (!x.has(leaf)) return true;
  value = x.call.argument(x.parsed.position(leaf));
  double number;
  if (is_decimal(value)) return true;
  // Infinity is a number that INCRBYFLOAT can read but not add; the same text here.
  return x.refuse(parse_double(value, number) ? errors::kNotFinite : errors::kNotFloat);
}

void reply_decimals(Increx& x, Bytes value, Bytes applied) {
  x.call.reply.array(2);
  x.call.reply.bulk(value);
  x.call.reply.bulk(applied);
}

void increase_decimal(Increx& x) {
  Bytes step, lower, upper;
  if (!read_decimal(x, kLeafByfloat, step) || !read_decimal(x, kLeafLower, lower) ||
      !read_decimal(x, kLeafUpper, upper)) {
    return;
  }
  if (x.has(kLeafLower) && x.has(kLeafUpper) && compare_decimal(lower, upper) > 0) {
    x.refuse(errors::kBoundsOrder);
    return;
  }
  NumberText text;
  Bytes stored = x.entry ? x.entry->string(text) : Bytes("0");
  if (!is_decimal(stored)) {
    x.refuse(errors::kNotFloat);
    return;
  }
  std::string now = canonical_decimal(stored), next, applied;
  int which;
  bool within = add_decimal(stored, step, next, which) == FloatSum::kOk;
  if (within && x.has(kLeafLower) && compare_decimal(next, lower) < 0) {
    within = false;
    next = canonical_decimal(lower);
  } else if (within && x.has(kLeafUpper) && compare_decimal(next, upper) > 0) {
    within = false;
    next = canonical_decimal(upper);
  } else if (!within) {
    next = now;  // Beyond the type: there is no nearest number to stop at.
  }
  if ((!within && !x.saturates()) ||
      add_decimal(next, negate_decimal(stored), applied, which) != FloatSum::kOk) {
    reply_decimals(x, now, "0");
    return;
  }
  x.call.txn.set(x.call.argument(1), next, x.extras());
  reply_decimals(x, next, applied);
}

void increx(Call& call) {
  Increx x{.call = call, .parsed = {}};
  if (!call.parse(x.parsed) || !read_deadline(call, x.parsed, kLeafEx, x.asked_deadline_ms)) return;
  if (x.has(kLeafEnx) && x.asked_deadline_ms == kNoDeadline) {
    x.refuse(errors::kEnxAlone);
    return;
  }
  if (!call.peek_string(call.argument(1), x.entry)) return;
  if (x.has(kLeafByfloat)) {
    increase_decimal(x);
  } else {
    increase_integer(x);
  }
}

constexpr CommandSpec kCommands[] = {
    {.name = "increx",
     .summary = "Adds to a number within bounds and sets its time to live in the same step.",
     .since = "8.8.0",
     .group = "string",
     .complexity = "O(1)",
     .arity = -2,
     .flags = kWrite | kDenyOom | kFast,
     .categories = kStringCategory,
     .keys = {1, 1, 1, kKeyRw | kKeyAccess | kKeyUpdate},
     .grammar = kIncrexArgs,
     .handler = increx},
};
static_assert(arities_match(kCommands));

}  // namespace

std::span<const CommandSpec> increx_commands() { return kCommands; }

}  // namespace hotkv
