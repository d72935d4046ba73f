// Workload: a random life of clients and one node, from one number.
//
// Every option is drawn from the seed (swarm testing): how many clients and keys, which commands,
// how long values and times to live are, which faults happen. First a safety phase with faults,
// then a liveness phase in which everything is healed and every client must get an answer. Checks:
// the model (replies), equal data in node and model, the effect log replayed into a fresh node.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/sim/model.h"
#include "core/sim/world.h"

namespace hotkv::sim {

class Workload {
 public:
  Workload(uint64_t seed, int64_t seconds);

  // Runs to the end; "" or what went wrong.
  std::string run();
  uint64_t digest() const { return world_.digest(); }
  uint64_t commands() const { return judged_; }
  const std::string& trace_text() const { return world_.trace_text(); }
  void keep_trace() { world_.keep_trace(true); }

 private:
  enum class Want : uint8_t { kThink, kAnswer, kNothing };
  struct Actor {
    Random random{0};
    uint64_t timer = 0;
    uint64_t request = 0;
    int in_multi = 0;  // Commands still to queue; 0 = not in MULTI.
    int pings = 0;     // Answers in the liveness phase.
  };

  void observe(Bytes line);
  void act(int client);
  std::vector<std::string> draw_command(Actor& actor);
  void fault();
  void plan(int client, Duration delay);
  void take_outcomes();
  std::string compare_data();
  std::string replay_effects();
  std::string check_liveness();

  Random random_;
  World world_;
  Model model_;
  int64_t seconds_;
  bool safety_ = true;
  int keys_ = 1;
  int64_t ttl_ms_max_ = 1000;
  size_t value_max_ = 16;
  uint32_t mix_ = 0;  // Which kinds of commands this seed sends.
  int faults_per_minute_ = 0;
  uint64_t fault_timer_ = 0;
  std::vector<Actor> actors_;
  std::string failure_;
  uint64_t judged_ = 0;
};

}  // namespace hotkv::sim
