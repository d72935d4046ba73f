// The sequence: one lane per participant, time downward, a message as a slanted line from who sent
// it to who got it. What lies in the future of the cursor is faint; with a message chosen, all but
// what led to it is.
#include <algorithm>
#include <cmath>

#include "web/view/panels/panels.h"

namespace hotkv::view {

namespace {

constexpr float kHead = 44, kPixelsPerSecond = 58, kPad = 24;

class Diagram {
 public:
  Diagram(const Drawing& d, const Rect& area, const Lane& lane) : d_(d), area_(area), lane_(lane) {
    double now = lane.tempo.seconds_at(d.frame.at);
    float room = area.height - kHead - kPad;
    float whole = float(lane.tempo.length_s()) * kPixelsPerSecond;
    // The cursor stays at two thirds of the height while the lanes run past it.
    float wanted = float(now) * kPixelsPerSecond - room * 2 / 3;
    scroll_ = std::clamp(wanted, 0.0f, std::max(0.0f, whole - room));
    if (!d.selected.empty()) past_ = causal_past(lane.history, d.selected);
  }
  void draw();

 private:
  float lane_x(const std::string& id) const;
  float y_of(Time at) const {
    float down = float(lane_.tempo.seconds_at(at)) * kPixelsPerSecond;
    return area_.y + kHead + 12 + down - scroll_;
  }
  bool dimmed(const std::string& id) const {
    return !past_.empty() && std::find(past_.begin(), past_.end(), id) == past_.end();
  }
  void draw_heads();
  void draw_span(const Span& span);
  void draw_tears();
  void draw_flight(const Flight& f);
  void draw_flight_label(const Flight& f, float x0, float y0, float x1, float slope, Color ink);

