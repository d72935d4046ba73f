#include "web/view/scene.h"

namespace hotkv::view {

const Participant* SceneFrame::participant(const std::string& id) const {
  for (const Participant& p : participants) {
    if (p.id == id) return &p;
  }
  return nullptr;
}

const SceneLink* SceneFrame::link_between(const std::string& from, const std::string& to) const {
  for (const SceneLink& l : links) {
    if ((l.a == from && l.b == to) || (l.a == to && l.b == from)) return &l;
  }
  return nullptr;
}

std::string key_id(const Participant& node, const SceneKey& key) {
  std::string db = key.db == 0 ? std::string() : std::to_string(key.db) + ":";
  return node.id + "/" + db + key.key;
}

}  // namespace hotkv::view
