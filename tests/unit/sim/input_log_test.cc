#include "core/sim/input_log.h"

#include <gtest/gtest.h>

#include <string>

namespace hotkv::sim {
namespace {

// "at action id node line ms" of each input, and the faults; what a reader would say of a log.
std::string read(const std::string& text) {
  const InputLog log = read_input_log(text);
  std::string all;
  for (const LessonInput& input : log.inputs) {
    all += std::to_string(input.at) + " " + input.action + " [" + input.id + "]";
    if (input.action == "exec") all += " on [" + input.node + "]: [" + input.line + "]";
    if (input.ms) all += " " + std::to_string(*input.ms) + " ms";
    all += "\n";
  }
  for (const std::string& fault : log.faults) all += "! " + fault + "\n";
  return all;
}

TEST(InputLog, ReadsEachKindOfInput) {
  EXPECT_EQ(read(""), "");
  EXPECT_EQ(read("0.try.no-px"), "0 try [no-px]\n");
  EXPECT_EQ(read("14.A.exec.n1.DEL+lock:billing-run"),
            "14 exec [A] on [n1]: [DEL lock:billing-run]\n");
  EXPECT_EQ(read("9.kill.n1~9.restart.n1"), "9 kill [n1]\n9 restart [n1]\n");
  EXPECT_EQ(read("31.pause.A.5000~31.clock.n1.-1000"),
            "31 pause [A] 5000 ms\n31 clock [n1] -1000 ms\n");
  EXPECT_EQ(read("3.cut.A-n1~4.heal.A-n1"), "3 cut [A-n1]\n4 heal [A-n1]\n");
  EXPECT_EQ(read("20.drop.A-n1.3~20.dup.n1-A.12~21.deliver.A-n1.4"),
            "20 drop [A-n1#3]\n20 dup [n1-A#12]\n21 deliver [A-n1#4]\n");
  EXPECT_EQ(read("20.delay.A-n1.3.100"), "20 delay [A-n1#3] 100 ms\n");
}

TEST(InputLog, UndoesTheEscapesOfALink) {
  EXPECT_EQ(read("1.A.exec.n1.SET+%22a+b%22+%7E%2c%26%25"),
            "1 exec [A] on [n1]: [SET \"a b\" ~,&%]\n");
  EXPECT_EQ(read("1.A.exec.n1.SET+a.b+c.d"), "1 exec [A] on [n1]: [SET a.b c.d]\n");
  EXPECT_EQ(read("1.A.exec.n1.GET+%C8%99%E9%94%81"), "1 exec [A] on [n1]: [GET ș锁]\n");
  EXPECT_EQ(read("1.A+B.exec..PING"), "1 exec [A B] on []: [PING]\n");
}

TEST(InputLog, AnExecComesBeforeAnActionOfItsName) {
  EXPECT_EQ(read("1.try.exec.n1.PING"), "1 exec [try] on [n1]: [PING]\n");
  EXPECT_EQ(read("1.kill.exec"), "1 kill [exec]\n");
}

TEST(InputLog, SaysWhichFieldIsWrong) {
  const std::pair<const char*, const char*> cases[] = {
      {"x", "the event is no number"},
      {".kill.A", "the event is no number"},
      {"-1.kill.A", "the event is no number"},
      {"1e3.kill.A", "the event is no number"},
      {"999999999999.kill.A", "the event is no number"},
      {"1", "the action is unknown"},
      {"1.", "the action is unknown"},
      {"1.burn.A", "the action is unknown"},
      {"1.KILL.A", "the action is unknown"},
      {"1.A.EXEC.n1.PING", "the action is unknown"},
      {"1.try", "the what-if is no id"},
      {"1.try.", "the what-if is no id"},
      {"1.try.a b", "the what-if is no id"},
      {"1.try.late.2", "the what-if is no id"},
      {"1..exec.n1.PING", "the client is no text"},
      {"1.%A.exec.n1.PING", "the client is no text"},
      {"1.A.exec.n1", "the line is no text"},
      {"1.A.exec.n1.", "the line is no text"},
      {"1.A.exec.n1.GET+%zz", "the line is no text"},
      {"1.A.exec.n1.GET+%", "the line is no text"},
      {"1.A.exec.n1.GET+%ff", "the line is no text"},
      {"1.A.exec.n1.GET+%ed%a0%80", "the line is no text"},
      {"1.kill", "the target is no text"},
      {"1.kill.", "the target is no text"},
      {"1.kill.%c0%80", "the target is no text"},
      {"1.drop.A-n1", "the number of the message is no number"},
      {"1.drop.A-n1.", "the number of the message is no number"},
      {"1.drop.A-n1.-3", "the number of the message is no number"},
      {"1.drop.A-n1#3", "the number of the message is no number"},
      {"1.pause.A.soon", "the milliseconds are no number"},
      {"1.pause.A.1.5", "the milliseconds are no number"},
      {"1.clock.n1.--5", "the milliseconds are no number"},
      {"1.clock.n1.+5", "the milliseconds are no number"},
      {"1.delay.A-n1.3.1e3", "the milliseconds are no number"},
  };
  for (const auto& [text, wrong] : cases) {
    EXPECT_EQ(read(text), std::string("! input 1, '") + text + "': " + wrong + "\n");
  }
}

TEST(InputLog, GoesOnAfterAFault) {
  EXPECT_EQ(read("1.kill.A~x~~3.restart.A"),
            "1 kill [A]\n3 restart [A]\n"
            "! input 2, 'x': the event is no number\n"
            "! input 3, '': the event is no number\n");
  EXPECT_EQ(read("5.kill.A~3.restart.A~5.restart.A"),
            "5 kill [A]\n5 restart [A]\n"
            "! input 2, '3.restart.A': the event lies before that of an earlier input\n");
}

TEST(InputLog, HasLimits) {
  std::string text;
  for (size_t i = 0; i < InputLog::kInputsMax; i++) text += "1.kill.A~";
  EXPECT_EQ(read_input_log(text).inputs.size(), 5000u);
  EXPECT_TRUE(read_input_log(text).faults.empty());
  const InputLog more = read_input_log(text + "2.kill.B~2.kill.C");
  EXPECT_EQ(more.inputs.size(), 5000u);
  ASSERT_EQ(more.faults.size(), 1u);
  EXPECT_EQ(more.faults[0], "input 5001, '2.kill.B': a log has at most 5,000 inputs");
  const std::string line(65536, 'x');
  EXPECT_TRUE(read_input_log("1.A.exec.n1." + line).faults.empty());
  const InputLog longer = read_input_log("1.A.exec.n1.y" + line);
  ASSERT_EQ(longer.faults.size(), 1u);
  EXPECT_EQ(longer.faults[0],
            "input 1, '1.A.exec.n1.y" + std::string(47, 'x') + "': the line is too long");
}

// Links of exactly 10 ms; clients think 1 ms between steps.
constexpr const char* kLesson =
    "lesson l version 1 seed 7\n"
    "world node n1 clients A \"Worker A\", B \"Worker B\"\n"
    "link A-n1 10ms link B-n1 10ms\n"
    "param key=k ttl=1000\n"
    "step one A> INCR {key} until reply A\n"
    "step two A> INCR {key} until reply A\n"
    "try other: B> INCR {key}\n";

// The replies in the order of the transcript, with an input log.
std::string replay(const std::string& text) {
  Lesson lesson(parse_scenario(kLesson).value(), 7, {});
  const InputLog log = read_input_log(text);
  EXPECT_TRUE(log.faults.empty()) << text;
  LessonReplay replay(lesson, log.inputs);
  while (replay.advance()) {
  }
  std::string all;
  for (const TranscriptLine& line : lesson.transcript()) {
    all += (all.empty() ? "" : " | ") + line.client + " " + line.line + ": ";
    all += line.answered ? line.text : line.lost ? "lost" : "?";
  }
  return all;
}

TEST(LessonReplay, GivesEachInputAtItsEvent) {
  EXPECT_EQ(replay(""), "A INCR k: (integer) 1 | A INCR k: (integer) 2");
  EXPECT_EQ(replay("0.B.exec.n1.SET+k+5"),
            "B SET k 5: OK | A INCR k: (integer) 6 | A INCR k: (integer) 7");
  EXPECT_EQ(replay("0.try.other"), "B INCR k: (integer) 1");
  EXPECT_EQ(replay("3.B.exec.n1.SET+k+5"),
            "A INCR k: (integer) 1 | B SET k 5: OK | A INCR k: (integer) 6");
}

TEST(LessonReplay, IsWhatTheActionsThemselvesDo) {
  EXPECT_EQ(replay("3.drop.A-n1.1"), "A INCR k: lost | A INCR k: (integer) 1");
  EXPECT_EQ(replay("3.dup.A-n1.1"), "A INCR k: (integer) 1 | A INCR k: (integer) 3");
}

TEST(LessonReplay, PassesOverWhatChangesNothing) {
  const std::string plain = replay("");
  for (const char* text :
       {"0.try.unknown", "1.try.other", "1.restart.n1", "2.kill.nobody", "3.drop.A-n1.99",
        "1.C.exec.n1.PING", "1.A.exec.n9.PING", "1.A.exec.n1.%22open", "1.pause.A",
        "1.fsync-stall.n1.2000", "99999999.kill.A"}) {
    EXPECT_EQ(replay(text), plain) << text;
  }
}

}  // namespace
}  // namespace hotkv::sim
