#include "core/trace/trace.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/trace/events.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace hotkv::trace {
namespace {

struct Sample {
  static constexpr Kind kKind = Kind::kServer;
  static constexpr Bytes kName = "sample";
  std::string text;
  int64_t least = INT64_MIN;
  uint64_t most = UINT64_MAX;
  bool yes = true;
  template <class V>
  void fields(V& v) const {
    v("text", text), v("least", least), v("most", most), v("yes", yes), v("no", !yes);
  }
};

struct Lines {
  std::vector<std::string> all;
  static void take(void* self, Bytes line) { static_cast<Lines*>(self)->all.emplace_back(line); }
};

TEST(Trace, AnEventIsOneLineOfJson) {
  Trace trace;
  Lines lines;
  trace.set_sink(Lines::take, &lines);
  trace.set_mask(kAll);
  trace.set_now(Time{1500});
  trace.emit(Sample{"a"});
  trace.set_source("n1");
  trace.set_now(Time{2000});
  trace.emit(Sample{""});
  ASSERT_EQ(lines.all.size(), 2u);
  EXPECT_EQ(lines.all[0],
            R"({"event":"sample","at_us":1500,"text":"a","least":-9223372036854775808,)"
            R"("most":18446744073709551615,"yes":true,"no":false})");
  EXPECT_EQ(lines.all[1],
            R"({"event":"sample","at_us":2000,"source":"n1","text":"",)"
            R"("least":-9223372036854775808,"most":18446744073709551615,"yes":true,"no":false})");
}

TEST(Trace, AnyBytesSurviveAsAsciiText) {
  Trace trace;
  Lines lines;
  trace.set_sink(Lines::take, &lines);
  trace.set_mask(kAll);
  trace.emit(DatabaseFlushed{3});
  trace.emit(KeyRemoved{0, Bytes("\"\\\0\n\x1f ~\x7f\x80\xff", 10), "deleted"});
  ASSERT_EQ(lines.all.size(), 2u);
  EXPECT_EQ(lines.all[0], R"({"event":"database-flushed","at_us":0,"db":3})");
  EXPECT_EQ(lines.all[1],
            R"({"event":"key-removed","at_us":0,"db":0,)"
            R"("key":"\"\\\u0000\u000a\u001f ~\u007f\u0080\u00ff","reason":"deleted"})");
}

TEST(Trace, FieldsThatSayNothingAreLeftOut) {
  Trace trace;
  Lines lines;
  trace.set_sink(Lines::take, &lines);
  trace.set_mask(kAll);
  trace.emit(KeySet{0, "k", "v", INT64_MAX, 0});
  trace.emit(KeySet{0, "k", "v", 1000, 7});
  ASSERT_EQ(lines.all.size(), 2u);
  EXPECT_EQ(lines.all[0], R"({"event":"key-set","at_us":0,"db":0,"key":"k","value":"v"})");
  EXPECT_EQ(lines.all[1], R"({"event":"key-set","at_us":0,"db":0,"key":"k","value":"v",)"
                          R"("deadline_ms":1000,"lock_number":7})");
}

TEST(Trace, OnlyKindsInTheMaskAreKept) {
  Trace trace;
  Lines lines;
  trace.set_sink(Lines::take, &lines);
  trace.emit(DatabaseFlushed{0});
  EXPECT_FALSE(trace.wants(Kind::kKeyspace));
  trace.set_mask(bit(Kind::kKeyspace) | bit(Kind::kActor));
  EXPECT_TRUE(trace.wants(Kind::kKeyspace));
  EXPECT_FALSE(trace.wants(Kind::kServer));
  trace.emit(DatabaseFlushed{1});
  trace.emit(Sample{"a"});
  ASSERT_EQ(lines.all.size(), 1u);
  EXPECT_EQ(trace.events(), 1u);
  EXPECT_NE(lines.all[0].find("\"db\":1"), std::string::npos);
}

TEST(Trace, TheDigestIsAHashChainOverTheLines) {
  Trace trace;
  Lines lines;
  trace.set_sink(Lines::take, &lines);
  trace.set_mask(kAll);
  EXPECT_EQ(trace.digest(), 0u);
  for (int i = 0; i < 5; i++) trace.emit(DatabaseFlushed{i});
  uint64_t chain = 0;
  for (const std::string& line : lines.all) {
    chain = XXH3_64bits_withSeed(line.data(), line.size(), chain);
  }
  EXPECT_EQ(trace.digest(), chain);
  Trace swapped;  // The same lines in another order.
  swapped.set_mask(kAll);
  for (int i : {1, 0, 2, 3, 4}) swapped.emit(DatabaseFlushed{i});
  EXPECT_NE(swapped.digest(), chain);
}

TEST(Trace, TheFlightRecorderHoldsTheLastLinesOldestFirst) {
  Trace trace;
  trace.set_mask(kAll);
  EXPECT_TRUE(trace.flight().empty());
  for (int i = 0; i < 200; i++) {
    trace.emit(DatabaseFlushed{i});
    const std::vector<std::string> flight = trace.flight();
    const size_t expected = i + 1 < 64 ? static_cast<size_t>(i) + 1 : 64;
    ASSERT_EQ(flight.size(), expected);
    for (size_t j = 0; j < flight.size(); j++) {
      const size_t db = static_cast<size_t>(i) + 1 - flight.size() + j;
      ASSERT_EQ(flight[j],
                R"({"event":"database-flushed","at_us":0,"db":)" + std::to_string(db) + "}");
    }
  }
}

}  // namespace
}  // namespace hotkv::trace
