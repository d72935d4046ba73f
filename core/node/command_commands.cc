// COMMAND: the command table as clients see it.
#include <algorithm>

#include "core/command/spec_names.h"
#include "core/node/help.h"
#include "core/node/server.h"

namespace hotkv {

namespace {

void write_names(ReplyWriter& reply, uint32_t bits, std::span<const NamedBit> names) {
  int64_t n = 0;
  visit_names(bits, names, [&](Bytes) { n++; });
  reply.set(n);
  visit_names(bits, names, [&](Bytes name) { reply.simple(name); });
}

void write_tips(ReplyWriter& reply, Bytes tips) {
  int64_t n = tips.empty() ? 0 : 1;
  for (char c : tips) n += c == ' ';
  reply.set(n);
  while (!tips.empty()) {
    Bytes tip = tips.substr(0, tips.find(' '));
    reply.bulk(tip);
    tips.remove_prefix(std::min(tips.size(), tip.size() + 1));
  }
}

std::string full_name(const CommandSpec& spec, const CommandSpec* container) {
  return container ? std::string(container->name) + "|" + std::string(spec.name)
                   : std::string(spec.name);
}

// One key specification (COMMAND INFO's ninth field): where the keys start and how they repeat.
// `last` counts from the first key, or from the end of the arguments when negative.
void write_key_specification(ReplyWriter& reply, uint16_t use, int first, int last, int step) {
  reply.map(3);
  reply.bulk("flags");
  write_names(reply, use, key_use_names());
  reply.bulk("begin_search");
  reply.map(2);
  reply.bulk("type");
  reply.bulk("index");
  reply.bulk("spec");
  reply.map(1);
  reply.bulk("index");
  reply.integer(first);
  reply.bulk("find_keys");
  reply.map(2);
  reply.bulk("type");
  reply.bulk("range");
  reply.bulk("spec");
  reply.map(3);
  reply.bulk("lastkey");
  reply.integer(last);
  reply.bulk("keystep");
  reply.integer(step);
  reply.bulk("limit");
  reply.integer(0);
}

void write_key_specifications(ReplyWriter& reply, const KeyPositions& keys) {
  if (keys.first == 0) return reply.set(0);
  if (keys.second_use) {
    reply.set(2);
    write_key_specification(reply, keys.use, keys.first, 0, 1);
    write_key_specification(reply, keys.second_use, keys.last, 0, 1);
    return;
  }
  reply.set(1);
  int last = keys.last < 0 ? keys.last : keys.last - keys.first;
  write_key_specification(reply, keys.use, keys.first, last, keys.step);
}

void write_info(ReplyWriter& reply, const CommandSpec& spec, const CommandSpec* container) {
  reply.array(10);
  reply.bulk(full_name(spec, container));
  reply.integer(spec.arity);
  write_names(reply, spec.flags, flag_names());
  reply.integer(spec.keys.first);
  reply.integer(spec.keys.last);
  reply.integer(spec.keys.step);
  write_names(reply, spec.categories, category_names());
  write_tips(reply, spec.tips);
  write_key_specifications(reply, spec.keys);
  if (spec.subcommands.empty())
    return reply.set(0);  // Redis says "none" as a set, some as an array.
  reply.array(static_cast<int64_t>(spec.subcommands.size()));
  for (const CommandSpec& sub : spec.subcommands) write_info(reply, sub, &spec);
}

void write_arguments(ReplyWriter& reply, std::span<const Arg> args) {
  reply.array(static_cast<int64_t>(args.size()));
  for (const Arg& arg : args) {
    bool flags = arg.is_optional || arg.is_multiple;
    reply.map(2 + (arg.type == ArgType::kKey) + !arg.token.empty() + flags + !arg.of.empty());
    reply.bulk("name");
    reply.bulk(arg.name);
    reply.bulk("type");
    reply.bulk(arg_type_name(arg.type));
    if (arg.type == ArgType::kKey) {
      reply.bulk("key_spec_index");
      reply.integer(0);
    }
    if (!arg.token.empty()) {
      reply.bulk("token");
      reply.bulk(arg.token);
    }
    if (flags) {
      reply.bulk("flags");
      reply.set(arg.is_optional + arg.is_multiple);
      if (arg.is_optional) reply.simple("optional");
      if (arg.is_multiple) reply.simple("multiple");
    }
    if (!arg.of.empty()) {
      reply.bulk("arguments");
      write_arguments(reply, arg.of);
    }
  }
}

void write_docs(ReplyWriter& reply, const CommandSpec& spec, const CommandSpec* container) {
  reply.bulk(full_name(spec, container));
  reply.map(4 + !spec.grammar.empty() + !spec.subcommands.empty());
  reply.bulk("summary");
  reply.bulk(spec.summary);
  reply.bulk("since");
  reply.bulk(spec.since);
  reply.bulk("group");
  reply.bulk(spec.group);
  reply.bulk("complexity");
  reply.bulk(spec.complexity);
  if (!spec.grammar.empty()) {
    reply.bulk("arguments");
    write_arguments(reply, spec.grammar);
  }
  if (!spec.subcommands.empty()) {
    reply.bulk("subcommands");
    reply.map(static_cast<int64_t>(spec.subcommands.size()));
    for (const CommandSpec& sub : spec.subcommands) write_docs(reply, sub, &spec);
  }
}

// A command by "name" or "container|sub"; `container` is set for the latter.
const CommandSpec* find_named(const CommandTable& table, Bytes name,
                              const CommandSpec*& container) {
  size_t bar = name.find('|');
  const CommandSpec* spec = table.find(name.substr(0, bar));
  container = nullptr;
  if (!spec || bar == Bytes::npos) return spec;
  container = spec;
  return table.find_subcommand(*spec, name.substr(bar + 1));
}

constexpr Arg kNames[] = {text("command-name").maybe().many()};

void all_info(Call& call) {
  auto all = call.server.table.all();
  call.reply.array(static_cast<int64_t>(all.size()));
  for (const CommandSpec* spec : all) write_info(call.reply, *spec, nullptr);
}

void info(Call& call) {
  if (call.count() == 2) return all_info(call);
  call.reply.array(call.count() - 2);
  for (int i = 2; i < call.count(); i++) {
    const CommandSpec* container;
    const CommandSpec* spec = find_named(call.server.table, call.argument(i), container);
    if (spec) {
      write_info(call.reply, *spec, container);
    } else {
      call.reply.null_array();
    }
  }
}

void docs(Call& call) {
  struct Found {
    const CommandSpec* spec;
    const CommandSpec* container;
  };
  std::vector<Found> found;
  if (call.count() == 2) {
    for (const CommandSpec* spec : call.server.table.all()) found.push_back({spec, nullptr});
  }
  for (int i = 2; i < call.count(); i++) {
    Found f;
    f.spec = find_named(call.server.table, call.argument(i), f.container);
    if (f.spec) found.push_back(f);
  }
  call.reply.map(static_cast<int64_t>(found.size()));
  for (const Found& f : found) write_docs(call.reply, *f.spec, f.container);
}

void count_commands(Call& call) {
  call.reply.integer(static_cast<int64_t>(call.server.table.all().size()));
}

constexpr Arg kListFilters[] = {text("module-name").after("MODULE"),
                                text("category").after("ACLCAT"),
                                pattern("pattern").after("PATTERN")};
constexpr Arg kListArgs[] = {one_of("filterby", kListFilters).after("FILTERBY").maybe()};

bool in_category(const CommandSpec& spec, Bytes category) {
  for (const NamedBit& named : category_names()) {
    if (equal_ignoring_case(named.name.substr(1), category)) {
      return (spec.categories & named.bit) != 0;
    }
  }
  return false;
}

void list(Call& call) {
  Bytes by, value;
  if (call.count() == 5 && equal_ignoring_case(call.argument(2), "filterby")) {
    by = call.argument(3);
    value = call.argument(4);
    if (!equal_ignoring_case(by, "module") && !equal_ignoring_case(by, "aclcat") &&
        !equal_ignoring_case(by, "pattern")) {
      return call.reply.error(errors::kSyntax);
    }
  } else if (call.count() != 2) {
    return call.reply.error(errors::kSyntax);
  }
  std::vector<std::string> names;
  auto consider = [&](const CommandSpec& spec, const CommandSpec* container) {
    std::string name = full_name(spec, container);
    bool wanted = by.empty();
    if (equal_ignoring_case(by, "aclcat")) wanted = in_category(spec, value);
    if (equal_ignoring_case(by, "pattern")) wanted = glob_match(value, name, true);
    if (wanted) names.push_back(std::move(name));
  };
  for (const CommandSpec* spec : call.server.table.all()) {
    consider(*spec, nullptr);
    // The plain list has the top level only; a filter looks at subcommands, too.
    for (const CommandSpec& sub : spec->subcommands) {
      if (!by.empty()) consider(sub, spec);
    }
  }
  call.reply.array(static_cast<int64_t>(names.size()));
  for (const std::string& name : names) call.reply.bulk(name);
}

constexpr Arg kGetKeysArgs[] = {text("command"), text("arg").many()};

// Indexes of the keys in arguments[2..]; false when the error reply is written.
bool find_keys(Call& call, std::vector<int>& keys, const CommandSpec*& spec) {
  std::span<const Bytes> arguments = call.arguments.subspan(2);
  const CommandTable& table = call.server.table;
  spec = table.find(arguments[0]);
  int first = 1;
  if (spec && !spec->subcommands.empty()) {
    spec = table.find_subcommand(*spec, arguments[1]);
    first = 2;
  }
  if (!spec) {
    call.reply.error("ERR Invalid command specified");
    return false;
  }
  if (spec->keys.first == 0 && !(spec->flags & kMovableKeys)) {
    call.reply.error("ERR The command has no key arguments");
    return false;
  }
  if (!spec->accepts(arguments.size())) {
    call.reply.error("ERR Invalid number of arguments specified for command");
    return false;
  }
  if (spec->flags & kMovableKeys) {
    if (hotkv::find_keys(spec->grammar, arguments, keys, first)) return true;
    call.reply.error("ERR Invalid arguments specified for command");
    return false;
  }
  int count = static_cast<int>(arguments.size());
  int last = spec->keys.last < 0 ? count + spec->keys.last : spec->keys.last;
  for (int i = spec->keys.first; i <= last; i += spec->keys.step) keys.push_back(i);
  return true;
}

void get_keys(Call& call) {
  std::vector<int> keys;
  const CommandSpec* spec;
  if (!find_keys(call, keys, spec)) return;
  call.reply.array(static_cast<int64_t>(keys.size()));
  for (int i : keys) call.reply.bulk(call.argument(2 + i));
}

void get_keys_and_flags(Call& call) {
  std::vector<int> keys;
  const CommandSpec* spec;
  if (!find_keys(call, keys, spec)) return;
  call.reply.array(static_cast<int64_t>(keys.size()));
  for (int i : keys) {
    bool is_second = i != keys[0] && spec->keys.second_use;
    uint32_t use = is_second ? spec->keys.second_use : spec->keys.use;
    // Keys behind a count have no positions to say it at.
    if (!use) use = spec->flags & kWrite ? kKeyRw : kKeyRo;
    call.reply.array(2);
    call.reply.bulk(call.argument(2 + i));
    write_names(call.reply, use, key_use_names());
  }
}

void help(Call& call) { write_help(call, command_commands()[0]); }

constexpr uint32_t kUsual = kLoading | kStale;
constexpr uint32_t kCategories = kSlowCategory | kConnectionCategory;

constexpr CommandSpec kSubcommands[] = {
    {.name = "count",
     .summary = "Answers how many commands there are.",
     .since = "2.8.13",
     .group = "server",
     .complexity = "O(1)",
     .arity = 2,
     .flags = kUsual,
     .categories = kCategories,
     .handler = count_commands},
    {.name = "docs",
     .summary = "Documents commands: summary, group, arguments.",
     .since = "7.0.0",
     .group = "server",
     .complexity = "O(N) in the number of commands.",
     .arity = -2,
     .tips = "nondeterministic_output_order",
     .flags = kUsual,
     .categories = kCategories,
     .grammar = kNames,
     .handler = docs},
    {.name = "getkeys",
     .summary = "Finds the keys in a whole command.",
     .since = "2.8.13",
     .group = "server",
     .complexity = "O(N) in the number of arguments.",
     .arity = -4,
     .flags = kUsual,
     .categories = kCategories,
     .grammar = kGetKeysArgs,
     .handler = get_keys},
    {.name = "getkeysandflags",
     .summary = "Finds the keys in a whole command and how it uses them.",
     .since = "7.0.0",
     .group = "server",
     .complexity = "O(N) in the number of arguments.",
     .arity = -4,
     .flags = kUsual,
     .categories = kCategories,
     .grammar = kGetKeysArgs,
     .handler = get_keys_and_flags},
    {.name = "help",
     .summary = "Lists the subcommands.",
     .since = "5.0.0",
     .group = "server",
     .complexity = "O(1)",
     .arity = 2,
     .flags = kUsual,
     .categories = kCategories,
     .handler = help},
    {.name = "info",
     .summary = "Describes commands: arity, flags, key positions.",
     .since = "2.8.13",
     .group = "server",
     .complexity = "O(N) in the number of commands.",
     .arity = -2,
     .tips = "nondeterministic_output_order",
     .flags = kUsual,
     .categories = kCategories,
     .grammar = kNames,
     .handler = info},
    {.name = "list",
     .summary = "Lists command names, all or by a filter.",
     .since = "7.0.0",
     .group = "server",
     .complexity = "O(N) in the number of commands.",
     .arity = -2,
     .tips = "nondeterministic_output_order",
     .flags = kUsual,
     .categories = kCategories,
     .grammar = kListArgs,
     .handler = list},
};

constexpr CommandSpec kCommands[] = {
    {.name = "command",
     .summary = "Describes all commands.",
     .since = "2.8.13",
     .group = "server",
     .complexity = "O(N) in the number of commands.",
     .arity = -1,
     .tips = "nondeterministic_output_order",
     .flags = kUsual,
     .categories = kCategories,
     .handler = all_info,
     .subcommands = kSubcommands},
};

}  // namespace

std::span<const CommandSpec> command_commands() { return kCommands; }

}  // namespace hotkv
