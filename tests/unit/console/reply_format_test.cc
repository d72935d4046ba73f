#include "core/console/reply_format.h"

#include <string>

#include "gtest/gtest.h"

namespace hotkv {
namespace {

Reply parsed(Bytes wire) {
  ReplyParser parser;
  Reply reply;
  EXPECT_EQ(parser.next(wire, reply), ReplyParser::State::kReply) << wire;
  return reply;
}

// What redis-cli 7.0.15 prints with -3 and --no-raw, --raw and --json for these bytes of a server.
struct Case {
  std::string wire, terminal, raw, json;
};

const Case kCases[] = {
    {"+OK\r\n", "OK\n", "OK\n", "\"OK\"\n"},
    {"-ERR no\r\n", "(error) ERR no\n", "ERR no\n\n", "error:\"ERR no\"\n"},
    {":-7\r\n", "(integer) -7\n", "-7\n", "-7\n"},
    {"$3\r\na\"\n\r\n", "\"a\\\"\\n\"\n", "a\"\n\n", "\"a\\\"\\n\"\n"},
    {"$4\r\n\xc3\xbc\x01\x7f\r\n", "\"\\xc3\\xbc\\x01\\x7f\"\n", "\xc3\xbc\x01\x7f\n",
     "\"\xc3\xbc\\u0001\x7f\"\n"},
    {"$-1\r\n", "(nil)\n", "\n", "null\n"},
    {"*-1\r\n", "(nil)\n", "\n", "null\n"},
    {"_\r\n", "(nil)\n", "\n", "null\n"},
    {"*0\r\n", "(empty array)\n", "\n", "[]\n"},
    {"%0\r\n", "(empty hash)\n", "\n", "{}\n"},
    {"~0\r\n", "(empty set)\n", "\n", "[]\n"},
    {"#t\r\n", "(true)\n", "(true)\n", "true\n"},
    {",1.5\r\n", "(double) 1.5\n", "1.5\n", "1.5\n"},
    {",inf\r\n", "(double) inf\n", "inf\n", "inf\n"},
    {"=7\r\ntxt:a\"b\r\n", "a\"b\n", "a\"b\n", "\"a\\\"b\"\n"},
    {"*3\r\n:1\r\n*2\r\n$1\r\nx\r\n$-1\r\n*0\r\n",
     "1) (integer) 1\n2) 1) \"x\"\n   2) (nil)\n3) (empty array)\n", "1\nx\n\n\n",
     "[1,[\"x\",null],[]]\n"},
    {"%2\r\n$1\r\na\r\n:1\r\n$1\r\nb\r\n*2\r\n:1\r\n:2\r\n",
     "1# \"a\" => (integer) 1\n2# \"b\" => \n   1) (integer) 1\n   2) (integer) 2\n",
     "a 1\nb 1\n2\n", "{\"a\":1,\"b\":[1,2]}\n"},
    {"%1\r\n$1\r\na\r\n%1\r\n$1\r\nb\r\n*1\r\n:1\r\n", "1# \"a\" => 1# \"b\" => 1) (integer) 1\n",
     "a b 1\n", "{\"a\":{\"b\":[1]}}\n"},
    {"~2\r\n$1\r\na\r\n#f\r\n", "1~ \"a\"\n2~ (false)\n", "a\n(false)\n", "[\"a\",false]\n"},
};

TEST(ReplyFormat, PrintsAsRedisCli) {
  for (const Case& c : kCases) {
    Reply reply = parsed(c.wire);
    EXPECT_EQ(format_reply(reply, ReplyStyle::kTerminal), c.terminal) << c.wire;
    EXPECT_EQ(format_reply(reply, ReplyStyle::kRaw), c.raw) << c.wire;
    EXPECT_EQ(format_reply(reply, ReplyStyle::kJson), c.json) << c.wire;
  }
}

// Numbers of elements are right-aligned; what is inside one stands behind its number.
TEST(ReplyFormat, AlignsTensAndIndentsBehindThem) {
  std::string ten = "*10\r\n";
  for (int i = 0; i < 10; i++) ten += ":1\r\n";
  std::string inner = " 1) (integer) 1\n";
  for (int i = 2; i <= 9; i++) inner += "    " + std::to_string(i) + ") (integer) 1\n";
  inner += "   10) (integer) 1\n";
  EXPECT_EQ(format_reply(parsed("*2\r\n" + ten + ":2\r\n"), ReplyStyle::kTerminal),
            "1) " + inner + "2) (integer) 2\n");
}

// Types of RESP3 that redis-cli 7.0 does not know: a long number is a number, an error an error.
TEST(ReplyFormat, PrintsNewerTypes) {
  const std::string digits = "3492890328409238509324850943850943825024385";
  Reply number = parsed("(" + digits + "\r\n");
  EXPECT_EQ(format_reply(number, ReplyStyle::kTerminal), digits + "\n");
  EXPECT_EQ(format_reply(number, ReplyStyle::kRaw), digits + "\n");
  Reply error = parsed("!8\r\nERR a\r\nb\r\n");
  EXPECT_EQ(format_reply(error, ReplyStyle::kTerminal), "(error) ERR a\r\nb\n");
  Reply push = parsed(">2\r\n$1\r\na\r\n:1\r\n");
  EXPECT_EQ(format_reply(push, ReplyStyle::kTerminal), "1) \"a\"\n2) (integer) 1\n");
}

// As deep as a parser lets replies be, and each level within its own indentation.
TEST(ReplyFormat, PrintsDeepReplies) {
  std::string wire, wanted;
  for (int i = 0; i < 100; i++) {
    wire += "*1\r\n";
    wanted += "1) ";
  }
  EXPECT_EQ(format_reply(parsed(wire + ":5\r\n"), ReplyStyle::kTerminal), wanted + "(integer) 5\n");
}

}  // namespace
}  // namespace hotkv
