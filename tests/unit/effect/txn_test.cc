#include "core/effect/txn.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/unit/effect/effect_text.h"

namespace hotkv {
namespace {

constexpr int64_t kStartMs = 1767225600000;
constexpr ClientId kWatcher{1};

class TxnTest : public ::testing::Test {
 protected:
  TxnTest() { at(0); }

  // The unit that follows happens `ms` after the start.
  void at(int64_t ms, int db = 0) {
    wall_ms_ = kStartMs + ms;
    txn_.begin({{ms * 1000}, {wall_ms_ * 1000}}, db);
  }
  // Ends the unit and tells what it put into the log. The first SELECT is not told.
  std::string effects() {
    txn_.end();
    std::string text = reader_.next();
    return text.substr(0, 10) == "SELECT 0; " ? text.substr(10) : text;
  }
  void watch(Bytes key, int db = 0, bool expired = false) {
    watches_.unwatch(kWatcher);
    watches_.watch(kWatcher, db, key, expired);
  }
  bool dirty() const { return watches_.is_dirty(kWatcher); }
  std::string value(Bytes key) {
    const Entry* e = txn_.peek(key);
    NumberText text;
    return e ? std::string(e->string(text)) : "(nil)";
  }
  size_t held(int db = 0) const { return keyspace_.table(db).size(); }

  int64_t wall_ms_ = 0;
  Keyspace keyspace_{4, 1};
  EffectLog log_;
  WatchTable watches_;
  trace::Trace trace_;
  Txn txn_{keyspace_, log_, watches_, trace_};
  EffectReader reader_{log_};
};

TEST_F(TxnTest, SetReplacesWhateverWasThere) {
  txn_.set("k", "v");
  EXPECT_EQ(effects(), "SET k v");
  txn_.set("k", "w", {kStartMs + 500, 7});
  EXPECT_EQ(effects(), "SET k w PXAT 1767225600500");
  EXPECT_EQ(txn_.peek("k")->lock_number(), 7u);
  txn_.set("k", "a longer value than before");
  EXPECT_EQ(effects(), "SET k a longer value than before");
  EXPECT_FALSE(txn_.peek("k")->has_deadline());
  EXPECT_EQ(txn_.peek("k")->lock_number(), 0u) << "only LOCK attaches a number";
  txn_.set_integer("k", -5, {kStartMs + 1, 0});
  EXPECT_EQ(effects(), "SET k -5 PXAT 1767225600001");
  EXPECT_EQ(held(), 1u);
  EXPECT_EQ(txn_.counts().changes, 4u);
}

TEST_F(TxnTest, ADeadlineThatHasPassedRemoves) {
  txn_.set("k", "v", {kStartMs, 0});
  EXPECT_EQ(effects(), "") << "there was nothing to remove";
  txn_.set("k", "v");
  effects();
  txn_.set("k", "w", {kStartMs, 0});
  EXPECT_EQ(effects(), "DEL k");
  txn_.set("k", "v");
  effects();
  txn_.set_integer("k", 1, {kStartMs - 1, 0});
  EXPECT_EQ(effects(), "DEL k");
  txn_.set("k", "v");
  effects();
  txn_.set_deadline("k", kStartMs);
  EXPECT_EQ(effects(), "DEL k");
  EXPECT_EQ(held(), 0u);
}

// A key lives while the time is before its deadline: PX 100 is 100 ms, not 101.
TEST_F(TxnTest, AKeyIsGoneAtItsDeadlineToTheMillisecond) {
  txn_.set("k", "v", {kStartMs + 100, 0});
  effects();
  at(99);
  EXPECT_EQ(value("k"), "v");
  EXPECT_EQ(effects(), "");
  at(100);
  watch("k");
  EXPECT_EQ(value("k"), "(nil)");
  EXPECT_EQ(effects(), "DEL k") << "replicas remove what the primary removes";
  EXPECT_EQ(held(), 0u);
  EXPECT_EQ(txn_.counts().expired, 1u);
  EXPECT_TRUE(dirty());
}

TEST_F(TxnTest, EveryReaderRemovesWhatHasExpired) {
  for (const char* key : {"find", "peek", "look"}) txn_.set(key, "v", {kStartMs + 1, 0});
  effects();
  at(1);
  EXPECT_EQ(txn_.find("find"), nullptr);
  EXPECT_EQ(effects(), "DEL find");
  EXPECT_EQ(txn_.peek("peek"), nullptr);
  EXPECT_EQ(effects(), "DEL peek");
  EXPECT_EQ(txn_.look("look"), nullptr);
  EXPECT_EQ(effects(), "DEL look");
  EXPECT_EQ(txn_.counts().hits, 0u);
  EXPECT_EQ(txn_.counts().misses, 2u) << "peek counts nothing";
}

TEST_F(TxnTest, AWriteOverAnExpiredKeyTellsBoth) {
  txn_.set("k", "v", {kStartMs + 1, 0});
  effects();
  at(1);
  txn_.set("k", "w");
  EXPECT_EQ(effects(), "MULTI; DEL k; SET k w; EXEC");
  EXPECT_EQ(value("k"), "w");
}

TEST_F(TxnTest, ScanAndRandomShowNoExpiredKeys) {
  for (int i = 0; i < 50; i++) txn_.set("t" + std::to_string(i), "v", {kStartMs + 1, 0});
  txn_.set("k", "v");
  at(1);
  std::vector<const Entry*> found;
  uint64_t cursor = 0;
  do {
    cursor = txn_.scan(cursor, found);
  } while (cursor != 0);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0]->key(), "k");
  Random random(1);
  for (int i = 0; i < 20; i++) EXPECT_EQ(txn_.random_key(random)->key(), "k");
  txn_.remove("k");
  EXPECT_EQ(txn_.random_key(random), nullptr);
  EXPECT_EQ(held(), 0u);
}

