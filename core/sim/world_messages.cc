// What can be done to a message in flight: drop, delay, deliver now, send again.
#include "core/sim/events.h"
#include "core/sim/world.h"

namespace hotkv::sim {

World::Place World::find_message(Bytes id) const {
  for (size_t l = 0; l < links_.size(); l++) {
    for (int d = 0; d < 2; d++) {
      const std::deque<Message>& in_flight = links_[l].direction[d].in_flight;
      for (size_t i = 0; i < in_flight.size(); i++) {
        if (in_flight[i].id == id) return {static_cast<int>(l), d, i};
      }
    }
  }
  return {};
}

void World::set_due(Place place, Time due) {
  Link& link = links_[static_cast<size_t>(place.link)];
  Direction& d = link.direction[place.direction];
  Message& m = d.in_flight[place.index];
  m.due = due;
  if (d.last_due < due) d.last_due = due;
  trace_.emit(trace::MessageDelayed{m.id, due.us});
  if (!link.is_cut) push(due, EventKind::kDeliver, place.link, place.direction, link.incarnation);
}

bool World::drop_message(Bytes id) {
  Place place = find_message(id);
  if (place.link < 0) return false;
  trace_.set_now(now_);
  Direction& d = links_[static_cast<size_t>(place.link)].direction[place.direction];
  while (d.in_flight.size() > place.index) {
    trace_.emit(trace::MessageLost{d.in_flight.back().id, "dropped"});
    d.in_flight.pop_back();
  }
  d.breaks_behind = true;
  if (d.in_flight.empty()) break_link(place.link, "connection broke");
  return true;
}

bool World::delay_message(Bytes id, Duration length) {
  Place place = find_message(id);
  if (place.link < 0 || length.us <= 0) return false;
  trace_.set_now(now_);
  const Direction& d = links_[static_cast<size_t>(place.link)].direction[place.direction];
  Time due = d.in_flight[place.index].due + length;
  for (Place p = place; p.index < d.in_flight.size(); p.index++) {
    if (d.in_flight[p.index].due < due) set_due(p, due);
  }
  return true;
}

bool World::deliver_message(Bytes id) {
  Place place = find_message(id);
  if (place.link < 0) return false;
  trace_.set_now(now_);
  for (Place p = {place.link, place.direction, 0}; p.index <= place.index; p.index++) {
    set_due(p, now_);
  }
  return true;
}

bool World::duplicate_message(Bytes id) {
  Place place = find_message(id);
  if (place.link < 0 || place.direction != 0) return false;
  const Link& link = links_[static_cast<size_t>(place.link)];
  const Message message = link.direction[0].in_flight[place.index];
  SimClient& c = clients_[static_cast<size_t>(link.client)];
  // Its reply comes in turn and answers nobody.
  c.waiting[static_cast<size_t>(link.node)].push_back({0, place.link, message.label, now_});
  put_on_link(place.link, 0, message.bytes, message.label);
  const Direction& d = links_[static_cast<size_t>(place.link)].direction[0];
  trace_.emit(trace::MessageDuplicated{message.id, d.in_flight.back().id});
  return true;
}

}  // namespace hotkv::sim
