// The stage: who is there, what they hold and think, and what is under way between them.
#include <algorithm>
#include <cmath>

#include "web/view/panels/cards.h"
#include "web/view/panels/panels.h"
#include "web/view/stage_layout.h"

namespace hotkv::view {

namespace {

constexpr float kCaptionHeight = 26;
constexpr int kRibbonFrom = 40;  // More than so many in flight on a link are drawn as one ribbon.
constexpr size_t kLabelsMax = 6;
constexpr size_t kQuietFrom = 20;  // So many links, and the idle ones step back.
constexpr float kLaneShift = 7;    // Requests go a little above a link, what answers them below.
constexpr float kFanStep = 16;     // Messages of one place stand one above the other, so far apart,
constexpr int kFanMax = 5;         // up to so many.

struct Line {
  float x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  float x(double part) const { return x0 + (x1 - x0) * float(part); }
  float y(double part) const { return y0 + (y1 - y0) * float(part); }
};

// Where a message is drawn, on which line.
struct Spot {
  const SceneMessage* message = nullptr;
  Line line;
  float x = 0, y = 0;
  bool above() const { return line.x1 > line.x0; }
};

// Everything the parts of the stage need to know about each other's places.
class Stage {
 public:
  Stage(const Drawing& d, const Rect& area) : d_(d), area_(area) {
    Rect inner{area.x + 16, area.y + 8, area.width - 32, area.height - 8 - kCaptionHeight};
    places_ = place_participants(d.frame, inner);
    narrow_ = area.width < kNarrowWidth;
  }
  void draw();

 private:
  const Rect* rect_of(const std::string& id) const;
  bool line_between(const std::string& from, const std::string& to, Line& line) const;
  void place_messages();
  void fan_out(Spot& spot) const;
  void draw_link(const SceneLink& link);
  void draw_message(const Spot& spot, bool labelled);
  void draw_label(const SceneMessage& m, const Line& line, float x, float y, bool above);
  void draw_afterglow(const Afterglow& glow);
  void draw_caption();
  std::string caption() const;

