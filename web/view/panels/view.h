// View: the playground's canvas as one machine. Traces, an instant and input go in; a draw list,
// the semantics of what is on it and what the visitor asked for come out.
//
// The view holds no truth: every frame is drawn from playback::frame of the current lane. It never
// acts on its own; a click comes out as an action that the page carries out. ImGui supplies the
// input queue, fonts and the draw list. The view knows no screen: whoever owns one uploads the font
// atlas and renders ImGui::GetDrawData().
//
// Limits: kLanesMax lanes. One View per process: ImGui has one current context.
#pragma once

#include <string>
#include <vector>

#include "web/view/panels/panels.h"

namespace hotkv::view {

struct ViewAction {
  std::string type;      // select, seek, step, tab
  std::string id;        // Of the item; of seek: nothing.
  std::string argument;  // Of seek: microseconds.
};

class View {
 public:
  static constexpr size_t kLanesMax = 4;
  enum class Tab : uint8_t { kStage, kSequence };

  View();
  ~View();
  View(const View&) = delete;
  View& operator=(const View&) = delete;

  // ---- what is given once, or when it changes ----
  void set_size(float width, float height, float pixel_ratio);
  // mono: the font of commands, else the one of everything else; bold: titles. Empty bytes: none.
  void set_fonts(std::string body, std::string bold, std::string mono);
  void set_theme(const Theme& theme) { palette_ = make_palette(theme); }
  void set_reduced_motion(bool reduced) { reduced_motion_ = reduced; }
  void set_touch(bool touch) { touch_ = touch; }
  void set_labels(bool labels) { labels_ = labels; }
  void set_parts(bool tabs, bool timeline);
  Words& words() { return words_; }
  // Lane 0 is the lesson. False: there can be no such lane.
  bool set_lane(size_t lane, std::string name, Bytes trace, Time fork);
  void keep_lanes(size_t count);
  // ---- where we are ----
  void set_time(size_t lane, Time at, size_t lines);
  void select(const std::string& id);
  void focus(const std::string& id) { focused_ = id; }
  void set_tab(Tab tab) { tab_ = tab; }
  Tab tab() const { return tab_; }
  // ---- input, in CSS pixels; buttons: 0 is the first ----
  void pointer(float x, float y);
  void press(bool down);
  void leave();

  // Builds the next frame; ImGui::GetDrawData() is then valid until the next call.
  void build(float passed_ms);
  // True: something still moves by itself, so another frame is wanted.
  bool moving() const { return !afterglow_.empty(); }
  // The atlas must be uploaded again.
  bool fonts_changed();

  const Semantics& semantics() const { return items_; }
  const SceneFrame& frame() const { return frame_; }
  const std::string& selected() const { return selected_; }
  bool hand() const { return !hovered_.empty(); }  // The pointer is over something to click.
  bool has_actions() const { return !actions_.empty(); }
  std::vector<ViewAction> take_actions();
  double reading_seconds_at(size_t lane, Time at) const;
  Time time_at_reading(size_t lane, double seconds) const;
  double reading_length_s(size_t lane) const;

 private:
  struct Layout {
    Rect tabs, main, timeline;
  };
  Layout lay_out() const;
  void rebuild_fonts();
  void track_endings(const SceneFrame& next, float passed_ms);
  void draw(const Layout& layout);
  void draw_tabs(const Drawing& d, const Rect& area);
  void answer_pointer(const Layout& layout);
  const SemanticsItem* item_at(float x, float y) const;
  void click(const SemanticsItem& item);
  void ask(std::string type, std::string id, std::string argument = {});

  ImGuiContext* context_;
  Fonts fonts_;
  std::string body_, bold_, mono_;
  bool fonts_stale_ = true, fonts_uploaded_ = false;
  Palette palette_ = make_palette(light_theme());
  Words words_;
  std::vector<Lane> lanes_;
  size_t lane_ = 0;
  Time at_;
  size_t lines_ = SIZE_MAX;
  SceneFrame frame_;
  Semantics items_;
  std::vector<Afterglow> afterglow_;
  std::vector<ViewAction> actions_;
  std::string selected_, focused_, hovered_;
  Tab tab_ = Tab::kStage;
  float width_ = 0, height_ = 0, pixel_ratio_ = 1;
  bool tabs_ = true, timeline_ = true;
  bool reduced_motion_ = false, touch_ = false, labels_ = true;
  bool pressed_ = false, scrubbing_ = false;
};

}  // namespace hotkv::view
