#include "core/effect/effect_log.h"

#include <gtest/gtest.h>

#include <string>

#include "core/base/random.h"
#include "tests/unit/effect/effect_text.h"

namespace hotkv {
namespace {

TEST(EffectLog, AnEffectIsARespCommand) {
  EffectLog log;
  log.add(0, {"DEL", "key"});
  log.commit();
  EXPECT_EQ(log_bytes(log, 0), "*2\r\n$6\r\nSELECT\r\n$1\r\n0\r\n*2\r\n$3\r\nDEL\r\n$3\r\nkey\r\n");
  const uint64_t at = log.end_offset();
  log.add(0, {"APPEND", Bytes("a\0\r\n", 4), ""});
  log.commit();
  EXPECT_EQ(log_bytes(log, at),
            "*3\r\n$6\r\nAPPEND\r\n$4\r\na" + std::string(1, '\0') + "\r\n\r\n$0\r\n\r\n");
}

TEST(EffectLog, SetHasItsDeadlineInUnixMilliseconds) {
  EffectLog log;
  EffectReader reader(log);
  log.add_set(0, "k", "v", INT64_MAX);
  log.commit();
  EXPECT_EQ(reader.next(), "SELECT 0; SET k v");
  const uint64_t at = log.end_offset();
  log.add_set(0, "k", "v", 1767225600001);
  log.commit();
  EXPECT_EQ(log_bytes(log, at),
            "*5\r\n$3\r\nSET\r\n$1\r\nk\r\n$1\r\nv\r\n$4\r\nPXAT\r\n$13\r\n1767225600001\r\n");
}

TEST(EffectLog, NothingIsInTheLogBeforeCommit) {
  EffectLog log;
  log.commit();
  EXPECT_EQ(log.end_offset(), 0u);
  log.add(0, {"DEL", "k"});
  EXPECT_EQ(log.end_offset(), 0u);
  log.commit();
  EXPECT_GT(log.end_offset(), 0u);
  const uint64_t end = log.end_offset();
  log.commit();
  EXPECT_EQ(log.end_offset(), end);
}

TEST(EffectLog, SeveralEffectsOfAUnitAreATransaction) {
  EffectLog log;
  EffectReader reader(log);
  log.add(0, {"DEL", "a"});
  log.add(0, {"DEL", "b"});
  log.add_set(0, "c", "1", INT64_MAX);
  log.commit();
  EXPECT_EQ(reader.next(), "SELECT 0; MULTI; DEL a; DEL b; SET c 1; EXEC");
  log.add(0, {"DEL", "c"});
  log.commit();
  EXPECT_EQ(reader.next(), "DEL c");
  log.add(0, {"DEL", "d"});  // Two are several.
  log.add(0, {"DEL", "e"});
  log.commit();
  EXPECT_EQ(reader.next(), "MULTI; DEL d; DEL e; EXEC");
}

TEST(EffectLog, SelectStandsWhereTheDatabaseChanges) {
  EffectLog log;
  EffectReader reader(log);
  log.add(3, {"DEL", "a"});
  log.commit();
  EXPECT_EQ(reader.next(), "SELECT 3; DEL a");
  log.add(3, {"DEL", "b"});
  log.commit();
  EXPECT_EQ(reader.next(), "DEL b");
  log.add(12, {"DEL", "c"});
  log.add(12, {"DEL", "d"});
  log.add(0, {"DEL", "e"});
  log.add(12, {"DEL", "f"});
  log.commit();
  EXPECT_EQ(reader.next(),
            "SELECT 12; MULTI; DEL c; DEL d; SELECT 0; DEL e; SELECT 12; DEL f; EXEC");
  log.add_set(12, "g", "v", INT64_MAX);
  log.commit();
  EXPECT_EQ(reader.next(), "SET g v");
  log.add(5, {"DEL", "h"});
  log.add(6, {"DEL", "i"});
  log.commit();
  EXPECT_EQ(reader.next(), "SELECT 5; MULTI; DEL h; SELECT 6; DEL i; EXEC");
  log.add(6, {"DEL", "j"});
  log.commit();
  EXPECT_EQ(reader.next(), "DEL j");
}

// Fencing numbers are made of it: no two effects may have one offset.
TEST(EffectLog, TheNextOffsetGrowsWithEveryEffect) {
  EffectLog log;
  Random random(1);
  uint64_t last = log.next_offset();
  EXPECT_EQ(last, 0u);
  for (int i = 0; i < 1000; i++) {
    log.add(static_cast<int>(random.below(2)), {"DEL", "k"});
    if (random.chance(1, 2)) log.commit();
    ASSERT_GT(log.next_offset(), last);
    ASSERT_GE(log.next_offset(), log.end_offset());
    last = log.next_offset();
  }
}

// Whatever the capacity, the log is the end of the whole stream.
TEST(EffectLog, KeepsTheLastBytesOfTheStream) {
  for (size_t capacity : {1, 30, 100, 1000, 4096}) {
    SCOPED_TRACE(capacity);
    EffectLog log(capacity);
    EffectLog everything(1024 * 1024);
    Random random(capacity);
    for (int i = 0; i < 300; i++) {
      const std::string value(random.below(random.chance(1, 20) ? 6000 : 80),
                              static_cast<char>('a' + i % 26));
      const int db = static_cast<int>(random.below(2));
      for (uint64_t n = 1 + random.below(3); n > 0; n--) {
        log.add_set(db, "key", value, INT64_MAX);
        everything.add_set(db, "key", value, INT64_MAX);
      }
      log.commit();
      everything.commit();
      ASSERT_EQ(log.end_offset(), everything.end_offset());
      const uint64_t end = log.end_offset();
      ASSERT_EQ(log.start_offset(), end > capacity ? end - capacity : 0);
      const uint64_t from = log.start_offset() + random.below(end - log.start_offset() + 1);
      for (uint64_t offset : {log.start_offset(), from, end}) {
        ASSERT_EQ(log_bytes(log, offset), log_bytes(everything, offset));
      }
    }
  }
}

TEST(EffectLog, ReadsInAtMostTwoPieces) {
  EffectLog log(100);
  for (int i = 0; i < 50; i++) {
    log.add(0, {"DEL", "key"});
    log.commit();
    const Bytes first = log.read(log.start_offset());
    const Bytes second = log.read(log.start_offset() + first.size());
    EXPECT_EQ(first.size() + second.size(), log.end_offset() - log.start_offset());
    EXPECT_EQ(log.read(log.end_offset()), "");
  }
}

#if GTEST_HAS_DEATH_TEST  // Not in wasm, which has no processes.
TEST(EffectLogDeathTest, WhatIsGoneCannotBeRead) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EffectLog log(20);
  log.add(0, {"DEL", "key"});
  log.commit();
  EXPECT_DEATH((void)log.read(log.start_offset() - 1), "");
  EXPECT_DEATH((void)log.read(log.end_offset() + 1), "");
}
#endif

}  // namespace
}  // namespace hotkv
