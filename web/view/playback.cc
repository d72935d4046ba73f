#include "web/view/playback.h"

namespace hotkv::view {

SceneFrame frame(const std::vector<Event>& events, Time at, size_t lines) {
  Playback playback;
  return playback.frame(events, at, lines);
}

SceneFrame Playback::frame(const std::vector<Event>& events, Time at, size_t lines) {
  auto counts = [&](size_t i) { return i < events.size() && i < lines && events[i].at <= at; };
  if (done_ > 0 && !counts(done_ - 1)) {
    fold_ = Fold();
    done_ = 0;
  }
  while (counts(done_)) fold_.apply(events[done_++]);
  return fold_.settle(at);
}

}  // namespace hotkv::view
