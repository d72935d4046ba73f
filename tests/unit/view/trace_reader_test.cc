#include "web/view/trace_reader.h"

#include <gtest/gtest.h>

#include "core/trace/trace.h"
#include "tests/unit/view/lesson_trace.h"

namespace hotkv::view {
namespace {

std::string written(const std::vector<Event>& events) {
  std::string text;
  for (const Event& event : events) text += write_event(event) + "\n";
  return text;
}

TEST(TraceReader, GivesEveryLineBack) {
  size_t refused = 1;
  std::vector<Event> events = read_trace(lock_trace(), &refused);
  EXPECT_EQ(refused, 0u);
  EXPECT_EQ(written(events), lock_trace());
}

TEST(TraceReader, KnowsTheHeadByName) {
  Event event;
  ASSERT_TRUE(
      read_event(R"({"event":"key-set","at_us":12,"source":"n1","db":0,"key":"k"})", event));
  EXPECT_EQ(event.type, EventType::kKeySet);
  EXPECT_EQ(event.at.us, 12);
  EXPECT_EQ(event.source, "n1");
  EXPECT_EQ(event.text("key"), "k");
  EXPECT_EQ(event.number("db", 7), 0);
  EXPECT_EQ(event.number("absent", 7), 7);
  EXPECT_FALSE(event.has("deadline_ms"));
}

struct AnyBytes {
  static constexpr trace::Kind kKind = trace::Kind::kServer;
  static constexpr Bytes kName = "any";
  std::string text;
  template <class V>
  void fields(V& v) const {
    v("text", text), v("least", INT64_MIN), v("most", UINT64_MAX), v("yes", true);
  }
};

TEST(TraceReader, ReadsWhatTheWriterWrites) {
  AnyBytes any;
  for (int c = 0; c < 256; c++) any.text += static_cast<char>(c);
  std::string line;
  trace::Trace trace;
  trace.set_mask(trace::kAll);
  trace.set_sink([](void* context, Bytes l) { *static_cast<std::string*>(context) = l; }, &line);
  trace.emit(any);
  Event event;
  ASSERT_TRUE(read_event(line, event));
  EXPECT_EQ(event.text("text"), any.text);
  EXPECT_EQ(event.number("least"), INT64_MIN);
  EXPECT_EQ(event.text("most"), "18446744073709551615");
  EXPECT_EQ(write_event(event), line);
}

TEST(TraceReader, RefusesWhatIsNoEvent) {
  for (const char* line :
       {"", "{}", "[]", R"({"event":"x"} )", R"({"event":"x",)", R"({"event":"x","n":1.5})",
        R"({"event":"x","n":-})", R"({"event":"x","t":"a)", R"({"event":"x","t":"\n"})",
        R"({"event":"x","t":"\u1234"})", R"({"at_us":1})", R"({"event":"x","at_us":"soon"})"}) {
    Event event;
    EXPECT_FALSE(read_event(line, event)) << line;
  }
  size_t refused = 0;
  EXPECT_EQ(read_trace("nonsense\n{\"event\":\"x\",\"at_us\":1}\n\n", &refused).size(), 1u);
  EXPECT_EQ(refused, 1u);
}

}  // namespace
}  // namespace hotkv::view
