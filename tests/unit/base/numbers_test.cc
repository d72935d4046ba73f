#include "core/base/numbers.h"

#include <gtest/gtest.h>

#include <cinttypes>
#include <cstdint>
#include <cstdio>

#include "core/base/random.h"

namespace hotkv {
namespace {

TEST(Numbers, ReadsInt64Strictly) {
  struct Case {
    Bytes text;
    int64_t value;
  };
  const Case good[] = {{"0", 0},
                       {"7", 7},
                       {"-1", -1},
                       {"1000000", 1000000},
                       {"9223372036854775807", INT64_MAX},
                       {"-9223372036854775808", INT64_MIN}};
  for (const Case& c : good) {
    int64_t value = 99;
    EXPECT_TRUE(parse_int64(c.text, value)) << c.text;
    EXPECT_EQ(value, c.value);
  }
  for (Bytes bad : {"", "-", "-0", "+1", "01", "-01", "00", " 1", "1 ", "1x", "0x1", "1.0", "--1",
                    "9223372036854775808", "-9223372036854775809", "99999999999999999999",
                    "18446744073709551617", "184467440737095516160"}) {
    int64_t value;
    EXPECT_FALSE(parse_int64(bad, value)) << bad;
  }
  int64_t value;
  EXPECT_FALSE(parse_int64(Bytes("1\0", 2), value));
}

TEST(Numbers, ReadsUint64Strictly) {
  uint64_t value;
  EXPECT_TRUE(parse_uint64("18446744073709551615", value));
  EXPECT_EQ(value, UINT64_MAX);
  for (Bytes bad : {"", "-1", "+1", "01", "18446744073709551616", "28446744073709551615"}) {
    EXPECT_FALSE(parse_uint64(bad, value)) << bad;
  }
}

// The C library is the second opinion; numbers of every length.
TEST(Numbers, WritesIntegersAsTheCLibraryDoes) {
  Random random(21);
  for (int i = 0; i < 20000; i++) {
    auto n = static_cast<int64_t>(random.next() >> random.below(64));
    if (random.chance(1, 2)) n = static_cast<int64_t>(0 - static_cast<uint64_t>(n));
    if (i == 0) n = INT64_MIN;
    char wanted[32];
    std::snprintf(wanted, sizeof(wanted), "%" PRId64, n);
    NumberText text;
    ASSERT_EQ(format_int64(n, text), wanted);
    int64_t back;
    ASSERT_TRUE(parse_int64(wanted, back));
    ASSERT_EQ(back, n);
    std::snprintf(wanted, sizeof(wanted), "%" PRIu64, static_cast<uint64_t>(n));
    ASSERT_EQ(format_uint64(static_cast<uint64_t>(n), text), wanted);
    ASSERT_EQ(decimal_length(static_cast<uint64_t>(n)), static_cast<int>(Bytes(wanted).size()));
  }
}

// What redis-server 7.0.15 made of `CONFIG SET maxmemory text`.
TEST(Numbers, ReadsMemorySizes) {
  struct Case {
    Bytes text;
    uint64_t bytes;
  };
  const Case good[] = {{"0", 0},           {"42", 42},
                       {"1b", 1},          {"512B", 512},
                       {"100k", 100000},   {"100K", 100000},
                       {"100kb", 102400},  {"64mb", 67108864},
                       {"64M", 64000000},  {"1gb", 1073741824},
                       {"1G", 1000000000}, {"2Gb", 2147483648},
                       {"0k", 0},          {"18446744073709551615", UINT64_MAX}};
  for (const Case& c : good) {
    uint64_t bytes = 99;
    EXPECT_TRUE(parse_memory_size(c.text, bytes)) << c.text;
    EXPECT_EQ(bytes, c.bytes) << c.text;
  }
  // The last one is too large; Redis lets it wrap.
  for (Bytes bad : {"", "gb", "1.5gb", "-1", "1tb", "1 gb", "1p", "9223372036854775807kb"}) {
    uint64_t bytes;
    EXPECT_FALSE(parse_memory_size(bad, bytes)) << bad;
  }
}

}  // namespace
}  // namespace hotkv
