// What hotkv-sim can do, one function each; they print and return the exit code.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace hotkv {

struct SimArguments {
  std::string scenario, replay, attempt, inputs;
  std::vector<std::pair<std::string, std::string>> params;
  uint64_t seed = 0, seeds = 0, first = 1, seconds = 60;
  bool has_seed = false, transcript = false, trace = false, digest = false, help = false;
};

int run_scenario(const SimArguments& arguments);
int run_seeds(const SimArguments& arguments);
int run_replay(const SimArguments& arguments);

}  // namespace hotkv
