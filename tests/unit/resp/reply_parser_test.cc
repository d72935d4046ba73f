#include "core/resp/reply_parser.h"

#include <gtest/gtest.h>

#include "core/base/random.h"

namespace hotkv {
namespace {

using State = ReplyParser::State;
using Type = Reply::Type;

// One line for a whole reply, for comparing: `*[$a :1 %{$k ,1.5}]`.
std::string outline(const Reply& reply) {
  static constexpr char kMarks[] = "+-:$*__,#(=%~>!";
  std::string out(1, kMarks[static_cast<int>(reply.type)]);
  if (reply.type == Type::kInteger || reply.type == Type::kBoolean) {
    return out + std::to_string(reply.integer);
  }
  if (reply.type != Type::kArray && reply.type != Type::kMap && reply.type != Type::kSet &&
      reply.type != Type::kPush) {
    return out + reply.text;
  }
  out += '[';
  for (size_t i = 0; i < reply.elements.size(); i++) {
    out += (i ? " " : "") + outline(reply.elements[i]);
  }
  return out + ']';
}

std::string parsed(Bytes bytes) {
  ReplyParser parser;
  Reply reply;
  State state = parser.next(bytes, reply);
  if (state == State::kError) return "error: " + parser.error();
  if (state == State::kNeedMore) return "more";
  if (parser.consumed() != bytes.size()) return "left over";
  return outline(reply);
}

// Each line is the example of its type in the RESP3 specification.
TEST(ReplyParser, ReadsEveryType) {
  EXPECT_EQ(parsed("+hello world\r\n"), "+hello world");
  EXPECT_EQ(parsed("-ERR this is the error description\r\n"), "-ERR this is the error description");
  EXPECT_EQ(parsed(":1234\r\n"), ":1234");
  EXPECT_EQ(parsed(":-9223372036854775808\r\n"), ":-9223372036854775808");
  EXPECT_EQ(parsed("$11\r\nhello world\r\n"), "$hello world");
  EXPECT_EQ(parsed("$0\r\n\r\n"), "$");
  EXPECT_EQ(parsed("$-1\r\n"), "_");
  EXPECT_EQ(parsed("*-1\r\n"), "_");
  EXPECT_EQ(parsed("_\r\n"), "_");
  EXPECT_EQ(parsed(",1.23\r\n"), ",1.23");
  EXPECT_EQ(parsed(",-inf\r\n"), ",-inf");
  EXPECT_EQ(parsed("#t\r\n"), "#1");
  EXPECT_EQ(parsed("#f\r\n"), "#0");
  EXPECT_EQ(parsed("!21\r\nSYNTAX invalid syntax\r\n"), "!SYNTAX invalid syntax");
  EXPECT_EQ(parsed("=15\r\ntxt:Some string\r\n"), "=Some string");
  EXPECT_EQ(parsed("(3492890328409238509324850943850943825024385\r\n"),
            "(3492890328409238509324850943850943825024385");
  EXPECT_EQ(parsed("*3\r\n:1\r\n:2\r\n:3\r\n"), "*[:1 :2 :3]");
  EXPECT_EQ(parsed("*0\r\n"), "*[]");
  EXPECT_EQ(parsed("*2\r\n*3\r\n:1\r\n$5\r\nhello\r\n:2\r\n#f\r\n"), "*[*[:1 $hello :2] #0]");
  EXPECT_EQ(parsed("%2\r\n+first\r\n:1\r\n+second\r\n%0\r\n"), "%[+first :1 +second %[]]");
  EXPECT_EQ(parsed("~2\r\n+orange\r\n#t\r\n"), "~[+orange #1]");
  EXPECT_EQ(parsed(">2\r\n+pubsub\r\n*0\r\n"), ">[+pubsub *[]]");
}

TEST(ReplyParser, DropsAttributes) {
  EXPECT_EQ(parsed("|1\r\n+key-popularity\r\n%2\r\n$1\r\na\r\n,0.1923\r\n$1\r\nb\r\n,0.0012\r\n"
                   "*2\r\n:2039123\r\n:9543892\r\n"),
            "*[:2039123 :9543892]");
  EXPECT_EQ(parsed("*3\r\n:1\r\n:2\r\n|1\r\n+ttl\r\n:3600\r\n:3\r\n"), "*[:1 :2 :3]");
  EXPECT_EQ(parsed("*1\r\n|0\r\n:3\r\n"), "*[:3]");
}

TEST(ReplyParser, RefusesWhatIsNoReply) {
  for (Bytes bad :
       {"hello\r\n", ":\r\n", ":1x\r\n", ":9223372036854775808\r\n", "#x\r\n", "$-2\r\n", "$x\r\n",
        "$536870913\r\n", "$1\r\nab\r\n", "=3\r\ntxt\r\n", "=4\r\ntxt_\r\n", "*-2\r\n",
        "*2147483648\r\n", "%1x\r\n", "\r\n", "*1\r\n?\r\n"}) {
    EXPECT_EQ(parsed(bad).substr(0, 6), "error:") << bad;
  }
}

TEST(ReplyParser, HasLimits) {
  EXPECT_EQ(parsed("+" + std::string(70000, 'x')).substr(0, 6), "error:");
  EXPECT_EQ(parsed("+" + std::string(60000, 'x')), "more");
  std::string deep;
  for (int i = 0; i < 128; i++) deep += "*1\r\n";
  EXPECT_EQ(parsed(deep + ":1\r\n").substr(0, 2), "*[");
  EXPECT_EQ(parsed(deep + "*1\r\n:1\r\n").substr(0, 6), "error:");
  EXPECT_EQ(parsed("*2147483647\r\n%2147483647\r\n$536870912\r\n"), "more");  // And no memory.
}

Reply random_reply(Random& random, int depth, std::string& bytes) {
  Reply reply;
  std::string text;
  for (uint64_t n = random.below(20); n > 0; n--) text += static_cast<char>('a' + random.below(26));
  std::string line = text + "\r\n", counted = std::to_string(text.size()) + "\r\n" + line;
  switch (random.below(depth > 0 ? 9 : 6)) {
    case 0:
      bytes += "+" + line;
      reply.type = Type::kSimple;
      reply.text = text;
      break;
    case 1:
      bytes += "$" + counted;
      reply.type = Type::kBulk;
      reply.text = text;
      break;
    case 2:
      reply.type = Type::kInteger;
      reply.integer = static_cast<int64_t>(random.next());
      bytes += ":" + std::to_string(reply.integer) + "\r\n";
      break;
    case 3: bytes += "_\r\n"; break;
    case 4:
      reply.type = Type::kBoolean;
      reply.integer = random.chance(1, 2);
      bytes += reply.integer ? "#t\r\n" : "#f\r\n";
      break;
    case 5:
      bytes += "=" + std::to_string(text.size() + 4) + "\r\ntxt:" + line;
      reply.type = Type::kVerbatim;
      reply.text = text;
      break;
    default: {
      bool pairs = random.chance(1, 3);
      uint64_t count = random.below(5);
      if (random.chance(1, 4)) bytes += "|1\r\n+a\r\n*2\r\n:1\r\n$1\r\nx\r\n";
      reply.type = pairs ? Type::kMap : Type::kArray;
      bytes += (pairs ? "%" : "*") + std::to_string(count) + "\r\n";
      for (uint64_t i = 0; i < count * (pairs ? 2 : 1); i++) {
        reply.elements.push_back(random_reply(random, depth - 1, bytes));
      }
    }
  }
  return reply;
}

// Any pieces give the same reply, and the parser is ready for the next one.
TEST(ReplyParser, ReadsRandomRepliesInRandomPieces) {
  Random random(51);
  for (int i = 0; i < 3000; i++) {
    std::string bytes;
    std::string wanted[2];
    for (std::string& text : wanted) text = outline(random_reply(random, 4, bytes));
    ReplyParser parser;
    std::string buffer;
    size_t fed = 0, replies = 0;
    while (true) {
      Reply reply;
      State state = buffer.empty() ? State::kNeedMore : parser.next(buffer, reply);
      ASSERT_NE(state, State::kError) << bytes;
      if (state == State::kReply) {
        ASSERT_LT(replies, 2u);
        ASSERT_EQ(outline(reply), wanted[replies++]);
        buffer.erase(0, parser.consumed());
        continue;
      }
      if (fed == bytes.size()) break;
      size_t size = std::min(bytes.size() - fed, static_cast<size_t>(1 + random.below(30)));
      buffer += bytes.substr(fed, size);
      fed += size;
    }
    ASSERT_EQ(replies, 2u);
  }
}

// A parser that began anew with every piece would take minutes for this.
TEST(ReplyParser, TakesLinearTimeForManyPieces) {
  constexpr int kElements = 200000;
  std::string bytes = "*" + std::to_string(kElements) + "\r\n";
  for (int i = 0; i < kElements; i++) bytes += "$1\r\nx\r\n";
  ReplyParser parser;
  Reply reply;
  State state = State::kNeedMore;
  for (size_t have = 0; have < bytes.size() && state == State::kNeedMore;) {
    have = std::min(have + 100, bytes.size());
    state = parser.next(Bytes(bytes).substr(0, have), reply);
  }
  ASSERT_EQ(state, State::kReply);
  EXPECT_EQ(reply.elements.size(), static_cast<size_t>(kElements));
}

TEST(ReplyParser, AppendsCommands) {
  std::string out;
  append_command(out, {"SET", "", Bytes("a\r\nb", 4)});
  EXPECT_EQ(out, "*3\r\n$3\r\nSET\r\n$0\r\n\r\n$4\r\na\r\nb\r\n");
}

}  // namespace
}  // namespace hotkv
