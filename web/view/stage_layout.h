// Where participants stand on the stage: clients left, nodes and below them databases right, so
// that no link runs behind a card.
//
// Pure geometry in CSS pixels. Cards shrink before they overlap: full, then compact, and where even
// compact cards do not fit (a stampede of fifty), a grid of chips.
#pragma once

#include <vector>

#include "web/view/scene.h"

namespace hotkv::view {

enum class Detail : uint8_t { kFull, kCompact, kChip };

struct Place {
  Rect rect;
  Detail detail = Detail::kFull;
};

// One place per participant of the frame, all inside `area`.
std::vector<Place> place_participants(const SceneFrame& frame, const Rect& area);
// Height of a key's row in a node's card, and how many a card shows.
constexpr float kKeyRowHeight = 44;
constexpr size_t kKeyRowsMax = 4;
// Below this width cards are narrow, and labels of messages go to the caption.
constexpr float kNarrowWidth = 560;

}  // namespace hotkv::view
