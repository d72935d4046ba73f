#include "core/command/call.h"
#include "core/command/strings.h"
#include "core/command/strings_number.h"

namespace hotkv {

namespace {

// Adds to the integer at the key, keeping its time to live; an absent key counts from 0.
void add(Call& call, int64_t delta) {
  const Entry* entry;
  int64_t value;
  if (!call.peek_string(call.argument(1), entry)) return;
  if (!integer_of(entry, value)) {
    call.reply.error(errors::kNotInteger);
    return;
  }
  if (__builtin_add_overflow(value, delta, &value)) {
    call.reply.error(errors::kOverflow);
    return;
  }
  EntryExtras extras;
  if (entry) extras.deadline_ms = entry->deadline_ms();
  call.txn.set_integer(call.argument(1), value, extras);
  call.reply.integer(value);
}

constexpr Arg kKeyOnly[] = {key("key")};
constexpr Arg kIncrbyArgs[] = {key("key"), integer("increment")};
constexpr Arg kDecrbyArgs[] = {key("key"), integer("decrement")};
constexpr Arg kIncrbyfloatArgs[] = {key("key"), number("increment")};

void incr(Call& call) { add(call, 1); }
void decr(Call& call) { add(call, -1); }

void incrby(Call& call) {
  int64_t delta;
  if (call.parse_integer(2, delta)) add(call, delta);
}

void decrby(Call& call) {
  int64_t delta;
  if (!call.parse_integer(2, delta)) return;
  if (delta == INT64_MIN) {  // Has no negative.
    call.reply.error(errors::kDecrementOverflow);
    return;
  }
  add(call, -delta);
}

void incrbyfloat(Call& call) {
  const Entry* entry;
  if (!call.peek_string(call.argument(1), entry)) return;
  NumberText text;
  std::string sum;
  int which;
  Bytes value = entry ? entry->string(text) : Bytes("0");
  switch (add_decimal(value, call.argument(2), sum, which)) {
    case FloatSum::kNotANumber: call.reply.error(errors::kNotFloat); return;
    case FloatSum::kNotFinite: call.reply.error(errors::kNotFinite); return;
    case FloatSum::kOk: break;
  }
  EntryExtras extras;
  if (entry) extras.deadline_ms = entry->deadline_ms();
  call.txn.set(call.argument(1), sum, extras);
  call.reply.bulk(sum);
}

constexpr CommandSpec counter(std::string_view name, std::string_view summary,
                              std::string_view since, std::span<const Arg> grammar,
                              Handler handler) {
  return {.name = name,
          .summary = summary,
          .since = since,
          .group = "string",
          .complexity = "O(1)",
          .arity = least_words(grammar) + 1,
          .flags = kWrite | kDenyOom | kFast,
          .categories = kStringCategory,
          .keys = {1, 1, 1, kKeyRw | kKeyAccess | kKeyUpdate},
          .grammar = grammar,
          .handler = handler};
}

constexpr CommandSpec kCommands[] = {
    counter("incr", "Adds one to the integer at a key; an absent key counts as 0.", "1.0.0",
            kKeyOnly, incr),
    counter("decr", "Takes one from the integer at a key; an absent key counts as 0.", "1.0.0",
            kKeyOnly, decr),
    counter("incrby", "Adds to the integer at a key; an absent key counts as 0.", "1.0.0",
            kIncrbyArgs, incrby),
    counter("decrby", "Takes from the integer at a key; an absent key counts as 0.", "1.0.0",
            kDecrbyArgs, decrby),
    counter("incrbyfloat", "Adds to the decimal number at a key; an absent key counts as 0.",
            "2.6.0", kIncrbyfloatArgs, incrbyfloat),
};
static_assert(arities_match(kCommands));

}  // namespace

std::span<const CommandSpec> string_counter_commands() { return kCommands; }

}  // namespace hotkv
