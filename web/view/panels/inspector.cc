// The inspector: all that is known about the chosen item, and what can be done to it. A drawer of
// ImGui's own widgets, because it scrolls and has buttons.
#include <algorithm>
#include <cstring>

#include "web/view/panels/view.h"

namespace hotkv::view {

namespace {

constexpr ActionButton kButtons[] = {
    {"deliver", "", "Deliver now"},
    {"delay", "100", "Delay 100 ms"},
    {"dup", "", "Duplicate"},
    {"drop", "", "Drop"},
    {"restart", "", "Restart"},
    {"kill", "", "Kill"},
    {"pause", "500", "Pause 500 ms"},
    {"pause", "5000", "Pause 5 s"},
    {"cut", "", "Cut"},
    {"heal", "", "Heal"},
    {"clock", "1000", "Clock +1 s"},
    {"clock", "-1000", "Clock -1 s"},
    {"fsync-stall", "1000", "Stall fsync 1 s"},
};

ImVec4 vector_of(Color c) { return ImGui::ColorConvertU32ToFloat4(packed(c)); }

void fact_row(const char* name, const char* value, const Palette& p, ImFont* small, ImFont* mono) {
  ImGui::PushFont(small);
  ImGui::PushStyleColor(ImGuiCol_Text, vector_of(p.soft));
  ImGui::TextUnformatted(name);
  ImGui::PopStyleColor();
  ImGui::PopFont();
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() - 5);
  ImGui::PushFont(mono);
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(value);
  ImGui::PopTextWrapPos();
  ImGui::PopFont();
}

}  // namespace

std::vector<ActionButton> buttons_for(const std::vector<std::string>& actions) {
  std::vector<ActionButton> buttons;
  for (const ActionButton& button : kButtons) {
    if (std::find(actions.begin(), actions.end(), button.action) != actions.end()) {
      buttons.push_back(button);
    }
  }
  return buttons;
}

void View::style() {
  ImGuiStyle& style = ImGui::GetStyle();
  style.WindowRounding = 0;
  style.WindowBorderSize = 0;
  style.WindowPadding = {20, 16};
  style.ItemSpacing = {8, 8};
  style.FrameRounding = 8;
  style.FramePadding = {12, 7};
  style.FrameBorderSize = 1;
  style.ScrollbarSize = 10;
  const Palette& p = palette_;
  style.Colors[ImGuiCol_Text] = vector_of(p.ink);
  style.Colors[ImGuiCol_WindowBg] = vector_of(p.surface);
  style.Colors[ImGuiCol_Border] = vector_of(p.edge);
  style.Colors[ImGuiCol_Button] = vector_of(p.surface);
  style.Colors[ImGuiCol_ButtonHovered] = vector_of(p.sunken);
  style.Colors[ImGuiCol_ButtonActive] = vector_of(p.accent_soft);
  style.Colors[ImGuiCol_Separator] = vector_of(p.line);
  style.Colors[ImGuiCol_ScrollbarBg] = vector_of(p.surface);
  style.Colors[ImGuiCol_ScrollbarGrab] = vector_of(p.line);
  style.Colors[ImGuiCol_ScrollbarGrabHovered] = vector_of(p.edge);
  style.Colors[ImGuiCol_ScrollbarGrabActive] = vector_of(p.edge);
}

void View::draw_facts() {
  Facts facts = facts_of(frame_, selected_, words_);
  if (facts.empty()) {
    // A message that has arrived is no more; what is known of it is history.
    for (const Flight& f :
         lane_ < lanes_.size() ? lanes_[lane_].history.flights : std::vector<Flight>()) {
      if (f.id != selected_) continue;
      facts.emplace_back(words_("content"), f.label);
      facts.emplace_back(words_("kind"), f.kind);
      facts.emplace_back(words_("sent at"), time_text(f.sent.us));
      facts.emplace_back(words_(f.lost ? "lost at" : "arrived at"), time_text(f.end.us));
      if (!f.cause.empty()) facts.emplace_back(words_("caused by"), f.cause);
    }
  }
  for (const auto& fact : facts) {
    fact_row(fact.first.c_str(), fact.second.c_str(), palette_,
             fonts_.face[static_cast<int>(Face::kSmall)],
             fonts_.face[static_cast<int>(Face::kMono)]);
  }
}

void View::draw_buttons() {
  std::vector<ActionButton> buttons = buttons_for(actions_of(frame_, selected_));
  if (buttons.empty()) return;
  ImGui::Spacing();
  ImGui::Separator();
  ImGui::Spacing();
  float right = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x;
  for (size_t i = 0; i < buttons.size(); i++) {
    std::string name = words_(buttons[i].name);
    float width = ImGui::CalcTextSize(name.c_str()).x + 2 * ImGui::GetStyle().FramePadding.x;
    bool beside = ImGui::GetItemRectMax().x + ImGui::GetStyle().ItemSpacing.x + width < right;
    if (i > 0 && beside) ImGui::SameLine();
    if (ImGui::Button(name.c_str())) ask("act", selected_, buttons[i].action, buttons[i].argument);
  }
}

void View::draw_inspector(const Rect& area) {
  ImGui::SetNextWindowPos({area.x, area.y});
  ImGui::SetNextWindowSize({area.width, area.height});
  constexpr int kFlags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                         ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                         ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoFocusOnAppearing;
  ImGui::Begin("inspector", nullptr, kFlags);
  std::string label = selected_, role;
  for (const SemanticsItem& item : items_) {
    if (item.id == selected_) label = item.label, role = item.role;
  }
  ImGui::PushFont(fonts_.face[static_cast<int>(Face::kTitle)]);
  ImGui::PushTextWrapPos(ImGui::GetWindowContentRegionMax().x - 30);
  ImGui::TextUnformatted(label.c_str());
  ImGui::PopTextWrapPos();
  ImGui::PopFont();
  ImVec2 below = ImGui::GetCursorPos();
  ImGui::SetCursorPos({ImGui::GetWindowContentRegionMax().x - 26, 12 + ImGui::GetScrollY()});
  if (ImGui::InvisibleButton("close", {26, 26})) {
    selected_.clear();
    ask("select", "");
  }
  ImVec2 from = ImGui::GetItemRectMin();
  Pen(ImGui::GetWindowDrawList(), fonts_, palette_)
      .cross(from.x + 13, from.y + 13, 5, ImGui::IsItemHovered() ? palette_.ink : palette_.soft,
             1.8f);
  ImGui::SetCursorPos(below);
  if (!role.empty()) {
    ImGui::PushStyleColor(ImGuiCol_Text, vector_of(palette_.soft));
    ImGui::TextUnformatted(words_(role.c_str()).c_str());
    ImGui::PopStyleColor();
  }
  ImGui::Spacing();
  draw_facts();
  draw_buttons();
  inspector_scrolls_ = ImGui::GetScrollMaxY() > 0;
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddLine({area.x + 0.5f, area.y}, {area.x + 0.5f, area.bottom()}, packed(palette_.line));
  ImGui::End();
}

}  // namespace hotkv::view
