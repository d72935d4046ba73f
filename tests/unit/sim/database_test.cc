#include "core/sim/database.h"

#include <gtest/gtest.h>

#include "core/resp/reply_parser.h"

namespace hotkv::sim {
namespace {

constexpr LinkId kFirst{1}, kSecond{2};

std::string command(std::initializer_list<Bytes> words) {
  std::string bytes;
  append_command(bytes, std::vector<Bytes>(words));
  return bytes;
}

class DatabaseTest : public ::testing::Test {
 protected:
  // Two queries at once.
  DatabaseTest() : database_("db", milliseconds(10), 2, trace_) {}
  // One query alone, from its bytes to its reply.
  std::string ask(std::initializer_list<Bytes> words) {
    EXPECT_EQ(database_.take(kFirst, command(words)), 1);
    Database::Done done = database_.finish();
    EXPECT_FALSE(done.began_another);
    return done.reply;
  }
  trace::Trace trace_;
  Database database_;
};

TEST_F(DatabaseTest, ReadsWhatWasWritten) {
  EXPECT_EQ(ask({"READ", "r"}), "$-1\r\n");
  EXPECT_EQ(ask({"WRITE", "r", "one"}), "+OK\r\n");
  EXPECT_EQ(ask({"write", "r", "two"}), "+OK\r\n");
  EXPECT_EQ(ask({"read", "r"}), "$3\r\ntwo\r\n");
  EXPECT_FALSE(database_.accepted_older());
}

TEST_F(DatabaseTest, RefusesAnOlderNumber) {
  EXPECT_EQ(ask({"WRITE", "r", "a", "FENCE", "33"}), "+OK\r\n");
  EXPECT_EQ(ask({"WRITE", "r", "b", "FENCE", "34"}), "+OK\r\n");
  EXPECT_EQ(ask({"WRITE", "r", "late", "FENCE", "33"}), "-FENCED 33 is older than 34\r\n");
  EXPECT_EQ(ask({"READ", "r"}), "$1\r\nb\r\n");
  EXPECT_EQ(ask({"WRITE", "r", "again", "FENCE", "34"}), "+OK\r\n") << "the same holder may go on";
  EXPECT_EQ(ask({"WRITE", "other", "x", "FENCE", "1"}), "+OK\r\n") << "each row has its own";
  EXPECT_FALSE(database_.accepted_older());
}

TEST_F(DatabaseTest, NoticesAWriteWithoutANumber) {
  ask({"WRITE", "r", "a", "FENCE", "33"});
  EXPECT_EQ(ask({"WRITE", "r", "late"}), "+OK\r\n");
  EXPECT_TRUE(database_.accepted_older());
}

TEST_F(DatabaseTest, NamesWhatItDoesNotUnderstand) {
  EXPECT_EQ(ask({"SET", "a", "b"}).substr(0, 5), "-ERR ");
  EXPECT_EQ(ask({"WRITE", "r", "v", "FENCE", "zero"}),
            "-ERR FENCE: 'zero' is not a number above 0\r\n");
  EXPECT_EQ(ask({"WRITE", "r", "v", "FENCE", "0"}), "-ERR FENCE: '0' is not a number above 0\r\n");
  EXPECT_EQ(ask({"WRITE", "r", "v", "x"}).substr(0, 5), "-ERR ");
  EXPECT_EQ(ask({"READ", "r"}), "$-1\r\n") << "nothing was written";
}

TEST_F(DatabaseTest, WorksOnTwoQueriesAtOnce) {
  std::string reads;
  for (int i = 0; i < 5; i++) reads += command({"READ", "r"});
  EXPECT_EQ(database_.take(kFirst, reads), 2);
  EXPECT_EQ(database_.most_readers(), 5);
  EXPECT_EQ(database_.take(kSecond, command({"READ", "s"})), 0) << "it waits in line";
  for (int left = 4; left >= 1; left--) EXPECT_TRUE(database_.finish().began_another) << left;
  EXPECT_EQ(database_.finish().link, kFirst);
  Database::Done last = database_.finish();
  EXPECT_EQ(last.link, kSecond);
  EXPECT_EQ(database_.most_readers(), 0);
}

TEST_F(DatabaseTest, PutsPiecesTogetherAndForgetsTheGone) {
  const std::string read = command({"READ", "r"});
  EXPECT_EQ(database_.take(kFirst, Bytes(read).substr(0, 7)), 0);
  EXPECT_EQ(database_.take(kFirst, Bytes(read).substr(7)), 1);
  EXPECT_EQ(database_.take(kSecond, Bytes(read).substr(0, 7)), 0);
  database_.forget(kFirst);
  database_.forget(kSecond);
  EXPECT_EQ(database_.finish().link, LinkId{}) << "the query ran, and answers nobody";
  EXPECT_EQ(database_.take(kSecond, read), 1) << "a new connection begins anew";
}

}  // namespace
}  // namespace hotkv::sim