TEST_F(TxnTest, EditsOfStringsKeepTheDeadline) {
  txn_.set("k", "ab", {kStartMs + 100, 9});
  effects();
  EXPECT_EQ(txn_.append("k", "cd"), 4u);
  EXPECT_EQ(effects(), "APPEND k cd");
  EXPECT_EQ(value("k"), "abcd");
  EXPECT_EQ(txn_.peek("k")->deadline_ms(), kStartMs + 100);
  EXPECT_EQ(txn_.peek("k")->lock_number(), 0u);
  EXPECT_EQ(txn_.write_range("k", 6, "x"), 7u);
  EXPECT_EQ(effects(), "SETRANGE k 6 x");
  EXPECT_EQ(value("k"), std::string("abcd\0\0x", 7));
  EXPECT_EQ(txn_.peek("k")->deadline_ms(), kStartMs + 100);
  EXPECT_EQ(txn_.append("new", "v"), 1u);
  EXPECT_EQ(effects(), "SET new v");
  EXPECT_EQ(txn_.write_range("zeros", 2, "v"), 3u);
  EXPECT_EQ(effects(), "SETRANGE zeros 2 v");
  EXPECT_EQ(value("zeros"), std::string("\0\0v", 3));
  EXPECT_EQ(txn_.append("number", "1"), 1u);
  EXPECT_EQ(txn_.append("number", "2"), 2u);
  EXPECT_EQ(value("number"), "12");
}

TEST_F(TxnTest, RemoveSaysWhetherThereWasAnything) {
  EXPECT_FALSE(txn_.remove("k"));
  EXPECT_EQ(effects(), "");
  txn_.set("k", "v");
  effects();
  watch("k");
  EXPECT_TRUE(txn_.remove("k"));
  EXPECT_EQ(effects(), "DEL k");
  EXPECT_TRUE(dirty());
}

TEST_F(TxnTest, DeadlinesComeAndGo) {
  txn_.set("k", "v", {kNoDeadline, 5});
  effects();
  watch("k");
  txn_.set_deadline("k", kStartMs + 100);
  EXPECT_EQ(effects(), "PEXPIREAT k 1767225600100");
  EXPECT_TRUE(dirty());
  EXPECT_EQ(keyspace_.table(0).deadlines(), 1u);
  txn_.set_deadline("k", kStartMs + 200);
  EXPECT_EQ(effects(), "PEXPIREAT k 1767225600200");
  EXPECT_EQ(txn_.peek("k")->lock_number(), 5u);
  EXPECT_TRUE(txn_.persist("k"));
  EXPECT_EQ(effects(), "PERSIST k");
  EXPECT_EQ(keyspace_.table(0).deadlines(), 0u);
  EXPECT_FALSE(txn_.persist("k"));
  EXPECT_FALSE(txn_.persist("absent"));
  EXPECT_EQ(effects(), "");
  EXPECT_EQ(txn_.peek("k")->lock_number(), 5u);
}

