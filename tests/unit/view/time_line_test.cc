// Tempo, history, layout and semantics: the plain parts between a trace and the panels.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/view/lesson_trace.h"
#include "web/view/history.h"
#include "web/view/playback.h"
#include "web/view/semantics.h"
#include "web/view/stage_layout.h"
#include "web/view/tempo.h"

namespace hotkv::view {
namespace {

TEST(Tempo, GapsTakeWhatTheFormulaSays) {
  Tempo tempo(lock_events());
  // 0 -> 1 ms is the least, 1 -> 11 ms is 0.4 * ln(11), 150 ms -> 29011 ms the most.
  EXPECT_DOUBLE_EQ(tempo.seconds_at({1000}), 0.4 * std::log1p(1.0));
  EXPECT_DOUBLE_EQ(tempo.seconds_at({11000}) - tempo.seconds_at({1000}), 0.4 * std::log1p(10.0));
  EXPECT_DOUBLE_EQ(tempo.length_s() - tempo.seconds_at({150000}), 1.6);
  EXPECT_EQ(tempo.end().us, 29011000);
  ASSERT_EQ(tempo.tears().size(), 1u);
  EXPECT_EQ(tempo.tears()[0].from.us, 150000);
}

TEST(Tempo, IsMonotonicAndGoesBothWays) {
  Tempo tempo(lock_events());
  double before = -1;
  for (int64_t us = 0; us <= 29011000; us += 1009) {
    double s = tempo.seconds_at({us});
    EXPECT_GE(s, before);
    before = s;
    if (us < 150000) {
      EXPECT_LE(std::llabs(tempo.time_at(s).us - us), 1);
    }
  }
  EXPECT_EQ(tempo.time_at(-1).us, 0);
  EXPECT_EQ(tempo.time_at(1e9).us, 29011000);
  EXPECT_EQ(Tempo().length_s(), 0);
  EXPECT_EQ(Tempo().time_at(3).us, 0);
}

TEST(History, KnowsFlightsSpansAndMarks) {
  History h = history_of(lock_events());
  ASSERT_EQ(h.flights.size(), 5u);
  EXPECT_EQ(h.flights[1].id, "n1-A#1");
  EXPECT_EQ(h.flights[1].end.us, 23000);
  EXPECT_TRUE(h.flights[3].error);
  EXPECT_TRUE(h.flights[4].lost);
  EXPECT_EQ(h.flights[4].end.us, 100000);
  int beliefs = 0, steps = 0, pauses = 0, downs = 0;
  for (const Span& span : h.spans) {
    if (span.kind == Span::Kind::kBelief) {
      beliefs++;
      EXPECT_EQ(span.to.us, 30001000);
    }
    steps += span.kind == Span::Kind::kStep;
    downs += span.kind == Span::Kind::kDown;
    if (span.kind == Span::Kind::kPaused) {
      pauses++;
      EXPECT_EQ(span.to.us, 160000);
    }
  }
  EXPECT_EQ(beliefs, 1);
  EXPECT_EQ(steps, 2);
  EXPECT_EQ(pauses, 1);
  EXPECT_EQ(downs, 1);
  ASSERT_EQ(h.marks.size(), 6u);
  EXPECT_EQ(h.marks[4].action, "broken");
  EXPECT_EQ(causal_past(h, "n1-A#1"), (std::vector<std::string>{"n1-A#1", "A-n1#1"}));
  EXPECT_TRUE(causal_past(h, "n1").empty());
}

TEST(Semantics, NamesEverythingInTheOrderOfTheStory) {
  Words words;
  SceneFrame f = frame(lock_events(), {40000});
  Semantics items = describe(f, words);
  std::vector<std::string> ids;
  for (const SemanticsItem& item : items) {
    ids.push_back(item.id);
    EXPECT_FALSE(item.label.empty());
    EXPECT_FALSE(item.value.empty()) << item.id;
  }
  EXPECT_EQ(ids, (std::vector<std::string>{"n1", "n1/lock:x", "A", "B", "A-n1", "B-n1", "n1-B#1"}));
  EXPECT_EQ(items[0].label, "n1 primary");
  EXPECT_EQ(items[1].value, "tok-a, set by Worker A, 29.97 s left");
  EXPECT_EQ(items[2].value, "idle, holds lock:x, SET lock:x tok-a NX PX 30000: OK");
  EXPECT_EQ(items[6].value, "reply, n1 \xe2\x86\x92 Worker B, arrives in 10.0 ms");
}

TEST(Semantics, ActionsAreThoseThatWouldChangeSomething) {
  std::vector<Event> events = lock_events();
  using Names = std::vector<std::string>;
  EXPECT_EQ(actions_of(frame(events, {0}), "n1"), (Names{"kill", "pause", "clock"}));
  EXPECT_EQ(actions_of(frame(events, {150000}), "n1"), (Names{"restart"}));
  EXPECT_EQ(actions_of(frame(events, {0}), "A-n1"), (Names{"cut"}));
  EXPECT_EQ(actions_of(frame(events, {64000}), "A-n1"), (Names{"heal"}));
  EXPECT_EQ(actions_of(frame(events, {64000}), "A-n1#2"),
            (Names{"deliver", "delay", "dup", "drop"}));
  EXPECT_EQ(actions_of(frame(events, {17000}), "n1-A#1"), (Names{"deliver", "delay", "drop"}));
  EXPECT_TRUE(actions_of(frame(events, {100000}), "A-n1#2").empty());
}

TEST(Semantics, WordsAreTranslatedIdentifiersAreNot) {
  Words words;
  words.set("idle", "liber");
  words.set("holds", "ține");
  SceneFrame f = frame(lock_events(), {40000});
  EXPECT_EQ(describe(f, words)[2].value, "liber, ține lock:x, SET lock:x tok-a NX PX 30000: OK");
}

TEST(Semantics, TimesHaveThreeOrFourFigures) {
  EXPECT_EQ(time_text(830), "830 \xc2\xb5s");
  EXPECT_EQ(time_text(12412), "12.4 ms");
  EXPECT_EQ(time_text(512412), "512 ms");
  EXPECT_EQ(time_text(29980000), "29.98 s");
  EXPECT_EQ(time_text(300000000), "300 s");
  EXPECT_EQ(time_text(-1000000), "-1.00 s");
}

SceneFrame crowd(int clients, int nodes, int databases) {
  SceneFrame f;
  auto add = [&](const char* kind, int count) {
    for (int i = 0; i < count; i++) {
      Participant p;
      p.id = kind + std::to_string(i);
      p.kind = kind;
      f.participants.push_back(p);
    }
  };
  add("client", clients), add("node", nodes), add("database", databases);
  return f;
}

bool overlap(const Rect& a, const Rect& b) {
  return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
}

TEST(StageLayout, KeepsEverybodyOnStageAndApart) {
  for (float width : {320.0f, 360.0f, 640.0f, 1024.0f, 1600.0f}) {
    for (int clients : {0, 1, 2, 5, 12, 51}) {
      for (int nodes : {1, 3, 5}) {
        SceneFrame f = crowd(clients, nodes, clients % 2);
        Rect area{10, 44, width - 20, width < 500 ? 220.0f : 420.0f};
        std::vector<Place> places = place_participants(f, area);
        ASSERT_EQ(places.size(), f.participants.size());
        for (size_t i = 0; i < places.size(); i++) {
          const Rect& r = places[i].rect;
          EXPECT_GT(r.width * r.height, 0);
          EXPECT_GE(r.x, area.x - 1);
          EXPECT_LE(r.right(), area.right() + 1);
          EXPECT_GE(r.y, area.y - 1);
          EXPECT_LE(r.bottom(), area.bottom() + 1);
          for (size_t k = 0; k < i; k++) {
            EXPECT_FALSE(overlap(r, places[k].rect)) << clients << "x" << nodes << " " << width;
          }
        }
      }
    }
  }
}

TEST(StageLayout, CardsShrinkBeforeTheyOverlap) {
  Rect area{0, 0, 900, 400};
  EXPECT_EQ(place_participants(crowd(2, 1, 0), area)[0].detail, Detail::kFull);
  EXPECT_EQ(place_participants(crowd(6, 1, 0), area)[0].detail, Detail::kCompact);
  EXPECT_EQ(place_participants(crowd(50, 1, 0), area)[0].detail, Detail::kChip);
}

}  // namespace
}  // namespace hotkv::view
