// TraceFollower: a trace that grows, and what it says about each thing.
//
// Lines are read once, however often it is asked. It follows one run: whoever starts another takes
// a new one.
#pragma once

#include "web/view/facts.h"
#include "web/view/playback.h"

namespace hotkv::view {

class TraceFollower {
 public:
  // The whole trace so far, which ends with a whole line.
  void follow(Bytes trace);
  // REQUIRES: `at` is not before the last event.
  FactSheet facts(const std::string& id, Time at);

 private:
  size_t read_ = 0;
  std::vector<Event> events_;
  Playback playback_;
};

}  // namespace hotkv::view
