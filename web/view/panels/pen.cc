#include "web/view/panels/pen.h"

#include <algorithm>
#include <cmath>

namespace hotkv::view {

namespace {

constexpr float kPi = 3.14159265f;
constexpr float kCardRound = 10;

void polygon(ImDrawList* list, float x, float y, float size, int corners, float turn, ImU32 color) {
  ImVec2 points[8];
  for (int i = 0; i < corners; i++) {
    float angle = turn + 2 * kPi * float(i) / float(corners);
    points[i] = {x + std::cos(angle) * size, y + std::sin(angle) * size};
  }
  list->AddConvexPolyFilled(points, corners, color);
}

void star(ImDrawList* list, float x, float y, float size, ImU32 color) {
  // Not convex: five tips around a pentagon.
  constexpr float kInner = 0.45f;
  polygon(list, x, y, size * kInner, 5, kPi / 2, color);
  for (int i = 0; i < 5; i++) {
    float tip = -kPi / 2 + 2 * kPi * float(i) / 5;
    float left = tip - kPi / 5, right = tip + kPi / 5;
    list->AddTriangleFilled(
        {x + std::cos(tip) * size, y + std::sin(tip) * size},
        {x + std::cos(right) * size * kInner, y + std::sin(right) * size * kInner},
        {x + std::cos(left) * size * kInner, y + std::sin(left) * size * kInner}, color);
  }
}

}  // namespace

Color kind_color(const Palette& palette, Bytes kind) {
  if (kind == "reply") return palette.reply;
  if (kind == "push") return palette.push;
  if (kind == "query") return palette.query;
  if (kind == "rows") return palette.rows;
  return palette.request;
}

float Pen::text_width(Face face, Bytes text) const {
  const ImFont* font = fonts_.face[static_cast<int>(face)];
  return font->CalcTextSizeA(text_height(face), 1e6f, 0, text.data(), text.data() + text.size()).x;
}

float Pen::text(Face face, float x, float y, Color color, Bytes text, float width_max) const {
  constexpr Bytes kEllipsis = "\xe2\x80\xa6";
  float width = text_width(face, text);
  const ImFont* font = fonts_.face[static_cast<int>(face)];
  float size = text_height(face);
  constexpr float kRounding = 0.01f;  // Of sums of widths: a text fits where it was measured to.
  if (width <= width_max + kRounding) {
    list_->AddText(font, size, {x, y}, packed(color), text.data(), text.data() + text.size());
    return width;
  }
  float room = width_max - text_width(face, kEllipsis);
  if (room <= 0) return 0;
  const char* end = nullptr;
  width = font->CalcTextSizeA(size, room, 0, text.data(), text.data() + text.size(), &end).x;
  list_->AddText(font, size, {x, y}, packed(color), text.data(), end);
  list_->AddText(font, size, {x + width, y}, packed(color), kEllipsis.data(),
                 kEllipsis.data() + kEllipsis.size());
  return width_max;
}

Rect Pen::pill(Face face, float center_x, float center_y, Bytes text, Color ink, Color fill,
               Color border, float width_max) const {
  constexpr float kPadX = 8, kPadY = 4;
  float width = std::min(text_width(face, text), width_max - 2 * kPadX);
  float height = text_height(face) + 2 * kPadY;
  Rect rect{std::round(center_x - width / 2 - kPadX), std::round(center_y - height / 2),
            width + 2 * kPadX, height};
  ImVec2 from{rect.x, rect.y}, to{rect.right(), rect.bottom()};
  list_->AddRectFilled(from, to, packed(fill), height / 2);
  list_->AddRect(from, to, packed(border), height / 2, 0, 1);
  this->text(face, rect.x + kPadX, rect.y + kPadY, ink, text, width + 1);
  return rect;
}

void Pen::card(const Rect& r, Color fill, Color border, float border_width, bool dashed) const {
  ImVec2 from{r.x, r.y}, to{r.right(), r.bottom()};
  float round = std::min(kCardRound, r.height / 3);
  // A soft shadow below: three faint rims instead of a blur.
  for (int i = 1; i <= 3; i++) {
    auto by = float(i);
    list_->AddRectFilled({r.x - by + 1, r.y + 1}, {r.right() + by - 1, r.bottom() + by + 1},
                         IM_COL32(0, 0, 0, 8), round + by);
  }
  list_->AddRectFilled(from, to, packed(fill), round);
  if (!dashed) {
    list_->AddRect(from, to, packed(border), round, 0, border_width);
    return;
  }
  dashes(r.x + round, r.y, r.right() - round, r.y, border, border_width);
  dashes(r.x + round, r.bottom(), r.right() - round, r.bottom(), border, border_width);
  dashes(r.x, r.y + round, r.x, r.bottom() - round, border, border_width);
  dashes(r.right(), r.y + round, r.right(), r.bottom() - round, border, border_width);
}

void Pen::line(float x0, float y0, float x1, float y1, Color color, float width,
               float alpha) const {
  list_->AddLine({x0, y0}, {x1, y1}, packed(color, alpha), width);
}

void Pen::dashes(float x0, float y0, float x1, float y1, Color color, float width, float on,
                 float off) const {
  float length = std::hypot(x1 - x0, y1 - y0);
  if (length < 1) return;
  float dx = (x1 - x0) / length, dy = (y1 - y0) / length;
  for (float at = 0; at < length; at += on + off) {
    float end = std::min(at + on, length);
    line(x0 + dx * at, y0 + dy * at, x0 + dx * end, y0 + dy * end, color, width);
  }
}

void Pen::ring(float x, float y, float radius, double fraction, Color track, Color fill) const {
  list_->AddCircle({x, y}, radius, packed(track), 0, 3);
  if (fraction <= 0) return;
  float from = -kPi / 2;
  list_->PathArcTo({x, y}, radius, from, from + 2 * kPi * float(fraction), 48);
  list_->PathStroke(packed(fill), 0, 3);
}

void Pen::message(Bytes kind, float x, float y, float size, Color color, bool broken) const {
  ImU32 fill = packed(color);
  if (kind == "reply") {
    polygon(list_, x, y, size * 1.2f, 4, 0, fill);
  } else if (kind == "push") {
    star(list_, x, y, size * 1.4f, fill);
  } else if (kind == "query") {
    polygon(list_, x, y, size * 1.2f, 4, kPi / 4, fill);
  } else if (kind == "rows") {
    polygon(list_, x, y, size * 1.1f, 6, 0, fill);
  } else {
    list_->AddCircleFilled({x, y}, size, fill);
  }
  if (!broken) return;
  for (int i = 0; i < 6; i++) {
    float from = 2 * kPi * float(i) / 6;
    list_->PathArcTo({x, y}, size + 4, from, from + kPi / 5, 6);
    list_->PathStroke(packed(palette_.bad), 0, 2);
  }
}

void Pen::cross(float x, float y, float size, Color color, float width) const {
  line(x - size, y - size, x + size, y + size, color, width);
  line(x - size, y + size, x + size, y - size, color, width);
}

void Pen::bolt(float x, float y, float size, Color color) const {
  ImU32 fill = packed(color);
  list_->AddTriangleFilled({x + size * 0.4f, y - size}, {x + size * 0.15f, y + size * 0.15f},
                           {x - size * 0.6f, y + size * 0.15f}, fill);
  list_->AddTriangleFilled({x - size * 0.4f, y + size}, {x - size * 0.15f, y - size * 0.15f},
                           {x + size * 0.6f, y - size * 0.15f}, fill);
}

void Pen::bars(float x, float y, float size, Color color) const {
  list_->AddRectFilled({x - size * 0.6f, y - size}, {x - size * 0.15f, y + size}, packed(color));
  list_->AddRectFilled({x + size * 0.15f, y - size}, {x + size * 0.6f, y + size}, packed(color));
}

void Pen::clock(float x, float y, float size, Color color) const {
  list_->AddCircle({x, y}, size, packed(color), 0, 1.5f);
  line(x, y, x, y - size * 0.6f, color, 1.5f);
  line(x, y, x + size * 0.45f, y + size * 0.2f, color, 1.5f);
}

void Pen::lock(float x, float y, float size, Color color, bool closed) const {
  float shift = closed ? 0 : size * 0.5f;
  list_->PathArcTo({x + shift, y - size * 0.15f}, size * 0.5f, -kPi, 0, 12);
  list_->PathStroke(packed(color), 0, 1.6f);
  list_->AddRectFilled({x - size * 0.75f, y - size * 0.15f}, {x + size * 0.75f, y + size},
                       packed(color), 2);
}

void Pen::arrow_head(float x, float y, float dx, float dy, float size, Color color) const {
  float length = std::hypot(dx, dy);
  if (length < 0.01f) return;
  dx *= size / length;
  dy *= size / length;
  list_->AddTriangleFilled({x, y}, {x - dx - dy * 0.55f, y - dy + dx * 0.55f},
                           {x - dx + dy * 0.55f, y - dy - dx * 0.55f}, packed(color));
}

void Pen::focus_ring(const Rect& r) const {
  constexpr float kOff = 4;
  list_->AddRect({r.x - kOff, r.y - kOff}, {r.right() + kOff, r.bottom() + kOff},
                 packed(palette_.accent), kCardRound + kOff, 0, 2.5f);
}

}  // namespace hotkv::view
