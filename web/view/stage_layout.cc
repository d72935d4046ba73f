#include "web/view/stage_layout.h"

#include <algorithm>
#include <cmath>

namespace hotkv::view {

namespace {

constexpr float kClientHeight = 106, kCompactHeight = 44, kNodeHeadHeight = 54;
constexpr float kChip = 30, kChipGap = 6;

struct Column {
  std::vector<size_t> members;
  float width = 0;
};

float full_height(const Participant& p) {
  if (p.kind == "client") return kClientHeight;
  size_t rows =
      std::clamp<size_t>(p.kind == "node" ? p.keys.size() : p.rows.size(), 1, kKeyRowsMax);
  return kNodeHeadHeight + float(rows) * kKeyRowHeight;
}

void place_chips(const Column& column, const Rect& area, std::vector<Place>& places) {
  auto per_row = std::max(1, int((area.width + kChipGap) / (kChip + kChipGap)));
  int rows = (int(column.members.size()) + per_row - 1) / per_row;
  float step = std::min(kChip + kChipGap, area.height / float(rows));
  float size = std::max(6.0f, std::min(kChip, step - 2));
  float top = area.y + (area.height - step * float(rows)) / 2;
  for (size_t i = 0; i < column.members.size(); i++) {
    float x = area.x + float(int(i) % per_row) * (kChip + kChipGap);
    float y = top + float(int(i) / per_row) * step;
    places[column.members[i]] = {{x, y, std::min(kChip, area.width), size}, Detail::kChip};
  }
}

// Cards one below the other, the free space shared out evenly around them.
void place_cards(const SceneFrame& frame, const Column& column, const Rect& area,
                 std::vector<Place>& places) {
  auto count = float(column.members.size());
  float wanted = 0;
  for (size_t i : column.members) wanted += full_height(frame.participants[i]);
  constexpr float kGapMin = 8;
  Detail detail = Detail::kFull;
  if (wanted + kGapMin * (count - 1) > area.height) {
    detail = Detail::kCompact;
    wanted = kCompactHeight * count;
  }
  if (wanted + kGapMin * (count - 1) > area.height) {
    place_chips(column, area, places);
    return;
  }
  float gap = (area.height - wanted) / (count + 1);
  float edge = gap;
  if (gap < kGapMin) {
    gap = count > 1 ? std::max(kGapMin, (area.height - wanted) / (count - 1)) : 0;
    edge = (area.height - wanted - gap * (count - 1)) / 2;
  }
  float y = area.y + edge;
  for (size_t i : column.members) {
    float height = detail == Detail::kFull ? full_height(frame.participants[i]) : kCompactHeight;
    places[i] = {{area.x, std::round(y), column.width, height}, detail};
    y += height + gap;
  }
}

}  // namespace

std::vector<Place> place_participants(const SceneFrame& frame, const Rect& area) {
  std::vector<Place> places(frame.participants.size());
  Column columns[2];
  for (const char* kind : {"client", "node", "database"}) {
    for (size_t i = 0; i < frame.participants.size(); i++) {
      if (frame.participants[i].kind != kind) continue;
      columns[frame.participants[i].kind == "client" ? 0 : 1].members.push_back(i);
    }
  }
  int used = (columns[0].members.empty() ? 0 : 1) + (columns[1].members.empty() ? 0 : 1);
  if (used == 0) return places;
  // Between columns there must be room for messages: cards take at most 58 % of the width.
  float room = area.width * 0.58f / float(used);
  float taken = 0;
  for (Column& column : columns) {
    if (column.members.empty()) continue;
    column.width = std::round(std::clamp(room, 84.0f, &column == columns ? 216.0f : 248.0f));
    taken += column.width;
  }
  float gap = used > 1 ? (area.width - taken) / float(used - 1) : 0;
  // On a wide stage the cards stand nearer together than its edges are.
  constexpr float kGapMax = 420;
  float left = area.x;
  if (gap > kGapMax) {
    left += (gap - kGapMax) * float(used - 1) / 2;
    gap = kGapMax;
  }
  if (used == 1) left += (area.width - taken) / 2;
  for (const Column& column : columns) {
    if (column.members.empty()) continue;
    place_cards(frame, column, {std::round(left), area.y, column.width, area.height}, places);
    left += column.width + gap;
  }
  return places;
}

}  // namespace hotkv::view
