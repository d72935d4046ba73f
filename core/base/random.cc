#include "core/base/random.h"

#include "core/base/check.h"

namespace hotkv {

namespace {

uint64_t rotate_left(uint64_t x, int k) { return x << k | x >> (64 - k); }

uint64_t splitmix64(uint64_t& state) {
  state += 0x9e3779b97f4a7c15;
  uint64_t z = state;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

}  // namespace

uint64_t mix64(uint64_t x) { return splitmix64(x); }

Random::Random(uint64_t seed, uint64_t stream) {
  uint64_t state = seed ^ mix64(stream);
  for (uint64_t& word : state_) word = splitmix64(state);
}

uint64_t Random::next() {
  uint64_t result = rotate_left(state_[1] * 5, 7) * 9;
  uint64_t t = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= t;
  state_[3] = rotate_left(state_[3], 45);
  return result;
}

uint64_t Random::below(uint64_t bound) {
  HOTKV_CHECK(bound > 0);
  // Numbers under the remainder of 2^64 would favour small results: drawn again.
  uint64_t unfair = (0 - bound) % bound;
  uint64_t x = next();
  while (x < unfair) x = next();
  return x % bound;
}

int64_t Random::between(int64_t low, int64_t high) {
  HOTKV_CHECK(low <= high);
  uint64_t span = static_cast<uint64_t>(high) - static_cast<uint64_t>(low) + 1;
  uint64_t x = span == 0 ? next() : below(span);
  return static_cast<int64_t>(static_cast<uint64_t>(low) + x);
}

std::string Random::hex(int length) {
  static constexpr char kHex[] = "0123456789abcdef";
  std::string out;
  for (int i = 0; i < length; i++) out += kHex[next() >> 60];
  return out;
}

}  // namespace hotkv
