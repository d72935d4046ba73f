#include "core/sim/world.h"

#include <algorithm>

#include "core/base/check.h"
#include "core/base/numbers.h"
#include "core/console/reply_format.h"
#include "core/node/server.h"
#include "core/sim/events.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace hotkv::sim {

namespace {

// Random streams are keyed by what they are for: links by pair and direction, nodes by name order.
uint64_t link_stream(int client, int node, int direction) {
  return 1000 + static_cast<uint64_t>(client) * 1000 + static_cast<uint64_t>(node) * 2 +
         static_cast<uint64_t>(direction);
}

constexpr Duration kDiskLatency = microseconds(200);

std::string decimal(uint64_t n) {
  NumberText text;
  return std::string(format_uint64(n, text));
}

}  // namespace

World::World(uint64_t seed) : seed_(seed) {
  trace_.set_mask(trace::kAll);
  trace_.set_sink([](void* self, Bytes line) { static_cast<World*>(self)->on_line(line); }, this);
}

World::~World() = default;

void World::on_line(Bytes line) {
  digest_ = XXH3_64bits_withSeed(line.data(), line.size(), digest_);
  if (observer_) observer_(observer_context_, line);
  if (!keep_trace_) return;
  trace_text_ += line;
  trace_text_ += '\n';
}

// ---- building ----

int World::add_node(std::string name) {
  nodes_.emplace_back();
  nodes_.back().name = std::move(name);
  for (SimClient& c : clients_) {
    c.input.emplace_back();
    c.waiting.emplace_back();
  }
  return nodes() - 1;
}

int World::add_client(std::string name) {
  clients_.emplace_back();
  clients_.back().name = std::move(name);
  clients_.back().input.resize(nodes_.size());
  clients_.back().waiting.resize(nodes_.size());
  return clients() - 1;
}

void World::set_node_options(std::vector<std::pair<std::string, std::string>> options) {
  node_options_ = std::move(options);
}

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

int World::find_node(Bytes name) const {
  for (int i = 0; i < nodes(); i++) {
    if (node_name(i) == name) return i;
  }
  return -1;
}

int World::find_client(Bytes name) const {
  for (int i = 0; i < clients(); i++) {
    if (client_name(i) == name) return i;
  }
  return -1;
}

// ---- the queue ----

void World::push(Time at, EventKind kind, int target, int direction, uint64_t number) {
  queue_.push({at, ++sequence_, kind, target, direction, number});
}

uint64_t World::schedule(Duration delay) {
  push(now_ + delay, EventKind::kCaller, 0, 0, ++last_timer_);
  return last_timer_;
}

Time World::next_time() const { return queue_.empty() ? now_ : queue_.top().at; }

// Nodes' timers up to `before`, in order of time, then of node number.
void World::run_upkeep(Time before) {
  while (true) {
    int next = -1;
    for (int i = 0; i < nodes(); i++) {
      const SimNode& n = nodes_[static_cast<size_t>(i)];
      if (!n.machine || n.upkeep_at == Time::never() || n.upkeep_at > before) continue;
      if (next < 0 || n.upkeep_at < nodes_[static_cast<size_t>(next)].upkeep_at) next = i;
    }
    if (next < 0) return;
    Time at = nodes_[static_cast<size_t>(next)].upkeep_at;
    if (at > now_) now_ = at;
    step_node(next, Input{});
    // What the timer caused may be due before the next timer.
    if (!queue_.empty() && queue_.top().at <= before && queue_.top().at < at) return;
  }
}

bool World::advance() {
  answers_.clear();
  lost_.clear();
  fired_.clear();
  while (!queue_.empty()) {
    Time at = queue_.top().at;
    run_upkeep(at);
    Event event = queue_.top();
    queue_.pop();
    if (event.at > now_) now_ = event.at;
    trace_.set_now(now_);
    if (!carry_out(event)) continue;  // A leftover of somebody who has died.
    events_++;
    return true;
  }
  return false;
}

bool World::advance_until(Time until) {
  if (!queue_.empty() && queue_.top().at <= until) return advance();
  answers_.clear();
  lost_.clear();
  fired_.clear();
  run_upkeep(until);
  if (!queue_.empty() && queue_.top().at <= until) return true;
  // advance() may have passed `until` while it skipped leftovers of the dead.
  if (now_ < until) now_ = until;
  return false;
}

