// SceneFrame and Semantics: the only things a view reads. Plain structs without a picture in them.
//
// A SceneFrame says what is where at one instant of simulated time; everything in it comes from
// events of the trace. Semantics says the same to whoever cannot see: one item per thing on screen,
// with its name, its value, its place in CSS pixels and what can be done to it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/time.h"

namespace hotkv::view {

struct SceneKey {
  int db = 0;
  std::string key, value;
  std::string setter;   // The participant whose message made the node set it; "" unknown.
  uint64_t number = 0;  // Of a LOCK; 0 = none.
  bool expires = false;
  int64_t ttl_us = 0;       // What is left, never negative. With `expires` only.
  double ttl_fraction = 1;  // Of the time it was given.
  Time set_at, deadline;    // Simulated time, the node's clock faults reckoned in.
};

struct Belief {  // A client thinks that it holds a lock.
  std::string key, token;
  Time until = Time::never();
};

struct SceneRow {  // Of a database actor.
  std::string row, value;
  int64_t version = 0;
};

struct Participant {
  std::string id, kind, title;  // kind: node, client, database
  std::string role;             // Of nodes: primary.
  bool up = true;
  bool paused = false;
  bool stalled = false;  // Its disk does not finish fsync.
  int64_t clock_ms = 0;  // How far its wall clock is off.
  Time paused_until;
  std::vector<SceneKey> keys;
  std::vector<SceneRow> rows;
  int64_t refused = 0;  // Writes of a database with an older number than the highest seen.
  std::string highest;  // That number; "" = none seen.
  int64_t running = 0, in_line = 0;  // Queries of a database.
  std::vector<Belief> beliefs;
  std::string line, reply;  // The last command of a client, and what it heard.
  std::string outcome;      // What a client's program came to.
  bool waiting = false;     // For the reply to `line`.
  bool error = false;       // `reply` is an error.
};

struct SceneLink {
  std::string id, a, b;
  int64_t latency_us = 0, spread_us = 0;
  bool cut = false;
  Time cut_at;
  int in_flight = 0;
};

struct SceneMessage {
  std::string id, link, from, to, kind, label, resp, cause, copy_of;
  int64_t bytes = 0;
  Time sent, due;
  double position = 0;  // 0 at `from`, 1 at `to`.
  bool error = false;   // An error reply.
  bool delayed = false;
  bool lost = false;  // Lost at this instant; `reason` says why.
  std::string reason;
};

struct SceneFault {
  std::string action, target;
  int64_t ms = 0;
  Time at;
};

struct BrokenInvariant {
  std::string invariant, detail;
  Time at;
};

struct SceneCounter {
  std::string counter;
  int64_t value = 0;
};

struct SceneFrame {
  Time at;
  std::string step;  // The one being told; the last one told between two.
  bool in_step = false;
  int steps_done = 0;
  std::vector<Participant> participants;  // In the lesson's order.
  std::vector<SceneLink> links;
  std::vector<SceneMessage> messages;  // In flight, and those lost at this very instant.
  std::vector<SceneFault> faults;      // All so far.
  std::vector<BrokenInvariant> broken;
  std::vector<SceneCounter> counters;
  std::vector<std::string> goals;  // Reached so far.

  const Participant* participant(const std::string& id) const;
  const SceneLink* link_between(const std::string& from, const std::string& to) const;
};

// "n1/lock:x"; of another database than 0 "n1/2:lock:x".
std::string key_id(const Participant& node, const SceneKey& key);

struct Rect {
  float x = 0, y = 0, width = 0, height = 0;
  bool contains(float px, float py) const {
    return px >= x && py >= y && px < x + width && py < y + height;
  }
  float right() const { return x + width; }
  float bottom() const { return y + height; }
  float center_x() const { return x + width / 2; }
  float center_y() const { return y + height / 2; }
};

struct SemanticsItem {
  std::string id, role, label, value;  // role: node, client, database, key, link, message, tab ...
  Rect rect;                           // Empty: not on screen now.
  std::vector<std::string> actions;
};
using Semantics = std::vector<SemanticsItem>;

}  // namespace hotkv::view
