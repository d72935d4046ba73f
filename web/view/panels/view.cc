#include "web/view/panels/view.h"

#include <algorithm>
#include <cmath>

namespace hotkv::view {

namespace {

constexpr float kTabsHeight = 44;
constexpr float kTouchTarget = 44, kPointerTarget = 24;

// Latin, Latin Extended-A, the Romanian letters with a comma below, dashes and arrows: what the
// subset of the fonts holds.
constexpr ImWchar kGlyphs[] = {0x20,   0x17f,  0x218,  0x21b,  0x2010, 0x2026,
                               0x2190, 0x2193, 0x2212, 0x2212, 0};

}  // namespace

View::View() : context_(ImGui::CreateContext()) {
  ImGui::SetCurrentContext(context_);
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.LogFilename = nullptr;
  io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
  io.ConfigInputTrickleEventQueue = false;
}

View::~View() { ImGui::DestroyContext(context_); }

void View::set_size(float width, float height, float pixel_ratio) {
  if (pixel_ratio != pixel_ratio_) fonts_stale_ = true;
  width_ = width;
  height_ = height;
  pixel_ratio_ = pixel_ratio;
}

void View::set_fonts(std::string body, std::string bold, std::string mono) {
  body_ = std::move(body);
  bold_ = std::move(bold);
  mono_ = std::move(mono);
  fonts_stale_ = true;
}

void View::set_parts(bool tabs, bool timeline) {
  tabs_ = tabs;
  timeline_ = timeline;
}

bool View::fonts_changed() {
  bool changed = !fonts_uploaded_;
  fonts_uploaded_ = true;
  return changed;
}

void View::rebuild_fonts() {
  ImFontAtlas* atlas = ImGui::GetIO().Fonts;
  atlas->Clear();
  atlas->TexGlyphPadding = 1;
  auto add = [&](std::string& bytes, float size) {
    ImFontConfig config;
    // Between the pixels of a coarse screen letters need more samples than between those of a fine.
    config.OversampleH = pixel_ratio_ < 1.5f ? 3 : 2;
    config.OversampleV = 1;
    config.FontDataOwnedByAtlas = false;
    float pixels = std::round(size * pixel_ratio_);
    if (bytes.empty()) {
      config.SizePixels = pixels;
      return atlas->AddFontDefault(&config);
    }
    return atlas->AddFontFromMemoryTTF(bytes.data(), static_cast<int>(bytes.size()), pixels,
                                       &config, kGlyphs);
  };
  for (int i = 0; i < static_cast<int>(Face::kCount); i++) {
    auto face = static_cast<Face>(i);
    bool is_mono = face == Face::kMono || face == Face::kMonoSmall;
    std::string& bytes = is_mono ? mono_ : face == Face::kTitle && !bold_.empty() ? bold_ : body_;
    fonts_.face[i] = add(bytes, kFaceSizes[i]);
  }
  atlas->Build();
  fonts_stale_ = fonts_uploaded_ = false;
}

bool View::set_lane(size_t lane, std::string name, Bytes trace, Time fork) {
  if (lane > lanes_.size() || lane >= kLanesMax) return false;
  if (lane == lanes_.size()) lanes_.emplace_back();
  Lane& l = lanes_[lane];
  l = Lane();
  l.name = std::move(name);
  l.events = read_trace(trace);
  l.tempo = Tempo(l.events);
  l.history = history_of(l.events);
  l.fork = fork;
  return true;
}

void View::keep_lanes(size_t count) {
  if (count < lanes_.size()) lanes_.resize(count);
  lane_ = lanes_.empty() ? 0 : std::min(lane_, lanes_.size() - 1);
}

void View::set_time(size_t lane, Time at, size_t lines) {
  if (lane < lanes_.size()) lane_ = lane;
  at_ = at;
  lines_ = lines;
}

void View::select(const std::string& id) { selected_ = id; }

void View::pointer(float x, float y) {
  ImGuiIO& io = ImGui::GetIO();
  io.AddMouseSourceEvent(touch_ ? ImGuiMouseSource_TouchScreen : ImGuiMouseSource_Mouse);
  io.AddMousePosEvent(x, y);
}

void View::press(bool down) { ImGui::GetIO().AddMouseButtonEvent(0, down); }

void View::leave() {
  ImGuiIO& io = ImGui::GetIO();
  io.AddMouseButtonEvent(0, false);
  io.AddMousePosEvent(-FLT_MAX, -FLT_MAX);
  hovered_.clear();
}

std::vector<ViewAction> View::take_actions() { return std::move(actions_); }

void View::ask(std::string type, std::string id, std::string argument) {
  actions_.push_back({std::move(type), std::move(id), std::move(argument)});
}

double View::reading_seconds_at(size_t lane, Time at) const {
  return lane < lanes_.size() ? lanes_[lane].tempo.seconds_at(at) : 0;
}
Time View::time_at_reading(size_t lane, double seconds) const {
  return lane < lanes_.size() ? lanes_[lane].tempo.time_at(seconds) : Time();
}
double View::reading_length_s(size_t lane) const {
  return lane < lanes_.size() ? lanes_[lane].tempo.length_s() : 0;
}

View::Layout View::lay_out() const {
  Layout layout;
  float top = 0, bottom = height_;
  if (tabs_) {
    layout.tabs = {0, 0, width_, kTabsHeight};
    top = kTabsHeight;
  }
  if (timeline_ && !lanes_.empty()) {
    float height = timeline_height(lanes_.size());
    bottom -= height;
    layout.timeline = {0, bottom, width_, height};
  }
  layout.main = {0, top, width_, std::max(0.0f, bottom - top)};
  return layout;
}

// Messages that were in flight a frame ago and are no more: they arrived, or they fell.
void View::track_endings(const SceneFrame& next, float passed_ms) {
  for (Afterglow& glow : afterglow_) glow.age_ms += passed_ms;
  auto over = [](const Afterglow& g) { return g.age_ms > (g.lost ? kFallMs : kPulseMs); };
  afterglow_.erase(std::remove_if(afterglow_.begin(), afterglow_.end(), over), afterglow_.end());
  constexpr int64_t kJumpUs = 1000000;
  bool jumped = next.at < frame_.at || (next.at - frame_.at).us > kJumpUs;
  if (jumped || reduced_motion_) {
    afterglow_.clear();
    return;
  }
  constexpr size_t kGlowsMax = 8;  // No more than the eye can take in, and no flicker.
  for (const SceneMessage& m : frame_.messages) {
    bool still = false;
    for (const SceneMessage& n : next.messages) still = still || n.id == m.id;
    if (still || afterglow_.size() >= kGlowsMax) continue;
    afterglow_.push_back({m.from, m.to, m.kind, 0, m.lost ? float(m.position) : 1, m.lost});
  }
}

void View::build(float passed_ms) {
  ImGui::SetCurrentContext(context_);
  if (fonts_stale_) rebuild_fonts();
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = {width_, height_};
  io.DisplayFramebufferScale = {pixel_ratio_, pixel_ratio_};
  io.FontGlobalScale = 1 / pixel_ratio_;
  io.DeltaTime = std::max(passed_ms, 1.0f) / 1000;
  SceneFrame next;
  if (lane_ < lanes_.size()) {
    Lane& lane = lanes_[lane_];
    next = lane.playback.frame(lane.events, at_, lines_);
  }
  next.at = at_;
  track_endings(next, passed_ms);
  frame_ = std::move(next);
  items_ = describe(frame_, words_);
  Layout layout = lay_out();
  ImGui::NewFrame();
  draw(layout);
  answer_pointer(layout);
  ImGui::Render();
}

void View::draw(const Layout& layout) {
  ImDrawList* list = ImGui::GetBackgroundDrawList();
  list->AddRectFilled({0, 0}, {width_, height_}, packed(palette_.ground));
  Pen pen(list, fonts_, palette_);
  Drawing d{pen,      frame_,   words_,     items_,          selected_,
            focused_, hovered_, afterglow_, reduced_motion_, labels_};
  if (layout.main.height > 40 && lane_ < lanes_.size()) {
    if (tab_ == Tab::kStage) {
      draw_stage(d, layout.main);
    } else {
      draw_sequence(d, layout.main, lanes_[lane_]);
    }
  }
  if (layout.tabs.height > 0) draw_tabs(d, layout.tabs);
  if (layout.timeline.height > 0) draw_timeline(d, layout.timeline, lanes_, lane_);
  for (const SemanticsItem& item : items_) {
    if (!focused_.empty() && item.id == focused_ && item.rect.width > 0) pen.focus_ring(item.rect);
  }
}

void View::draw_tabs(const Drawing& d, const Rect& area) {
  const Palette& p = palette_;
  float x = area.x + 12;
  for (Tab tab : {Tab::kStage, Tab::kSequence}) {
    bool stage = tab == Tab::kStage;
    std::string name = words_(stage ? "Stage" : "Sequence");
    std::string id = stage ? "tab:stage" : "tab:sequence";
    float width = d.pen.text_width(Face::kBody, name);
    Rect r{x, area.y + 8, width + 24, 28};
    bool on = tab == tab_;
    if (on || hovered_ == id) {
      d.pen.list()->AddRectFilled({r.x, r.y}, {r.right(), r.bottom()},
                                  packed(on ? p.accent_soft : p.sunken), 14);
    }
    d.pen.text(Face::kBody, r.x + 12, r.y + 7, on ? p.accent_text : p.soft, name);
    items_.push_back({id, "tab", name, on ? "selected" : "", r, {}});
    x = r.right() + 4;
  }
}

const SemanticsItem* View::item_at(float x, float y) const {
  const SemanticsItem* nearest = nullptr;
  float least = touch_ ? kTouchTarget / 2 : kPointerTarget / 2;
  // What is drawn later lies on top; a small thing wins over the large one below it.
  for (const SemanticsItem& item : items_) {
    if (item.rect.width <= 0 || item.role == "link") continue;
    if (item.rect.contains(x, y)) nearest = &item;
  }
  if (nearest && (nearest->role == "message" || nearest->role == "step")) return nearest;
  for (const SemanticsItem& item : items_) {
    if (item.role != "message" || item.rect.width <= 0) continue;
    float away = std::hypot(item.rect.center_x() - x, item.rect.center_y() - y);
    if (away >= least) continue;
    least = away;
    nearest = &item;
  }
  for (const SemanticsItem& item : items_) {
    if (!nearest && item.role == "link" && item.rect.contains(x, y)) nearest = &item;
  }
  return nearest;
}

void View::click(const SemanticsItem& item) {
  if (item.role == "tab") {
    tab_ = item.id == "tab:stage" ? Tab::kStage : Tab::kSequence;
    ask("tab", item.id);
  } else if (item.role == "step") {
    ask("step", item.id.substr(item.id.find(':') + 1));
  } else {
    selected_ = item.id;
    ask("select", selected_);
  }
}

void View::answer_pointer(const Layout& layout) {
  const ImGuiIO& io = ImGui::GetIO();
  float x = io.MousePos.x, y = io.MousePos.y;
  bool on_canvas = x >= 0 && y >= 0;
  const SemanticsItem* item = on_canvas ? item_at(x, y) : nullptr;
  hovered_ = item && item->role != "slider" ? item->id : std::string();
  bool in_timeline = layout.timeline.contains(x, y);
  if (ImGui::IsMouseClicked(0) && on_canvas) {
    pressed_ = true;
    scrubbing_ = in_timeline && (!item || item->role == "slider");
  }
  if (scrubbing_ && pressed_) {
    Time at = timeline_time_at(layout.timeline, lanes_, lane_, x);
    if (ImGui::IsMouseClicked(0) || at != at_) ask("seek", "", std::to_string(at.us));
  }
  if (!ImGui::IsMouseReleased(0)) return;
  if (pressed_ && !scrubbing_) {
    if (item) {
      click(SemanticsItem(*item));
    } else if (on_canvas && !selected_.empty()) {
      selected_.clear();
      ask("select", "");
    }
  }
  pressed_ = scrubbing_ = false;
}

}  // namespace hotkv::view
