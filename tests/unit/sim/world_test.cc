#include "core/sim/world.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/base/numbers.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace hotkv::sim {
namespace {

constexpr int kA = 0, kB = 1;

Time at_ms(int64_t ms) { return Time{} + milliseconds(ms); }

// A node and two clients, whose links take exactly 10 ms one way unless a test says otherwise.
class WorldTest : public ::testing::Test {
 protected:
  WorldTest() { build(world_, {milliseconds(10), {}}); }

  static void build(World& world, Latency latency) {
    world.keep_trace(true);
    world.add_node("n1");
    world.add_client("A");
    world.add_client("B");
    for (int client : {kA, kB}) world.set_latency(client, 0, latency);
    world.start_node(0);
  }
  void run_until(Time until) {
    while (world_.advance_until(until)) {
      for (const Answer& answer : world_.answers()) answers_.push_back(answer);
      for (uint64_t request : world_.lost_requests()) lost_.push_back(request);
    }
  }
  // Says a line now and runs until its reply has come; "" when it never comes.
  std::string ask(int client, const std::string& line) {
    uint64_t request = world_.send(client, 0, line);
    while (request && world_.advance()) {
      for (const Answer& answer : world_.answers()) {
        if (answer.request == request) return answer.resp;
      }
    }
    return "";
  }
  int64_t number(int client, const std::string& line) {
    std::string resp = ask(client, line);
    int64_t n = -1;
    if (resp.size() > 3 && resp[0] == ':') parse_int64(Bytes(resp).substr(1, resp.size() - 3), n);
    return n;
  }

