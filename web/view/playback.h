// Playback: the picture as a pure function of trace and time.
//
// `frame(events, t)` folds the events up to t and places what is between events: a message lies on
// the straight line from `sent` to `due`; a key's ring is what is left of the time it was given. A
// cut link freezes what is on it. Nothing is remembered from one call to the next, so seeking back
// is the same as never having been later.
//
// Two events may share an instant: `lines` cuts there (only the first `lines` events count), which
// is how a view shows the state between them.
#pragma once

#include <vector>

#include "web/view/fold.h"
#include "web/view/scene.h"
#include "web/view/trace_reader.h"

namespace hotkv::view {

SceneFrame frame(const std::vector<Event>& events, Time at, size_t lines = SIZE_MAX);

// The same function, quicker where time goes forward: it goes on from the last call's event.
class Playback {
 public:
  // REQUIRES: the same events each time.
  SceneFrame frame(const std::vector<Event>& events, Time at, size_t lines = SIZE_MAX);

 private:
  Fold fold_;
  size_t done_ = 0;
};

}  // namespace hotkv::view