  const Drawing& d_;
  Rect area_;
  std::vector<Rect> labels_;  // Drawn so far: a label that would cover another is left out.
  std::vector<Place> places_;
  std::vector<Spot> spots_;
  bool narrow_;
};

const Rect* Stage::rect_of(const std::string& id) const {
  for (size_t i = 0; i < places_.size(); i++) {
    if (d_.frame.participants[i].id == id) return &places_[i].rect;
  }
  return nullptr;
}

// From edge to edge; several links of a card leave it at different heights.
bool Stage::line_between(const std::string& from, const std::string& to, Line& line) const {
  const Rect* a = rect_of(from);
  const Rect* b = rect_of(to);
  if (!a || !b) return false;
  bool rightwards = a->center_x() < b->center_x();
  line.x0 = rightwards ? a->right() : a->x;
  line.x1 = rightwards ? b->x : b->right();
  auto attach = [](const Rect& here, const Rect& there) {
    float room = here.height / 2 - 14;
    float pull = (there.center_y() - here.center_y()) * 0.22f;
    return here.center_y() + (room > 0 ? std::clamp(pull, -room, room) : 0);
  };
  line.y0 = attach(*a, *b);
  line.y1 = attach(*b, *a);
  return true;
}

void Stage::draw_link(const SceneLink& link) {
  Line l;
  if (!line_between(link.a, link.b, l)) return;
  const Palette& p = d_.pen.palette();
  bool chosen = d_.chosen(link.id) || d_.hovered == link.id;
  if (link.cut) {
    d_.pen.dashes(l.x0, l.y0, l.x1, l.y1, p.bad, chosen ? 2.5f : 1.5f);
    float x = l.x(0.5), y = l.y(0.5);
    d_.pen.line(x - 3, y - 11, x - 3, y + 11, p.bad, 2.5f);
    d_.pen.line(x + 3, y - 11, x + 3, y + 11, p.bad, 2.5f);
  } else {
    // In a crowd only links with something on them are more than a hint.
    bool quiet = d_.frame.links.size() > kQuietFrom && link.in_flight == 0;
    d_.pen.line(l.x0, l.y0, l.x1, l.y1, chosen ? p.accent : p.edge, chosen ? 2.5f : 1.5f,
                !chosen && quiet ? 0.15f : 1.0f);
  }
  if (link.in_flight > kRibbonFrom) {
    d_.pen.line(l.x0, l.y0, l.x1, l.y1, p.request, 10, 0.45f);
    d_.pen.pill(Face::kSmall, l.x(0.5), l.y(0.5),
                std::to_string(link.in_flight) + " " + d_.words("in flight"), p.ink, p.surface,
                p.edge, 160);
  }
  float x = l.x(0.5), y = l.y(0.5);
  float half = std::min(std::fabs(l.x1 - l.x0) / 4, 60.0f);
  d_.place(link.id, {x - half, y - 14, 2 * half, 28});
}

void Stage::draw_label(const SceneMessage& m, const Line& line, float x, float y, bool above) {
  const Palette& p = d_.pen.palette();
  float left = std::min(line.x0, line.x1) + 4, right = std::max(line.x0, line.x1) - 4;
  float width = std::min(right - left, d_.pen.text_width(Face::kMonoSmall, m.label) + 18);
  if (width < 60) return;
  float center = std::clamp(x, left + width / 2, right - width / 2);
  float middle = y + (above ? -23.0f : 23.0f);
  Rect wanted{center - width / 2, middle - 11, width, 22};
  for (const Rect& taken : labels_) {
    bool apart = wanted.x > taken.right() || taken.x > wanted.right() ||
                 wanted.y > taken.bottom() || taken.y > wanted.bottom();
    if (!apart) return;
  }
  labels_.push_back(wanted);
  labels_.push_back({x - 10, y - 10, 20, 20});
  d_.pen.pill(Face::kMonoSmall, center, middle, m.label, m.error ? p.bad_text : p.ink, p.surface,
              p.line, width);
}

// A duplicate is where its original is; both must be seen and met by a pointer.
void Stage::fan_out(Spot& spot) const {
  for (int step = 0; step < kFanMax; step++) {
    bool taken = false;
    for (const Spot& other : spots_) {
      bool same_way = other.message->link == spot.message->link && other.above() == spot.above();
      taken = taken || (same_way && std::fabs(other.x - spot.x) < kFanStep &&
                        std::fabs(other.y - spot.y) < kFanStep);
    }
    if (!taken) return;
    spot.y += spot.above() ? -kFanStep : kFanStep;
  }
}

void Stage::place_messages() {
  for (const SceneMessage& m : d_.frame.messages) {
    const SceneLink* link = d_.frame.link_between(m.from, m.to);
    Spot spot;
    spot.message = &m;
    if ((link && link->in_flight > kRibbonFrom) || !line_between(m.from, m.to, spot.line)) continue;
    double part = !d_.reduced_motion || m.lost ? m.position : 0.5;
    spot.x = spot.line.x(part);
    spot.y = spot.line.y(part) + (spot.above() ? -kLaneShift : kLaneShift);
    fan_out(spot);
    spots_.push_back(spot);
  }
}

void Stage::draw_message(const Spot& spot, bool labelled) {
  const SceneMessage& m = *spot.message;
  const Line& line = spot.line;
  const Palette& p = d_.pen.palette();
  bool above = spot.above();
  float x = spot.x, y = spot.y;
  Color color = m.lost ? p.bad : kind_color(p, m.kind);
  bool chosen = d_.chosen(m.id) || d_.hovered == m.id;
  if (m.lost) {
    d_.pen.cross(x, y, 6, color, 2.5f);
  } else {
    d_.pen.message(m.kind, x, y, chosen ? 8.5f : 7, color, m.error);
    float toward = above ? 1.0f : -1.0f;
    d_.pen.arrow_head(x + toward * 17, y, line.x1 - line.x0, line.y1 - line.y0, 6, color);
    if (m.delayed) d_.pen.clock(x - toward * 15, y, 5, p.ink);
  }
  if (chosen) d_.pen.list()->AddCircle({x, y}, 13, packed(p.accent), 0, 2);
  if (labelled || chosen) draw_label(m, line, x, y, above);
  if (d_.reduced_motion && !m.lost && !narrow_) {
    std::string when = d_.words("arrives in") + " " + time_text(m.due.us - d_.frame.at.us);
    float width = d_.pen.text_width(Face::kSmall, when);
    d_.pen.text(Face::kSmall, x - width / 2, y + (above ? -52.0f : 38.0f), p.soft, when);
  }
  constexpr float kTarget = 14;
  d_.place(m.id, {x - kTarget, y - kTarget, 2 * kTarget, 2 * kTarget});
}

void Stage::draw_afterglow(const Afterglow& glow) {
  Line line;
  if (!line_between(glow.from, glow.to, line)) return;
  const Palette& p = d_.pen.palette();
  float shift = line.x1 > line.x0 ? -kLaneShift : kLaneShift;
  float x = line.x(double(glow.position)), y = line.y(double(glow.position)) + shift;
  if (glow.lost) {
    float part = glow.age_ms / kFallMs;
    d_.pen.cross(x, y + 40 * part * part, 6, p.bad, 2.5f);
    return;
  }
  float part = glow.age_ms / kPulseMs;
  d_.pen.list()->AddCircle({x, y}, 6 + 12 * part, packed(kind_color(p, glow.kind), 1 - part), 0, 2);
}

// What is pointed at, else what matters most now, in words.
std::string Stage::caption() const {
  const std::string& id = !d_.hovered.empty() ? d_.hovered : d_.focused;
  for (const SemanticsItem& item : d_.items) {
    if (item.id == id) return item.label + "  \xc2\xb7  " + item.value;
  }
  if (!d_.frame.broken.empty()) return d_.frame.broken.back().detail;
  std::string text;
  for (const Participant& p : d_.frame.participants) {
    for (const Belief& belief : p.beliefs) {
      text += (text.empty() ? "" : ", ") + p.title + " " + d_.words("holds") + " " + belief.key;
    }
  }
  if (narrow_ && !d_.frame.messages.empty()) {
    const SceneMessage& m = d_.frame.messages.back();
    text = m.from + " \xe2\x86\x92 " + m.to + "  " + m.label;
  }
  return text;
}

void Stage::draw_caption() {
  const Palette& p = d_.pen.palette();
  std::string text = caption();
  if (text.empty()) return;
  bool broken = !d_.frame.broken.empty() && text == d_.frame.broken.back().detail;
  float width = area_.width - 32;
  float x = area_.x + 16, y = area_.bottom() - kCaptionHeight + 4;
  if (broken) {
    d_.pen.cross(x + 5, y + 7, 4.5f, p.bad_text, 2);
    x += 18;
    width -= 18;
  }
  d_.pen.text(Face::kBody, x, y, broken ? p.bad_text : p.soft, text, width);
}

void Stage::draw() {
  for (const SceneLink& link : d_.frame.links) draw_link(link);
  for (size_t i = 0; i < places_.size(); i++) {
    draw_participant(d_, d_.frame.participants[i], places_[i]);
  }
  for (const Afterglow& glow : d_.afterglow) draw_afterglow(glow);
  place_messages();
  for (const Spot& spot : spots_) {
    const std::string& id = spot.message->id;
    // First, so that its label has its place.
    if (id == d_.selected || id == d_.hovered) draw_message(spot, true);
  }
  bool labelled = d_.labels && !narrow_ && d_.frame.messages.size() <= kLabelsMax;
  for (const Spot& spot : spots_) draw_message(spot, labelled);
  draw_caption();
}

}  // namespace

void draw_stage(const Drawing& d, const Rect& area) { Stage(d, area).draw(); }

}  // namespace hotkv::view
