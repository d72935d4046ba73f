// The network of a world: links as ordered streams of bytes, messages in flight, cut and broken
// links.
#include "core/base/numbers.h"
#include "core/console/reply_format.h"
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

constexpr size_t kLabelBytes = 64;
constexpr size_t kShownBytes = 512;

// The first reply among the bytes of a message, as one line.
std::string first_reply(Bytes bytes) {
  ReplyParser parser;
  Reply reply;
  if (parser.next(bytes, reply) != ReplyParser::State::kReply) return {};
  std::string text = format_reply(reply, ReplyStyle::kTerminal);
  return text.substr(0, text.find('\n'));
}

}  // namespace

int World::link_between(int client, int node) {
  for (size_t i = 0; i < links_.size(); i++) {
    if (links_[i].client == client && links_[i].node == node) return static_cast<int>(i);
  }
  return add_link(client, node, {});
}

int World::add_link(int client, int node, Latency latency) {
  Link link;
  link.client = client;
  link.node = node;
  link.latency = latency;
  for (int d = 0; d < 2; d++) {
    link.direction[d].random = Random(seed_, link_stream(client, node, d));
  }
  links_.push_back(std::move(link));
  trace_.set_now(now_);
  trace_.emit(trace::LinkAdded{link_name(links_.back(), 0), client_name(client), node_name(node),
                               latency.mean.us, latency.spread.us});
  return static_cast<int>(links_.size()) - 1;
}

