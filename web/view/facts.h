// Facts: all that is known about one thing at one instant, for the inspector.
//
// A sheet is made of what events of the trace said and of nothing else; what the engine does not
// tell is left out. It knows no language: names of sections and facts are identifiers that the page
// translates (fact.<name>), and a form says how a value is to be written. Values that the wire
// carried stay as they are.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "web/view/scene.h"
#include "web/view/trace_reader.h"

namespace hotkv::view {

enum class FactForm : uint8_t {
  kText,   // Of the wire or the engine: English, as it is.
  kTitle,  // What an actor is called.
  kWord,   // An identifier that the page translates (fact.is.<value>).
  kTime,   // Microseconds: an instant of simulated time, or a length.
  kCount,  // A number of things.
  kBytes,  // A number of bytes.
  kDump,   // Raw bytes, to be shown as text and as hexadecimal numbers.
};

struct Fact {
  std::string name, value;
  FactForm form = FactForm::kText;
  std::string item;  // The thing that the value names, to go on to; "" = none.
};

struct FactSection {
  std::string name;
  std::vector<Fact> facts;
};

struct FactSheet {
  std::string id, title;
  std::string kind;  // node, client, database, key, link, message; "" = no such thing now.
  std::vector<FactSection> sections;
};

// `happened`: the events up to the instant of the frame.
FactSheet facts_of(std::span<const Event> happened, const SceneFrame& frame, const std::string& id);
std::string facts_json(const FactSheet& sheet);

}  // namespace hotkv::view
