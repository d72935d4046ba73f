// hotkv-sim: runs lessons, replays recordings and searches for faults with random workloads.
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

#include "core/sim/lesson.h"
#include "native/tools/sim/commands.h"

namespace {

constexpr const char* kUsage =
    "hotkv-sim --scenario FILE [--seed N] [--try NAME] [--param NAME=VALUE]... [--inputs X]\n"
    "          [--transcript] [--trace json] [--digest]\n"
    "                                   run a lesson; exit 0 if every expectation holds.\n"
    "                                   X: what a visitor did, as in the links of the page\n"
    "hotkv-sim --seeds N [--first SEED] [--seconds S]   random workloads, each seed twice\n"
    "hotkv-sim --seed N [--seconds S] --digest          one random workload and its digest\n"
    "hotkv-sim --replay FILE                            a recording of hotkv-server --record\n";

bool next_value(int argc, char** argv, int& i, std::string& value) {
  if (i + 1 >= argc) {
    std::fprintf(stderr, "hotkv-sim: %s needs a value\n", argv[i]);
    return false;
  }
  value = argv[++i];
  return true;
}

bool next_number(int argc, char** argv, int& i, uint64_t& value) {
  const char* name = argv[i];
  std::string text;
  if (!next_value(argc, argv, i, text)) return false;
  char* end = nullptr;
  value = std::strtoull(text.c_str(), &end, 10);
  if (!text.empty() && *end == '\0') return true;
  std::fprintf(stderr, "hotkv-sim: %s takes a number, not '%s'\n", name, text.c_str());
  return false;
}

bool parse(int argc, char** argv, hotkv::SimArguments& a) {
  for (int i = 1; i < argc; i++) {
    std::string word = argv[i], value;
    bool ok = true;
    if (word == "--scenario")
      ok = next_value(argc, argv, i, a.scenario);
    else if (word == "--replay")
      ok = next_value(argc, argv, i, a.replay);
    else if (word == "--try")
      ok = next_value(argc, argv, i, a.attempt);
    else if (word == "--inputs")
      ok = next_value(argc, argv, i, a.inputs);
    else if (word == "--seed")
      ok = a.has_seed = next_number(argc, argv, i, a.seed);
    else if (word == "--seeds")
      ok = next_number(argc, argv, i, a.seeds);
    else if (word == "--first")
      ok = next_number(argc, argv, i, a.first);
    else if (word == "--seconds")
      ok = next_number(argc, argv, i, a.seconds);
    else if (word == "--transcript")
      a.transcript = true;
    else if (word == "--digest")
      a.digest = true;
    else if (word == "--trace") {
      ok = next_value(argc, argv, i, value);
      if (ok && value != "json") {
        std::fprintf(stderr, "hotkv-sim: --trace knows the format json only\n");
        ok = false;
      }
      a.trace = true;
    } else if (word == "--param") {
      ok = next_value(argc, argv, i, value);
      size_t equals = value.find('=');
      if (ok && equals == std::string::npos) {
        std::fprintf(stderr, "hotkv-sim: --param takes NAME=VALUE\n");
        ok = false;
      }
      if (ok) a.params.emplace_back(value.substr(0, equals), value.substr(equals + 1));
    } else if (word == "--help" || word == "-h") {
      a.help = true;
    } else {
      std::fprintf(stderr, "hotkv-sim: unknown option '%s'\n", word.c_str());
      ok = false;
    }
    if (!ok) return false;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  hotkv::SimArguments arguments;
  if (!parse(argc, argv, arguments)) {
    std::fputs(kUsage, stderr);
    return 2;
  }
  if (arguments.help) {
    std::fputs(kUsage, stdout);
    return 0;
  }
  if (!arguments.scenario.empty()) return hotkv::run_scenario(arguments);
  if (!arguments.replay.empty()) return hotkv::run_replay(arguments);
  if (arguments.seeds > 0 || arguments.has_seed) return hotkv::run_seeds(arguments);
  std::fputs(kUsage, stderr);
  return 2;
}
