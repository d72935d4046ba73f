// The cards of the stage: a node with its keys and their rings, a client with what it thinks, a
// database with its rows.
#pragma once

#include "web/view/panels/panels.h"
#include "web/view/stage_layout.h"

namespace hotkv::view {

void draw_participant(const Drawing& d, const Participant& p, const Place& place);

}  // namespace hotkv::view
