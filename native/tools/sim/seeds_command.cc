#include <cstdio>
#include <ctime>

#include "core/sim/workload.h"
#include "native/tools/sim/commands.h"

namespace hotkv {

namespace {

using Seed = unsigned long long;

struct Outcome {
  std::string failure;
  uint64_t digest = 0;
  uint64_t commands = 0;
};

Outcome run_once(uint64_t seed, uint64_t seconds) {
  sim::Workload workload(seed, static_cast<int64_t>(seconds));
  Outcome outcome;
  outcome.failure = workload.run();
  outcome.digest = workload.digest();
  outcome.commands = workload.commands();
  return outcome;
}

int run_single(const SimArguments& arguments) {
  if (arguments.trace) {
    sim::Workload workload(arguments.seed, static_cast<int64_t>(arguments.seconds));
    workload.keep_trace();
    std::string failure = workload.run();
    std::fputs(workload.trace_text().c_str(), stdout);
    if (!failure.empty()) std::fprintf(stderr, "hotkv-sim: %s\n", failure.c_str());
    return failure.empty() ? 0 : 1;
  }
  Outcome outcome = run_once(arguments.seed, arguments.seconds);
  std::printf("seed %llu digest %016llx\n", (Seed)arguments.seed, (Seed)outcome.digest);
  if (!outcome.failure.empty()) std::fprintf(stderr, "hotkv-sim: %s\n", outcome.failure.c_str());
  return outcome.failure.empty() ? 0 : 1;
}

}  // namespace

int run_seeds(const SimArguments& arguments) {
  if (arguments.seeds == 0) return run_single(arguments);
  uint64_t last = arguments.first + arguments.seeds - 1;
  std::printf("seeds %llu to %llu, %llu virtual seconds each, each run twice\n",
              (Seed)arguments.first, (Seed)last, (Seed)arguments.seconds);
  uint64_t failures = 0, commands = 0;
  std::clock_t begin = std::clock();
  for (uint64_t seed = arguments.first; seed <= last; seed++) {
    Outcome first = run_once(seed, arguments.seconds), second = run_once(seed, arguments.seconds);
    commands += first.commands + second.commands;
    if (first.failure.empty() && first.digest != second.digest) {
      first.failure = "two runs of the same seed differ";
    }
    if (!first.failure.empty()) {
      failures++;
      std::printf("seed %llu: %s\n  again: hotkv-sim --seed %llu --seconds %llu --trace json\n",
                  (Seed)seed, first.failure.c_str(), (Seed)seed, (Seed)arguments.seconds);
    }
    if (seed % 50 == 0) {
      std::printf("... seed %llu\n", (Seed)seed);
      std::fflush(stdout);
    }
  }
  double cpu_s = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  std::printf("%llu seeds, %llu commands judged, %.1f s of CPU, %llu failed\n",
              (Seed)arguments.seeds, (Seed)commands, cpu_s, (Seed)failures);
  return failures == 0 ? 0 : 1;
}

}  // namespace hotkv
