#include "core/data/table.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace hotkv {
namespace {

Entry* find(const Table& table, Bytes key) { return table.find(key, table.hash(key)); }

void add(Table& table, Bytes key, int64_t deadline_ms = kNoDeadline) {
  table.insert(Entry::create(key, "v", {deadline_ms, 0}), table.hash(key));
}

bool drop(Table& table, Bytes key) {
  Entry* e = table.remove(key, table.hash(key));
  if (e) Entry::destroy(e);
  return e != nullptr;
}

std::vector<std::string> numbered_keys(int n) {
  std::vector<std::string> keys;
  for (int i = 0; i < n; i++) keys.push_back("key:" + std::to_string(i));
  return keys;
}

// Keys that share the low `bits` of their hash, so that they share a bucket until the table has
// more than 2^bits; with `tag` also the high byte that the buckets hold.
std::vector<std::string> colliding_keys(const Table& table, int n, uint64_t bits, bool tag) {
  std::vector<std::string> keys;
  uint64_t mask = (uint64_t{1} << bits) - 1;
  if (tag) mask |= uint64_t{0xff} << 56;
  const uint64_t wanted = table.hash("first") & mask;
  for (int i = 0; static_cast<int>(keys.size()) < n; i++) {
    std::string key = "c:" + std::to_string(i);
    if ((table.hash(key) & mask) == wanted) keys.push_back(key);
  }
  return keys;
}

TEST(Table, AnEmptyOneFindsNothing) {
  Table table(1);
  Random random(1);
  EXPECT_EQ(find(table, "k"), nullptr);
  EXPECT_FALSE(drop(table, "k"));
  EXPECT_EQ(table.scan(0, [](Entry*) { FAIL(); }), 0u);
  EXPECT_EQ(table.random(random), nullptr);
  EXPECT_EQ(table.bucket_bytes(), 0u);
  EXPECT_FALSE(table.clear_some(10));
}

// Growing and shrinking several times over, against a map that is told the same.
TEST(Table, AgreesWithAMapOverRandomOperations) {
  for (uint64_t seed = 1; seed <= 4; seed++) {
    SCOPED_TRACE(seed);
    Random random(seed);
    Table table(seed);
    std::map<std::string, int64_t> model;
    size_t timed = 0;
    for (int round = 0; round < 6; round++) {
      const uint64_t adding = round % 2 == 0 ? 80 : 20;  // Grow, shrink, grow ...
      for (int i = 0; i < 8000; i++) {
        std::string key = "k" + std::to_string(random.below(6000));
        auto known = model.find(key);
        ASSERT_EQ(find(table, key) != nullptr, known != model.end());
        int64_t deadline_ms = random.chance(1, 3) ? random.between(1, 1000) : kNoDeadline;
        if (!random.chance(adding, 100)) {
          if (known != model.end()) timed -= known->second != kNoDeadline;
          ASSERT_EQ(drop(table, key), model.erase(key) == 1);
        } else if (known == model.end()) {
          add(table, key, deadline_ms);
          model[key] = deadline_ms;
          timed += deadline_ms != kNoDeadline;
        } else {
          Entry* old = find(table, key);
          table.replace(old, Entry::create(key, "w", {deadline_ms, 0}), table.hash(key));
          Entry::destroy(old);
          timed -= known->second != kNoDeadline;
          timed += deadline_ms != kNoDeadline;
          known->second = deadline_ms;
        }
        ASSERT_EQ(table.size(), model.size());
        ASSERT_EQ(table.deadlines(), timed);
      }
      for (const auto& known : model) {
        const Entry* e = find(table, known.first);
        ASSERT_NE(e, nullptr) << known.first;
        ASSERT_EQ(e->deadline_ms(), known.second);
      }
    }
  }
}

TEST(Table, GrowsOneBucketAtATime) {
  Table table(3);
  const auto keys = numbered_keys(50000);
  size_t buckets = 0;
  for (const std::string& key : keys) {
    add(table, key);
    if (buckets > 0) {
      ASSERT_LE(table.buckets(), buckets + 1);
    }
    buckets = table.buckets();
  }
  // 7 slots a bucket: with fewer buckets entries would not fit, with twice as many most are free.
  EXPECT_GE(buckets * 7, keys.size());
  EXPECT_LE(buckets * 7, 2 * keys.size());
  const size_t full_bytes = table.bucket_bytes();
  for (size_t i = 10; i < keys.size(); i++) {
    ASSERT_TRUE(drop(table, keys[i]));
    ASSERT_GE(table.buckets() + 1, buckets);
    buckets = table.buckets();
  }
  for (size_t i = 0; i < 10; i++) EXPECT_NE(find(table, keys[i]), nullptr);
  EXPECT_LE(table.bucket_bytes(), full_bytes / 10);
}

TEST(Table, TellsKeysOfEqualTagsInOneBucketApart) {
  Table table(5);
  const auto keys = colliding_keys(table, 6, 4, true);
  for (const std::string& key : keys) add(table, key);
  for (const std::string& key : keys) {
    ASSERT_NE(find(table, key), nullptr);
    EXPECT_EQ(find(table, key)->key(), key);
  }
  EXPECT_TRUE(drop(table, keys[0]));
  EXPECT_EQ(find(table, keys[0]), nullptr);
  for (size_t i = 1; i < keys.size(); i++) EXPECT_EQ(find(table, keys[i])->key(), keys[i]);
}

// 100 entries in one bucket: a chain of overflow buckets, which a split has to take apart.
TEST(Table, KeepsOverflowChainsWhole) {
  Table table(7);
  const auto crowd = colliding_keys(table, 100, 10, false);
  const auto others = numbered_keys(12000);  // Over 2^10 buckets: the crowd is split at last.
  for (size_t i = 0; i < crowd.size(); i++) {
    add(table, crowd[i], i % 2 ? 1000 : kNoDeadline);
    for (size_t j = 0; j <= i; j++) ASSERT_NE(find(table, crowd[j]), nullptr);
  }
  EXPECT_EQ(table.deadlines(), 50u);
  for (const std::string& key : others) add(table, key);
  for (size_t i = 0; i < crowd.size(); i++) {
    const Entry* e = find(table, crowd[i]);
    ASSERT_NE(e, nullptr);
    EXPECT_EQ(e->has_deadline(), i % 2 == 1);
  }
  for (const std::string& key : others) ASSERT_TRUE(drop(table, key));
  EXPECT_EQ(table.size(), 100u);
  EXPECT_EQ(table.deadlines(), 50u);
  size_t seen = 0, timed = 0;
  table.visit_deadlines(table.buckets(), [&](Entry* e) {
    seen++;
    timed += e->has_deadline();
  });
  EXPECT_EQ(seen, 50u);
  EXPECT_EQ(timed, 50u);
  for (const std::string& key : crowd) ASSERT_TRUE(drop(table, key));
  EXPECT_EQ(table.size(), 0u);
  EXPECT_EQ(table.deadlines(), 0u);
}

TEST(Table, AScanOfAQuietTableReturnsEachEntryOnce) {
  for (int n : {1, 16, 83, 84, 85, 200, 1000, 5000}) {
    Table table(11);
    for (const std::string& key : numbered_keys(n)) add(table, key);
    std::multiset<std::string> seen;
    uint64_t cursor = 0;
    do {
      cursor = table.scan(cursor, [&](Entry* e) { seen.insert(std::string(e->key())); });
    } while (cursor != 0);
    ASSERT_EQ(seen.size(), static_cast<size_t>(n));
    for (const std::string& key : numbered_keys(n)) ASSERT_EQ(seen.count(key), 1u) << key;
  }
}

// The promise of SCAN: whatever comes and goes between the calls, an entry that is there from the
// first call to the last is returned.
void scan_while_changing(uint64_t seed, int start, uint64_t adding, int changes_per_call) {
  Random random(seed);
  Table table(seed);
  std::vector<std::string> stable, passing;
  for (int i = 0; i < start; i++) {
    std::string key = "p" + std::to_string(i);
    (random.chance(1, 10) ? stable : passing).push_back(key);
    add(table, key);
  }
  std::set<std::string> seen;
  uint64_t cursor = 0;
  int next = start, calls = 0;
  do {
    cursor = table.scan(cursor, [&](Entry* e) {
      ASSERT_EQ(find(table, e->key()), e);
      seen.insert(std::string(e->key()));
    });
    ASSERT_LT(++calls, 100000) << "the scan does not end";
    for (int i = 0; i < changes_per_call; i++) {
      if (random.chance(adding, 100)) {
        passing.push_back("p" + std::to_string(next++));
        add(table, passing.back());
      } else if (!passing.empty()) {
        std::swap(passing[random.below(passing.size())], passing.back());
        ASSERT_TRUE(drop(table, passing.back()));
        passing.pop_back();
      }
    }
  } while (cursor != 0);
  for (const std::string& key : stable) ASSERT_EQ(seen.count(key), 1u) << key << " was skipped";
}

TEST(Table, AScanMissesNothingWhileTheTableGrows) {
  for (uint64_t seed = 1; seed <= 30; seed++) {
    SCOPED_TRACE(seed);
    scan_while_changing(seed, 300, 100, static_cast<int>(seed % 4));
    scan_while_changing(seed, 20, 100, 3);
  }
}

TEST(Table, AScanMissesNothingWhileTheTableShrinks) {
  for (uint64_t seed = 1; seed <= 30; seed++) {
    SCOPED_TRACE(seed);
    scan_while_changing(seed, 4000, 0, 4 + static_cast<int>(seed % 20));
  }
}

TEST(Table, AScanMissesNothingWhileTheTableBreathes) {
  for (uint64_t seed = 1; seed <= 30; seed++) {
    SCOPED_TRACE(seed);
    scan_while_changing(seed, 2000, seed % 2 ? 45 : 55, 40);
  }
}

// A client may send any number as a cursor.
TEST(Table, AnyCursorComesToAnEnd) {
  Table table(13);
  for (const std::string& key : numbered_keys(1000)) add(table, key);
  Random random(13);
  for (int i = 0; i < 200; i++) {
    uint64_t cursor = i == 0 ? UINT64_MAX : random.next();
    size_t calls = 0;
    do {
      cursor = table.scan(cursor, [](Entry*) {});
      ASSERT_LE(++calls, table.buckets());
    } while (cursor != 0);
  }
}

TEST(Table, TheExpiryScanComesToEveryDeadlineAndToNothingElse) {
  Table table(17);
  std::set<std::string> timed;
  for (const std::string& key : numbered_keys(3000)) {
    bool has_deadline = key.back() == '7';
    if (has_deadline) timed.insert(key);
    add(table, key, has_deadline ? 1000 : kNoDeadline);
  }
  EXPECT_EQ(table.deadlines(), timed.size());
  std::set<std::string> seen;
  for (size_t done = 0; done < table.buckets(); done += 10) {
    table.visit_deadlines(10, [&](Entry* e) { seen.insert(std::string(e->key())); });
  }
  EXPECT_EQ(seen, timed);
  size_t once = 0;  // More buckets than there are: each is visited once.
  table.visit_deadlines(10 * table.buckets(), [&](Entry*) { once++; });
  EXPECT_EQ(once, timed.size());
}

TEST(Table, DrawsEveryEntryAboutEquallyOften) {
  Table table(19);
  const auto keys = numbered_keys(100);
  for (const std::string& key : keys) add(table, key);
  Random random(19);
  std::map<std::string, int> drawn;
  for (int i = 0; i < 100000; i++) drawn[std::string(table.random(random)->key())]++;
  for (const std::string& key : keys) {
    EXPECT_GT(drawn[key], 800) << key;  // 1000 +- six times the deviation of 31.
    EXPECT_LT(drawn[key], 1200) << key;
  }
}

TEST(Table, MovesAsAWhole) {
  Table from(23);
  for (const std::string& key : numbered_keys(500)) add(from, key, 1000);
  const size_t bytes = from.bucket_bytes();
  Table to(std::move(from));
  EXPECT_EQ(to.size(), 500u);
  EXPECT_EQ(to.deadlines(), 500u);
  EXPECT_EQ(to.bucket_bytes(), bytes);
  EXPECT_NE(find(to, "key:499"), nullptr);
  EXPECT_EQ(from.size(), 0u);  // NOLINT: what is left must be an empty table that works.
  EXPECT_EQ(from.deadlines(), 0u);
  add(from, "new");
  EXPECT_NE(find(from, "new"), nullptr);
  Table third(29);
  add(third, "old");
  third = std::move(to);
  EXPECT_EQ(find(third, "old"), nullptr);
  EXPECT_NE(find(third, "key:0"), nullptr);
}

TEST(Table, ClearsInBoundedParts) {
  Table table(31);
  for (const std::string& key : numbered_keys(2000)) add(table, key, 1000);
  int parts = 1;
  size_t before = table.size();
  while (table.clear_some(100)) {
    parts++;
    // A bucket is emptied as a whole, so a part may be a few entries longer.
    ASSERT_LE(before - table.size(), 120u);
    ASSERT_LT(table.size(), before);
    before = table.size();
  }
  EXPECT_GE(parts, 15);
  EXPECT_EQ(table.size(), 0u);
  EXPECT_EQ(table.deadlines(), 0u);
  EXPECT_EQ(table.bucket_bytes(), 0u);
  add(table, "new");
  EXPECT_NE(find(table, "new"), nullptr);
}

TEST(Table, EqualSeedsGiveEqualLayouts) {
  auto order = [](uint64_t seed) {
    Table table(seed);
    for (const std::string& key : numbered_keys(300)) add(table, key);
    std::string all;
    uint64_t cursor = 0;
    do {
      cursor = table.scan(cursor, [&](Entry* e) { all += std::string(e->key()) + " "; });
    } while (cursor != 0);
    return all;
  };
  EXPECT_EQ(order(1), order(1));
  EXPECT_NE(order(1), order(2));
}

}  // namespace
}  // namespace hotkv
