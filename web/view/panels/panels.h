// The panels of the view: functions that draw one part of a frame into a rectangle and put the
// place of what they drew into the semantics. They keep no state; what moves by itself (an
// arrival's pulse) is handed in.
#pragma once

#include "web/view/history.h"
#include "web/view/panels/pen.h"
#include "web/view/playback.h"
#include "web/view/semantics.h"
#include "web/view/tempo.h"

namespace hotkv::view {

// A lane of the timeline: the lesson, or a branch of it.
struct Lane {
  std::string name;
  std::vector<Event> events;
  Tempo tempo;
  History history;
  Playback playback;
  Time fork;  // Where a branch leaves the lesson.
};

// Something that ended a moment ago, in wall time: an arrival's pulse, or a fall after a loss.
struct Afterglow {
  std::string from, to, kind;
  float age_ms = 0;
  float position = 1;  // Along the link, where it ended.
  bool lost = false;
};
constexpr float kPulseMs = 150, kFallMs = 300;

// What all panels draw from.
struct Drawing {
  const Pen& pen;
  const SceneFrame& frame;
  const Words& words;
  Semantics& items;
  const std::string& selected;
  const std::string& focused;
  const std::string& hovered;
  const std::vector<Afterglow>& afterglow;
  bool reduced_motion = false;
  bool labels = true;  // Of messages; that of a chosen one is always there.

  void place(const std::string& id, const Rect& rect) const;
  bool chosen(const std::string& id) const { return id == selected; }
};

void draw_stage(const Drawing& d, const Rect& area);
// `lane` is the one whose instant is shown.
void draw_sequence(const Drawing& d, const Rect& area, const Lane& lane);
void draw_timeline(const Drawing& d, const Rect& area, const std::vector<Lane>& lanes,
                   size_t current);
float timeline_height(size_t lanes);
// The instant under a point of the timeline.
Time timeline_time_at(const Rect& area, const std::vector<Lane>& lanes, size_t current, float x);

}  // namespace hotkv::view
