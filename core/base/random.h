// Random: our own generator, so that native and wasm draw the same numbers.
//
// xoshiro256** (Blackman and Vigna, public domain algorithm), seeded by splitmix64. One stream per
// node, link and actor keyed by (seed, id): dropping one message does not reshuffle the others.
// Not for secrets; run ids and tokens of a real server are seeded by the host from the system.
#pragma once

#include <cstdint>
#include <string>

namespace hotkv {

class Random {
 public:
  explicit Random(uint64_t seed, uint64_t stream = 0);
  uint64_t next();
  // Uniform in [0, bound), without modulo bias. REQUIRES: bound > 0.
  uint64_t below(uint64_t bound);
  // Uniform in [low, high]. REQUIRES: low <= high.
  int64_t between(int64_t low, int64_t high);
  // True with a probability of `parts` in `whole`; integers keep every platform equal.
  bool chance(uint64_t parts, uint64_t whole) { return below(whole) < parts; }
  // `length` lower-case hexadecimal digits, such as a run id (40).
  std::string hex(int length);

 private:
  uint64_t state_[4];
};

// Mixes one number well; used for stream keys and digests of events.
uint64_t mix64(uint64_t x);

}  // namespace hotkv
