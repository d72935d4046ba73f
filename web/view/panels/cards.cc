#include "web/view/panels/cards.h"

#include <algorithm>

namespace hotkv::view {

namespace {

constexpr float kPad = 12;

Color state_color(const Palette& p, const Participant& who) {
  if (!who.up) return p.bad;
  if (who.paused || who.stalled) return p.warning;
  if (who.waiting) return p.request;
  return p.good;
}

// A mark and a word: colour is never alone.
void draw_state(const Drawing& d, const Participant& who, float x, float y, float width) {
  const Palette& p = d.pen.palette();
  Color color = state_color(p, who);
  if (!who.up) {
    d.pen.cross(x + 4, y + 6, 3.5f, color, 2);
  } else if (who.paused) {
    d.pen.bars(x + 4, y + 6, 5, color);
  } else if (who.waiting || who.stalled) {
    d.pen.clock(x + 4, y + 6, 4.5f, color);
  } else {
    d.pen.list()->AddCircleFilled({x + 4, y + 6}, 3.5f, packed(color));
  }
  d.pen.text(Face::kSmall, x + 14, y, p.soft, state_text(who, d.words), width - 14);
}

Rect inner_of(const Rect& r) { return {r.x + kPad, r.y + 10, r.width - 2 * kPad, r.height - 20}; }

void draw_belief(const Drawing& d, const Belief& belief, const Rect& in, float y) {
  const Palette& p = d.pen.palette();
  d.pen.list()->AddRectFilled({in.x - 4, y - 4}, {in.right() + 4, y + 18}, packed(p.accent_soft),
                              5);
  d.pen.lock(in.x + 5, y + 5, 6, p.accent_text, true);
  float left = in.right();
  if (belief.until != Time::never() && in.width > 120) {
    std::string rest = time_text(belief.until.us - d.frame.at.us);
    left -= d.pen.text_width(Face::kSmall, rest);
    d.pen.text(Face::kSmall, left, y + 1, p.ink, rest);
    left -= 6;
  }
  d.pen.text(Face::kSmall, in.x + 16, y + 1, p.ink, belief.key, left - in.x - 16);
}

void draw_client(const Drawing& d, const Participant& who, const Rect& r) {
  const Palette& p = d.pen.palette();
  Rect in = inner_of(r);
  float state_width = d.pen.text_width(Face::kSmall, state_text(who, d.words)) + 14;
  bool roomy = in.width > 150;
  d.pen.text(Face::kTitle, in.x, in.y, who.up ? p.ink : p.soft, who.title,
             roomy ? in.width - state_width - 8 : in.width);
  if (roomy) draw_state(d, who, in.right() - state_width, in.y + 2, state_width);
  float y = in.y + 28;
  if (!who.line.empty()) {
    d.pen.text(Face::kMonoSmall, in.x, y, p.soft, who.line, in.width);
    Color reply = who.error ? p.bad_text : p.ink;
    const std::string& heard = who.outcome.empty() ? who.reply : who.outcome;
    if (!heard.empty()) d.pen.text(Face::kMono, in.x, y + 17, reply, heard, in.width);
    if (heard.empty() && !roomy) draw_state(d, who, in.x, y + 16, in.width);
  } else if (!roomy) {
    draw_state(d, who, in.x, y, in.width);
  }
  if (!who.beliefs.empty()) draw_belief(d, who.beliefs.front(), in, r.bottom() - 25);
}

const Participant* believer(const SceneFrame& frame, const SceneKey& key) {
  for (const Participant& p : frame.participants) {
    for (const Belief& belief : p.beliefs) {
      if (belief.key == key.key && belief.token == key.value) return &p;
    }
  }
  return nullptr;
}

void draw_key(const Drawing& d, const Participant& node, const SceneKey& key, const Rect& row) {
  const Palette& p = d.pen.palette();
  std::string id = key_id(node, key);
  if (d.chosen(id) || d.hovered == id) {
    d.pen.list()->AddRectFilled({row.x - 6, row.y}, {row.right() + 6, row.bottom()},
                                packed(p.sunken), 6);
  }
  float x = row.x + 12, y = row.center_y();
  d.pen.ring(x, y, 11, key.expires ? key.ttl_fraction : 1, p.line, p.accent);
  const Participant* holder = believer(d.frame, key);
  // Any key has a ring; a padlock is for one that somebody holds, or that LOCK gave a number.
  if (holder || key.number) d.pen.lock(x, y - 1, 5.5f, p.accent_text, true);
  float left = row.x + 32;
  d.pen.text(Face::kMono, left, row.y + 6, p.ink, key.key, row.right() - left);
  bool roomy = row.width > 140;
  std::string rest = roomy || !key.expires ? key.value : std::string();
  if (key.number && roomy) rest = "#" + std::to_string(key.number) + " " + rest;
  if (key.expires) rest = time_text(key.ttl_us) + (rest.empty() ? "" : "  ") + rest;
  if (holder && row.width > 180) rest += "  \xc2\xb7  " + holder->title;
  d.pen.text(Face::kSmall, left, row.y + 24, p.soft, rest, row.right() - left);
  d.place(id, row);
}

void draw_node(const Drawing& d, const Participant& who, const Rect& r) {
  const Palette& p = d.pen.palette();
  Rect in = inner_of(r);
  float title = d.pen.text(Face::kTitle, in.x, in.y, who.up ? p.ink : p.soft, who.title, in.width);
  float state_width = d.pen.text_width(Face::kSmall, state_text(who, d.words)) + 14;
  if (in.width > 170 && who.up && !who.role.empty()) {
    float width = d.pen.text_width(Face::kSmall, who.role) + 16;
    d.pen.pill(Face::kSmall, in.x + title + 10 + width / 2, in.y + 9, who.role, p.accent_text,
               p.accent_soft, p.accent_soft, width);
  }
  draw_state(d, who, in.right() - state_width, in.y + 2, state_width);
  float y = r.y + 42;
  if (who.keys.empty() && who.up) {
    d.pen.text(Face::kSmall, in.x, y + 10, p.soft, d.words("no keys"), in.width);
  }
  size_t shown = 0;
  for (const SceneKey& key : who.keys) {
    if (y + kKeyRowHeight > r.bottom() || shown == kKeyRowsMax) break;
    draw_key(d, who, key, {in.x, y, in.width, kKeyRowHeight});
    y += kKeyRowHeight;
    shown++;
  }
  if (shown < who.keys.size()) {
    std::string more = "+" + std::to_string(who.keys.size() - shown);
    float width = d.pen.text_width(Face::kSmall, more);
    d.pen.text(Face::kSmall, in.right() - width, r.bottom() - 15, p.soft, more);
  }
}

void draw_database(const Drawing& d, const Participant& who, const Rect& r) {
  const Palette& p = d.pen.palette();
  Rect in = inner_of(r);
  d.pen.text(Face::kTitle, in.x, in.y, who.up ? p.ink : p.soft, who.title, in.width);
  std::string load = std::to_string(who.running) + " " + d.words("running");
  if (who.in_line > 0) load += ", " + std::to_string(who.in_line) + " " + d.words("in line");
  float width = d.pen.text_width(Face::kSmall, load);
  float title = d.pen.text_width(Face::kTitle, who.title);
  if (title + width + 12 < in.width) {
    d.pen.text(Face::kSmall, in.right() - width, in.y + 3, p.soft, load);
  }
  float y = r.y + 40;
  size_t shown = 0;
  for (const SceneRow& row : who.rows) {
    if (shown++ == kKeyRowsMax) break;
    d.pen.text(Face::kMono, in.x, y + 4, p.ink, row.row, in.width);
    std::string version = "v" + std::to_string(row.version) + "  ";
    d.pen.text(Face::kSmall, in.x, y + 22, p.soft, version + row.value, in.width);
    y += kKeyRowHeight;
  }
  if (who.rows.empty()) {
    d.pen.text(Face::kSmall, in.x, y + 10, p.soft, d.words("no rows"), in.width);
  }
  if (who.refused > 0) {
    std::string text = std::to_string(who.refused) + " " + d.words("refused");
    width = d.pen.text_width(Face::kSmall, text);
    d.pen.text(Face::kSmall, in.right() - width, r.bottom() - 20, p.bad_text, text);
  }
}

void draw_compact(const Drawing& d, const Participant& who, const Rect& r) {
  const Palette& p = d.pen.palette();
  Rect in{r.x + 10, r.y + 6, r.width - 20, r.height - 12};
  d.pen.text(Face::kBody, in.x, in.y, who.up ? p.ink : p.soft, who.title, in.width - 14);
  if (!who.beliefs.empty()) d.pen.lock(in.right() - 6, in.y + 6, 6, p.accent_text, true);
  if (who.kind == "node" && !who.keys.empty()) {
    const SceneKey& key = who.keys.front();
    d.pen.ring(in.right() - 7, r.center_y(), 8, key.expires ? key.ttl_fraction : 1, p.line,
               p.accent);
    d.place(key_id(who, key), {in.right() - 20, r.center_y() - 13, 26, 26});
  }
  if (who.up && !who.waiting && !who.reply.empty()) {
    d.pen.text(Face::kMonoSmall, in.x, in.y + 17, who.error ? p.bad_text : p.soft, who.reply,
               in.width);
  } else {
    draw_state(d, who, in.x, in.y + 16, in.width - 20);
  }
}

void draw_chip(const Drawing& d, const Participant& who, const Rect& r) {
  const Palette& p = d.pen.palette();
  Color color = state_color(p, who);
  if (r.width >= 24 && r.height >= 20) {
    float width = std::min(d.pen.text_width(Face::kSmall, who.id), r.width - 6);
    d.pen.text(Face::kSmall, r.center_x() - width / 2, r.center_y() - 7, p.ink, who.id, width + 1);
  }
  d.pen.list()->AddRectFilled({r.x + 3, r.bottom() - 4}, {r.right() - 3, r.bottom() - 2},
                              packed(who.beliefs.empty() ? color : p.accent));
}

}  // namespace

void draw_participant(const Drawing& d, const Participant& who, const Place& place) {
  const Palette& p = d.pen.palette();
  const Rect& r = place.rect;
  bool chosen = d.chosen(who.id);
  bool near = d.hovered == who.id;
  Color border = chosen ? p.accent : (near || !who.up) ? p.edge : p.line;
  d.pen.card(r, who.up ? p.surface : p.sunken, border, chosen ? 2.0f : 1.0f, !who.up);
  if (place.detail == Detail::kChip) {
    draw_chip(d, who, r);
  } else if (place.detail == Detail::kCompact) {
    draw_compact(d, who, r);
  } else if (who.kind == "client") {
    draw_client(d, who, r);
  } else if (who.kind == "database") {
    draw_database(d, who, r);
  } else {
    draw_node(d, who, r);
  }
  d.place(who.id, r);
}

void Drawing::place(const std::string& id, const Rect& rect) const {
  for (SemanticsItem& item : items) {
    if (item.id == id) item.rect = rect;
  }
}

}  // namespace hotkv::view
