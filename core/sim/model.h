// Model: what a single node must answer, written independently of it over a std::map.
//
// It is fed the commands in the order in which the node executed them, with their time, and says
// what the reply must be. It knows a subset of the commands; a command it does not know is not
// judged, but one that would change data behind its back is never sent by the workload.
// Fencing numbers come from the node; the model checks that they grow with every grant, also over
// restarts, and that a holder keeps its own.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/base/bytes.h"

namespace hotkv::sim {

class Model {
 public:
  // "" when `reply` (RESP2) is right, else what is wrong with it.
  std::string judge(const std::vector<std::string>& words, Bytes reply, int64_t wall_ms);
  void lose_everything() { keys_.clear(); }  // The node was killed; nothing is persisted yet.
  // Live keys as (key, value, deadline).
  struct Key {
    std::string value;
    int64_t deadline_ms = INT64_MAX;
    uint64_t number = 0;
  };
  std::map<std::string, Key> live(int64_t wall_ms) const;

 private:
  Key* find(const std::string& key);
  std::string set(const std::vector<std::string>& words);
  std::string lock(const std::vector<std::string>& words, Bytes reply, std::string& wrong);
  std::string delete_if(const std::string& key, Bytes condition, const std::string& operand);
  std::string add(const std::string& key, int64_t delta);

  std::map<std::string, Key> keys_;
  int64_t now_ms_ = 0;
  uint64_t greatest_number_ = 0;
};

}  // namespace hotkv::sim