bool World::carry_out(const Event& event) {
  switch (event.kind) {
    case EventKind::kDeliver: {
      Link& link = links_[static_cast<size_t>(event.target)];
      if (link.incarnation != event.number || link.is_cut) return false;
      SimClient& c = clients_[static_cast<size_t>(link.client)];
      if (event.direction == 1 && c.up && c.paused_until > now_) {
        // Its sockets fill while a client stands still; it reads when it wakes.
        push(c.paused_until, EventKind::kDeliver, event.target, 1, event.number);
        return false;
      }
      if (link.direction[event.direction].in_flight.empty()) return false;
      deliver(event.target, event.direction);
      return true;
    }
    case EventKind::kDisk: {
      SimNode& n = nodes_[static_cast<size_t>(event.target)];
      if (!n.machine || n.incarnation != event.number || n.file_ops.empty()) return false;
      FileOp op = std::move(n.file_ops.front());
      n.file_ops.pop_front();
      std::string bytes;
      Input input;
      input.kind = Input::Kind::kFileDone;
      input.file_op = op.id;
      input.status = n.disk.complete(op, bytes);
      input.bytes = bytes;
      step_node(event.target, input);
      return true;
    }
    case EventKind::kResume:
      trace_.emit(trace::Fault{"resume", client_name(event.target)});
      return true;
    case EventKind::kCaller: fired_.push_back(event.number); return true;
    case EventKind::kUpkeep: return false;
  }
  return false;
}

// ---- nodes ----

void World::start_node(int node) {
  SimNode& n = nodes_[static_cast<size_t>(node)];
  HOTKV_CHECK(!n.machine);
  n.incarnation++;
  NodeSetup setup;
  setup.seed = mix64(seed_ ^ mix64(static_cast<uint64_t>(node) * 1000 + n.incarnation));
  setup.options = node_options_;
  n.machine = std::make_unique<Node>(setup);
  HOTKV_CHECK(n.machine->setup_status().ok());
  n.machine->trace().set_mask(mask_);
  n.machine->trace().set_source(n.name);
  n.machine->trace().set_sink(
      [](void* self, Bytes line) { static_cast<World*>(self)->on_line(line); }, this);
  Input input;
  input.kind = Input::Kind::kStart;
  step_node(node, input);
}

void World::step_node(int node, const Input& input) {
  SimNode& n = nodes_[static_cast<size_t>(node)];
  n.outputs.clear();
  n.machine->step(input, Now{now_, wall()}, n.outputs);
  carry_out_outputs(node);
  while (n.machine && n.outputs.more_work) {
    n.outputs.clear();
    n.machine->step(Input{}, Now{now_, wall()}, n.outputs);
    carry_out_outputs(node);
  }
  if (n.machine) n.upkeep_at = n.machine->next_deadline();
}

void World::carry_out_outputs(int node) {
  SimNode& n = nodes_[static_cast<size_t>(node)];
  for (LinkId id : n.outputs.writable) {
    for (Bytes pending = n.machine->pending(id); !pending.empty();
         pending = n.machine->pending(id)) {
      put_on_link(static_cast<int>(id.value) - 1, 1, std::string(pending));
      n.machine->taken(id, pending.size());
    }
  }
  for (FileOp& op : n.outputs.files) {
    n.file_ops.push_back(std::move(op));
    Time start = n.disk_free_at > now_ ? n.disk_free_at : now_;
    n.disk_free_at = start + kDiskLatency;
    push(n.disk_free_at, EventKind::kDisk, node, 0, n.incarnation);
  }
  std::vector<Close> closes = n.outputs.closes;
  for (const Close& c : closes) {
    int link = static_cast<int>(c.link.value) - 1;
    Input closed;
    closed.kind = Input::Kind::kClosed;
    closed.link = c.link;
    Outputs ignored;
    n.machine->step(closed, Now{now_, wall()}, ignored);
    // What is on its way still arrives; then the client sees the end.
    links_[static_cast<size_t>(link)].open = false;
  }
}

void World::kill_node(int node) {
  SimNode& n = nodes_[static_cast<size_t>(node)];
  if (!n.machine) return;
  trace_.set_now(now_);
  trace_.emit(trace::Fault{"kill", n.name});
  n.machine.reset();
  n.file_ops.clear();
  n.upkeep_at = Time::never();
  for (size_t i = 0; i < links_.size(); i++) {
    if (links_[i].node == node) break_link(static_cast<int>(i), "killed");
  }
}

void World::restart_node(int node) {
  if (node_up(node)) return;
  trace_.set_now(now_);
  trace_.emit(trace::Fault{"restart", node_name(node)});
  start_node(node);
}

// ---- links ----

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

std::vector<World::KeyView> World::keys(int node, size_t most) const {
  return keys_of(*nodes_[static_cast<size_t>(node)].machine, wall().ms(), most);
}

