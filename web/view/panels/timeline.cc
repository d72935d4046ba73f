// The timeline: one ruler for the whole lesson. Numbered steps, ticks where anything happens,
// faults as shapes, the time of a broken invariant as a notched band, long gaps as tears with their
// length; branches as lanes below the lesson's, which stays.
#include <algorithm>
#include <cmath>

#include "web/view/panels/panels.h"

namespace hotkv::view {

namespace {

constexpr float kPadX = 22, kFirstLaneY = 30, kLaneStep = 20, kBelow = 22;

struct Axis {
  float left = 0, right = 0;
  double length_s = 1;
  float x(double seconds) const { return left + (right - left) * float(seconds / length_s); }
};

Axis axis_of(const Rect& area, const std::vector<Lane>& lanes) {
  Axis axis{area.x + kPadX, area.right() - kPadX, 0};
  for (const Lane& lane : lanes) axis.length_s = std::max(axis.length_s, lane.tempo.length_s());
  if (axis.length_s <= 0) axis.length_s = 1;
  return axis;
}

class Ruler {
 public:
  Ruler(const Drawing& d, const Rect& area, const std::vector<Lane>& lanes, size_t current)
      : d_(d), area_(area), lanes_(lanes), current_(current), axis_(axis_of(area, lanes)) {}

  void draw() {
    for (size_t i = 0; i < lanes_.size(); i++) draw_lane(i);
    draw_cursor();
  }

 private:
  float lane_y(size_t i) const { return area_.y + kFirstLaneY + kLaneStep * float(i); }
  float x_of(const Lane& lane, Time at) const { return axis_.x(lane.tempo.seconds_at(at)); }
  void draw_lane(size_t i);
  void draw_ticks(const Lane& lane, float y, Color color);
  void draw_tear(const Lane& lane, const Tempo::Tear& tear, float y);
  void draw_fault(const Mark& mark, float x, float y);
  void draw_broken(const Lane& lane, const Mark& mark, float y);
  void draw_steps(const Lane& lane, float y);
  void draw_step(int number, const Span& step, float x, float y);
  void draw_cursor();