TEST_F(TxnTest, RenameTakesDeadlineAndNumberAlong) {
  txn_.set("from", "v", {kStartMs + 100, 5});
  txn_.set("to", "old");
  effects();
  watch("to");
  txn_.rename("from", "to");
  EXPECT_EQ(effects(), "RENAME from to");
  EXPECT_TRUE(dirty());
  EXPECT_EQ(value("from"), "(nil)");
  EXPECT_EQ(value("to"), "v");
  EXPECT_EQ(txn_.peek("to")->deadline_ms(), kStartMs + 100);
  EXPECT_EQ(txn_.peek("to")->lock_number(), 5u);
  EXPECT_EQ(keyspace_.table(0).deadlines(), 1u);
  watch("to");
  txn_.rename("to", "elsewhere");
  EXPECT_TRUE(dirty());
  txn_.rename("elsewhere", "elsewhere");
  EXPECT_EQ(value("elsewhere"), "v");
  EXPECT_EQ(held(), 1u);
}

TEST_F(TxnTest, ACopyHasTheDeadlineButNoGrant) {
  txn_.set("from", "v", {kStartMs + 100, 5});
  effects();
  watch("to", 2);
  txn_.copy("from", 2, "to");
  EXPECT_EQ(effects(), "COPY from to DB 2 REPLACE");
  EXPECT_TRUE(dirty());
  const Entry* made = txn_.peek_in(2, "to");
  ASSERT_NE(made, nullptr);
  EXPECT_EQ(made->deadline_ms(), kStartMs + 100);
  EXPECT_EQ(made->lock_number(), 0u);
  EXPECT_EQ(txn_.peek("from")->lock_number(), 5u);
}

TEST_F(TxnTest, MoveChangesBothDatabases) {
  txn_.set("k", "v", {kStartMs + 100, 5});
  effects();
  watch("k", 3);
  txn_.move("k", 3);
  EXPECT_EQ(effects(), "MOVE k 3");
  EXPECT_TRUE(dirty());
  EXPECT_EQ(held(0), 0u);
  EXPECT_EQ(txn_.peek_in(3, "k")->lock_number(), 5u);
  at(0, 3);
  watch("k", 3);
  txn_.move("k", 0);
  EXPECT_EQ(effects(), "SELECT 3; MOVE k 0");
  EXPECT_TRUE(dirty());
}

TEST_F(TxnTest, AUnitOverTwoDatabasesSelectsBetween) {
  txn_.set("a", "1");
  txn_.select(2);
  txn_.set("b", "2");
  txn_.set("c", "3");
  EXPECT_EQ(effects(), "MULTI; SET a 1; SELECT 2; SET b 2; SET c 3; EXEC");
}

// SPEC: epoch * 2^36 + the offset of the grant's effect.
TEST_F(TxnTest, FencingNumbersGrowWithEveryGrant) {
  txn_.set("something", "before");
  effects();
  const uint64_t epoch_start = uint64_t{3} << 36;
  const uint64_t first = txn_.grant_lock("k", "token", kStartMs + 100, 3);
  EXPECT_EQ(first, epoch_start + log_.end_offset());
  EXPECT_EQ(txn_.peek("k")->lock_number(), first);
  const uint64_t second = txn_.grant_lock("l", "token", kStartMs + 100, 3);  // In the same unit.
  EXPECT_GT(second, first);
  EXPECT_EQ(effects(),
            "MULTI; SET k token PXAT 1767225600100; SET l token PXAT 1767225600100; EXEC");
  const uint64_t third = txn_.grant_lock("k", "token", kStartMs + 100, 3);
  EXPECT_GT(third, second);
  EXPECT_GT(txn_.grant_lock("k", "token", kStartMs + 100, 4), uint64_t{4} << 36);
}

