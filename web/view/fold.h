// Fold: the state of a simulation after the events so far, one event at a time.
//
// What depends on the instant (positions, rings, what has run out) is worked out by settle() on a
// copy, so a fold may be asked for many instants between two events.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "web/view/scene.h"
#include "web/view/trace_reader.h"

namespace hotkv::view {

class Fold {
 public:
  void apply(const Event& e);
  // The picture at an instant not before the last event applied.
  SceneFrame settle(Time at) const;

 private:
  Participant* find(const std::string& id);
  Participant& actor(const std::string& id, const char* kind);
  SceneMessage* message(const std::string& id);
  SceneLink* link(const std::string& id);
  const SceneLink* link_of(const SceneMessage& m) const;
  void forget_lost(Time before);
  void send(const Event& e);
  void arrive(const Event& e);
  void lose(const Event& e);
  void fault(const Event& e);
  void fault_on_actor(const SceneFault& fault, Participant& target);
  void set_key(const Event& e);
  void remove_key(const Event& e);
  void remember_belief(const Event& e);
  void apply_database_event(const Event& e);
  void count(const Event& e);
  void apply_actor_event(const Event& e);
  static void settle_participant(Participant& p, Time at);
  void settle_message(SceneMessage& m, Time at) const;

  SceneFrame frame_;
  // Who sent what each node is working on: the answer to "whose request set this key".
  std::vector<std::pair<std::string, std::string>> served_;
};

}  // namespace hotkv::view
