#include "core/resp/reply_writer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

#include "core/base/random.h"

namespace hotkv {
namespace {

// What one call writes in each version of the protocol.
template <class Write>
void expect_written(Bytes resp2, Bytes resp3, Write write) {
  for (Protocol protocol : {Protocol::kResp2, Protocol::kResp3}) {
    OutputQueue queue;
    ReplyWriter writer(queue, protocol);
    write(writer);
    EXPECT_EQ(queue.pending(), protocol == Protocol::kResp2 ? resp2 : resp3);
    writer.set_muted(true);
    size_t before = queue.size();
    write(writer);
    EXPECT_EQ(queue.size(), before) << "a muted writer wrote";
  }
}

TEST(ReplyWriter, WritesTheSameInBothVersions) {
  expect_written("+OK\r\n", "+OK\r\n", [](ReplyWriter& w) { w.ok(); });
  expect_written("+PONG\r\n", "+PONG\r\n", [](ReplyWriter& w) { w.simple("PONG"); });
  expect_written("+\r\n", "+\r\n", [](ReplyWriter& w) { w.simple(""); });
  expect_written(":0\r\n", ":0\r\n", [](ReplyWriter& w) { w.integer(0); });
  expect_written(":-1\r\n", ":-1\r\n", [](ReplyWriter& w) { w.integer(-1); });
  expect_written(":-9223372036854775808\r\n", ":-9223372036854775808\r\n",
                 [](ReplyWriter& w) { w.integer(INT64_MIN); });
  expect_written("$0\r\n\r\n", "$0\r\n\r\n", [](ReplyWriter& w) { w.bulk(""); });
  expect_written("$0\r\n\r\n", "$0\r\n\r\n", [](ReplyWriter& w) { w.bulk(Bytes()); });
  expect_written("$2\r\n42\r\n", "$2\r\n42\r\n", [](ReplyWriter& w) { w.bulk_integer(42); });
  expect_written("*0\r\n", "*0\r\n", [](ReplyWriter& w) { w.array(0); });
  expect_written("*12\r\n", "*12\r\n", [](ReplyWriter& w) { w.array(12); });
  expect_written("*1\r\n:1\r\n", "*1\r\n:1\r\n", [](ReplyWriter& w) { w.raw("*1\r\n:1\r\n"); });
}

// As redis-server 7.0.15 answers DEBUG PROTOCOL in RESP2 and RESP3.
TEST(ReplyWriter, FallsBackInResp2AsRedisDoes) {
  expect_written("$-1\r\n", "_\r\n", [](ReplyWriter& w) { w.null(); });
  expect_written("*-1\r\n", "_\r\n", [](ReplyWriter& w) { w.null_array(); });
  expect_written("$5\r\n3.141\r\n", ",3.141\r\n", [](ReplyWriter& w) { w.number(3.141); });
  expect_written("$3\r\ninf\r\n", ",inf\r\n", [](ReplyWriter& w) { w.number(HUGE_VAL); });
  expect_written(":1\r\n", "#t\r\n", [](ReplyWriter& w) { w.boolean(true); });
  expect_written(":0\r\n", "#f\r\n", [](ReplyWriter& w) { w.boolean(false); });
  expect_written("$25\r\nThis is a verbatim\nstring\r\n",
                 "=29\r\ntxt:This is a verbatim\nstring\r\n",
                 [](ReplyWriter& w) { w.verbatim("txt", "This is a verbatim\nstring"); });
  expect_written("*6\r\n", "%3\r\n", [](ReplyWriter& w) { w.map(3); });
  expect_written("*3\r\n", "~3\r\n", [](ReplyWriter& w) { w.set(3); });
  expect_written("*2\r\n", ">2\r\n", [](ReplyWriter& w) { w.push(2); });
}

TEST(ReplyWriter, KeepsLineEndsOutOfErrors) {
  expect_written("-ERR a  b c\r\n", "-ERR a  b c\r\n",
                 [](ReplyWriter& w) { w.error("ERR a\r\nb\nc\r\n"); });
  OutputQueue queue;
  ReplyWriter writer(queue, Protocol::kResp2);
  writer.error("ERR x");
  writer.set_muted(true);
  writer.error("ERR y");
  EXPECT_EQ(writer.errors_written(), 2u);  // INFO counts what CLIENT REPLY OFF hides, too.
}

TEST(ReplyWriter, WritesBulksOfEverySize) {
  Random random(61);
  for (size_t size = 0; size < 1200; size += size < 130 ? 1 : 77) {
    std::string bytes;
    while (bytes.size() < size) bytes += static_cast<char>(random.next());
    OutputQueue queue;
    ReplyWriter writer(queue, Protocol::kResp2);
    writer.bulk(bytes);
    writer.bulk(bytes);
    std::string once = "$" + std::to_string(size) + "\r\n" + bytes + "\r\n";
    ASSERT_EQ(queue.pending(), once + once) << size;
  }
}

}  // namespace
}  // namespace hotkv
