// Pen: what panels draw with. Text, cards and the shapes of messages in the palette's colours, on
// an ImGui draw list, in CSS pixels.
#pragma once

#include <imgui.h>

#include "core/base/bytes.h"
#include "web/view/palette.h"
#include "web/view/scene.h"

namespace hotkv::view {

enum class Face : uint8_t { kBody, kSmall, kTitle, kMono, kMonoSmall, kCount };
constexpr float kFaceSizes[] = {14, 12.5f, 16, 13.5f, 12};

struct Fonts {
  ImFont* face[static_cast<int>(Face::kCount)] = {};
};

inline ImU32 packed(Color c, float alpha = 1) {
  return IM_COL32(c.r, c.g, c.b, static_cast<int>(alpha * 255 + 0.5f));
}

class Pen {
 public:
  Pen(ImDrawList* list, const Fonts& fonts, const Palette& palette)
      : list_(list), fonts_(fonts), palette_(palette) {}

  const Palette& palette() const { return palette_; }
  float text_width(Face face, Bytes text) const;
  static float text_height(Face face) { return kFaceSizes[static_cast<int>(face)]; }
  // Text that does not fit into `width_max` ends in an ellipsis; the width that was drawn.
  float text(Face face, float x, float y, Color color, Bytes text, float width_max = 1e6f) const;
  // Rounded, on a fill of its own: badges and labels of messages.
  Rect pill(Face face, float center_x, float center_y, Bytes text, Color ink, Color fill,
            Color border, float width_max) const;
  void card(const Rect& rect, Color fill, Color border, float border_width, bool dashed) const;
  void line(float x0, float y0, float x1, float y1, Color color, float width,
            float alpha = 1) const;
  void dashes(float x0, float y0, float x1, float y1, Color color, float width, float on = 5,
              float off = 4) const;
  void ring(float x, float y, float radius, double fraction, Color track, Color fill) const;
  // The shape of a kind of message: request disc, reply diamond, push star, query square, rows
  // hexagon. `broken`: an outline in pieces around it, for errors.
  void message(Bytes kind, float x, float y, float size, Color color, bool broken) const;
  void cross(float x, float y, float size, Color color, float width) const;
  void bolt(float x, float y, float size, Color color) const;
  void bars(float x, float y, float size, Color color) const;
  void clock(float x, float y, float size, Color color) const;
  void lock(float x, float y, float size, Color color, bool closed) const;
  void arrow_head(float x, float y, float dx, float dy, float size, Color color) const;
  void focus_ring(const Rect& rect) const;
  ImDrawList* list() const { return list_; }

 private:
  ImDrawList* list_;
  const Fonts& fonts_;
  const Palette& palette_;
};

Color kind_color(const Palette& palette, Bytes kind);

}  // namespace hotkv::view
