#include "web/play_bindings.h"

#include <cmath>

#include "core/trace/trace.h"
#include "web/platform/gl_renderer.h"
#include "web/view/panels/view.h"

#if defined(__EMSCRIPTEN__)
#include <emscripten.h>
#define HOTKV_EXPORT EMSCRIPTEN_KEEPALIVE
#else
#define HOTKV_EXPORT
#endif

namespace {

using hotkv::Bytes;
using hotkv::Time;
using hotkv::view::View;

// Built with the first call, not before main: the module may never show a canvas.
View& the_view() {
  static View view;
  return view;
}
hotkv::platform::GlRenderer renderer;
std::string result;
std::string fonts[3];
hotkv::view::Theme theme;

Bytes text_of(const char* data, int size) { return {data, static_cast<size_t>(size)}; }
std::string string_of(const char* data, int size) { return std::string(text_of(data, size)); }
Time time_of(double us) { return {std::llround(us)}; }

int answer(std::string text) {
  result = std::move(text);
  return static_cast<int>(result.size());
}

std::string actions_json(const std::vector<hotkv::view::ViewAction>& actions) {
  std::string out = "[";
  for (const auto& action : actions) {
    std::string body;
    hotkv::trace::JsonFields fields(body);
    fields("type", action.type);
    fields("id", action.id);
    fields("argument", action.argument);
    out += (out.size() > 1 ? ",{" : "{") + body.substr(1) + "}";
  }
  return out + "]";
}

}  // namespace

extern "C" {

HOTKV_EXPORT const char* hotkv_view_result() { return result.data(); }

HOTKV_EXPORT void hotkv_view_size(double width, double height, double pixel_ratio) {
  the_view().set_size(float(width), float(height), float(pixel_ratio));
}

HOTKV_EXPORT void hotkv_view_font(int which, const char* bytes, int size) {
  if (which >= 0 && which < 3) fonts[which] = string_of(bytes, size);
}

HOTKV_EXPORT void hotkv_view_fonts_done() {
  the_view().set_fonts(std::move(fonts[0]), std::move(fonts[1]), std::move(fonts[2]));
}

HOTKV_EXPORT void hotkv_view_theme_begin(int dark) {
  theme = dark ? hotkv::view::dark_theme() : hotkv::view::light_theme();
}

HOTKV_EXPORT int hotkv_view_theme_color(const char* name, int name_size, const char* css,
                                        int css_size) {
  hotkv::view::Color color;
  return hotkv::view::read_color(text_of(css, css_size), color) &&
         hotkv::view::set_theme_color(theme, text_of(name, name_size), color);
}

HOTKV_EXPORT void hotkv_view_theme_done() { the_view().set_theme(theme); }

HOTKV_EXPORT void hotkv_view_word(const char* english, int english_size, const char* word,
                                  int word_size) {
  the_view().words().set(string_of(english, english_size), string_of(word, word_size));
}

HOTKV_EXPORT void hotkv_view_manners(int reduced_motion, int touch) {
  the_view().set_reduced_motion(reduced_motion != 0);
  the_view().set_touch(touch != 0);
}

HOTKV_EXPORT void hotkv_view_labels(int shown) { the_view().set_labels(shown != 0); }

HOTKV_EXPORT void hotkv_view_parts(int tabs, int timeline) {
  the_view().set_parts(tabs != 0, timeline != 0);
}

HOTKV_EXPORT int hotkv_view_lane(int lane, const char* name, int name_size, const char* trace,
                                 int trace_size, double fork_us) {
  return lane >= 0 && the_view().set_lane(static_cast<size_t>(lane), string_of(name, name_size),
                                          text_of(trace, trace_size), time_of(fork_us));
}

HOTKV_EXPORT void hotkv_view_keep_lanes(int count) {
  the_view().keep_lanes(static_cast<size_t>(count < 0 ? 0 : count));
}

HOTKV_EXPORT void hotkv_view_time(int lane, double at_us, int lines) {
  the_view().set_time(static_cast<size_t>(lane), time_of(at_us),
                      lines < 0 ? SIZE_MAX : static_cast<size_t>(lines));
}

HOTKV_EXPORT void hotkv_view_select(const char* id, int size) {
  the_view().select(string_of(id, size));
}

HOTKV_EXPORT void hotkv_view_focus(const char* id, int size) {
  the_view().focus(string_of(id, size));
}

HOTKV_EXPORT void hotkv_view_tab(int sequence) {
  the_view().set_tab(sequence ? View::Tab::kSequence : View::Tab::kStage);
}

HOTKV_EXPORT void hotkv_view_pointer(double x, double y) { the_view().pointer(float(x), float(y)); }

HOTKV_EXPORT void hotkv_view_press(int down) { the_view().press(down != 0); }

HOTKV_EXPORT void hotkv_view_leave() { the_view().leave(); }

HOTKV_EXPORT int hotkv_view_frame(double passed_ms) {
  View& view = the_view();
  view.build(float(passed_ms));
  if (view.fonts_changed()) renderer.fonts_changed();
  renderer.draw(*ImGui::GetDrawData());
  return (view.moving() ? 1 : 0) | (view.hand() ? 2 : 0) | (view.has_actions() ? 4 : 0);
}

HOTKV_EXPORT void hotkv_view_context_lost() { renderer.forget(); }

HOTKV_EXPORT int hotkv_view_semantics() {
  return answer(hotkv::view::semantics_json(the_view().semantics()));
}

HOTKV_EXPORT int hotkv_view_actions() { return answer(actions_json(the_view().take_actions())); }

HOTKV_EXPORT double hotkv_view_reading_s(int lane, double at_us) {
  return the_view().reading_seconds_at(static_cast<size_t>(lane), time_of(at_us));
}

HOTKV_EXPORT double hotkv_view_time_at_reading(int lane, double seconds) {
  return double(the_view().time_at_reading(static_cast<size_t>(lane), seconds).us);
}

HOTKV_EXPORT double hotkv_view_reading_length_s(int lane) {
  return the_view().reading_length_s(static_cast<size_t>(lane));
}
}
