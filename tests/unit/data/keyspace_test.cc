#include "core/data/keyspace.h"

#include <gtest/gtest.h>

namespace hotkv {
namespace {

void add(Keyspace& keyspace, int db, Bytes key) {
  Table& table = keyspace.table(db);
  table.insert(Entry::create(key, "v", {}), table.hash(key));
}

bool has(const Keyspace& keyspace, int db, Bytes key) {
  const Table& table = keyspace.table(db);
  return table.find(key, table.hash(key)) != nullptr;
}

TEST(Keyspace, HasAsManyDatabasesAsAskedFor) {
  const Keyspace keyspace(16, 1);
  EXPECT_EQ(keyspace.databases(), 16);
  EXPECT_EQ(keyspace.keys(), 0u);
}

TEST(Keyspace, DatabasesDoNotSeeEachOther) {
  Keyspace keyspace(4, 1);
  add(keyspace, 0, "k");
  add(keyspace, 3, "k");
  add(keyspace, 3, "other");
  EXPECT_TRUE(has(keyspace, 0, "k"));
  EXPECT_FALSE(has(keyspace, 1, "k"));
  EXPECT_FALSE(has(keyspace, 0, "other"));
  EXPECT_EQ(keyspace.keys(), 3u);
}

TEST(Keyspace, SwapExchangesContents) {
  Keyspace keyspace(4, 1);
  add(keyspace, 0, "zero");
  add(keyspace, 3, "three");
  keyspace.swap(0, 3);
  EXPECT_TRUE(has(keyspace, 0, "three"));
  EXPECT_TRUE(has(keyspace, 3, "zero"));
  EXPECT_FALSE(has(keyspace, 0, "zero"));
  keyspace.swap(1, 0);  // With an empty one.
  EXPECT_EQ(keyspace.table(0).size(), 0u);
  EXPECT_TRUE(has(keyspace, 1, "three"));
  keyspace.swap(1, 1);
  EXPECT_TRUE(has(keyspace, 1, "three"));
  EXPECT_EQ(keyspace.keys(), 2u);
}

}  // namespace
}  // namespace hotkv