  const Drawing& d_;
  const Rect& area_;
  const std::vector<Lane>& lanes_;
  size_t current_;
  Axis axis_;
};

void Ruler::draw_ticks(const Lane& lane, float y, Color color) {
  // Ticks thin out: at most one every three pixels.
  float last = -1e6f;
  for (Time at : lane.history.instants) {
    if (at < lane.fork) continue;
    float x = x_of(lane, at);
    if (x - last < 3) continue;
    d_.pen.line(x, y - 3, x, y + 3, color, 1);
    last = x;
  }
}

void Ruler::draw_tear(const Lane& lane, const Tempo::Tear& tear, float y) {
  if (tear.to <= lane.fork) return;
  const Palette& p = d_.pen.palette();
  float from = x_of(lane, tear.from), to = x_of(lane, tear.to);
  float x = (from + to) / 2;
  std::string text = time_text(tear.to.us - tear.from.us);
  float width = d_.pen.text_width(Face::kSmall, text);
  float half = std::min((to - from) / 2 - 2, width / 2 + 18);
  if (half < 6) return;
  d_.pen.list()->AddRectFilled({x - half, y - 5}, {x + half, y + 5}, packed(p.surface));
  for (float side : {-1.0f, 1.0f}) {
    float edge = x + side * half;
    ImVec2 zigzag[] = {{edge, y - 8}, {edge - 3, y - 3}, {edge + 3, y + 3}, {edge, y + 8}};
    d_.pen.list()->AddPolyline(zigzag, 4, packed(p.edge), 0, 1.5f);
  }
  if (half * 2 < width + 24) return;
  d_.pen.arrow_head(x - width / 2 - 4, y, 1, 0, 6, p.soft);
  d_.pen.arrow_head(x - width / 2 - 9, y, 1, 0, 6, p.soft);
  d_.pen.text(Face::kSmall, x - width / 2, y - 6, p.soft, text);
}

void Ruler::draw_fault(const Mark& mark, float x, float y) {
  const Palette& p = d_.pen.palette();
  y -= 14;
  if (mark.action == "kill") {
    d_.pen.cross(x, y, 4, p.bad, 2);
  } else if (mark.action == "cut") {
    d_.pen.line(x - 2, y - 5, x - 2, y + 5, p.bad, 2);
    d_.pen.line(x + 2, y - 5, x + 2, y + 5, p.bad, 2);
  } else if (mark.action == "pause") {
    d_.pen.bars(x, y, 5, p.warning);
  } else if (mark.action == "clock" || mark.action == "fsync-stall") {
    d_.pen.clock(x, y, 5, p.warning);
  } else {
    d_.pen.list()->AddCircle({x, y}, 4, packed(p.good), 0, 2);
  }
}

// Notched below, so that it is told from a plain band without its colour.
void Ruler::draw_broken(const Lane& lane, const Mark& mark, float y) {
  const Palette& p = d_.pen.palette();
  float from = x_of(lane, mark.at), to = std::max(axis_.x(lane.tempo.length_s()), from + 18);
  d_.pen.list()->AddRectFilled({from, y + 5}, {to, y + 8}, packed(p.bad));
  for (float x = from; x + 6 <= to + 0.5f; x += 6) {
    d_.pen.list()->AddTriangleFilled({x, y + 8}, {x + 6, y + 8}, {x + 3, y + 12}, packed(p.bad));
  }
}

void Ruler::draw_step(int number, const Span& step, float x, float y) {
  const Palette& p = d_.pen.palette();
  bool now = d_.frame.step == step.what;
  bool done = step.to <= d_.frame.at;
  Color fill = now ? p.accent : done ? p.sunken : p.surface;
  Color ink = now ? p.on_accent : p.ink;
  d_.pen.list()->AddCircleFilled({x, y}, 10, packed(fill));
  d_.pen.list()->AddCircle({x, y}, 10, packed(now ? p.accent : p.edge), 0, 1.5f);
  std::string text = std::to_string(number);
  float width = d_.pen.text_width(Face::kSmall, text);
  d_.pen.text(Face::kSmall, x - width / 2, y - 6, ink, text);
  SemanticsItem item;
  item.id = "step:" + step.what;
  item.role = "step";
  item.label = step.what;
  item.value = now ? "current" : done ? "done" : "";
  item.rect = {x - 12, y - 12, 24, 24};
  d_.items.push_back(std::move(item));
}

void Ruler::draw_steps(const Lane& lane, float y) {
  int number = 0;
  float last = -1e6f;
  for (const Span& span : lane.history.spans) {
    if (span.kind != Span::Kind::kStep) continue;
    float x = std::max(x_of(lane, span.from), last + 22);
    draw_step(++number, span, x, y);
    last = x;
  }
}

void Ruler::draw_lane(size_t i) {
  const Lane& lane = lanes_[i];
  const Palette& p = d_.pen.palette();
  float y = lane_y(i);
  float from = i == 0 ? axis_.left : x_of(lane, lane.fork);
  float to = axis_.x(lane.tempo.length_s());
  if (i > 0) {
    d_.pen.line(from, lane_y(0), from, y, p.edge, 1.5f);
    d_.pen.list()->AddCircleFilled({from, lane_y(0)}, 3, packed(p.edge));
  }
  d_.pen.line(from, y, to, y, p.edge, 2);
  if (i == current_) {
    float here = x_of(lane, d_.frame.at);
    if (here > from) d_.pen.line(from, y, here, y, p.accent, 3);
  }
  draw_ticks(lane, y, p.edge);
  for (const Tempo::Tear& tear : lane.tempo.tears()) draw_tear(lane, tear, y);
  if (i == 0) draw_steps(lane, y);
  for (const Mark& mark : lane.history.marks) {
    if (mark.at < lane.fork) continue;
    if (mark.action == "broken") {
      draw_broken(lane, mark, y);
    } else {
      draw_fault(mark, x_of(lane, mark.at), y);
    }
  }
}

void Ruler::draw_cursor() {
  const Palette& p = d_.pen.palette();
  const Lane& lane = lanes_[current_];
  float x = std::round(x_of(lane, d_.frame.at));
  float bottom = lane_y(lanes_.size() - 1) + 12;
  d_.pen.line(x, area_.y + 8, x, bottom, p.ink, 2);
  d_.pen.list()->AddCircleFilled({x, area_.y + 8}, 5, packed(p.ink));
  std::string text = time_text(d_.frame.at.us);
  float width = d_.pen.text_width(Face::kSmall, text);
  float left = std::clamp(x - width / 2, area_.x + 8, area_.right() - width - 8);
  d_.pen.text(Face::kSmall, left, bottom + 1, p.ink, text);
}

}  // namespace

float timeline_height(size_t lanes) {
  return kFirstLaneY + kLaneStep * float(lanes ? lanes - 1 : 0) + 12 + kBelow;
}

Time timeline_time_at(const Rect& area, const std::vector<Lane>& lanes, size_t current, float x) {
  if (lanes.empty()) return {};
  Axis axis = axis_of(area, lanes);
  double part = double(x - axis.left) / double(axis.right - axis.left);
  return lanes[current].tempo.time_at(part * axis.length_s);
}

void draw_timeline(const Drawing& d, const Rect& area, const std::vector<Lane>& lanes,
                   size_t current) {
  const Palette& p = d.pen.palette();
  d.pen.list()->AddRectFilled({area.x, area.y}, {area.right(), area.bottom()}, packed(p.surface));
  d.pen.line(area.x, area.y + 0.5f, area.right(), area.y + 0.5f, p.line, 1);
  SemanticsItem item;
  item.id = "timeline";
  item.role = "slider";
  item.label = d.words("time");
  item.value = time_text(d.frame.at.us);
  item.rect = area;
  d.items.push_back(std::move(item));
  if (!lanes.empty()) Ruler(d, area, lanes, current).draw();
}

}  // namespace hotkv::view
