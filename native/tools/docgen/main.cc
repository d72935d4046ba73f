// hotkv-docgen: prints the tables of the engine as JSON, for the site's reference.
//
//   {"commands": [...], "options": [...], "metrics": [...], "events": [...]}
//
// Everything is read from the tables that the engine itself runs on; there is no other source.
// Commands are those that can be called: a subcommand stands under its full name, a container that
// only has subcommands does not stand for itself.
#include <iostream>
#include <nlohmann/json.hpp>

#include "core/command/arguments.h"
#include "core/command/spec_names.h"
#include "core/node/metrics.h"
#include "core/node/server.h"
#include "core/sim/events.h"
#include "core/trace/events.h"

namespace hotkv {
namespace {

using Json = nlohmann::ordered_json;

Json names(uint32_t bits, std::span<const NamedBit> table) {
  Json list = Json::array();
  visit_names(bits, table, [&](Bytes name) { list.push_back(name); });
  return list;
}

Json arguments(std::span<const Arg> grammar) {
  Json list = Json::array();
  for (const Arg& arg : grammar) {
    Json entry = {{"name", arg.name}, {"type", arg_type_name(arg.type)}};
    if (!arg.token.empty()) entry["token"] = arg.token;
    if (arg.is_optional) entry["optional"] = true;
    if (arg.is_multiple) entry["multiple"] = true;
    if (!arg.of.empty()) entry["arguments"] = arguments(arg.of);
    list.push_back(entry);
  }
  return list;
}

Json command(const CommandSpec& spec, const CommandSpec* container) {
  std::string name = upper_case(spec.name);
  if (container) name = upper_case(container->name) + " " + name;
  std::string synopsis = print_synopsis(spec.grammar);
  Json entry = {{"name", name},
                {"syntax", synopsis.empty() ? name : name + " " + synopsis},
                {"summary", spec.summary},
                {"since", spec.since},
                {"group", spec.group},
                {"complexity", spec.complexity},
                {"arity", spec.arity},
                {"flags", names(spec.flags, flag_names())},
                {"categories", names(spec.categories, category_names())},
                {"arguments", arguments(spec.grammar)}};
  if (spec.keys.first) {
    entry["keys"] = {
        {"first", spec.keys.first}, {"last", spec.keys.last}, {"step", spec.keys.step}};
  }
  if (container) entry["container"] = upper_case(container->name);
  return entry;
}

Json commands() {
  Json list = Json::array();
  for (const CommandSpec* spec : all_commands().all()) {
    if (spec->handler) list.push_back(command(*spec, nullptr));
    for (const CommandSpec& sub : spec->subcommands) list.push_back(command(sub, spec));
  }
  return list;
}

const char* option_type(OptionType type) {
  switch (type) {
    case OptionType::kText: return "text";
    case OptionType::kBool: return "yes or no";
    case OptionType::kInteger: return "integer";
    case OptionType::kMemory: return "memory size";
    case OptionType::kChoice: return "choice";
    case OptionType::kOctal: return "octal";
  }
  return "text";
}

Json options() {
  Json list = Json::array();
  for (const OptionSpec& option : option_table()) {
    Json entry = {{"name", option.name},
                  {"type", option_type(option.type)},
                  {"default", option.standard},
                  {"summary", option.summary},
                  {"at_run_time", (option.flags & kStartOnly) == 0}};
    if (option.flags & kProtectedOption) entry["protected"] = true;
    if (!option.choices.empty()) entry["choices"] = option.choices;
    if (option.type == OptionType::kInteger || option.type == OptionType::kMemory) {
      entry["least"] = option.least;
      if (option.greatest != INT64_MAX) entry["greatest"] = option.greatest;
    }
    list.push_back(entry);
  }
  return list;
}

Json metrics() {
  constexpr const char* kKinds[] = {"counter", "gauge", "text"};
  Json list = Json::array();
  for (const MetricSpec& metric : metric_table()) {
    Json entry = {{"section", metric.section},
                  {"field", metric.field},
                  {"kind", kKinds[static_cast<int>(metric.kind)]},
                  {"summary", metric.summary}};
    if (!metric.prometheus.empty()) entry["prometheus"] = "hotkv_" + std::string(metric.prometheus);
    list.push_back(entry);
  }
  return list;
}

// A visitor of an event's fields that keeps their names and types.
struct FieldTypes {
  Json list = Json::array();
  void add(Bytes name, const char* type) { list.push_back({{"name", name}, {"type", type}}); }
  void operator()(Bytes name, Bytes) { add(name, "bytes"); }
  void operator()(Bytes name, int64_t) { add(name, "integer"); }
  void operator()(Bytes name, uint64_t) { add(name, "integer"); }
  void operator()(Bytes name, int) { add(name, "integer"); }
  void operator()(Bytes name, bool) { add(name, "boolean"); }
};

template <class Event>
Json event() {
  Event sample{};
  // This field is left out of an event when it is zero.
  if constexpr (requires { sample.lock_number; }) sample.lock_number = 1;
  FieldTypes fields;
  sample.fields(fields);
  return {{"name", Event::kName}, {"kind", kind_name(Event::kKind)}, {"fields", fields.list}};
}

template <class... Events>
void add_events(Json& list, trace::EventList<Events...>) {
  (list.push_back(event<Events>()), ...);
}

Json events() {
  Json list = Json::array();
  add_events(list, trace::NodeEvents());
  add_events(list, trace::SimulationEvents());
  return list;
}

}  // namespace
}  // namespace hotkv

int main() {
  nlohmann::ordered_json reference = {{"commands", hotkv::commands()},
                                      {"options", hotkv::options()},
                                      {"metrics", hotkv::metrics()},
                                      {"events", hotkv::events()}};
  std::cout << reference.dump(1) << "\n";
  return std::cout.good() ? 0 : 1;
}
