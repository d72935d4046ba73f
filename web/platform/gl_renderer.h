// Draws ImGui's draw lists with OpenGL ES 3 (WebGL 2).
//
// The canvas belongs to the view alone, so no state is saved or asked for: the glGet calls of the
// stock backend stall software renderers (55 ms instead of 1.7 ms a frame). A lost context takes
// all objects with it: forget() drops the names, and the next draw() makes everything anew.
#pragma once

#include <imgui.h>

#include <cstdint>

namespace hotkv::platform {

class GlRenderer {
 public:
  void draw(const ImDrawData& data);
  // The font atlas is uploaded again with the next draw().
  void fonts_changed() { fonts_stale_ = true; }
  void forget();

 private:
  bool ready() const { return program_ != 0; }
  bool make_program();
  void upload_fonts();
  void draw_list(const ImDrawList& list, const ImDrawData& data, float height);

  uint32_t program_ = 0, buffer_ = 0, elements_ = 0, vertices_ = 0, texture_ = 0;
  int32_t scale_at_ = 0, shift_at_ = 0, sampler_at_ = 0;
  bool fonts_stale_ = true;
};

}  // namespace hotkv::platform
