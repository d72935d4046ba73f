#include "core/sim/recipe.h"

#include <gtest/gtest.h>

namespace hotkv::sim {
namespace {

// A world that the test plays: it keeps what was sent and slept.
class FakeHost : public RecipeHost {
 public:
  explicit FakeHost(int nodes) {
    for (int i = 0; i < nodes; i++) nodes_.push_back(i);
  }
  uint64_t send(int node, const std::vector<std::string>& words) override {
    std::string line = std::to_string(node) + ":";
    for (const std::string& word : words) line += " " + word;
    sent.push_back(line);
    return sent.size();
  }
  uint64_t sleep(Duration length) override {
    slept.push_back(length.ms());
    return 1000 + slept.size();
  }
  Time now() const override { return at; }
  int64_t draw(int64_t low, int64_t high) override { return low + high + 7; }
  std::vector<int> key_nodes() const override { return nodes_; }
  int database() const override { return 9; }
  void believe(const std::string& key, const std::string& token, Time until) override {
    believed = key + " " + token + " " + std::to_string(until.us / 1000);
  }
  void give_up(const std::string& key) override { given_up = key; }

  std::vector<std::string> sent;
  std::vector<int64_t> slept;
  Time at;
  std::string believed, given_up;

 private:
  std::vector<int> nodes_;
};

Reply reply(Reply::Type type, const std::string& text = "", int64_t integer = 0) {
  Reply made;
  made.type = type;
  made.text = text;
  made.integer = integer;
  return made;
}
const Reply kOk = reply(Reply::Type::kSimple, "OK"), kNull = reply(Reply::Type::kNull),
            kOne = reply(Reply::Type::kInteger, "", 1), kNone = reply(Reply::Type::kInteger, "", 0);

std::unique_ptr<Recipe> made(Bytes name, const RecipeArguments& arguments) {
  auto result = make_recipe(name, arguments);
  EXPECT_TRUE(result.ok()) << result.status().message();
  return std::move(result.value());
}
std::string error_of(Bytes name, const RecipeArguments& arguments) {
  auto result = make_recipe(name, arguments);
  return result.ok() ? "" : result.status().message();
}

TEST(Recipe, NamesTheArgumentThatIsWrong) {
  EXPECT_EQ(error_of("nothing", {}), "there is no recipe 'nothing'");
  EXPECT_EQ(error_of("redlock", {{"token", "t"}, {"ttl", "1"}}), "redlock needs key=");
  EXPECT_EQ(error_of("redlock", {{"key", "k"}, {"token", "t"}, {"ttl", "0"}}),
            "redlock ttl=0 is not a number from 1 to 3600000");
  EXPECT_EQ(error_of("redlock", {{"key", "k"}, {"token", "t"}, {"ttl", "1"}, {"x", "1"}}),
            "redlock does not know x=");
  EXPECT_EQ(error_of("cache-aside", {{"key", "k"}, {"ttl", "9"}, {"mode", "fast"}}),
            "cache-aside knows mode=plain, lock and stale, not mode=fast");
}

// Validity is arithmetic: 10000 - 30 - 100 - 2.
TEST(Redlock, HoldsByAMajorityForWhatIsLeft) {
  FakeHost host(5);
  auto recipe = made("redlock", {{"key", "k"}, {"token", "t"}, {"ttl", "10000"}});
  recipe->begin(host);
  EXPECT_EQ(host.sent.size(), 5u);
  EXPECT_EQ(host.sent[4], "4: SET k t NX PX 10000");
  host.at = Time{30000};
  for (uint64_t i = 1; i <= 3; i++) recipe->answer(host, i, &kOk);
  recipe->answer(host, 4, &kNull);
  EXPECT_FALSE(recipe->done());
  recipe->answer(host, 5, nullptr);
  EXPECT_EQ(recipe->outcome(), "acquired on 3 of 5, valid for 9868 ms");
  EXPECT_EQ(host.believed, "k t 9898");
}

TEST(Redlock, UnlocksAllWhenItIsRefused) {
  FakeHost host(5);
  auto recipe = made("redlock", {{"key", "k"}, {"token", "t"}, {"ttl", "10000"}});
  recipe->begin(host);
  recipe->answer(host, 1, &kOk);
  recipe->answer(host, 2, &kOk);
  recipe->wake(host, 1001);  // The time-out: three never answered.
  ASSERT_EQ(host.sent.size(), 10u);
  EXPECT_EQ(host.sent[9], "4: DELEX k IFEQ t");
  recipe->answer(host, 3, &kOk);  // Late: nothing follows from it.
  for (uint64_t i = 6; i <= 10; i++) recipe->answer(host, i, &kNone);
  EXPECT_EQ(recipe->outcome(), "refused: 2 of 5");
  EXPECT_EQ(host.believed, "");
}

TEST(Redlock, AMajorityWithoutTimeIsNoLock) {
  FakeHost host(3);
  auto recipe = made("redlock", {{"key", "k"}, {"token", "t"}, {"ttl", "50"}, {"timeout", "60"}});
  recipe->begin(host);
  recipe->answer(host, 1, &kOk);
  recipe->answer(host, 2, &kOk);
  host.at = Time{60000};
  recipe->wake(host, 1001);
  for (uint64_t i = 4; i <= 6; i++) recipe->answer(host, i, &kOne);
  EXPECT_EQ(recipe->outcome(), "refused: 2 of 3, but no time is left");
}

TEST(Redlock, ReleasesOnAll) {
  FakeHost host(3);
  auto recipe = made("redlock", {{"key", "k"}, {"token", "t"}, {"ttl", "50"}, {"do", "release"}});
  recipe->begin(host);
  EXPECT_EQ(host.given_up, "k");
  recipe->answer(host, 1, &kOne);
  recipe->answer(host, 2, nullptr);
  recipe->answer(host, 3, &kOne);
  EXPECT_EQ(recipe->outcome(), "released on 2 of 3");
}

TEST(CacheAside, FillsTheCacheAfterAMiss) {
  FakeHost host(1);
  auto recipe = made("cache-aside", {{"key", "k"}, {"ttl", "1000"}, {"jitter", "20"}});
  recipe->begin(host);
  recipe->answer(host, 1, &kNull);
  Reply row = reply(Reply::Type::kBulk, "v");
  recipe->answer(host, 2, &row);
  recipe->answer(host, 3, &kOk);
  // The host draws low + high + 7 = 7.
  EXPECT_EQ(host.sent, (std::vector<std::string>{"0: GET k", "9: READ k", "0: SET k v PX 1007"}));
  EXPECT_EQ(recipe->outcome(), "asked the database");
}

TEST(CacheAside, OneAsksAndTheOthersWait) {
  FakeHost host(1);
  auto recipe =
      made("cache-aside", {{"key", "k"}, {"ttl", "1000"}, {"mode", "lock"}, {"wait", "40"}});
  recipe->begin(host);
  recipe->answer(host, 1, &kNull);
  EXPECT_EQ(host.sent[1], "0: SET lock:k me NX PX 3000");
  recipe->answer(host, 2, &kNull);
  EXPECT_EQ(host.slept, std::vector<int64_t>{40});
  recipe->wake(host, 1001);
  Reply hit = reply(Reply::Type::kBulk, "v");
  recipe->answer(host, 3, &hit);
  EXPECT_EQ(recipe->outcome(), "served from the cache after waiting");
}

TEST(CacheAside, TheOneThatAsksReleasesItsLock) {
  FakeHost host(1);
  auto recipe = made("cache-aside", {{"key", "k"}, {"ttl", "1000"}, {"mode", "stale"}});
  recipe->begin(host);
  Reply row = reply(Reply::Type::kBulk, "v");
  recipe->answer(host, 1, &kNull);
  recipe->answer(host, 2, &kOk);
  recipe->answer(host, 3, &row);
  recipe->answer(host, 4, &kOk);
  recipe->answer(host, 5, &kOk);
  recipe->answer(host, 6, &kOne);
  EXPECT_EQ(host.sent,
            (std::vector<std::string>{"0: GET k", "0: SET lock:k me NX PX 3000", "9: READ k",
                                      "0: SET k v PX 1000", "0: SET k:stale v PX 10000",
                                      "0: DELEX lock:k IFEQ me"}));
  EXPECT_EQ(recipe->outcome(), "asked the database, once for all");
}

TEST(CacheAside, ServesTheStaleValueWhileAnotherAsks) {
  FakeHost host(1);
  auto recipe = made("cache-aside", {{"key", "k"}, {"ttl", "1000"}, {"mode", "stale"}});
  recipe->begin(host);
  recipe->answer(host, 1, &kNull);
  recipe->answer(host, 2, &kNull);
  EXPECT_EQ(host.sent[2], "0: GET k:stale");
  Reply old = reply(Reply::Type::kBulk, "old");
  recipe->answer(host, 3, &old);
  EXPECT_EQ(recipe->outcome(), "served the stale value");
}

TEST(CacheAside, SaysWhatFailed) {
  FakeHost host(1);
  auto recipe = made("cache-aside", {{"key", "k"}, {"ttl", "1000"}});
  recipe->begin(host);
  recipe->answer(host, 1, nullptr);
  EXPECT_EQ(recipe->outcome(), "failed: the link broke");
}

}  // namespace
}  // namespace hotkv::sim
