// CommandSpec and its grammar: what a command is, declared once beside its handler.
//
// One grammar per command parses and checks its arguments (arguments.h), prints the synopsis, feeds
// COMMAND DOCS, console completion and hints, and the site's reference. There is no second place.
//
//   constexpr Arg kExpiry[] = {integer("seconds").after("EX"), integer("ms").after("PX")};
//   constexpr Arg kArgs[] = {key("key"), text("value"), one_of("expiration", kExpiry).maybe()};
//
// Leaves (everything but one_of and block) are numbered in the order in which they are written;
// `leaf(kArgs, "PX")` is that number at compile time and indexes the parsed values.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/base/bytes.h"

namespace hotkv {

struct Call;
using Handler = void (*)(Call&);

enum class ArgType : uint8_t {
  kKey,
  kText,
  kInteger,
  kDouble,
  kPattern,
  kUnixTime,
  kCount,  // An integer that says how often the next `many` argument repeats (numkeys).
  kFlag,   // A word alone ("NX").
  kOneOf,
  kBlock,
};

struct Arg {
  std::string_view name = {};
  ArgType type = ArgType::kText;
  std::string_view token = {};  // The word before the value ("PX"), or the word itself of a kFlag.
  bool is_optional = false;
  bool is_multiple = false;
  std::span<const Arg> of = {};  // Alternatives of kOneOf, parts of kBlock.

  // What the parser asks again and again, worked out by the functions below.
  bool begins_with_word = false;  // Told by its first word, so that it may stand in any order.
  uint8_t words = 1;              // The least number of words that it takes when it is there.
  uint8_t leaves = 1;