  const Drawing& d_;
  const Rect& area_;
  const Lane& lane_;
  float scroll_ = 0;
  std::vector<std::string> past_;
};

// In the order of the stage: clients, nodes, databases.
float Diagram::lane_x(const std::string& id) const {
  std::vector<const Participant*> order;
  for (const char* kind : {"client", "node", "database"}) {
    for (const Participant& p : d_.frame.participants) {
      if (p.kind == kind) order.push_back(&p);
    }
  }
  // Two clients stand on both sides of one node: their lines do not cross its lane.
  if (order.size() == 3 && order[2]->kind == "node") std::swap(order[1], order[2]);
  for (size_t i = 0; i < order.size(); i++) {
    if (order[i]->id != id) continue;
    float step = (area_.width - 2 * kPad) / float(order.size());
    return area_.x + kPad + step * (float(i) + 0.5f);
  }
  return -1;
}

void Diagram::draw_heads() {
  const Palette& p = d_.pen.palette();
  float step = (area_.width - 2 * kPad) / float(std::max<size_t>(d_.frame.participants.size(), 1));
  d_.pen.list()->AddRectFilled({area_.x, area_.y}, {area_.right(), area_.y + kHead},
                               packed(p.ground));
  for (const Participant& who : d_.frame.participants) {
    float x = lane_x(who.id);
    float width = std::min(d_.pen.text_width(Face::kBody, who.title) + 28, step - 6);
    Rect r{x - width / 2, area_.y + 10, width, 28};
    bool chosen = d_.chosen(who.id);
    d_.pen.card(r, p.surface, chosen ? p.accent : p.line, chosen ? 2.0f : 1.0f, !who.up);
    float text = std::min(d_.pen.text_width(Face::kBody, who.title), width - 12);
    d_.pen.text(Face::kBody, x - text / 2, r.y + 7, who.up ? p.ink : p.soft, who.title, text + 1);
    d_.place(who.id, r);
  }
}

void Diagram::draw_span(const Span& span) {
  if (span.kind == Span::Kind::kStep || span.from > d_.frame.at) return;
  float x = lane_x(span.what);
  if (x < 0) return;
  const Palette& p = d_.pen.palette();
  float from = y_of(span.from), to = y_of(std::min(span.to, d_.frame.at));
  if (span.kind == Span::Kind::kBelief) {
    d_.pen.list()->AddRectFilled({x - 4, from}, {x + 4, to}, packed(p.accent), 3);
  } else if (span.kind == Span::Kind::kDown) {
    d_.pen.dashes(x, from, x, to, p.bad, 3, 4, 6);
    d_.pen.cross(x, from, 5, p.bad, 2.5f);
  } else {
    d_.pen.list()->AddRectFilled({x - 5, from}, {x - 2, to}, packed(p.warning));
    d_.pen.list()->AddRectFilled({x + 2, from}, {x + 5, to}, packed(p.warning));
  }
}

void Diagram::draw_tears() {
  const Palette& p = d_.pen.palette();
  for (const Tempo::Tear& tear : lane_.tempo.tears()) {
    float y = (y_of(tear.from) + y_of(tear.to)) / 2;
    if (y < area_.y + kHead || y > area_.bottom()) continue;
    d_.pen.dashes(area_.x + kPad, y, area_.right() - kPad, y, p.edge, 1, 2, 6);
    d_.pen.pill(Face::kSmall, area_.x + kPad + 34, y, time_text(tear.to.us - tear.from.us), p.soft,
                p.ground, p.line, 120);
  }
}

// A request is labelled above its start; a reply below its line, because above it the request that
// it answers arrives.
void Diagram::draw_flight_label(const Flight& f, float x0, float y0, float x1, float slope,
                                Color ink) {
  bool rightwards = x1 > x0;
  float room = std::fabs(x1 - x0) - 28;
  if (room < 24) return;
  float width = std::min(d_.pen.text_width(Face::kMonoSmall, f.label), room);
  float x = rightwards ? x0 + 12 : x0 - 12 - width;
  bool below = f.kind == "reply" || f.kind == "rows";
  float y = below ? y0 + std::min(slope * (width + 12), 40.0f) + 4 : y0 - 17;
  d_.pen.text(Face::kMonoSmall, x, y, ink, f.label, width + 1);
}

void Diagram::draw_flight(const Flight& f) {
  if (f.sent > d_.frame.at) return;
  float x0 = lane_x(f.from), x1 = lane_x(f.to);
  if (x0 < 0 || x1 < 0) return;
  const Palette& p = d_.pen.palette();
  Time until = std::min(f.end, d_.frame.at);
  double whole = double((f.end - f.sent).us);
  float part = whole > 0 ? float(double((until - f.sent).us) / whole) : 1;
  // A lost message ends on its way.
  if (f.lost && f.end <= d_.frame.at) part = 0.7f;
  float y0 = y_of(f.sent), y1 = y_of(until);
  if (std::max(y0, y1) < area_.y + kHead - 40 || std::min(y0, y1) > area_.bottom()) return;
  float x = x0 + (x1 - x0) * part;
  bool dim = dimmed(f.id);
  bool chosen = d_.chosen(f.id) || d_.hovered == f.id;
  Color color = f.error ? p.bad : kind_color(p, f.kind);
  d_.pen.line(x0, y0, x, y1, color, chosen ? 3.0f : 1.8f, dim ? 0.35f : 1.0f);
  if (f.lost && f.end <= d_.frame.at) {
    d_.pen.cross(x, y1, 5, p.bad, 2.5f);
  } else if (f.end <= d_.frame.at) {
    d_.pen.arrow_head(x1, y1, x1 - x0, y1 - y0, 8, dim ? p.edge : color);
  } else {
    d_.pen.message(f.kind, x, y1, 6, color, f.error);
  }
  float slope = std::fabs(y_of(f.end) - y0) / std::max(std::fabs(x1 - x0), 1.0f);
  draw_flight_label(f, x0, y0, x1, slope, f.error ? p.bad_text : dim ? p.soft : p.ink);
  d_.place(f.id, {x - 14, y1 - 14, 28, 28});
}

void Diagram::draw() {
  const Palette& p = d_.pen.palette();
  d_.pen.list()->PushClipRect({area_.x, area_.y}, {area_.right(), area_.bottom()}, true);
  float now = y_of(d_.frame.at);
  for (const Participant& who : d_.frame.participants) {
    float x = lane_x(who.id);
    d_.pen.line(x, area_.y + kHead, x, std::min(now, area_.bottom()), p.edge, 1.5f);
    if (now < area_.bottom()) d_.pen.dashes(x, now, x, area_.bottom(), p.line, 1.5f, 3, 5);
  }
  draw_tears();
  for (const Span& span : lane_.history.spans) draw_span(span);
  for (const Flight& f : lane_.history.flights) draw_flight(f);
  d_.pen.line(area_.x + kPad, now, area_.right() - kPad, now, p.accent, 1, 0.6f);
  std::string text = time_text(d_.frame.at.us);
  d_.pen.text(Face::kSmall, area_.right() - kPad - d_.pen.text_width(Face::kSmall, text), now + 4,
              p.accent_text, text);
  draw_heads();
  d_.pen.list()->PopClipRect();
}

}  // namespace

void draw_sequence(const Drawing& d, const Rect& area, const Lane& lane) {
  Diagram(d, area, lane).draw();
}

}  // namespace hotkv::view
