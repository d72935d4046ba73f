#include "web/view/playback.h"

#include <gtest/gtest.h>

#include "tests/unit/view/lesson_trace.h"

namespace hotkv::view {
namespace {

SceneFrame at(int64_t us) { return frame(lock_events(), {us}); }

TEST(Playback, ShowsTheActorsInTheLessonsOrder) {
  SceneFrame f = at(0);
  ASSERT_EQ(f.participants.size(), 3u);
  EXPECT_EQ(f.participants[0].id, "n1");
  EXPECT_EQ(f.participants[0].role, "primary");
  EXPECT_EQ(f.participants[1].title, "Worker A");
  EXPECT_EQ(f.participants[2].kind, "client");
  ASSERT_EQ(f.links.size(), 2u);
  EXPECT_EQ(f.links[1].latency_us, 14000);
  EXPECT_EQ(f.link_between("n1", "B"), &f.links[1]);
}

TEST(Playback, MovesAMessageInAStraightLine) {
  EXPECT_TRUE(at(999).messages.empty());
  for (int64_t us : {1000, 3500, 6000, 8500, 10999}) {
    SceneFrame f = at(us);
    ASSERT_EQ(f.messages.size(), 1u);
    EXPECT_EQ(f.messages[0].label, "SET lock:x tok-a NX PX 30000");
    EXPECT_DOUBLE_EQ(f.messages[0].position, double(us - 1000) / 10000);
    EXPECT_EQ(f.links[0].in_flight, 1);
    EXPECT_EQ(f.links[1].in_flight, 0);
  }
  SceneFrame f = at(17000);
  ASSERT_EQ(f.messages.size(), 1u);
  EXPECT_EQ(f.messages[0].kind, "reply");
  EXPECT_EQ(f.messages[0].cause, "A-n1#1");
  EXPECT_DOUBLE_EQ(f.messages[0].position, 0.5);
  EXPECT_FALSE(f.messages[0].error);
  EXPECT_TRUE(at(40000).messages[0].error);
}

TEST(Playback, CountsOnlyTheFirstLines) {
  std::vector<Event> events = lock_events();
  EXPECT_EQ(frame(events, {11000}, 10).messages.size(), 0u);
  EXPECT_EQ(frame(events, {11000}, 10).participant("n1")->keys.size(), 0u);
  EXPECT_EQ(frame(events, {11000}, 11).participant("n1")->keys.size(), 1u);
  EXPECT_EQ(frame(events, {11000}).messages.size(), 1u);
}

TEST(Playback, RingsEmptyAsTimePasses) {
  SceneFrame f = at(11000);
  ASSERT_EQ(f.participant("n1")->keys.size(), 1u);
  SceneKey key = f.participant("n1")->keys[0];
  EXPECT_EQ(key.setter, "A");
  EXPECT_TRUE(key.expires);
  EXPECT_EQ(key.ttl_us, 30000000);
  EXPECT_DOUBLE_EQ(key.ttl_fraction, 1);
  f = frame(lock_events(), {125000});
  EXPECT_EQ(f.participant("n1")->keys[0].ttl_us, 30011000 - 125000);
  // The clock went on by a second: what is left is a second less.
  f = frame(lock_events(), {130000});
  EXPECT_EQ(f.participant("n1")->keys[0].ttl_us, 29011000 - 130000);
  EXPECT_EQ(f.participant("n1")->clock_ms, 1000);
}

TEST(Playback, TellsWhatClientsThink) {
  EXPECT_TRUE(at(22999).participant("A")->waiting);
  SceneFrame f = at(23000);
  const Participant* a = f.participant("A");
  EXPECT_FALSE(a->waiting);
  EXPECT_EQ(a->reply, "OK");
  ASSERT_EQ(a->beliefs.size(), 1u);
  EXPECT_EQ(a->beliefs[0].token, "tok-a");
  EXPECT_TRUE(at(50000).participant("B")->error);
  EXPECT_EQ(at(30000999).participant("A")->beliefs.size(), 1u);
  EXPECT_EQ(at(30001000).participant("A")->beliefs.size(), 0u);
}

TEST(Playback, ACutLinkFreezesWhatIsOnIt) {
  EXPECT_DOUBLE_EQ(at(64000).messages[0].position, 0.4);
  EXPECT_TRUE(at(64000).links[0].cut);
  EXPECT_DOUBLE_EQ(at(89999).messages[0].position, 0.4);
  SceneFrame healed = at(90000);
  EXPECT_FALSE(healed.links[0].cut);
  EXPECT_TRUE(healed.messages[0].delayed);
  EXPECT_DOUBLE_EQ(healed.messages[0].position, 0.6);  // 30 of 50 ms.
  SceneFrame lost = at(100000);
  ASSERT_EQ(lost.messages.size(), 1u);
  EXPECT_TRUE(lost.messages[0].lost);
  EXPECT_EQ(lost.messages[0].reason, "dropped");
  EXPECT_DOUBLE_EQ(lost.messages[0].position, 0.8);
  EXPECT_EQ(lost.links[0].in_flight, 0);
  EXPECT_TRUE(at(100001).messages.empty());
}

TEST(Playback, ShowsFaultsStepsGoalsAndBrokenInvariants) {
  EXPECT_TRUE(at(120000).participant("A")->paused);
  EXPECT_TRUE(at(159999).participant("A")->paused);
  EXPECT_FALSE(at(160000).participant("A")->paused);
  SceneFrame f = at(150000);
  EXPECT_FALSE(f.participant("n1")->up);
  EXPECT_TRUE(f.participant("n1")->keys.empty());
  EXPECT_EQ(f.steps_done, 2);
  EXPECT_EQ(f.step, "refused");
  EXPECT_FALSE(f.in_step);
  EXPECT_TRUE(at(30000).in_step);
  ASSERT_EQ(f.broken.size(), 1u);
  EXPECT_EQ(f.broken[0].detail, "A and B hold lock:x");
  EXPECT_EQ(f.goals, std::vector<std::string>{"b-wins"});
  ASSERT_EQ(f.counters.size(), 1u);
  EXPECT_EQ(f.counters[0].value, 1);
  EXPECT_EQ(f.faults.size(), 5u);
}

TEST(Playback, GoingBackIsAsNeverHavingBeenLater) {
  std::vector<Event> events = lock_events();
  for (int64_t us = 0; us < 160000; us += 777) {
    SceneFrame first = frame(events, {us});
    frame(events, {160000});
    SceneFrame again = frame(events, {us});
    ASSERT_EQ(first.messages.size(), again.messages.size());
    for (size_t i = 0; i < first.messages.size(); i++) {
      EXPECT_EQ(first.messages[i].position, again.messages[i].position);
    }
  }
}

TEST(Playback, GoesOnFromWhereItWas) {
  std::vector<Event> events = lock_events();
  Playback playback;
  for (int64_t us : {0, 5000, 5000, 11000, 64000, 100000, 100001, 30000, 150000, 999, 29011000}) {
    SceneFrame one = frame(events, {us}), other = playback.frame(events, {us});
    ASSERT_EQ(one.messages.size(), other.messages.size()) << us;
    for (size_t i = 0; i < one.messages.size(); i++) {
      EXPECT_EQ(one.messages[i].position, other.messages[i].position);
      EXPECT_EQ(one.messages[i].lost, other.messages[i].lost);
    }
    for (size_t i = 0; i < one.participants.size(); i++) {
      const Participant &a = one.participants[i], &b = other.participants[i];
      EXPECT_EQ(a.keys.size(), b.keys.size());
      EXPECT_EQ(a.beliefs.size(), b.beliefs.size());
      EXPECT_EQ(a.paused, b.paused);
      EXPECT_EQ(a.up, b.up);
      EXPECT_EQ(a.reply, b.reply);
    }
    EXPECT_EQ(one.faults.size(), other.faults.size());
    EXPECT_EQ(one.steps_done, other.steps_done);
  }
  EXPECT_EQ(playback.frame(events, {11000}, 10).messages.size(), 0u);
  EXPECT_EQ(playback.frame(events, {11000}, 12).messages.size(), 1u);
}

TEST(Playback, ReadsDatabasesAndProgramsOfClients) {
  std::vector<Event> events = read_trace(
      R"({"event":"actor","at_us":0,"actor":"db","kind":"database","title":"Orders"}
{"event":"actor","at_us":0,"actor":"C","kind":"client","title":"Client"}
{"event":"client-sent","at_us":1,"client":"C","line":"GET page"}
{"event":"load","at_us":2,"actor":"db","running":2,"waiting":48}
{"event":"row","at_us":3,"actor":"db","row":"page","value":"one","version":1,"highest":0}
{"event":"row","at_us":4,"actor":"db","row":"page","value":"two","version":2,"highest":34}
{"event":"refused","at_us":5,"actor":"db","row":"page","number":33,"highest":34}
{"event":"request-lost","at_us":6,"client":"C","line":"GET page"}
{"event":"done","at_us":7,"client":"C","recipe":"cache-aside","outcome":"gave up"}
)");
  SceneFrame f = frame(events, {7});
  const Participant* db = f.participant("db");
  ASSERT_TRUE(db);
  EXPECT_EQ(db->running, 2);
  EXPECT_EQ(db->in_line, 48);
  ASSERT_EQ(db->rows.size(), 1u);
  EXPECT_EQ(db->rows[0].value, "two");
  EXPECT_EQ(db->rows[0].version, 2);
  EXPECT_EQ(db->refused, 1);
  EXPECT_EQ(db->highest, "34");
  EXPECT_TRUE(frame(events, {5}).participant("C")->waiting);
  EXPECT_FALSE(frame(events, {6}).participant("C")->waiting);
  EXPECT_EQ(f.participant("C")->outcome, "gave up");
}

}  // namespace
}  // namespace hotkv::view
