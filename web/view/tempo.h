// Tempo: how long a reader looks at each stretch of simulated time.
//
// Simulated time has gaps of microseconds and of half a minute; played true to scale the first
// could not be seen and the second would have to be sat out. Each gap between two instants at which
// something happens takes clamp(k * log1p(gap in ms), 0.25 s, 1.6 s) of reading time. The mapping
// is monotonic and continuous, so any instant has one place; it is the axis of the timeline and of
// the sequence, and the clock of Play at speed 1.
#pragma once

#include <vector>

#include "web/view/trace_reader.h"

namespace hotkv::view {

class Tempo {
 public:
  // From this gap on a view shows a tear with its length instead of empty space.
  static constexpr int64_t kTearUs = 2000000;

  Tempo() = default;
  explicit Tempo(const std::vector<Event>& events);

  double seconds_at(Time at) const;  // Of reading; clamped to the trace.
  Time time_at(double seconds) const;
  double length_s() const { return seconds_.empty() ? 0 : seconds_.back(); }
  Time end() const { return instants_.empty() ? Time() : instants_.back(); }

  struct Tear {
    Time from, to;
  };
  std::vector<Tear> tears() const;

 private:
  std::vector<Time> instants_;  // Rising, each once.
  std::vector<double> seconds_;
};

}  // namespace hotkv::view
