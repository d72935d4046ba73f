#include <cstdio>
#include <fstream>
#include <iterator>

#include "core/sim/input_log.h"
#include "core/sim/lesson.h"
#include "native/tools/sim/commands.h"

namespace hotkv {

namespace {

// A lesson that never rests is a fault of the lesson, not a reason to hang.
constexpr uint64_t kEventsMax = 1000000;

bool knows(const sim::Scenario& scenario, const std::string& name) {
  for (const auto& param : scenario.params) {
    if (param.first == name) return true;
  }
  return false;
}

}  // namespace

int run_scenario(const SimArguments& arguments) {
  std::ifstream file(arguments.scenario, std::ios::binary);
  if (!file) {
    std::fprintf(stderr, "hotkv-sim: cannot read %s\n", arguments.scenario.c_str());
    return 2;
  }
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  auto parsed = sim::parse_scenario(text);
  if (!parsed.ok()) {
    std::fprintf(stderr, "hotkv-sim: %s: %s\n", arguments.scenario.c_str(),
                 parsed.status().message().c_str());
    return 2;
  }
  const sim::Scenario& scenario = parsed.value();
  for (const auto& param : arguments.params) {
    if (knows(scenario, param.first)) continue;
    std::fprintf(stderr, "hotkv-sim: lesson %s has no parameter '%s'\n", scenario.id.c_str(),
                 param.first.c_str());
    return 2;
  }
  uint64_t seed = arguments.has_seed ? arguments.seed : scenario.seed;
  sim::Lesson lesson(scenario, seed, arguments.params);
  if (!arguments.attempt.empty() && !lesson.attempt(arguments.attempt)) {
    std::fprintf(stderr, "hotkv-sim: lesson %s has no what-if '%s'\n", scenario.id.c_str(),
                 arguments.attempt.c_str());
    return 2;
  }
  const sim::InputLog log = sim::read_input_log(arguments.inputs);
  for (const std::string& fault : log.faults) {
    std::fprintf(stderr, "hotkv-sim: --inputs: %s\n", fault.c_str());
  }
  if (!log.faults.empty()) return 2;
  sim::LessonReplay replay(lesson, log.inputs);
  bool quiet = arguments.trace || arguments.transcript || arguments.digest;
  if (!quiet) std::printf("lesson %s seed %llu\n", scenario.id.c_str(), (unsigned long long)seed);
  while (lesson.world().events() < kEventsMax && replay.advance()) {
  }
  if (arguments.trace) std::fputs(lesson.world().trace_text().c_str(), stdout);
  if (arguments.transcript || !quiet) std::fputs(lesson.transcript_text().c_str(), stdout);
  if (arguments.digest || !quiet) std::printf("digest %s\n", lesson.hash().c_str());
  for (const std::string& failure : lesson.failures()) {
    std::fprintf(stderr, "hotkv-sim: %s\n", failure.c_str());
  }
  // A what-if or a visitor may break an invariant on purpose; the lesson itself may not.
  bool broken =
      arguments.attempt.empty() && arguments.inputs.empty() && !lesson.broken_invariants().empty();
  if (broken) {
    std::fprintf(stderr, "hotkv-sim: invariant %s is broken\n",
                 lesson.broken_invariants()[0].c_str());
  }
  return lesson.failures().empty() && !broken && lesson.ended() ? 0 : 1;
}

}  // namespace hotkv
