#include "core/effect/watch_table.h"

#include <gtest/gtest.h>

#include <string>

namespace hotkv {
namespace {

constexpr ClientId kA{1}, kB{2};

TEST(WatchTable, AWatcherIsDirtyOnceItsKeyIsTouched) {
  WatchTable watches;
  EXPECT_TRUE(watches.empty());
  watches.watch(kA, 0, "k", false);
  EXPECT_FALSE(watches.empty());
  EXPECT_FALSE(watches.is_dirty(kA));
  watches.touch(0, "other");
  watches.touch(1, "k");  // The same name in another database.
  EXPECT_FALSE(watches.is_dirty(kA));
  watches.touch(0, "k");
  EXPECT_TRUE(watches.is_dirty(kA));
  EXPECT_FALSE(watches.is_dirty(kB));
}

TEST(WatchTable, AllWatchersOfAKeyAreTold) {
  WatchTable watches;
  watches.watch(kA, 0, "k", false);
  watches.watch(kB, 0, "k", false);
  watches.watch(kB, 0, "l", false);
  watches.touch(0, "k");
  EXPECT_TRUE(watches.is_dirty(kA));
  EXPECT_TRUE(watches.is_dirty(kB));
  EXPECT_EQ(watches.watched_keys(), 2u);
  EXPECT_EQ(watches.watching_clients(), 2u);
  EXPECT_EQ(watches.watched_by(kB), 2u);
}

TEST(WatchTable, UnwatchForgetsKeysAndDirt) {
  WatchTable watches;
  watches.watch(kA, 0, "k", false);
  watches.watch(kB, 0, "k", false);
  watches.touch(0, "k");
  watches.unwatch(kA);
  EXPECT_FALSE(watches.is_dirty(kA));
  EXPECT_EQ(watches.watched_by(kA), 0u);
  watches.touch(0, "k");
  EXPECT_FALSE(watches.is_dirty(kA));
  EXPECT_TRUE(watches.is_dirty(kB));
  watches.unwatch(kB);
  watches.unwatch(kB);  // Nothing left to forget.
  EXPECT_TRUE(watches.empty());
  EXPECT_EQ(watches.watching_clients(), 0u);
}

TEST(WatchTable, WatchingAKeyAgainChangesNothing) {
  WatchTable watches;
  watches.watch(kA, 0, "k", true);
  watches.watch(kA, 0, "k", false);
  EXPECT_EQ(watches.watched_by(kA), 1u);
  watches.touch_expired(0, "k");
  EXPECT_FALSE(watches.is_dirty(kA)) << "the first WATCH saw the key expired";
  watches.unwatch(kA);
  EXPECT_TRUE(watches.empty());
}

// CASES EXP-06: the removal of a key that was seen expired is no change; its coming back is one.
TEST(WatchTable, RemovalOfAnExpiredKeyIsAChangeOnlyForThoseWhoSawItLive) {
  WatchTable watches;
  watches.watch(kA, 0, "k", true);
  watches.watch(kB, 0, "k", false);
  watches.touch_expired(0, "k");
  EXPECT_FALSE(watches.is_dirty(kA));
  EXPECT_TRUE(watches.is_dirty(kB));
  // Set again with a time to live, and expired again: two changes for A.
  watches.touch_expired(0, "k");
  EXPECT_TRUE(watches.is_dirty(kA));
}

TEST(WatchTable, AWriteToAnExpiredKeyIsAChange) {
  WatchTable watches;
  watches.watch(kA, 0, "k", true);
  watches.touch(0, "k");
  EXPECT_TRUE(watches.is_dirty(kA));
}

TEST(WatchTable, AFlushTouchesTheKeysThatExist) {
  WatchTable watches;
  watches.watch(kA, 0, "there", false);
  watches.watch(kB, 0, "absent", false);
  const ClientId other{3};
  watches.watch(other, 1, "there", false);
  watches.touch_database(0, [](Bytes key) {
    return WatchTable::Replaced{key == "there", WatchTable::Presence::kAbsent};
  });
  EXPECT_TRUE(watches.is_dirty(kA));
  EXPECT_FALSE(watches.is_dirty(kB));
  EXPECT_FALSE(watches.is_dirty(other));
}

// Second source: redis-server 7.0.15 plays these in watch.transcript.
TEST(WatchTable, ReplacingADatabaseCountsAnExpiredKeyAsAbsent) {
  using Presence = WatchTable::Presence;
  struct Case {
    bool seen_expired, existed;
    Presence now;
    bool dirty, expired_after;
  };
  for (const Case& c : {Case{true, true, Presence::kAbsent, false, false},
                        Case{true, true, Presence::kExpired, false, true},
                        Case{true, true, Presence::kLive, true, true},
                        Case{false, true, Presence::kAbsent, true, false},
                        Case{false, true, Presence::kExpired, true, false},
                        Case{false, false, Presence::kExpired, false, true},
                        Case{false, false, Presence::kLive, true, false},
                        Case{false, false, Presence::kAbsent, false, false}}) {
    SCOPED_TRACE(std::string(c.seen_expired ? "seen expired, " : "") +
                 (c.existed ? "existed, " : "") + "now " + std::to_string(static_cast<int>(c.now)));
    WatchTable watches;
    watches.watch(kA, 0, "k", c.seen_expired);
    watches.touch_database(0, [&](Bytes) { return WatchTable::Replaced{c.existed, c.now}; });
    EXPECT_EQ(watches.is_dirty(kA), c.dirty);
    watches.visit(kA, [&](int, Bytes, bool expired) { EXPECT_EQ(expired, c.expired_after); });
  }
}

TEST(WatchTable, VisitsTheKeysOfOneClient) {
  WatchTable watches;
  watches.watch(kA, 0, "a", false);
  watches.watch(kB, 0, "a", true);
  watches.watch(kA, 2, "b", true);
  std::string seen;
  watches.visit(kA, [&](int db, Bytes key, bool expired) {
    seen += std::to_string(db) + std::string(key) + (expired ? "! " : " ");
  });
  EXPECT_EQ(seen, "0a 2b! ");
  watches.visit(ClientId{9}, [](int, Bytes, bool) { FAIL(); });
}

}  // namespace
}  // namespace hotkv
