// The network of a world: links as ordered streams of bytes, messages in flight, cut and broken
// links.
#include "core/base/numbers.h"
#include "core/sim/events.h"
#include "core/sim/world.h"

namespace hotkv::sim {

namespace {

// Random streams are keyed by what they are for: links by pair and direction, nodes by name order.
uint64_t link_stream(int client, int node, int direction) {
  return 1000 + static_cast<uint64_t>(client) * 1000 + static_cast<uint64_t>(node) * 2 +
         static_cast<uint64_t>(direction);
}

std::string decimal(uint64_t n) {
  NumberText text;
  return std::string(format_uint64(n, text));
}

}  // namespace

int World::link_between(int client, int node) {
  for (size_t i = 0; i < links_.size(); i++) {
    if (links_[i].client == client && links_[i].node == node) return static_cast<int>(i);
  }
  Link link;
  link.client = client;
  link.node = node;
  for (int d = 0; d < 2; d++) {
    link.direction[d].random = Random(seed_, link_stream(client, node, d));
  }
  links_.push_back(std::move(link));
  return static_cast<int>(links_.size()) - 1;
}

void World::set_latency(int client, int node, Latency latency) {
  links_[static_cast<size_t>(link_between(client, node))].latency = latency;
}

void World::open_link(int index) {
  Link& link = links_[static_cast<size_t>(index)];
  if (link.open) return;
  link.open = true;
  Input accepted;
  accepted.kind = Input::Kind::kAccepted;
  accepted.link = LinkId{static_cast<uint64_t>(index) + 1};
  std::string addresses =
      "127.0.0.1:" + decimal(40000 + static_cast<uint64_t>(link.client)) + " 127.0.0.1:6379";
  accepted.bytes = addresses;
  step_node(link.node, accepted);
}

Bytes World::link_name(const Link& link, int direction) {
  std::string& name = link_name_;
  name = direction == 0 ? client_name(link.client) + "-" + node_name(link.node)
                        : node_name(link.node) + "-" + client_name(link.client);
  return name;
}

void World::put_on_link(int index, int direction, std::string bytes) {
  Link& link = links_[static_cast<size_t>(index)];
  Direction& d = link.direction[direction];
  int64_t spread = link.latency.spread.us;
  Duration latency = {link.latency.mean.us + (spread ? d.random.between(-spread, spread) : 0)};
  Time due = now_ + latency;
  if (due < d.last_due) due = d.last_due;  // A stream keeps its order.
  d.last_due = due;
  std::string id = std::string(link_name(link, direction)) + "#" + decimal(++d.sent);
  trace_.set_now(now_);
  trace_.emit(trace::MessageSent{id, static_cast<int64_t>(bytes.size()), due.us});
  d.in_flight.push_back({std::move(id), std::move(bytes), due});
  if (!link.is_cut) push(due, EventKind::kDeliver, index, direction, link.incarnation);
}

void World::deliver(int index, int direction) {
  Link& link = links_[static_cast<size_t>(index)];
  Message message = std::move(link.direction[direction].in_flight.front());
  link.direction[direction].in_flight.pop_front();
  int client = link.client, node = link.node;
  if (direction == 1) {
    trace_.emit(trace::MessageDelivered{message.id});
    client_receives(client, node, message.bytes);
    return;
  }
  if (!node_up(node)) {
    trace_.emit(trace::MessageLost{message.id, "nobody listens"});
    break_link(index, "nobody listens");
    return;
  }
  trace_.emit(trace::MessageDelivered{message.id});
  open_link(index);
  Input input;
  input.kind = Input::Kind::kBytes;
  input.link = LinkId{static_cast<uint64_t>(index) + 1};
  input.bytes = message.bytes;
  step_node(node, input);
}

void World::drop_in_flight(Link& link, Bytes reason) {
  for (int d = 0; d < 2; d++) {
    for (const Message& m : link.direction[d].in_flight) {
      trace_.emit(trace::MessageLost{m.id, reason});
    }
    link.direction[d].in_flight.clear();
    link.direction[d].last_due = {};
  }
}

void World::break_link(int index, Bytes reason) {
  Link& link = links_[static_cast<size_t>(index)];
  drop_in_flight(link, reason);
  link.incarnation++;
  int client = link.client, node = link.node;
  bool was_open = link.open;
  link.open = false;
  if (was_open && node_up(node)) {
    Input closed;
    closed.kind = Input::Kind::kClosed;
    closed.link = LinkId{static_cast<uint64_t>(index) + 1};
    step_node(node, closed);
  }
  SimClient& c = clients_[static_cast<size_t>(client)];
  for (const Request& r : c.waiting[static_cast<size_t>(node)]) lost_.push_back(r.number);
  c.waiting[static_cast<size_t>(node)].clear();
  c.input[static_cast<size_t>(node)].clear();
}

void World::cut(int client, int node) {
  Link& link = links_[static_cast<size_t>(link_between(client, node))];
  if (link.is_cut) return;
  link.is_cut = true;
  trace_.set_now(now_);
  trace_.emit(trace::Fault{"cut", link_name(link, 0)});
}

void World::heal(int client, int node) {
  int index = link_between(client, node);
  Link& link = links_[static_cast<size_t>(index)];
  if (!link.is_cut) return;
  link.is_cut = false;
  trace_.set_now(now_);
  trace_.emit(trace::Fault{"heal", link_name(link, 0)});
  // What waited is sent again by TCP: it arrives now, in order.
  for (int d = 0; d < 2; d++) {
    for (Message& m : link.direction[d].in_flight) {
      m.due = m.due > now_ ? m.due : now_;
      push(m.due, EventKind::kDeliver, index, d, link.incarnation);
    }
  }
}

int World::messages_in_flight() const {
  size_t n = 0;
  for (const Link& link : links_) {
    n += link.direction[0].in_flight.size() + link.direction[1].in_flight.size();
  }
  return static_cast<int>(n);
}

}  // namespace hotkv::sim