void World::set_latency(int client, int node, Latency latency) {
  for (Link& link : links_) {
    if (link.client == client && link.node == node) {
      link.latency = latency;
      return;
    }
  }
  add_link(client, node, latency);
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

std::string World::link_name(const Link& link, int direction) const {
  const std::string &client = client_name(link.client), &node = node_name(link.node);
  return direction == 0 ? client + "-" + node : node + "-" + client;
}

void World::put_on_link(int index, int direction, std::string bytes, std::string label) {
  Link& link = links_[static_cast<size_t>(index)];
  Direction& d = link.direction[direction];
  int64_t spread = link.latency.spread.us;
  Duration latency = {link.latency.mean.us + (spread ? d.random.between(-spread, spread) : 0)};
  Time due = now_ + latency;
  if (due < d.last_due) due = d.last_due;  // A stream keeps its order.
  d.last_due = due;
  std::string id = link_name(link, direction) + "#" + decimal(++d.sent);
  trace_.set_now(now_);
  if (trace_.wants(trace::Kind::kNetwork)) {
    if (direction == 1) label = first_reply(bytes);
    Bytes from = client_name(link.client), to = node_name(link.node);
    if (direction == 1) std::swap(from, to);
    trace_.emit(
        trace::MessageSent{id, link_name(link, 0), from, to, direction == 0 ? "request" : "reply",
                           Bytes(label).substr(0, kLabelBytes), Bytes(bytes).substr(0, kShownBytes),
                           static_cast<int64_t>(bytes.size()), due.us, cause_});
  }
  d.in_flight.push_back({std::move(id), std::move(bytes), std::move(label), due});
  if (!link.is_cut) push(due, EventKind::kDeliver, index, direction, link.incarnation);
}

bool World::deliver_due(const Event& event) {
  Link& link = links_[static_cast<size_t>(event.target)];
  Direction& d = link.direction[event.direction];
  if (link.incarnation != event.number || link.is_cut) return false;
  // Of a due time that was changed.
  if (d.in_flight.empty() || d.in_flight.front().due > now_) return false;
  const SimClient& c = clients_[static_cast<size_t>(link.client)];
  const SimNode& n = nodes_[static_cast<size_t>(link.node)];
  bool to_client = event.direction == 1;
  Time asleep_until = to_client ? (c.up ? c.paused_until : Time{}) : n.paused_until;
  if (asleep_until > now_) {
    // Its sockets fill while a process stands still; it reads when it wakes.
    push(asleep_until, EventKind::kDeliver, event.target, event.direction, event.number);
    return false;
  }
  deliver(event.target, event.direction);
  Direction& after = links_[static_cast<size_t>(event.target)].direction[event.direction];
  if (after.breaks_behind && after.in_flight.empty()) break_link(event.target, "connection broke");
  return true;
}

void World::deliver(int index, int direction) {
  Link& link = links_[static_cast<size_t>(index)];
  Message message = std::move(link.direction[direction].in_flight.front());
  link.direction[direction].in_flight.pop_front();
  int client = link.client, node = link.node;
  if (direction == 0 && !node_up(node)) {
    trace_.emit(trace::MessageLost{message.id, "nobody listens"});
    break_link(index, "nobody listens");
    return;
  }
  trace_.emit(trace::MessageDelivered{message.id});
  cause_ = message.id;
  if (direction == 1) {
    client_receives(client, node, message.bytes);
    return;
  }
  if (is_database(node)) return query(index, message.bytes);
  open_link(index);
  Input input;
  input.kind = Input::Kind::kBytes;
  input.link = LinkId{static_cast<uint64_t>(index) + 1};
  input.bytes = message.bytes;
  step_node(node, input);
}

void World::query(int index, Bytes bytes) {
  const int node = links_[static_cast<size_t>(index)].node;
  Database& database = *nodes_[static_cast<size_t>(node)].database;
  for (int n = database.take(LinkId{static_cast<uint64_t>(index) + 1}, bytes); n > 0; n--) {
    push(now_ + database.latency(), EventKind::kQuery, node, 0, 0);
  }
}

void World::finish_query(int node) {
  Database& database = *nodes_[static_cast<size_t>(node)].database;
  Database::Done done = database.finish();
  if (done.began_another) push(now_ + database.latency(), EventKind::kQuery, node, 0, 0);
  if (done.link.value != 0) put_on_link(static_cast<int>(done.link.value) - 1, 1, done.reply, "");
}

void World::drop_in_flight(Link& link, Bytes reason) {
  for (int d = 0; d < 2; d++) {
    for (const Message& m : link.direction[d].in_flight) {
      trace_.emit(trace::MessageLost{m.id, reason});
    }
    link.direction[d].in_flight.clear();
    link.direction[d].last_due = {};
    link.direction[d].breaks_behind = false;
  }
}

void World::break_link(int index, Bytes reason) {
  Link& link = links_[static_cast<size_t>(index)];
  drop_in_flight(link, reason);
  link.incarnation++;
  int client = link.client, node = link.node;
  bool was_open = link.open;
  link.open = false;
  if (is_database(node)) {
    nodes_[static_cast<size_t>(node)].database->forget(LinkId{static_cast<uint64_t>(index) + 1});
  } else if (was_open && node_up(node)) {
    Input closed;
    closed.kind = Input::Kind::kClosed;
    closed.link = LinkId{static_cast<uint64_t>(index) + 1};
    step_node(node, closed);
  }
  SimClient& c = clients_[static_cast<size_t>(client)];
  for (const Request& r : c.waiting[static_cast<size_t>(node)]) {
    if (r.number == 0) continue;
    trace_.emit(trace::RequestLost{c.name, Bytes(r.line).substr(0, kLabelBytes)});
    lost_.push_back(r.number);
  }
  c.waiting[static_cast<size_t>(node)].clear();
  c.input[static_cast<size_t>(node)].clear();
}

bool World::cut(int client, int node) {
  Link& link = links_[static_cast<size_t>(link_between(client, node))];
  if (link.is_cut) return false;
  link.is_cut = true;
  trace_.set_now(now_);
  trace_.emit(trace::Fault{"cut", link_name(link, 0)});
  return true;
}

bool World::heal(int client, int node) {
  int index = link_between(client, node);
  Link& link = links_[static_cast<size_t>(index)];
  if (!link.is_cut) return false;
  link.is_cut = false;
  trace_.set_now(now_);
  trace_.emit(trace::Fault{"heal", link_name(link, 0)});
  // What waited is sent again by TCP: it arrives now, in order.
  for (int d = 0; d < 2; d++) {
    for (Place p = {index, d, 0}; p.index < link.direction[d].in_flight.size(); p.index++) {
      Time due = link.direction[d].in_flight[p.index].due;
      set_due(p, due > now_ ? due : now_);
    }
  }
  return true;
}

int World::messages_in_flight() const {
  size_t n = 0;
  for (const Link& link : links_) {
    n += link.direction[0].in_flight.size() + link.direction[1].in_flight.size();
  }
  return static_cast<int>(n);
}

std::vector<World::LinkView> World::link_views() const {
  std::vector<LinkView> views;
  for (const Link& link : links_) {
    views.push_back(
        {link_name(link, 0), client_name(link.client), node_name(link.node), link.is_cut});
  }
  return views;
}

std::vector<World::MessageView> World::in_flight() const {
  std::vector<MessageView> views;
  for (const Link& link : links_) {
    const std::string &client = client_name(link.client), &node = node_name(link.node);
    for (int d = 0; d < 2; d++) {
      for (const Message& m : link.direction[d].in_flight) {
        views.push_back({m.id, link_name(link, 0), d == 0 ? client : node, d == 0 ? node : client,
                         m.label.substr(0, kLabelBytes), d == 1, m.due});
      }
    }
  }
  return views;
}

}  // namespace hotkv::sim
