// Reads the trace of a simulation, one line of JSON per event, back into small structs.
//
// The lines are the canonical form that trace::Trace writes: one flat object of texts, whole
// numbers and booleans. A line of anything else is refused, never guessed at. Reading keeps every
// field, so write_event gives the very line back (a test).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/bytes.h"
#include "core/base/time.h"

namespace hotkv::view {

// The events a picture is made of; kOther is kept but draws nothing.
enum class EventType : uint8_t {
  kOther,
  kActor,
  kLink,
  kSent,
  kDelayed,
  kDuplicated,
  kDelivered,
  kLost,
  kFault,
  kClientSent,
  kClientReply,
  kStepBegun,
  kStepEnded,
  kGoalReached,
  kInvariantBroken,
  kCounter,
  kHolds,
  kHoldsNoMore,
  kKeySet,
  kKeyRemoved,
  kDatabaseFlushed,
  kServerStarted,
  kRow,
  kLoad,
  kDone,
  kRequestLost,
  kRefused,
};

struct Field {
  enum class Kind : uint8_t { kText, kNumber, kBool };
  std::string name;
  std::string value;  // A text unescaped; a number or boolean as it is written.
  Kind kind = Kind::kText;
};

struct Event {
  EventType type = EventType::kOther;
  std::string name;
  Time at;
  std::string source;  // The node that emitted it; empty for the simulation itself.
  std::vector<Field> fields;

  bool has(Bytes field) const;
  const std::string& text(Bytes field) const;  // "" when absent
  int64_t number(Bytes field, int64_t otherwise = 0) const;
};

// False: the line is no event (`out` is then unspecified).
bool read_event(Bytes line, Event& out);
std::string write_event(const Event& event);
// All lines of a text; those that are no events are left out and counted.
std::vector<Event> read_trace(Bytes text, size_t* refused = nullptr);

}  // namespace hotkv::view
