#include "core/command/call.h"
#include "core/command/keys.h"

namespace hotkv {

namespace {

// Strings up to this length are reported as embstr unless they were edited in place.
constexpr size_t kEmbeddedMax = 44;

Bytes encoding_name(const Entry& entry) {
  switch (entry.encoding()) {
    case Encoding::kInteger: return "int";
    case Encoding::kInline: return entry.string_length() <= kEmbeddedMax ? "embstr" : "raw";
    case Encoding::kHeap: return "raw";
  }
  return "raw";
}

// The entry at the subcommand's key; null is answered when there is none.
const Entry* look_or_null(Call& call) {
  const Entry* entry = call.txn.look(call.argument(2));
  if (!entry) call.reply.null();
  return entry;
}

void encoding(Call& call) {
  if (const Entry* entry = look_or_null(call)) call.reply.bulk(encoding_name(*entry));
}

// Values are never shared here, small integers included.
void refcount(Call& call) {
  if (look_or_null(call)) call.reply.integer(1);
}

constexpr int64_t kClockMask = 0xffffff;

void idletime(Call& call) {
  const Entry* entry = look_or_null(call);
  if (!entry) return;
  if (call.settings.lfu) {
    call.reply.error(errors::kLfuSelected);
    return;
  }
  // The clock has 24 bits; a difference modulo its period is right up to 194 days.
  call.reply.integer((call.txn.now().wall.seconds() - entry->access()) & kClockMask);
}

void freq(Call& call) {
  const Entry* entry = look_or_null(call);
  if (!entry) return;
  if (!call.settings.lfu) {
    call.reply.error(errors::kLfuNotSelected);
    return;
  }
  call.reply.integer(entry->access() & 0xff);
}

void help(Call& call) {
  constexpr Bytes kLines[] = {
      "OBJECT <subcommand> [<arg> [value] [opt] ...]. Subcommands are:",
      "ENCODING <key>",
      "    Return how the value is stored: int, embstr or raw for strings.",
      "FREQ <key>",
      "    Return how often the key was used lately, on a logarithmic scale.",
      "IDLETIME <key>",
      "    Return for how many seconds the key has not been used.",
      "REFCOUNT <key>",
      "    Return how many owners the value has: always one.",
      "HELP",
      "    Print this text.",
  };
  call.reply.array(static_cast<int64_t>(std::size(kLines)));
  for (Bytes line : kLines) call.reply.simple(line);
}

constexpr Arg kKeyOnly[] = {key("key")};

constexpr CommandSpec inspector(std::string_view name, std::string_view summary,
                                std::string_view since, Handler handler) {
  return {.name = name,
          .summary = summary,
          .since = since,
          .group = "generic",
          .complexity = "O(1)",
          .arity = 3,
          .tips = "nondeterministic_output",
          .flags = kReadonly,
          .categories = kKeyspaceCategory,
          .keys = {2, 2, 1, kKeyRo},
          .grammar = kKeyOnly,
          .handler = handler};
}

constexpr CommandSpec kSubcommands[] = {
    inspector("encoding", "Returns how a value is stored inside.", "2.2.3", encoding),
    inspector("freq", "Returns how often a key was used lately, on a logarithmic scale.", "4.0.0",
              freq),
    inspector("idletime", "Returns for how many seconds a key has not been used.", "2.2.3",
              idletime),
    inspector("refcount", "Returns how many owners a value has.", "2.2.3", refcount),
    {.name = "help",
     .summary = "Lists the subcommands of OBJECT.",
     .since = "6.2.0",
     .group = "generic",
     .complexity = "O(1)",
     .arity = 2,
     .flags = kLoading | kStale,
     .categories = kKeyspaceCategory,
     .handler = help},
};

constexpr CommandSpec kCommands[] = {
    {.name = "object",
     .summary = "Looks into how a key and its value are kept.",
     .since = "2.2.3",
     .group = "generic",
     .complexity = "Depends on the subcommand.",
     .arity = -2,
     .subcommands = kSubcommands},
};
static_assert(arities_match(kCommands));

}  // namespace

std::span<const CommandSpec> object_commands() { return kCommands; }

}  // namespace hotkv
