#include "core/resp/command_parser.h"

#include <gtest/gtest.h>

#include "core/base/random.h"
#include "core/resp/reply_parser.h"
#include "tests/unit/resp/command_feed.h"

namespace hotkv {
namespace {

using Words = std::vector<std::string>;

std::string encoded(const Words& words) {
  std::string out;
  append_command(out, std::vector<Bytes>(words.begin(), words.end()));
  return out;
}

TEST(CommandParser, ReadsArrays) {
  Understood seen = understood("*2\r\n$3\r\nGET\r\n$16\r\nkey:000000000001\r\n*1\r\n$0\r\n\r\n");
  EXPECT_EQ(seen.commands, (std::vector<Words>{{"GET", "key:000000000001"}, {""}}));
  EXPECT_EQ(seen.left, 0u);
}

TEST(CommandParser, ReadsLines) {
  Understood seen = understood("PING\r\n  SET a \"b c\" \n'x y'\n");
  EXPECT_EQ(seen.commands, (std::vector<Words>{{"PING"}, {"SET", "a", "b c"}, {"x y"}}));
}

TEST(CommandParser, SkipsEmptyRequests) {
  Understood seen = understood("\r\n*0\r\n\n*-1\r\n*-2147483648\r\n   \r\nPING\r\n*0\r\n");
  EXPECT_EQ(seen.commands, (std::vector<Words>{{"PING"}}));
  EXPECT_EQ(seen.left, 0u);
  EXPECT_EQ(seen.error, "");
}

TEST(CommandParser, ArgumentsAreBytes) {
  std::string value("\r\n$3\r\n\0\xff*1", 10);
  EXPECT_EQ(understood(encoded({"SET", "k", value})).commands,
            (std::vector<Words>{{"SET", "k", value}}));
}

// The texts are redis-server 7.0.15's; tests/robustness compares more of them with it.
TEST(CommandParser, RefusesBadHeaders) {
  struct Case {
    Bytes stream, error;
  };
  const Case cases[] = {
      {"*1x\r\n", "invalid multibulk length"},
      {"*\r\n", "invalid multibulk length"},
      {"*+1\r\n", "invalid multibulk length"},
      {"*01\r\n", "invalid multibulk length"},
      {"*2147483648\r\n", "invalid multibulk length"},
      {"*99999999999999999999\r\n", "invalid multibulk length"},
      {"*1\r\n$-1\r\n", "invalid bulk length"},
      {"*1\r\n$-5\r\n", "invalid bulk length"},
      {"*1\r\n$\r\n", "invalid bulk length"},
      {"*1\r\n$1x\r\n", "invalid bulk length"},
      {"*1\r\n$536870913\r\n", "invalid bulk length"},
      {"*1\r\n:1\r\n", "expected '$', got ':'"},
      {"*2\r\n$1\r\na\r\nPING\r\n", "expected '$', got 'P'"},
      {"GET \"a\r\n", "unbalanced quotes in request"},
      {"GET 'a'b\r\n", "unbalanced quotes in request"},
  };
  for (const Case& c : cases) {
    Understood seen = understood(c.stream);
    EXPECT_EQ(seen.error, "ERR Protocol error: " + std::string(c.error)) << c.stream;
    EXPECT_TRUE(seen.commands.empty()) << c.stream;
  }
}

TEST(CommandParser, AllowsTheGreatestNumbers) {
  EXPECT_EQ(understood("*2147483647\r\n").error, "");
  EXPECT_EQ(understood("*1\r\n$536870912\r\n").error, "");
  ParserLimits small{.max_bulk_bytes = 1024 * 1024};
  EXPECT_EQ(understood("*1\r\n$1048576\r\n", small).error, "");
  EXPECT_EQ(understood("*1\r\n$1048577\r\n", small).error,
            "ERR Protocol error: invalid bulk length");
}

// CASES PROTO-01.
TEST(CommandParser, TrustsTheUnknownWithLittle) {
  ParserLimits limits{.authenticated = false};
  EXPECT_EQ(understood("*11\r\n", limits).error,
            "ERR Protocol error: unauthenticated multibulk length");
  EXPECT_EQ(understood("*1000000000\r\n", limits).error,
            "ERR Protocol error: unauthenticated multibulk length");
  EXPECT_EQ(understood("*1\r\n$16385\r\n", limits).error,
            "ERR Protocol error: unauthenticated bulk length");
  Words most(10, std::string(16384, 'x'));
  EXPECT_EQ(understood(encoded(most), limits).commands, (std::vector<Words>{most}));
}

// A pipeline that repeats a command is read by its first bytes: names and numbers that differ late,
// in case or in length, and pieces that end anywhere must not be taken for a repetition.
TEST(CommandParser, TellsRepetitionsFromNeighbours) {
  const std::vector<Words> commands = {{"GET", "a"},
                                       {"GET", "b"},
                                       {"GET", "$1"},
                                       {"get", "b"},
                                       {"GET", "a", "b"},
                                       {"GET", "a", "b"},
                                       {"GETS", "a"},
                                       {"GETS", "b"},
                                       {"GE", "T"},
                                       {"GE", "T"},
                                       {"GETRANGE", "k"},
                                       {"GETRANGE", "l"},
                                       {"EXPIRE", "key", "1"},
                                       {"EXPIRE", "", ""},
                                       {"", ""},
                                       {"", "x"},
                                       {"PING"},
                                       {"PING"},
                                       {"EXPIRY"},
                                       {"EXPIRY"}};
  std::string stream;
  for (const Words& command : commands) stream += encoded(command);
  EXPECT_EQ(understood(stream).commands, commands);
  for (size_t piece : {1, 2, 3, 7, 16, 17, 64}) {
    CommandFeed feed;
    for (size_t at = 0; at < stream.size(); at += piece) feed.add(Bytes(stream).substr(at, piece));
    EXPECT_EQ(feed.seen().commands, commands) << "in pieces of " << piece << " bytes";
  }
}

// A header takes no memory, whatever it promises.
TEST(CommandParser, AllocatesNothingFromAHeader) {
  CommandParser parser;
  ArgumentPool pool;
  Bytes stream = "*1000000000\r\n$536870912\r\nabc";
  ParsedCommand command;
  size_t at = 0;
  EXPECT_EQ(parser.take_whole(stream, at, {}, pool, {&command, 1}), 0u);
  EXPECT_EQ(parser.next(stream, {}, pool), CommandParser::State::kNeedMore);
  EXPECT_LE(pool.capacity(), 1024u);
}

// CASES PROTO-02: beyond the million that Redis 6 allowed.
TEST(CommandParser, ReadsTwoMillionArguments) {
  Words words(2000001, "x");
  CommandFeed feed;
  std::string stream = encoded(words);
  for (size_t at = 0; at < stream.size(); at += 5000000)
    feed.add(Bytes(stream).substr(at, 5000000));
  ASSERT_EQ(feed.seen().commands.size(), 1u);
  EXPECT_EQ(feed.seen().commands[0].size(), words.size());
}

TEST(CommandParser, ALineHas64KilobytesBeforeItsEnd) {
  constexpr size_t kMax = 64 * 1024;
  for (Bytes end : {"\r\n", "\n"}) {
    std::string line(kMax, 'x');
    EXPECT_EQ(understood(line).error, "");
    EXPECT_EQ(understood(line + std::string(end)).commands, (std::vector<Words>{{line}}));
    EXPECT_EQ(understood(line + "x" + std::string(end)).error,
              "ERR Protocol error: too big inline request");
  }
  EXPECT_EQ(understood(std::string(kMax + 1, 'x')).error,
            "ERR Protocol error: too big inline request");
  EXPECT_EQ(understood("*" + std::string(kMax - 1, '1')).error, "");
  EXPECT_EQ(understood("*" + std::string(kMax, '1')).error,
            "ERR Protocol error: too big mbulk count string");
  EXPECT_EQ(understood("*1\r\n$" + std::string(kMax - 1, '1')).error, "");
  EXPECT_EQ(understood("*1\r\n$" + std::string(kMax, '1')).error,
            "ERR Protocol error: too big bulk count string");
}

// CASES PROTO-03: the limit is on a line, not on what is buffered.
TEST(CommandParser, ReadsALongPipelineInOnePiece) {
  std::string stream;
  for (int i = 0; i < 5000; i++) stream += encoded({"SET", "key", std::string(40, 'v')});
  ASSERT_GT(stream.size(), 200u * 1024);
  EXPECT_EQ(understood(stream).commands.size(), 5000u);
}

TEST(CommandParser, KeepsNothingOfALargeCommand) {
  CommandParser parser;
  ArgumentPool pool;
  std::string words = "ECHO";
  for (int i = 0; i < 30000; i++) words += " x";
  EXPECT_EQ(parser.next(words + "\r\n", {}, pool), CommandParser::State::kCommand);
  EXPECT_EQ(pool.size(), 30001u);
  pool.release();
  EXPECT_EQ(pool.capacity(), 0u);
}

}  // namespace
}  // namespace hotkv