  constexpr Arg after(std::string_view word) const {
    Arg a = *this;
    a.token = word;
    a.begins_with_word = true;
    a.words++;
    return a;
  }
  constexpr Arg maybe() const {
    Arg a = *this;
    a.is_optional = true;
    return a;
  }
  constexpr Arg many() const {
    Arg a = *this;
    a.is_multiple = true;
    return a;
  }
  constexpr bool is_leaf() const { return type != ArgType::kOneOf && type != ArgType::kBlock; }
};

constexpr Arg key(std::string_view name) { return {.name = name, .type = ArgType::kKey}; }
constexpr Arg text(std::string_view name) { return {.name = name, .type = ArgType::kText}; }
constexpr Arg integer(std::string_view name) { return {.name = name, .type = ArgType::kInteger}; }
constexpr Arg number(std::string_view name) { return {.name = name, .type = ArgType::kDouble}; }
constexpr Arg pattern(std::string_view name) { return {.name = name, .type = ArgType::kPattern}; }
constexpr Arg unix_time(std::string_view name) {
  return {.name = name, .type = ArgType::kUnixTime};
}
constexpr Arg count(std::string_view name) { return {.name = name, .type = ArgType::kCount}; }
constexpr Arg flag(std::string_view name, std::string_view word) {
  return {.name = name, .type = ArgType::kFlag, .token = word, .begins_with_word = true};
}

// The least number of words that arguments take.
constexpr int least_words(const Arg& arg) { return arg.is_optional ? 0 : arg.words; }
constexpr int least_words(std::span<const Arg> args) {
  int n = 0;
  for (const Arg& a : args) n += least_words(a);
  return n;
}
constexpr int count_leaves(std::span<const Arg> args) {
  int n = 0;
  for (const Arg& a : args) n += a.leaves;
  return n;
}

constexpr Arg one_of(std::string_view name, std::span<const Arg> of) {
  Arg arg = {.name = name,
             .type = ArgType::kOneOf,
             .of = of,
             .begins_with_word = true,
             .words = 255,
             .leaves = static_cast<uint8_t>(count_leaves(of))};
  for (const Arg& alternative : of) {
    auto words = static_cast<uint8_t>(least_words(alternative));
    if (words < arg.words) arg.words = words;
    if (!alternative.begins_with_word) arg.begins_with_word = false;
  }
  return arg;
}
constexpr Arg block(std::string_view name, std::span<const Arg> of) {
  return {.name = name,
          .type = ArgType::kBlock,
          .of = of,
          .begins_with_word = of[0].begins_with_word,
          .words = static_cast<uint8_t>(least_words(of)),
          .leaves = static_cast<uint8_t>(count_leaves(of))};
}

// The number of the leaf whose token (or, without one, name) is `word`; -1 if there is none.
constexpr int find_leaf(std::span<const Arg> args, std::string_view word, int first = 0) {
  for (const Arg& a : args) {
    if (a.is_leaf()) {
      if ((a.token.empty() ? a.name : a.token) == word) return first;
      first++;
    } else {
      int found = find_leaf(a.of, word, first);
      if (found >= 0) return found;
      first += a.leaves;
    }
  }
  return -1;
}
void no_such_argument_in_the_grammar();  // Not constexpr and never defined: stops the compilation.
consteval int leaf(std::span<const Arg> args, std::string_view word) {
  int n = find_leaf(args, word);
  if (n < 0) no_such_argument_in_the_grammar();
  return n;
}

// Command flags, with Redis's names in COMMAND INFO.
enum Flag : uint32_t {
  kWrite = 1u << 0,
  kReadonly = 1u << 1,
  kDenyOom = 1u << 2,
  kAdmin = 1u << 3,
  kPubsub = 1u << 4,
  kNoScript = 1u << 5,
  kBlocking = 1u << 6,
  kLoading = 1u << 7,
  kStale = 1u << 8,
  kSkipMonitor = 1u << 9,
  kSkipSlowlog = 1u << 10,
  kFast = 1u << 11,
  kNoAuth = 1u << 12,
  kMayReplicate = 1u << 13,
  kNoMulti = 1u << 14,
  kMovableKeys = 1u << 15,
  kAllowBusy = 1u << 16,
  kProtected = 1u << 17,   // Not reported; refused unless enable-debug-command allows it.
  kGrantsLock = 1u << 18,  // Not reported; waits until the lock epoch is durable.
  kUnqueued = 1u << 19,    // Not reported; runs at once inside MULTI (EXEC, DISCARD, QUIT ...).
};

// ACL categories, in the order in which Redis lists them ("@keyspace" ...).
enum Category : uint32_t {
  kKeyspaceCategory = 1u << 0,
  kReadCategory = 1u << 1,
  kWriteCategory = 1u << 2,
  kSetCategory = 1u << 3,
  kSortedSetCategory = 1u << 4,
  kListCategory = 1u << 5,
  kHashCategory = 1u << 6,
  kStringCategory = 1u << 7,
  kBitmapCategory = 1u << 8,
  kHyperLogLogCategory = 1u << 9,
  kGeoCategory = 1u << 10,
  kStreamCategory = 1u << 11,
  kPubsubCategory = 1u << 12,
  kAdminCategory = 1u << 13,
  kFastCategory = 1u << 14,
  kSlowCategory = 1u << 15,
  kBlockingCategory = 1u << 16,
  kDangerousCategory = 1u << 17,
  kConnectionCategory = 1u << 18,
  kTransactionCategory = 1u << 19,
  kScriptingCategory = 1u << 20,
};

// How a command uses a key, with Redis's names in COMMAND INFO: what it does to the key as a whole
// (read only, read and write, overwrite, remove) and to its data.
enum KeyUse : uint16_t {
  kKeyRo = 1u << 0,
  kKeyRw = 1u << 1,
  kKeyOw = 1u << 2,
  kKeyRm = 1u << 3,
  kKeyAccess = 1u << 4,
  kKeyUpdate = 1u << 5,
  kKeyInsert = 1u << 6,
  kKeyDelete = 1u << 7,
  kKeyVariable = 1u << 8,  // Depends on the options.
};

// Where the keys stand in the argument list (COMMAND INFO, COMMAND GETKEYS, prefetch, later ACL).
struct KeyPositions {
  int first = 0;  // 0 = the command has no keys.
  int last = 0;   // Negative counts from the end: -1 is the last argument.
  int step = 0;
  uint16_t use = 0;
  uint16_t second_use = 0;  // Of the second key, where it differs: RENAME, COPY.
};

struct CommandSpec {
  std::string_view name = {};     // Lower case. A subcommand has its own name only ("id").
  std::string_view summary = {};  // Our own words, one sentence.
  std::string_view since = {};    // First version of Redis, or of HotKV for its own commands.
  std::string_view group = {};    // "string", "generic", "connection", "server", "lock" ...
  std::string_view complexity = {};
  int arity = 0;               // As Redis: counts the name; -n = at least n.
  std::string_view tips = {};  // Hints for proxies and cluster clients, separated by blanks.
  uint32_t flags = 0;
  uint32_t categories = 0;  // Those that the flags imply are added by CommandTable.
  KeyPositions keys = {};
  std::span<const Arg> grammar = {};
  Handler handler = nullptr;  // Null for a container that only has subcommands.
  std::span<const CommandSpec> subcommands = {};
  // Set by CommandTable: an index for statistics, and whether the command only touches data, so
  // that no session or server state but the usual checks bears on it.
  uint16_t id = 0;
  bool is_plain = false;

  bool accepts(size_t argument_count) const {
    auto n = static_cast<int64_t>(argument_count);
    return arity >= 0 ? n == arity : n >= -arity;
  }
};

}  // namespace hotkv
