// hotkv-cli --latency.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <thread>

#include "native/cli/interrupt.h"
#include "native/cli/shell.h"

namespace hotkv::cli {

namespace {

struct Round {
  double least_ms = 0, greatest_ms = 0, sum_ms = 0;
  long long samples = 0;

  void add(double ms) {
    least_ms = samples == 0 ? ms : std::min(least_ms, ms);
    greatest_ms = std::max(greatest_ms, ms);
    sum_ms += ms;
    samples++;
  }
  void print(const char* format) const {
    std::printf(format, least_ms, greatest_ms, sum_ms / static_cast<double>(samples), samples);
    std::fflush(stdout);
  }
};

const char* format_of(ReplyStyle style) {
  if (style == ReplyStyle::kRaw) return "%.3f %.3f %.3f %lld\n";
  if (style == ReplyStyle::kJson) {
    return "{\"min_ms\": %.3f, \"max_ms\": %.3f, \"avg_ms\": %.3f, \"count\": %lld}\n";
  }
  return "min: %.3f ms, max: %.3f ms, avg: %.3f ms (%lld samples)\n";
}

}  // namespace

int run_latency(Shell& shell, const Settings& settings) {
  using Clock = std::chrono::steady_clock;
  constexpr auto kPause = std::chrono::milliseconds(10);  // Between two samples, as redis-cli.
  const bool live = ::isatty(STDOUT_FILENO) != 0;
  const std::chrono::duration<double> wanted(settings.interval_s > 0 ? settings.interval_s : 1);
  const auto begin = Clock::now();
  Round round;
  catch_interrupts();
  for (bool more = true; more;) {
    double ms = 0;
    if (!shell.measure_ms(ms)) return 1;
    round.add(ms);
    // The line is written over itself until the measurement ends.
    if (live) round.print("\r\x1b[Kmin: %.3f ms, max: %.3f ms, avg: %.3f ms (%lld samples)");
    std::this_thread::sleep_for(kPause);
    more = !take_interrupt() && (live || Clock::now() - begin < wanted);
  }
  if (live) std::printf("\r\x1b[K");
  round.print(format_of(live ? ReplyStyle::kTerminal : settings.style));
  return 0;
}

}  // namespace hotkv::cli
