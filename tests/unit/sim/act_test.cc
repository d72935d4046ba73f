// What visitors do to actors, links and messages in flight.
#include <gtest/gtest.h>

#include <string>

#include "core/sim/lesson.h"

namespace hotkv::sim {
namespace {

// Links of exactly 10 ms; clients think 1 ms between steps.
constexpr const char* kWorld =
    "lesson l version 1 seed 7\n"
    "world node n1 clients A \"Worker A\", B \"Worker B\"\n"
    "link A-n1 10ms link B-n1 10ms\n"
    "param key=k ttl=1000\n";

class ActTest : public ::testing::Test {
 protected:
  // Begins a lesson of these steps and runs until `message` is in flight.
  void begin(const std::string& steps, Bytes message) {
    Result<Scenario> parsed = parse_scenario(kWorld + steps);
    ASSERT_TRUE(parsed.ok()) << parsed.status().message();
    lesson_ = std::make_unique<Lesson>(parsed.value(), 7,
                                       std::vector<std::pair<std::string, std::string>>());
    while (!in_flight(message)) ASSERT_TRUE(lesson_->advance()) << message << " is never sent";
  }
  bool in_flight(Bytes message) const {
    for (const auto& m : lesson_->world().in_flight()) {
      if (m.id == message) return true;
    }
    return false;
  }
  // The replies in the order of the transcript; "lost" and "?" for those that did not come.
  std::string finish() {
    while (lesson_->advance()) {
    }
    std::string all;
    for (const TranscriptLine& line : lesson_->transcript()) {
      all += (all.empty() ? "" : " | ");
      all += line.answered ? line.text : line.lost ? "lost" : "?";
    }
    return all;
  }
  int64_t ms() const { return Duration{lesson_->world().now().us}.ms(); }

  std::unique_ptr<Lesson> lesson_;
};

constexpr const char* kTwice =
    "step one A> INCR {key} until reply A\n"
    "step two A> INCR {key} until reply A\n";

TEST_F(ActTest, ADroppedRequestIsNotCarriedOut) {
  begin(kTwice, "A-n1#1");
  EXPECT_TRUE(lesson_->act("A-n1#1", "drop", 0));
  EXPECT_EQ(finish(), "lost | (integer) 1");
}

TEST_F(ActTest, ADroppedReplyWasCarriedOut) {
  begin(kTwice, "n1-A#1");
  EXPECT_TRUE(lesson_->act("n1-A#1", "drop", 0));
  EXPECT_EQ(finish(), "lost | (integer) 2");
}

TEST_F(ActTest, ADuplicateIsCarriedOutTwiceAndAnsweredOnce) {
  begin(kTwice, "A-n1#1");
  EXPECT_TRUE(lesson_->act("A-n1#1", "dup", 0));
  EXPECT_TRUE(in_flight("A-n1#2"));
  EXPECT_EQ(finish(), "(integer) 1 | (integer) 3");
  EXPECT_FALSE(lesson_->act("n1-A#1", "dup", 0)) << "servers do not answer twice";
}

TEST_F(ActTest, DelayAndDeliverMoveTheArrival) {
  begin(kTwice, "A-n1#1");
  EXPECT_TRUE(lesson_->act("A-n1#1", "delay", 100));
  lesson_->advance();
  EXPECT_EQ(ms(), 111);
  begin(kTwice, "A-n1#1");
  EXPECT_TRUE(lesson_->act("A-n1#1", "deliver", 0));
  lesson_->advance();
  EXPECT_EQ(ms(), 1);
  EXPECT_EQ(finish(), "(integer) 1 | (integer) 2");
}

TEST_F(ActTest, ADelayHoldsUpWhatIsBehind) {
  begin(kTwice, "A-n1#1");
  ASSERT_NE(lesson_->exec("A", "n1", "GET k"), 0u);
  while (!in_flight("A-n1#2")) ASSERT_TRUE(lesson_->advance());
  EXPECT_TRUE(lesson_->act("A-n1#1", "delay", 50));
  for (const auto& m : lesson_->world().in_flight()) EXPECT_EQ(m.due.us, 61000) << m.id;
  EXPECT_TRUE(lesson_->act("A-n1#2", "deliver", 0));
  EXPECT_TRUE(lesson_->advance());
  EXPECT_FALSE(in_flight("A-n1#1")) << "a stream keeps its order";
}

TEST_F(ActTest, AStoppedClockKeepsAKeyAndAFastOneDropsIt) {
  const std::string steps =
      "step set A> SET {key} v PX {ttl} until reply A\n"
      "step get A> GET {key} until reply A\n";
  begin(steps, "A-n1#2");
  EXPECT_TRUE(lesson_->act("n1", "clock", 2000));
  EXPECT_EQ(finish(), "OK | (nil)");
  begin(steps, "A-n1#2");
  EXPECT_TRUE(lesson_->act("n1", "clock", -2000));
  EXPECT_EQ(finish(), "OK | \"v\"");
  EXPECT_FALSE(lesson_->act("A", "clock", 1)) << "clients decide nothing by the wall clock";
}

TEST_F(ActTest, APausedNodeAnswersWhenItWakes) {
  begin(kTwice, "A-n1#1");
  EXPECT_TRUE(lesson_->act("n1", "pause", 5000));
  EXPECT_EQ(finish(), "(integer) 1 | (integer) 2");
  EXPECT_GE(ms(), 5001 + 10);
}

TEST_F(ActTest, APausedClientGoesOnWhenItWakes) {
  begin(kTwice, "n1-A#1");
  EXPECT_TRUE(lesson_->act("A", "pause", 5000));
  EXPECT_EQ(finish(), "(integer) 1 | (integer) 2");
  EXPECT_GE(ms(), 5011 + 20);
}

TEST_F(ActTest, AKilledNodeForgetsAndARestartedOneServes) {
  begin(kTwice, "n1-A#1");
  EXPECT_TRUE(lesson_->act("n1", "kill", 0));
  EXPECT_FALSE(lesson_->act("n1", "kill", 0));
  EXPECT_TRUE(lesson_->act("n1", "restart", 0));
  EXPECT_EQ(finish(), "lost | (integer) 1") << "nothing is kept yet across a restart";
}

TEST_F(ActTest, ACutLinkHoldsWhatIsInFlight) {
  begin(kTwice, "A-n1#1");
  EXPECT_TRUE(lesson_->act("A-n1", "cut", 0));
  EXPECT_FALSE(lesson_->act("A-n1", "cut", 0));
  EXPECT_FALSE(lesson_->advance());
  EXPECT_TRUE(in_flight("A-n1#1"));
  EXPECT_TRUE(lesson_->act("A-n1", "heal", 0));
  EXPECT_EQ(finish(), "(integer) 1 | (integer) 2");
}

TEST_F(ActTest, RefusesWhatIsNotThere) {
  begin(kTwice, "A-n1#1");
  const std::string before = lesson_->hash();
  for (Bytes id : {"A-n1#9", "C", "A-n9", "", "#", "-"}) {
    for (Bytes action : {"kill", "drop", "cut", "dance", ""}) {
      EXPECT_FALSE(lesson_->act(id, action, 1)) << id << " " << action;
    }
  }
  EXPECT_FALSE(lesson_->act("A", "pause", 0));
  EXPECT_FALSE(lesson_->act("A", "pause", INT64_MAX));
  EXPECT_EQ(lesson_->hash(), before);
}

}  // namespace
}  // namespace hotkv::sim
