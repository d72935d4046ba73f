#include "native/clock.h"

#include <ctime>

#if defined(__x86_64__)
#include <cpuid.h>
#include <x86intrin.h>
#endif

namespace hotkv {

namespace {

int64_t read_us(clockid_t which) {
  timespec t;
  clock_gettime(which, &t);
  return int64_t{t.tv_sec} * 1000000 + t.tv_nsec / 1000;
}

#if defined(__x86_64__)
uint64_t read_counter() { return __rdtsc(); }
bool counter_is_invariant() {
  constexpr unsigned kPowerManagementLeaf = 0x80000007;
  constexpr unsigned kInvariantCounter = 1u << 8;
  unsigned a, b, c, d;
  return __get_cpuid(kPowerManagementLeaf, &a, &b, &c, &d) && (d & kInvariantCounter) != 0;
}
#else
uint64_t read_counter() { return 0; }
bool counter_is_invariant() { return false; }
#endif

}  // namespace

Clock::Clock() : counter_usable_(counter_is_invariant()) {
  sample_us_ = read_us(CLOCK_MONOTONIC);
  sample_counter_ = read_counter();
  refresh();
}

void Clock::refresh() {
  const int64_t mono_us = read_us(CLOCK_MONOTONIC);
  wall_offset_us_ = read_us(CLOCK_REALTIME) - mono_us;
  if (counter_usable_ && mono_us - sample_us_ >= kCalibrationUs) calibrate(mono_us);
}

// The first measurement is short, the later ones last a second or more: the scale soon settles.
void Clock::calibrate(int64_t mono_us) {
  if (counter_scaled_ && mono_us - sample_us_ < 1000000) return;
  const uint64_t counter = read_counter();
  if (counter <= sample_counter_) return;
  const unsigned __int128 elapsed = static_cast<uint64_t>(mono_us - sample_us_);
  base_us_ = counter_scaled_ ? ticks_us() : static_cast<uint64_t>(mono_us);
  base_counter_ = counter;
  scale_ = static_cast<uint64_t>((elapsed << 32) / (counter - sample_counter_));
  counter_scaled_ = true;
  sample_us_ = mono_us;
  sample_counter_ = counter;
}

Now Clock::now() const {
  const int64_t mono_us = read_us(CLOCK_MONOTONIC);
  return {Time{mono_us}, Time{mono_us + wall_offset_us_}};
}

uint64_t Clock::ticks_us() const {
  if (!counter_scaled_) return static_cast<uint64_t>(read_us(CLOCK_MONOTONIC));
  const unsigned __int128 counted = read_counter() - base_counter_;
  return base_us_ + static_cast<uint64_t>((counted * scale_) >> 32);
}

}  // namespace hotkv
