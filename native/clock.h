// Clock: the host's reading of time, handed to the machine as Now and as cheap ticks.
//
// `mono` is CLOCK_MONOTONIC, read afresh for each step (one vDSO call). `wall` is mono plus an
// offset that refresh() measures once per turn of the loop, so a step pays for one clock, and a
// jump of the system's time is seen at the next turn.
//
// ticks_us() is for statistics only (SPEC: Server). On x86-64 with an invariant time-stamp counter
// it costs a third of a clock call; the counter is scaled by what refresh() has measured, and
// stands in for the clock only after kCalibrationUs of measuring. Elsewhere it is the clock.
#pragma once

#include <cstdint>

#include "core/base/time.h"

namespace hotkv {

class Clock {
 public:
  static constexpr int64_t kCalibrationUs = 20000;

  Clock();

  void refresh();  // Once per turn of the loop.
  Now now() const;

  uint64_t ticks_us() const;
  // In the shape that NodeSetup::ticks_us wants; `clock` is a Clock.
  static uint64_t read_ticks(void* clock) { return static_cast<Clock*>(clock)->ticks_us(); }

 private:
  void calibrate(int64_t mono_us);

  int64_t wall_offset_us_ = 0;
  bool counter_usable_ = false;  // The processor's counter runs at one rate at all times.
  bool counter_scaled_ = false;
  // ticks = base_us_ + (counter - base_counter_) * scale_ / 2^32
  uint64_t base_counter_ = 0;
  uint64_t base_us_ = 0;
  uint64_t scale_ = 0;
  uint64_t sample_counter_ = 0;  // Where the present measurement began.
  int64_t sample_us_ = 0;
};

}  // namespace hotkv
