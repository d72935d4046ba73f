// History: what happened over a whole trace, for the views that draw time as a line.
//
// Flights are messages from their sending to their end, spans are stretches (a step told, a belief
// held, a participant down or paused), marks are instants. All of it is read from events, as the
// picture of an instant is.
#pragma once

#include <string>
#include <vector>

#include "web/view/trace_reader.h"

namespace hotkv::view {

struct Flight {
  std::string id, from, to, kind, label, cause;
  bool error = false, lost = false;
  bool ended = false;  // False: still in flight at the end of the trace.
  Time sent, end;      // `end`: arrived, lost, or due.
};

struct Span {
  enum class Kind : uint8_t { kStep, kBelief, kDown, kPaused };
  Kind kind;
  std::string what;  // Step, or participant.
  Time from, to;     // `to` = never: to the end of the trace.
};

struct Mark {
  std::string action, target;  // Of a fault; invariants: action "broken", target its id.
  Time at;
};

struct History {
  std::vector<Flight> flights;
  std::vector<Span> spans;
  std::vector<Mark> marks;
  std::vector<Time> instants;  // At which anything happened, rising.
};

History history_of(const std::vector<Event>& events);
// The flights that led to one: its causes, back to the first. With the flight itself, first.
std::vector<std::string> causal_past(const History& history, const std::string& id);

}  // namespace hotkv::view
