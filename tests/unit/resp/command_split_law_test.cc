// The law of the command parser: how a stream is cut makes no difference. It holds for valid and
// for broken streams, for commands, errors and what is left over.
#include <gtest/gtest.h>

#include "core/base/random.h"
#include "core/resp/reply_parser.h"
#include "tests/unit/resp/command_feed.h"

namespace hotkv {
namespace {

void expect_any_two_pieces_equal(const std::string& stream, const ParserLimits& limits = {}) {
  Understood whole = understood(stream, limits);
  for (size_t cut = 0; cut <= stream.size(); cut++) {
    CommandFeed feed(limits);
    feed.add(Bytes(stream).substr(0, cut));
    feed.add(Bytes(stream).substr(cut));
    ASSERT_EQ(feed.seen(), whole) << "cut at " << cut << " of " << stream;
  }
}

void expect_bytewise_equal(const std::string& stream, const ParserLimits& limits = {}) {
  CommandFeed feed(limits);
  for (char c : stream) feed.add({&c, 1});
  ASSERT_EQ(feed.seen(), understood(stream, limits)) << stream;
}

void expect_random_pieces_equal(const std::string& stream, Random& random, size_t piece_max) {
  CommandFeed feed;
  for (size_t at = 0; at < stream.size();) {
    size_t size = 1 + random.below(piece_max);
    feed.add(Bytes(stream).substr(at, size));
    at += size;
  }
  ASSERT_EQ(feed.seen(), understood(stream)) << stream.substr(0, 500);
}

// A stream of commands of all kinds, and, if wanted, one byte changed or taken out.
std::string random_stream(Random& random, bool broken) {
  static const char* const kParts[] = {"PING\r\n",
                                       "SET a 'b c'\n",
                                       "*0\r\n",
                                       "*-1\r\n",
                                       "\r\n",
                                       "  \r\n",
                                       "\n",
                                       "*1\r\n$0\r\n\r\n",
                                       "ECHO \"\\x00\"\n",
                                       "*1\r\n$4\r\nPING\r\n",
                                       "''\r\n",
                                       "*2\r\n$3\r\nGET\r\n$2\r\n\r\n\r\n"};
  std::string stream;
  for (uint64_t n = 1 + random.below(8); n > 0; n--) {
    if (random.chance(1, 2)) {
      stream += kParts[random.below(std::size(kParts))];
      continue;
    }
    std::vector<std::string> words(1 + random.below(12));
    for (std::string& word : words) {
      for (uint64_t size = random.below(random.chance(1, 10) ? 120 : 12); size > 0; size--) {
        word += static_cast<char>(random.chance(1, 8) ? "\r\n$*"[random.below(4)] : random.next());
      }
    }
    append_command(stream, std::vector<Bytes>(words.begin(), words.end()));
  }
  if (broken) {
    size_t at = random.below(stream.size());
    if (random.chance(1, 2)) {
      stream.erase(at, 1);
    } else {
      stream[at] = static_cast<char>(random.next());
    }
  }
  return stream;
}

TEST(CommandSplitLaw, AnyTwoPieces) {
  Random random(41);
  for (int i = 0; i < 400; i++) expect_any_two_pieces_equal(random_stream(random, i % 2 == 1));
}

TEST(CommandSplitLaw, ByteByByte) {
  Random random(42);
  for (int i = 0; i < 2000; i++) expect_bytewise_equal(random_stream(random, i % 2 == 1));
}

TEST(CommandSplitLaw, RandomPieces) {
  Random random(43);
  for (int i = 0; i < 4000; i++) {
    expect_random_pieces_equal(random_stream(random, i % 3 == 0), random, 1 + random.below(40));
  }
}

TEST(CommandSplitLaw, BeforeAuthentication) {
  ParserLimits limits{.authenticated = false};
  expect_any_two_pieces_equal("*2\r\n$4\r\nAUTH\r\n$1\r\nx\r\n*10\r\n$16384\r\n", limits);
  expect_any_two_pieces_equal("PING\r\n*11\r\n$4\r\nAUTH\r\n", limits);
  expect_any_two_pieces_equal("*2\r\n$4\r\nAUTH\r\n$16385\r\nx", limits);
}

// Around 64 KiB, where a line becomes too long: only cuts near the end matter.
TEST(CommandSplitLaw, LinesAtTheirLimit) {
  constexpr size_t kMax = 64 * 1024;
  for (const std::string& start : {std::string(), std::string("*"), std::string("*1\r\n$")}) {
    for (const std::string& end : {std::string("\n"), std::string("\r\n"), std::string("\r\r\n")}) {
      for (size_t over = 0; over < 6; over++) {
        size_t line_start = start.size() > 1 ? start.size() - 1 : 0;
        std::string stream =
            start + std::string(kMax + over - 3 - (start.size() - line_start), '1');
        stream += end + "PING\r\n";
        Understood whole = understood(stream);
        for (size_t cut = stream.size() - 16; cut <= stream.size(); cut++) {
          CommandFeed feed;
          feed.add(Bytes(stream).substr(0, cut));
          feed.add(Bytes(stream).substr(cut));
          ASSERT_EQ(feed.seen().error, whole.error) << cut << " of " << stream.size();
          ASSERT_TRUE(feed.seen() == whole);
        }
      }
    }
  }
}

// CASES PROTO-03: the cut falls between `$` and the end of a bulk's length.
TEST(CommandSplitLaw, AroundTheOldLimitOf64Kilobytes) {
  std::string stream;
  std::vector<Bytes> words = {"SET", "key", "0123456789012345678901234567890123456789"};
  while (stream.size() < 200 * 1024) append_command(stream, words);
  for (size_t piece : {65535, 65536, 65537}) {
    CommandFeed feed;
    for (size_t at = 0; at < stream.size(); at += piece) feed.add(Bytes(stream).substr(at, piece));
    EXPECT_EQ(feed.seen().error, "");
    EXPECT_EQ(feed.seen().left, 0u);
    EXPECT_GT(feed.seen().commands.size(), 2500u);
  }
}

}  // namespace
}  // namespace hotkv