TEST_F(TxnTest, FlushFailsTheWatchersOfWhatWasThere) {
  txn_.set("k", "v");
  at(0, 1);
  txn_.set("k", "v");
  effects();
  watch("absent");
  at(0);
  txn_.flush_database(0);
  EXPECT_EQ(effects(), "FLUSHDB");
  EXPECT_FALSE(dirty());
  EXPECT_EQ(held(0), 0u);
  EXPECT_EQ(held(1), 1u);
  watch("k", 1);
  txn_.flush_all();
  EXPECT_EQ(effects(), "FLUSHALL");
  EXPECT_TRUE(dirty());
  EXPECT_EQ(keyspace_.keys(), 0u);
}

TEST_F(TxnTest, SwapExchangesAndTellsWatchersOnBothSides) {
  txn_.set("k", "zero");
  effects();
  watch("k", 2);  // Comes into being there.
  txn_.swap_databases(0, 2);
  EXPECT_EQ(effects(), "SWAPDB 0 2");
  EXPECT_TRUE(dirty());
  EXPECT_NE(txn_.peek_in(2, "k"), nullptr);
  watch("k", 2);
  txn_.swap_databases(2, 3);
  EXPECT_TRUE(dirty());
  watch("k", 3);
  txn_.swap_databases(3, 3);
  EXPECT_FALSE(dirty());
}

// As Redis 7.0 (EXP-06): who saw the key expired sees no change in its removal, of whatever kind.
TEST_F(TxnTest, RemovalOfAKeyThatWasSeenExpiredIsNoChange) {
  txn_.set("k", "v", {kStartMs + 1, 0});
  at(5);
  watch("k", 0, true);
  txn_.flush_database(0);
  EXPECT_FALSE(dirty());
  txn_.set("k", "v", {kStartMs + 6, 0});
  at(10);
  watch("k", 0, true);
  txn_.swap_databases(0, 1);
  EXPECT_FALSE(dirty()) << "it was absent, and is absent";
  watch("k", 0);
  txn_.swap_databases(0, 1);
  EXPECT_FALSE(dirty()) << "what came is expired";
}

TEST_F(TxnTest, TheSweepIsBoundedAndEachExpiryIsAUnit) {
  for (int i = 0; i < 40; i++) txn_.set("t" + std::to_string(i), "v", {kStartMs + 1, 0});
  for (int i = 0; i < 10; i++) txn_.set("later" + std::to_string(i), "v", {kStartMs + 500, 0});
  txn_.set("k", "v");
  effects();
  at(1);
  const Now now = txn_.now();
  Txn::ExpirySweep sweep = txn_.expire_some(now, 1000, 15);
  EXPECT_EQ(sweep.seen, 50u);
  EXPECT_EQ(sweep.removed, 15u);
  EXPECT_EQ(held(), 36u);
  const std::string text = effects();
  EXPECT_EQ(text.find("MULTI"), std::string::npos);
  EXPECT_EQ(text.substr(0, 5), "DEL t");
  sweep = txn_.expire_some(now, 1000, 1000);
  EXPECT_EQ(sweep.removed, 25u);
  sweep = txn_.expire_some(now, 1000, 1000);
  EXPECT_EQ(sweep.seen, 10u);
  EXPECT_EQ(sweep.removed, 0u);
  EXPECT_EQ(txn_.counts().expired, 40u);
  EXPECT_EQ(held(), 11u);
}

TEST_F(TxnTest, FlushedValuesAreFreedInParts) {
  for (int i = 0; i < 1000; i++) txn_.set("k" + std::to_string(i), "v");
  txn_.flush_all();
  int parts = 0;
  while (txn_.free_some(100)) parts++;
  EXPECT_GE(parts, 5);
  EXPECT_LE(parts, 12);
  EXPECT_FALSE(txn_.free_some(100));
}

TEST_F(TxnTest, ReadersOfANoTouchClientLeaveTheAccessClockAlone) {
  txn_.set("k", "v");
  const uint32_t start = txn_.peek("k")->access();
  at(7000);
  txn_.set_touching(false);
  txn_.find("k");
  EXPECT_EQ(txn_.peek("k")->access(), start);
  txn_.set_touching(true);
  txn_.look("k");
  EXPECT_EQ(txn_.peek("k")->access(), start);
  txn_.find("k");
  EXPECT_EQ(txn_.peek("k")->access(), start + 7);
  EXPECT_EQ(txn_.counts().hits, 3u);
}

}  // namespace
}  // namespace hotkv
