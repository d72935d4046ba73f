// Semantics of a frame: each thing on the stage as an item with a name, a value and actions, in the
// reading order of the story: nodes with their keys, clients, databases, links, messages.
//
// The rectangles are filled in by whoever draws. Actions are those that would change something now;
// their names are the interventions of the engine.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "web/view/scene.h"

namespace hotkv::view {

// Short words on the canvas, by their English; a language replaces what it translates. Identifiers,
// commands, replies and roles stay as they are.
class Words {
 public:
  void set(std::string english, std::string translated) {
    words_[std::move(english)] = std::move(translated);
  }
  std::string operator()(const char* english) const {
    auto found = words_.find(english);
    return found == words_.end() ? english : found->second;
  }

 private:
  std::map<std::string, std::string> words_;
};

// "830 us", "12.4 ms", "29.98 s": three or four figures.
std::string time_text(int64_t us);
// What a client or node is doing, in one or two words.
std::string state_text(const Participant& p, const Words& words);

Semantics describe(const SceneFrame& frame, const Words& words);
std::vector<std::string> actions_of(const SceneFrame& frame, const std::string& id);

std::string semantics_json(const Semantics& items);

}  // namespace hotkv::view
