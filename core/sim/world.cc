#include "core/sim/world.h"

#include "core/base/check.h"
#include "core/sim/events.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace hotkv::sim {

namespace {

constexpr Duration kDiskLatency = microseconds(200);

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

int World::add_node(std::string name) { return add_participant(std::move(name), "node"); }

int World::add_participant(std::string name, Bytes kind) {
  nodes_.emplace_back();
  nodes_.back().name = std::move(name);
  trace_.emit(trace::ActorAdded{nodes_.back().name, kind, nodes_.back().name});
  for (SimClient& c : clients_) {
    c.input.emplace_back();
    c.waiting.emplace_back();
  }
  return nodes() - 1;
}

int World::add_database(std::string name, Duration latency, int workers) {
  int node = add_participant(std::move(name), "database");
  SimNode& n = nodes_[static_cast<size_t>(node)];
  n.database = std::make_unique<Database>(n.name, latency, workers, trace_);
  return node;
}

int World::add_client(std::string name, std::string title) {
  clients_.emplace_back();
  clients_.back().title = title.empty() ? name : std::move(title);
  clients_.back().name = std::move(name);
  trace_.emit(trace::ActorAdded{clients_.back().name, "client", clients_.back().title});
  clients_.back().input.resize(nodes_.size());
  clients_.back().waiting.resize(nodes_.size());
  return clients() - 1;
}

void World::set_node_options(std::vector<std::pair<std::string, std::string>> options) {
  node_options_ = std::move(options);
}

int World::find_node(Bytes name) const {
  for (int i = 0; i < nodes(); i++) {
    if (node_name(i) == name) return i;
  }
  return -1;
}

int World::find_database() const {
  for (int i = 0; i < nodes(); i++) {
    if (is_database(i)) return i;
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
  // A node that stands still catches up when it wakes.
  auto due = [&](int i) {
    const SimNode& n = nodes_[static_cast<size_t>(i)];
    return n.upkeep_at < n.paused_until ? n.paused_until : n.upkeep_at;
  };
  while (true) {
    int next = -1;
    for (int i = 0; i < nodes(); i++) {
      const SimNode& n = nodes_[static_cast<size_t>(i)];
      if (!n.machine || n.upkeep_at == Time::never() || due(i) > before) continue;
      if (next < 0 || due(i) < due(next)) next = i;
    }
    if (next < 0) return;
    Time at = due(next);
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
    bool happened = carry_out(event);
    cause_.clear();
    if (!happened) continue;  // A leftover of somebody who has died, or of an earlier due time.
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
    case EventKind::kDeliver: return deliver_due(event);
    case EventKind::kDisk: {
      SimNode& n = nodes_[static_cast<size_t>(event.target)];
      if (!n.machine || n.incarnation != event.number || n.file_ops.empty()) return false;
      if (node_paused(event.target)) {
        push(n.paused_until, event.kind, event.target, 0, event.number);
        return false;
      }
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
    case EventKind::kQuery: finish_query(event.target); return true;
    case EventKind::kResume:
      if (clients_[static_cast<size_t>(event.target)].paused_until > now_) return false;
      trace_.emit(trace::Fault{"resume", client_name(event.target)});
      return true;
    case EventKind::kNodeResume:
      if (node_paused(event.target)) return false;  // Paused anew meanwhile.
      trace_.emit(trace::Fault{"resume", node_name(event.target)});
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
  n.machine->step(input, now_of(node), n.outputs);
  carry_out_outputs(node);
  while (n.machine && n.outputs.more_work) {
    n.outputs.clear();
    n.machine->step(Input{}, now_of(node), n.outputs);
    carry_out_outputs(node);
  }
  if (n.machine) n.upkeep_at = n.machine->next_deadline();
}

void World::carry_out_outputs(int node) {
  SimNode& n = nodes_[static_cast<size_t>(node)];
  for (LinkId id : n.outputs.writable) {
    for (Bytes pending = n.machine->pending(id); !pending.empty();
         pending = n.machine->pending(id)) {
      put_on_link(static_cast<int>(id.value) - 1, 1, std::string(pending), "");
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
    n.machine->step(closed, now_of(node), ignored);
    // What is on its way still arrives; then the client sees the end.
    links_[static_cast<size_t>(link)].open = false;
  }
  // A simulated node is reached by its name, so it listens everywhere.
  if (n.outputs.listen) step_node(node, Input{.kind = Input::Kind::kListened});
}

void World::kill_node(int node) {
  SimNode& n = nodes_[static_cast<size_t>(node)];
  if (!n.machine) return;
  trace_.set_now(now_);
  trace_.emit(trace::Fault{"kill", n.name});
  n.machine.reset();
  n.file_ops.clear();
  n.upkeep_at = Time::never();
  n.paused_until = {};
  for (size_t i = 0; i < links_.size(); i++) {
    if (links_[i].node == node) break_link(static_cast<int>(i), "killed");
  }
}

void World::pause_node(int node, Duration length) {
  SimNode& n = nodes_[static_cast<size_t>(node)];
  if (!n.machine) return;
  trace_.set_now(now_);
  trace_.emit(trace::Fault{"pause", n.name, length.ms()});
  n.paused_until = now_ + length;
  push(n.paused_until, EventKind::kNodeResume, node, 0, 0);
}

void World::step_clock(int node, Duration step) {
  SimNode& n = nodes_[static_cast<size_t>(node)];
  trace_.set_now(now_);
  trace_.emit(trace::Fault{"clock", n.name, step.ms()});
  n.clock_error = n.clock_error + step;
}

void World::restart_node(int node) {
  if (node_up(node)) return;
  trace_.set_now(now_);
  trace_.emit(trace::Fault{"restart", node_name(node)});
  start_node(node);
}

}  // namespace hotkv::sim
