#include "core/sim/model.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace hotkv::sim {
namespace {

constexpr int64_t kStartMs = 1767225600000;

// Replies are those of Redis's documentation, in RESP2.
class ModelTest : public ::testing::Test {
 protected:
  std::string judge(const std::string& line, Bytes reply, int64_t ms = 0) {
    std::vector<std::string> words;
    EXPECT_TRUE(split_quoted(line, words));
    return model_.judge(words, reply, kStartMs + ms);
  }
  // The model takes the right reply, and would not have taken another one.
  void expect(const std::string& line, Bytes reply, int64_t ms = 0) {
    Model before = model_;
    EXPECT_NE(judge(line, "+something else\r\n", ms), "") << line;
    model_ = before;
    EXPECT_EQ(judge(line, reply, ms), "") << line;
  }
  Model model_;
};

TEST_F(ModelTest, KnowsStrings) {
  expect("PING", "+PONG\r\n");
  expect("GET k", "$-1\r\n");
  expect("SET k \"a b\"", "+OK\r\n");
  expect("GET k", "$3\r\na b\r\n");
  expect("STRLEN k", ":3\r\n");
  expect("APPEND k c", ":4\r\n");
  expect("EXISTS k", ":1\r\n");
  expect("GETDEL k", "$4\r\na bc\r\n");
  expect("EXISTS k", ":0\r\n");
  expect("DEL k", ":0\r\n");
  expect("INCRBY n -5", ":-5\r\n");
  expect("SET n 9223372036854775807", "+OK\r\n");
  expect("INCRBY n 1", "-ERR increment or decrement would overflow\r\n");
  expect("SET n x", "+OK\r\n");
  expect("INCRBY n 1", "-ERR value is not an integer or out of range\r\n");
  expect("RENAME absent m", "-ERR no such key\r\n");
  expect("RENAME n m", "+OK\r\n");
  expect("GET m", "$1\r\nx\r\n");
  expect("DEL m", ":1\r\n");
}

TEST_F(ModelTest, KnowsConditions) {
  expect("SET k a XX", "$-1\r\n");
  expect("SET k a NX", "+OK\r\n");
  expect("SET k b NX", "$-1\r\n");
  expect("SET k b IFEQ x PX 100", "$-1\r\n");
  expect("SET k b IFEQ a PX 100", "+OK\r\n");
  expect("SET k c XX KEEPTTL GET", "$1\r\nb\r\n");
  expect("PTTL k", ":99\r\n", 1);
  expect("DELEX k IFEQ b", ":0\r\n");
  expect("DELEX k IFNE c", ":0\r\n");
  expect("DELIFEQ k c", ":1\r\n");
  expect("DELEX k IFEQ c", ":0\r\n");
}

TEST_F(ModelTest, KnowsDeadlinesToTheMillisecond) {
  expect("SET k v PX 100", "+OK\r\n");
  expect("GET k", "$1\r\nv\r\n", 99);
  EXPECT_EQ(model_.live(kStartMs + 99).size(), 1u);
  EXPECT_EQ(model_.live(kStartMs + 100).size(), 0u);
  expect("GET k", "$-1\r\n", 100);
  expect("PTTL k", ":-2\r\n", 100);
  expect("SET k v NX", "+OK\r\n", 100);
  expect("PTTL k", ":-1\r\n", 100);
  expect("PERSIST k", ":0\r\n", 100);
  expect("PEXPIRE k 50", ":1\r\n", 100);
  expect("PTTL k", ":20\r\n", 130);
  expect("PERSIST k", ":1\r\n", 130);
  expect("PTTL k", ":-1\r\n", 130);
  expect("PEXPIRE absent 50", ":0\r\n", 130);
}

TEST_F(ModelTest, HoldsLocksToTheirNumbers) {
  EXPECT_EQ(judge("LOCK k a PX 100", ":10\r\n"), "");
  expect("LOCK k b PX 100", "$-1\r\n");
  EXPECT_EQ(judge("LOCK k a PX 200", ":10\r\n"), "");
  EXPECT_EQ(judge("LOCK k a PX 200", ":11\r\n"), "a holder's number changed");
  EXPECT_EQ(model_.live(kStartMs).at("k").deadline_ms, kStartMs + 200);
  expect("UNLOCK k b", ":0\r\n");
  expect("UNLOCK k a", ":1\r\n");
  EXPECT_EQ(judge("LOCK k b PX 100", ":10\r\n"), "the fencing number did not grow");
  EXPECT_EQ(judge("LOCK l b PX 100", ":12\r\n"), "");
  model_.lose_everything();
  EXPECT_TRUE(model_.live(kStartMs).empty());
  EXPECT_EQ(judge("LOCK k b PX 100", ":12\r\n"), "the fencing number did not grow");
  EXPECT_NE(judge("LOCK m b PX 100", "+OK\r\n"), "");
  EXPECT_EQ(judge("LOCK n b PX 100", "-ERR LOCK is not available: no disk\r\n"), "");
}

// SPEC: Locks. The number stays with PEXPIRE, RENAME and the owner's SET IFEQ; it goes with others.
TEST_F(ModelTest, KnowsWhatKeepsALockNumber) {
  auto number = [&](const char* key) { return model_.live(kStartMs).at(key).number; };
  EXPECT_EQ(judge("LOCK k a PX 100", ":10\r\n"), "");
  expect("PEXPIRE k 500", ":1\r\n");
  expect("SET k a IFEQ a PX 100", "+OK\r\n");
  expect("RENAME k m", "+OK\r\n");
  EXPECT_EQ(number("m"), 10u);
  expect("SET m b IFEQ a", "+OK\r\n");
  EXPECT_EQ(number("m"), 0u);
  for (const char* edit : {"SET l a", "APPEND l a", "SET l a XX KEEPTTL GET"}) {
    model_ = Model();
    EXPECT_EQ(judge("LOCK l a PX 100", ":20\r\n"), "");
    const std::string name = edit;
    EXPECT_EQ(judge(edit, name[0] == 'A'       ? ":2\r\n"
                          : name.back() == 'T' ? "$1\r\na\r\n"
                                               : "+OK\r\n"),
              "");
    EXPECT_EQ(number("l"), 0u) << edit;
  }
}

TEST_F(ModelTest, ComparesAsMuchAsTheTraceShows) {
  const std::string value(300, 'v');
  EXPECT_EQ(judge("SET k " + value, "+OK\r\n"), "");
  const std::string reply = "$300\r\n" + value + "\r\n";
  EXPECT_EQ(judge("GET k", Bytes(reply).substr(0, 256)), "");
  EXPECT_NE(judge("GET k", Bytes(reply).substr(0, 100)), "");
  std::string wrong = reply.substr(0, 256);
  wrong[255] = 'w';
  EXPECT_NE(judge("GET k", wrong), "");
}

TEST_F(ModelTest, RefusesToJudgeWhatItDoesNotKnow) {
  EXPECT_NE(judge("SETRANGE k 1 v", ":2\r\n"), "");
  EXPECT_EQ(judge("MULTI", "+OK\r\n"), "");
  EXPECT_EQ(judge("FLUSHDB", "+OK\r\n"), "");
}

}  // namespace
}  // namespace hotkv::sim
