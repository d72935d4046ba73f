#include "core/sim/lesson.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace hotkv::sim {
namespace {

// Links of exactly 10 ms, so that times are arithmetic.
constexpr const char* kHead =
    "lesson l version 1 seed 7\n"
    "world node n1 clients A \"Worker A\", B \"Worker B\"\n"
    "link A-n1 10ms link B-n1 10ms\n"
    "param key=lock ttl=1000 token=tok\n"
    "invariant mutex: at most one client believes that it holds the lock\n"
    "invariant freed: the key is free in time\n";

constexpr const char* kSteps =
    "step take A> SET {key} {token} NX PX {ttl} until reply A expect OK\n"
    "step refused B> SET {key} other NX PX {ttl} until reply B expect (nil)\n"
    "step release A> DELEX {key} IFEQ {token} until reply A expect (integer) 1\n";

Scenario scenario(const std::string& lines) {
  Result<Scenario> parsed = parse_scenario(kHead + lines);
  EXPECT_TRUE(parsed.ok()) << parsed.status().message();
  return parsed.value();
}

using Params = std::vector<std::pair<std::string, std::string>>;

// Runs a lesson to its end, as told or with a what-if.
struct Told {
  explicit Told(const std::string& lines, Bytes attempt = "", const Params& params = {})
      : lesson(scenario(lines), 7, params) {
    if (!attempt.empty()) {
      EXPECT_TRUE(lesson.attempt(attempt));
    }
    while (lesson.advance()) {
    }
  }
  std::string texts() const {
    std::string all;
    for (const TranscriptLine& line : lesson.transcript()) {
      all += line.client + "> " + line.line + " = " + (line.answered ? line.text : "?") + "\n";
    }
    return all;
  }
  Lesson lesson;
};

TEST(Lesson, RunsItsStepsInOrder) {
  Told run(kSteps);
  EXPECT_EQ(run.texts(),
            "A> SET lock tok NX PX 1000 = OK\n"
            "B> SET lock other NX PX 1000 = (nil)\n"
            "A> DELEX lock IFEQ tok = (integer) 1\n");
  EXPECT_TRUE(run.lesson.ended());
  EXPECT_EQ(run.lesson.steps_done(), 3);
  EXPECT_TRUE(run.lesson.failures().empty());
  EXPECT_TRUE(run.lesson.broken_invariants().empty());
  const auto& lines = run.lesson.transcript();
  EXPECT_EQ(lines[0].step, "take");
  EXPECT_EQ(lines[0].resp, "+OK\r\n");
  for (const TranscriptLine& line : lines) {
    EXPECT_EQ(line.answered_at - line.sent_at, milliseconds(20));
  }
  EXPECT_EQ(run.lesson.transcript_text().substr(0, 54),
            "# Worker A: take\nhotkv> SET lock tok NX PX 1000\nOK\n# W");
}

TEST(Lesson, TellsWhichExpectationFailed) {
  Told run("step one A> PING until reply A expect PANG\n");
  ASSERT_EQ(run.lesson.failures().size(), 1u);
  EXPECT_EQ(run.lesson.failures()[0], "step one: expected PANG, got PONG");
}

TEST(Lesson, ExpectationsMayBeRanges) {
  EXPECT_TRUE(matches_expectation("OK", "OK"));
  EXPECT_FALSE(matches_expectation("OK", "OK "));
  EXPECT_TRUE(matches_expectation("(integer) 1..10", "(integer) 1"));
  EXPECT_TRUE(matches_expectation("(integer) 1..10", "(integer) 10"));
  EXPECT_FALSE(matches_expectation("(integer) 1..10", "(integer) 0"));
  EXPECT_FALSE(matches_expectation("(integer) 1..10", "(integer) 11"));
  EXPECT_FALSE(matches_expectation("(integer) 1..10", "(nil)"));
  EXPECT_FALSE(matches_expectation("(integer) 1..10", "5"));
  EXPECT_TRUE(matches_expectation("(integer) -5..-1", "(integer) -3"));
}

TEST(Lesson, ParametersAndTheLastReplyAreFilledIn) {
  Told run(
      "step set A> SET {key} {token x 3} until reply A\n"
      "step get A> GET {key} until reply A\n"
      "step use A> DELEX {key} IFEQ {reply} until reply A expect (integer) 1\n",
      "", {{"token", "ab"}});
  EXPECT_EQ(run.texts(),
            "A> SET lock ababab = OK\n"
            "A> GET lock = \"ababab\"\n"
            "A> DELEX lock IFEQ ababab = (integer) 1\n");
  EXPECT_EQ(run.lesson.param("token"), "ab");
  EXPECT_EQ(run.lesson.param("ttl"), "1000");
}

TEST(Lesson, AWhatIfBranchesOffAfterItsStep) {
  const std::string lines = std::string(kSteps) +
                            "try late after refused: wait {ttl}ms; B> SET {key} other NX\n"
                            "try alone: B> PING\n";
  EXPECT_EQ(Told(lines, "late").texts(),
            "A> SET lock tok NX PX 1000 = OK\n"
            "B> SET lock other NX PX 1000 = (nil)\n"
            "B> SET lock other NX = OK\n");
  EXPECT_EQ(Told(lines, "alone").texts(), "B> PING = PONG\n");
  Lesson lesson(scenario(lines), 7, {});
  EXPECT_FALSE(lesson.attempt("unknown"));
  ASSERT_TRUE(lesson.advance());
  EXPECT_FALSE(lesson.attempt("late")) << "the run has begun";
}

TEST(Lesson, CountsWhatItsCountersName) {
  const std::string lines =
      "count acquire = commands SET+NX by A until first OK\n"
      "count all = commands set|get\n"
      "count inside = commands GET in step two\n"
      "step one A> SET k v NX until reply A\n"
      "step two A> GET k until reply A\n"
      "step three A> SET k v NX until reply A\n"
      "step four B> GET k until reply B\n"
      "step five B> SET k v until reply B\n";
  Told run(lines);
  EXPECT_EQ(run.lesson.counter("acquire"), 1) << "not after the first OK";
  EXPECT_EQ(run.lesson.counter("all"), 5);
  EXPECT_EQ(run.lesson.counter("inside"), 1);
  EXPECT_EQ(run.lesson.counter("unknown"), 0);
}

TEST(Lesson, ReachesAGoalOnlyUnderItsCondition) {
  const std::string lines = std::string(kSteps) +
                            "try early after take: wait {ttl}ms; B> SET {key} other NX\n"
                            "try polite after release: B> SET {key} other NX\n"
                            "goal b-wins when reply B of SET = OK and A not released\n";
  EXPECT_FALSE(Told(lines).lesson.goal_reached("b-wins"));
  EXPECT_TRUE(Told(lines, "early").lesson.goal_reached("b-wins"));
  EXPECT_FALSE(Told(lines, "polite").lesson.goal_reached("b-wins"));
}

TEST(Lesson, ReachesAGoalWhenItsInvariantBreaks) {
  const std::string lines = std::string(kSteps) +
                            "try steal after take: B> DEL {key}; B> SET {key} other NX PX {ttl}\n"
                            "try polite after release: B> SET {key} other NX\n"
                            "goal two when invariant mutex breaks\n"
                            "goal late when invariant freed breaks\n";
  EXPECT_FALSE(Told(lines).lesson.goal_reached("two"));
  EXPECT_FALSE(Told(lines, "polite").lesson.goal_reached("two"));
  EXPECT_TRUE(Told(lines, "steal").lesson.goal_reached("two"));
  EXPECT_FALSE(Told(lines, "steal").lesson.goal_reached("late")) << "another invariant broke";
}

// A deletes without looking at the token; then two believe that they hold the lock.
TEST(Lesson, FindsTwoHolders) {
  const std::string lines = std::string(kSteps) +
                            "try steal after take: B> DEL {key}; B> SET {key} other NX PX {ttl}\n"
                            "try wait after take: wait {ttl}ms; B> SET {key} other NX PX {ttl}\n";
  EXPECT_TRUE(Told(lines, "wait").lesson.broken_invariants().empty());
  Told run(lines, "steal");
  ASSERT_EQ(run.lesson.broken_invariants().size(), 1u);
  EXPECT_EQ(run.lesson.broken_invariants()[0], "mutex");
}

// A careful client counts its time from the sending, so it stops believing before the key is gone.
TEST(Lesson, AHolderBelievesUntilItsTimeIsOver) {
  Lesson lesson(scenario(kSteps), 7, {});
  while (lesson.steps_done() < 1) ASSERT_TRUE(lesson.advance());
  const Time sent_at = lesson.transcript()[0].sent_at;
  std::string token;
  EXPECT_TRUE(lesson.believes(0, "lock"));
  EXPECT_TRUE(lesson.believes_any(0, token));
  EXPECT_EQ(token, "tok");
  EXPECT_FALSE(lesson.believes(1, "lock"));
  while (lesson.advance()) {
  }
  EXPECT_FALSE(lesson.believes(0, "lock")) << "released";
  EXPECT_EQ(sent_at, Time{} + milliseconds(1));
}

TEST(Lesson, FindsALockThatOutlivesItsHolder) {
  const std::string lines = std::string(kSteps) +
                            "try safe: A> SET {key} {token} NX PX {ttl}; kill A; wait {ttl}ms; "
                            "wait 5ms; B> GET {key}\n"
                            "try bare: A> SET {key} {token} NX; kill A; wait {ttl}ms; wait 5ms; "
                            "B> GET {key}\n";
  EXPECT_TRUE(Told(lines, "safe").lesson.broken_invariants().empty());
  Told run(lines, "bare");
  ASSERT_EQ(run.lesson.broken_invariants().size(), 1u);
  EXPECT_EQ(run.lesson.broken_invariants()[0], "freed");
  EXPECT_NE(run.texts().find("B> GET lock = \"tok\""), std::string::npos);
}

TEST(Lesson, FaultsLoseRequestsAndTheStoryGoesOn) {
  const std::string lines =
      "try crash: A> SET k v; kill n1; A> GET k; restart n1; A> GET k\n"
      "try pause: pause A 500ms; B> PING; cut B-n1; heal B-n1; B> PING\n";
  EXPECT_EQ(Told(lines, "crash").texts(), "A> SET k v = OK\nA> GET k = ?\nA> GET k = (nil)\n");
  EXPECT_EQ(Told(lines, "pause").texts(), "B> PING = PONG\nB> PING = PONG\n");
}

TEST(Lesson, ATypedLineIsAnsweredBeforeTheStoryGoesOn) {
  Lesson lesson(scenario(kSteps), 7, {});
  EXPECT_EQ(lesson.exec("C", "n1", "PING"), 0u);
  EXPECT_EQ(lesson.exec("A", "n2", "PING"), 0u);
  EXPECT_EQ(lesson.exec("A", "n1", "ECHO \"open"), 0u);
  const uint64_t number = lesson.exec("B", "n1", "SET typed line");
  ASSERT_NE(number, 0u);
  EXPECT_EQ(lesson.typed_line(number), nullptr) << "it has not been said yet";
  while (lesson.advance()) {
  }
  const TranscriptLine* line = lesson.typed_line(number);
  ASSERT_NE(line, nullptr);
  EXPECT_TRUE(line->typed);
  EXPECT_EQ(line->text, "OK");
  EXPECT_EQ(lesson.transcript().size(), 4u);
  EXPECT_EQ(&lesson.transcript()[0], line);
  EXPECT_GE(lesson.transcript()[1].sent_at, line->answered_at);
  EXPECT_EQ(lesson.steps_done(), 3);
}

TEST(Lesson, IsAFunctionOfSeedParametersAndInputs) {
  auto hash = [](uint64_t seed, const Params& params, bool types) {
    Lesson lesson(parse_scenario(std::string(kHead) + "link A-n1 10ms±5ms\n" + kSteps).value(),
                  seed, params);
    if (types) lesson.exec("B", "n1", "PING");
    while (lesson.advance()) {
    }
    return lesson.hash();
  };
  const std::string base = hash(1, {}, false);
  EXPECT_EQ(base.size(), 16u);
  EXPECT_EQ(hash(1, {}, false), base);
  EXPECT_NE(hash(2, {}, false), base);
  EXPECT_NE(hash(1, {{"ttl", "2000"}}, false), base);
  EXPECT_NE(hash(1, {}, true), base);
}

TEST(Lesson, ShowsTheBeginningOfALongLine) {
  Told run("step big A> SET k {token x 1000} until reply A\n");
  const std::string shown = run.lesson.transcript()[0].line;
  EXPECT_EQ(shown.substr(0, 11), "SET k tokto");
  EXPECT_EQ(shown.substr(64), "... (3006 bytes)");  // "SET k " and 1000 times "tok".
}

}  // namespace
}  // namespace hotkv::sim
