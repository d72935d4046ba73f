#include "web/view/trace_follower.h"

namespace hotkv::view {

void TraceFollower::follow(Bytes trace) {
  for (Event& e : read_trace(trace.substr(read_))) events_.push_back(std::move(e));
  read_ = trace.size();
}

FactSheet TraceFollower::facts(const std::string& id, Time at) {
  return facts_of(events_, playback_.frame(events_, at), id);
}

}  // namespace hotkv::view
