// Scenario: a lesson file as data. The grammar is decision 0003; the run is lesson.h.
//
// Nothing in here is a reply: `expect` is kept for tests only, and strip_expectations() takes it
// out of what is shipped. A line that does not fit is an error that names the line and the word.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/base/bytes.h"
#include "core/base/result.h"
#include "core/sim/world.h"

namespace hotkv::sim {

struct Scenario {
  struct Client {
    std::string id, name;
  };
  struct Database {
    std::string id;
    Duration latency;
    int workers = 1;
  };
  struct Link {
    std::string client, node;
    Latency latency;
  };
  struct Counter {
    std::string id;
    // Alternatives of (command name, words that must occur).
    std::vector<std::vector<std::string>> patterns;
    std::string client;  // Empty: all.
    std::string step;    // Empty: everywhere.
    bool until_first_ok = false;
  };
  struct Invariant {
    std::string id, text;
    std::string from;  // The step from whose begin on it is watched; empty: always.
  };
  struct Action {
    enum class Kind : uint8_t {
      kCommand,
      kRun,
      kWait,
      kKill,
      kRestart,
      kPause,
      kClock,
      kCut,
      kHeal
    };
    Kind kind = Kind::kCommand;
    std::string target;  // Client or node; for cut and heal the client. "C*": all such clients.
    std::string second;  // kCommand: the node, empty = the first. Cut and heal: the node.
    std::string line;    // kCommand: with {parameters}. kRun: the recipe and its arguments.
    std::string ms;      // kWait, kPause, kClock: a number or {parameter}.
  };
  struct Step {
    std::string id;
    std::vector<Action> actions;
    std::string expect;  // Of the last action.
  };
  struct Try {
    std::string id;
    std::string after;  // Empty: from the start, without steps.
    std::vector<Action> actions;
  };
  struct Goal {  // Reached by a reply or, where `invariant` is set, when that breaks.
    std::string id, client, command, reply, not_released, invariant;
  };

  std::string id;
  uint64_t version = 0;
  uint64_t seed = 0;
  std::vector<std::string> nodes;
  std::vector<Database> databases;
  std::vector<Client> clients;
  std::vector<Link> links;
  std::vector<std::pair<std::string, std::string>> params;
  std::vector<Counter> counters;
  std::vector<Invariant> invariants;
  std::vector<Step> steps;
  std::vector<Try> tries;
  std::vector<Goal> goals;
};

Result<Scenario> parse_scenario(Bytes text);
Status check_scenario(const Scenario& scenario);  // Part of parse_scenario.

// The file as visitors get it: without `expect` and comments.
std::string strip_expectations(Bytes text);

}  // namespace hotkv::sim