std::vector<World::KeyView> World::keys_of(Node& node, int64_t wall_ms, size_t most) {
  std::vector<KeyView> out;
  const Keyspace& keyspace = node.server().keyspace;
  for (int db = 0; db < keyspace.databases(); db++) {
    uint64_t cursor = 0;
    do {
      cursor = keyspace.table(db).scan(cursor, [&](const Entry* e) {
        if (e->deadline_ms() <= wall_ms || out.size() >= most) return;
        NumberText text;
        out.push_back({db, std::string(e->key()), std::string(e->string(text)),
                       e->has_deadline() ? e->deadline_ms() - wall_ms : -1, e->lock_number()});
      });
    } while (cursor != 0);
  }
  std::sort(out.begin(), out.end(), [](const KeyView& a, const KeyView& b) {
    return a.db != b.db ? a.db < b.db : a.key < b.key;
  });
  return out;
}

bool World::holds(int node, Bytes key, Bytes value) const {
  const Table& table = nodes_[static_cast<size_t>(node)].machine->server().keyspace.table(0);
  const Entry* e = table.find(key, table.hash(key));
  NumberText text;
  return e && e->deadline_ms() > wall().ms() && e->string(text) == value;
}

// ---- clients ----

uint64_t World::send(int client, int node, const std::string& line) {
  std::vector<std::string> words;
  if (!split_quoted(line, words) || words.empty()) return 0;
  return send_words(client, node, words, line);
}

uint64_t World::send_words(int client, int node, const std::vector<std::string>& words,
                           const std::string& line) {
  SimClient& c = clients_[static_cast<size_t>(client)];
  if (!c.up || c.paused_until > now_) return 0;
  int index = link_between(client, node);
  trace_.set_now(now_);
  trace_.emit(trace::ClientSent{c.name, Bytes(line).substr(0, 256)});
  std::string bytes;
  append_command(bytes, std::vector<Bytes>(words.begin(), words.end()));
  c.waiting[static_cast<size_t>(node)].push_back({++last_request_, index, line, now_});
  uint64_t number = last_request_;
  put_on_link(index, 0, std::move(bytes));
  return number;
}

void World::client_receives(int client, int node, Bytes bytes) {
  SimClient& c = clients_[static_cast<size_t>(client)];
  if (!c.up) return;
  c.input[static_cast<size_t>(node)] += bytes;
  drain(client, node);
}

void World::drain(int client, int node) {
  SimClient& c = clients_[static_cast<size_t>(client)];
  std::string& input = c.input[static_cast<size_t>(node)];
  std::deque<Request>& waiting = c.waiting[static_cast<size_t>(node)];
  ReplyParser parser;
  size_t done = 0;
  while (done < input.size()) {
    Answer answer;
    auto state = parser.next(Bytes(input).substr(done), answer.reply);
    HOTKV_CHECK(state != ReplyParser::State::kError);  // A node must never send bad RESP.
    if (state == ReplyParser::State::kNeedMore) break;
    answer.resp = input.substr(done, parser.consumed());
    done += parser.consumed();
    if (waiting.empty()) continue;  // An error before a close that answers no request.
    answer.request = waiting.front().number;
    answer.client = client;
    answer.line = waiting.front().line;
    answer.sent_at = waiting.front().sent_at;
    answer.received_at = now_;
    waiting.pop_front();
    if (trace_.wants(trace::Kind::kActor)) {
      std::string text = format_reply(answer.reply, ReplyStyle::kTerminal);
      if (!text.empty()) text.pop_back();
      trace_.emit(trace::ClientReply{c.name, Bytes(answer.line).substr(0, 256),
                                     Bytes(text).substr(0, 256),
                                     Bytes(answer.resp).substr(0, 256)});
    }
    answers_.push_back(std::move(answer));
  }
  input.erase(0, done);
}

bool World::waits_for_reply(int client) const {
  for (const auto& waiting : clients_[static_cast<size_t>(client)].waiting) {
    if (!waiting.empty()) return true;
  }
  return false;
}

void World::kill_client(int client) {
  SimClient& c = clients_[static_cast<size_t>(client)];
  if (!c.up) return;
  trace_.set_now(now_);
  trace_.emit(trace::Fault{"kill", c.name});
  c.up = false;
  for (size_t i = 0; i < links_.size(); i++) {
    if (links_[i].client == client) break_link(static_cast<int>(i), "killed");
  }
}

void World::pause_client(int client, Duration length) {
  SimClient& c = clients_[static_cast<size_t>(client)];
  trace_.set_now(now_);
  trace_.emit(trace::Fault{"pause", c.name});
  c.paused_until = now_ + length;
  push(c.paused_until, EventKind::kResume, client, 0, 0);
}

}  // namespace hotkv::sim