  World world_{1};
  std::vector<Answer> answers_;
  std::vector<uint64_t> lost_;
};

TEST_F(WorldTest, AReplyTakesTheWayThereAndBack) {
  uint64_t request = world_.send(kA, 0, "ECHO \"a b\"");
  run_until(at_ms(1000));
  ASSERT_EQ(answers_.size(), 1u);
  EXPECT_EQ(answers_[0].request, request);
  EXPECT_EQ(answers_[0].client, kA);
  EXPECT_EQ(answers_[0].resp, "$3\r\na b\r\n");
  EXPECT_EQ(answers_[0].reply.text, "a b");
  EXPECT_EQ(answers_[0].sent_at, Time{});
  EXPECT_EQ(answers_[0].received_at, at_ms(20));
  EXPECT_EQ(world_.now(), at_ms(1000));
  EXPECT_FALSE(world_.waits_for_reply(kA));
}

TEST_F(WorldTest, LatencyLiesWithinItsSpread) {
  World world(3);
  build(world, {milliseconds(10), milliseconds(4)});
  Duration least = seconds(1), most{};
  for (int i = 0; i < 300; i++) {
    world.send(kA, 0, "PING");
    do {
      ASSERT_TRUE(world.advance());
    } while (world.answers().empty());
    Duration way = world.answers()[0].received_at - world.answers()[0].sent_at;
    least = way < least ? way : least;
    most = way > most ? way : most;
  }
  EXPECT_GE(least, milliseconds(12));
  EXPECT_LE(most, milliseconds(28));
  EXPECT_LT(least, milliseconds(14));  // Both ends are used: 300 draws of two.
  EXPECT_GT(most, milliseconds(26));
}

TEST_F(WorldTest, ALinkKeepsItsOrder) {
  World world(5);
  build(world, {milliseconds(10), milliseconds(10)});
  for (int i = 0; i < 100; i++) world.send(kA, 0, "ECHO " + std::to_string(i));
  int next = 0;
  Time last;
  while (world.advance()) {
    EXPECT_GE(world.now(), last);
    last = world.now();
    for (const Answer& a : world.answers()) EXPECT_EQ(a.reply.text, std::to_string(next++));
  }
  EXPECT_EQ(next, 100);
}

TEST_F(WorldTest, ACutLinkStallsAndLosesNothing) {
  world_.send(kA, 0, "INCR n");
  world_.send(kB, 0, "PING");
  world_.cut(kA, 0);
  run_until(at_ms(5000));
  ASSERT_EQ(answers_.size(), 1u) << "the other link works";
  EXPECT_EQ(answers_[0].client, kB);
  EXPECT_TRUE(world_.waits_for_reply(kA));
  EXPECT_EQ(world_.messages_in_flight(), 1);
  world_.heal(kA, 0);
  run_until(at_ms(6000));
  ASSERT_EQ(answers_.size(), 2u);
  EXPECT_EQ(answers_[1].resp, ":1\r\n");
  EXPECT_EQ(answers_[1].received_at, at_ms(5010)) << "what waited arrives now";
  EXPECT_TRUE(lost_.empty());
}

// A message sent while the link is cut waits, too, and the order holds.
TEST_F(WorldTest, WhatIsSaidOnACutLinkComesInOrder) {
  world_.cut(kA, 0);
  for (int i = 0; i < 5; i++) world_.send(kA, 0, "ECHO " + std::to_string(i));
  run_until(at_ms(100));
  world_.heal(kA, 0);
  world_.send(kA, 0, "ECHO 5");
  run_until(at_ms(200));
  ASSERT_EQ(answers_.size(), 6u);
  for (size_t i = 0; i < 6; i++) EXPECT_EQ(answers_[i].reply.text, std::to_string(i));
}

TEST_F(WorldTest, AShortCutHastensNothing) {
  world_.send(kA, 0, "ECHO first");  // Due at 10 ms.
  world_.cut(kA, 0);
  run_until(at_ms(2));
  world_.heal(kA, 0);
  run_until(at_ms(5));
  world_.send(kA, 0, "ECHO second");  // Due at 15 ms.
  run_until(at_ms(100));
  ASSERT_EQ(answers_.size(), 2u);
  EXPECT_EQ(answers_[0].received_at, at_ms(20));
  EXPECT_EQ(answers_[1].received_at, at_ms(25));
}

TEST_F(WorldTest, AKilledNodeLosesItsDataAndWhatIsOnTheWay) {
  EXPECT_EQ(ask(kA, "SET k v"), "+OK\r\n");
  run_until(at_ms(100));
  uint64_t unanswered = world_.send(kA, 0, "SET k w");  // It will arrive at 110 ms ...
  run_until(at_ms(115));
  world_.kill_node(0);  // ... and be carried out, but the reply never comes.
  EXPECT_FALSE(world_.node_up(0));
  EXPECT_EQ(world_.messages_in_flight(), 0);
  uint64_t refused = world_.send(kB, 0, "PING");
  run_until(at_ms(200));
  EXPECT_EQ(lost_, (std::vector<uint64_t>{refused}));
  EXPECT_TRUE(answers_.empty());
  EXPECT_FALSE(world_.waits_for_reply(kA)) << unanswered;
  world_.restart_node(0);
  EXPECT_EQ(ask(kA, "GET k"), "$-1\r\n");
}

TEST_F(WorldTest, ALossIsToldInTheEventThatCausedIt) {
  uint64_t request = world_.send(kA, 0, "PING");
  uint64_t timer = world_.schedule(milliseconds(1));
  ASSERT_TRUE(world_.advance_until(at_ms(5)));
  while (world_.fired().empty()) ASSERT_TRUE(world_.advance_until(at_ms(5)));
  EXPECT_EQ(world_.fired(), (std::vector<uint64_t>{timer}));
  world_.kill_node(0);
  EXPECT_EQ(world_.lost_requests(), (std::vector<uint64_t>{request}));
}

TEST_F(WorldTest, APausedClientReadsWhenItWakes) {
  world_.send(kA, 0, "PING");
  world_.pause_client(kA, milliseconds(500));
  EXPECT_EQ(world_.send(kA, 0, "PING"), 0u) << "it says nothing while it stands still";
  run_until(at_ms(499));
  EXPECT_TRUE(answers_.empty());
  run_until(at_ms(600));
  ASSERT_EQ(answers_.size(), 1u);
  EXPECT_EQ(answers_[0].received_at, at_ms(500));
  EXPECT_NE(world_.send(kA, 0, "PING"), 0u);
}

TEST_F(WorldTest, AKilledClientIsForgottenByTheNode) {
  EXPECT_EQ(ask(kA, "PING"), "+PONG\r\n");
  EXPECT_EQ(ask(kB, "CLIENT NO-EVICT OFF"), "+OK\r\n");
  world_.kill_client(kA);
  EXPECT_FALSE(world_.client_up(kA));
  EXPECT_EQ(world_.send(kA, 0, "PING"), 0u);
  std::string list = ask(kB, "CLIENT LIST");
  size_t ids = 0;
  for (size_t at = list.find("addr="); at != std::string::npos; at = list.find(" addr=", at + 1)) {
    ids++;
  }
  EXPECT_EQ(ids, 1u) << list;
}

TEST_F(WorldTest, EqualSeedsGiveEqualRuns) {
  auto run = [](uint64_t seed) {
    World world(seed);
    build(world, {milliseconds(10), milliseconds(5)});
    for (int i = 0; i < 20; i++) {
      world.send(i % 2, 0, "SET k" + std::to_string(i) + " v PX 50");
      if (i == 7) world.cut(kA, 0);
      if (i == 9) world.kill_node(0);
      if (i == 11) world.restart_node(0);
      if (i == 13) world.heal(kA, 0);
      for (int j = 0; j < 3; j++) world.advance();
    }
    while (world.advance()) {
    }
    return std::pair<uint64_t, std::string>(world.digest(), world.trace_text());
  };
  auto first = run(1), again = run(1), other = run(2);
  EXPECT_EQ(first.first, again.first);
  EXPECT_EQ(first.second, again.second);
  EXPECT_NE(first.first, other.first);
}

// Runs that end alike but went another way must not look equal.
TEST_F(WorldTest, TheDigestIsAHashChainOverTheWholeTrace) {
  ask(kA, "SET k v");
  ask(kB, "GET k");
  uint64_t chain = 0;
  Bytes rest = world_.trace_text();
  size_t lines = 0;
  for (; !rest.empty(); lines++) {
    const Bytes line = rest.substr(0, rest.find('\n'));
    chain = XXH3_64bits_withSeed(line.data(), line.size(), chain);
    rest.remove_prefix(line.size() + 1);
  }
  EXPECT_GT(lines, 10u);
  EXPECT_EQ(world_.digest(), chain);
}

// One stream of random numbers a link: what A does changes nothing for B.
TEST_F(WorldTest, ALinkDoesNotReshuffleAnother) {
  auto times = [](bool a_speaks) {
    World world(9);
    build(world, {milliseconds(10), milliseconds(5)});
    std::vector<int64_t> received;
    for (int i = 0; i < 10; i++) {
      if (a_speaks) world.send(kA, 0, "PING");
      world.send(kB, 0, "PING");
    }
    while (world.advance()) {
      for (const Answer& a : world.answers()) {
        if (a.client == kB) received.push_back(a.received_at.us);
      }
    }
    return received;
  };
  EXPECT_EQ(times(false).size(), 10u);
  EXPECT_EQ(times(false), times(true));
}

TEST_F(WorldTest, TimersFireInOrderOfTimeThenOfAsking) {
  std::vector<uint64_t> asked = {world_.schedule(milliseconds(3)), world_.schedule(milliseconds(1)),
                                 world_.schedule(milliseconds(3)), world_.schedule({})};
  std::vector<uint64_t> fired;
  while (world_.advance()) {
    for (uint64_t timer : world_.fired()) fired.push_back(timer);
  }
  EXPECT_EQ(fired, (std::vector<uint64_t>{asked[3], asked[1], asked[0], asked[2]}));
  EXPECT_EQ(world_.now(), at_ms(3));
}

TEST_F(WorldTest, KeysExpireByTheVirtualClock) {
  EXPECT_EQ(ask(kA, "SET k v PX 100"), "+OK\r\n");  // Carried out at 10 ms of this exchange.
  const Time gone = world_.now() - milliseconds(10) + milliseconds(100);
  run_until(gone - microseconds(1));
  EXPECT_TRUE(world_.holds(0, "k", "v"));
  ASSERT_EQ(world_.keys(0, 10).size(), 1u);
  EXPECT_EQ(world_.keys(0, 10)[0].ttl_ms, 1);
  run_until(gone);
  EXPECT_FALSE(world_.holds(0, "k", "v"));
  EXPECT_TRUE(world_.keys(0, 10).empty());
  run_until(gone + seconds(2));  // Nobody asks; upkeep reclaims it.
  EXPECT_NE(world_.trace_text().find(R"("key":"k","reason":"expired")"), std::string::npos);
}

// ---- the disk ----

// The epoch is read (200 us) and written (200 us) before LOCK may answer; others do not wait.
TEST_F(WorldTest, NoGrantBeforeTheEpochIsDurable) {
  World world(1);
  build(world, {Duration{}, {}});
  world.send(kA, 0, "LOCK k token PX 1000");
  world.send(kB, 0, "PING");
  Time granted, served = Time::never();
  while (world.advance()) {
    for (const Answer& a : world.answers()) (a.client == kA ? granted : served) = a.received_at;
    if (world.disk(0).files().empty()) {
      EXPECT_EQ(granted, Time{}) << "granted before it is durable";
    }
  }
  EXPECT_EQ(served, Time{});
  EXPECT_EQ(granted, Time{} + microseconds(400));
  EXPECT_EQ(world.disk(0).files().at("hotkv.epoch"), "1\n");
}

TEST_F(WorldTest, ACrashLosesWhatTheDiskHasNotDone) {
  World world(1);
  build(world, {Duration{}, {}});
  ASSERT_FALSE(world.advance_until(Time{} + microseconds(199)));
  world.kill_node(0);
  world.advance_until(at_ms(10));
  EXPECT_TRUE(world.disk(0).files().empty());
  world.restart_node(0);
  world.advance_until(at_ms(20));
  while (world.advance_until(at_ms(20))) {
  }
  EXPECT_EQ(world.disk(0).files().at("hotkv.epoch"), "1\n");
  world.kill_node(0);
  world.restart_node(0);
  while (world.advance_until(at_ms(30))) {
  }
  EXPECT_EQ(world.disk(0).files().at("hotkv.epoch"), "2\n") << "files survive the node";
}

TEST_F(WorldTest, FencingNumbersGrowOverRestarts) {
  int64_t last = 0;
  for (int run = 1; run <= 5; run++) {
    int64_t granted = number(kA, "LOCK k token PX 100000");
    EXPECT_GT(granted, last);
    EXPECT_EQ(granted >> 36, run);
    EXPECT_EQ(number(kA, "LOCK k token PX 100000"), granted) << "a holder keeps its number";
    last = granted;
    world_.kill_node(0);
    world_.restart_node(0);
  }
}

TEST_F(WorldTest, AnIllDiskStopsLocksAndNothingElse) {
  world_.disk(0).set_failure("Read-only file system");
  EXPECT_EQ(ask(kA, "SET k v"), "+OK\r\n");
  std::string refusal = ask(kA, "LOCK l token PX 1000");
  EXPECT_EQ(refusal[0], '-');
  EXPECT_NE(refusal.find("hotkv.epoch: Read-only file system"), std::string::npos) << refusal;
  world_.disk(0).set_failure("");
  run_until(world_.now() + seconds(3));  // It is tried again once a second.
  EXPECT_GT(number(kA, "LOCK l token PX 1000"), 0);
}

}  // namespace
}  // namespace hotkv::sim
