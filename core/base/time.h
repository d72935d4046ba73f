// Time as the core knows it: two integers per step, handed in by the host.
//
// `Now` is the only clock of decisions (SPEC: Server). Inside one step time stands still, so one
// command, one script and one EXEC see one instant. All state is in integer microseconds or
// milliseconds; there are no floating-point times.
#pragma once

#include <cstdint>
#include <limits>

namespace hotkv {

struct Duration {
  int64_t us = 0;
  constexpr int64_t ms() const { return us / 1000; }
  friend constexpr bool operator==(Duration a, Duration b) { return a.us == b.us; }
  friend constexpr bool operator<(Duration a, Duration b) { return a.us < b.us; }
  friend constexpr bool operator<=(Duration a, Duration b) { return a.us <= b.us; }
  friend constexpr bool operator>(Duration a, Duration b) { return a.us > b.us; }
  friend constexpr bool operator>=(Duration a, Duration b) { return a.us >= b.us; }
  friend constexpr Duration operator+(Duration a, Duration b) { return {a.us + b.us}; }
  friend constexpr Duration operator-(Duration a, Duration b) { return {a.us - b.us}; }
};
constexpr Duration microseconds(int64_t n) { return {n}; }
constexpr Duration milliseconds(int64_t n) { return {n * 1000}; }
constexpr Duration seconds(int64_t n) { return {n * 1000000}; }

// An instant in microseconds: since an arbitrary start for `mono`, since 1970 for `wall`.
struct Time {
  int64_t us = 0;
  constexpr int64_t ms() const { return us / 1000; }
  constexpr int64_t seconds() const { return us / 1000000; }
  static constexpr Time never() { return {std::numeric_limits<int64_t>::max()}; }
  friend constexpr bool operator==(Time a, Time b) { return a.us == b.us; }
  friend constexpr bool operator!=(Time a, Time b) { return a.us != b.us; }
  friend constexpr bool operator<(Time a, Time b) { return a.us < b.us; }
  friend constexpr bool operator<=(Time a, Time b) { return a.us <= b.us; }
  friend constexpr bool operator>(Time a, Time b) { return a.us > b.us; }
  friend constexpr bool operator>=(Time a, Time b) { return a.us >= b.us; }
  friend constexpr Time operator+(Time t, Duration d) { return {t.us + d.us}; }
  friend constexpr Time operator-(Time t, Duration d) { return {t.us - d.us}; }
  friend constexpr Duration operator-(Time a, Time b) { return {a.us - b.us}; }
};

// One reading of the host's clocks. `mono` never goes back and drives time-outs; `wall` may jump
// and is what key deadlines (Unix milliseconds) are compared with.
struct Now {
  Time mono;
  Time wall;
};

// The deadlines of a machine with a fixed set of timers, named by an enum whose last value is
// kCount. The next deadline is the least entry; nothing is sorted because N is small.
template <class Timer>
class TimerTable {
 public:
  TimerTable() {
    for (Time& t : at_) t = Time::never();
  }
  void set(Timer timer, Time at) { at_[static_cast<int>(timer)] = at; }
  void stop(Timer timer) { set(timer, Time::never()); }
  Time at(Timer timer) const { return at_[static_cast<int>(timer)]; }
  bool due(Timer timer, Time mono) const { return at(timer) <= mono; }
  Time next() const {
    Time least = Time::never();
    for (Time t : at_) least = t < least ? t : least;
    return least;
  }

 private:
  Time at_[static_cast<int>(Timer::kCount)];
};

}  // namespace hotkv
