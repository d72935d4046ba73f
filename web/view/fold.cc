#include "web/view/fold.h"

#include <algorithm>

namespace hotkv::view {

namespace {

// Wall time of every simulation's start: 2026-01-01 00:00:00 UTC. Deadlines of keys are wall time.
constexpr int64_t kStartWallMs = 1767225600000;

bool is_error(Bytes resp) { return !resp.empty() && (resp[0] == '-' || resp[0] == '!'); }

}  // namespace

Participant* Fold::find(const std::string& id) {
  for (Participant& p : frame_.participants) {
    if (p.id == id) return &p;
  }
  return nullptr;
}

Participant& Fold::actor(const std::string& id, const char* kind) {
  if (Participant* known = find(id)) return *known;
  Participant p;
  p.id = p.title = id;
  p.kind = kind;
  if (p.kind == "node") p.role = "primary";
  frame_.participants.push_back(std::move(p));
  return frame_.participants.back();
}

SceneMessage* Fold::message(const std::string& id) {
  for (SceneMessage& m : frame_.messages) {
    if (m.id == id) return &m;
  }
  return nullptr;
}

SceneLink* Fold::link(const std::string& id) {
  for (SceneLink& l : frame_.links) {
    if (l.id == id) return &l;
  }
  return nullptr;
}

// Both directions are one link on the stage.
const SceneLink* Fold::link_of(const SceneMessage& m) const {
  for (const SceneLink& l : frame_.links) {
    if ((l.a == m.from && l.b == m.to) || (l.a == m.to && l.b == m.from)) return &l;
  }
  return nullptr;
}

void Fold::send(const Event& e) {
  SceneMessage m;
  m.id = e.text("message");
  m.link = e.text("link");
  m.from = e.text("from");
  m.to = e.text("to");
  m.kind = e.text("kind");
  m.label = e.text("label");
  m.resp = e.text("resp");
  m.cause = e.text("cause");
  m.bytes = e.number("bytes");
  m.sent = e.at;
  m.due = {e.number("due_us", e.at.us)};
  m.error = m.kind == "reply" && is_error(m.resp);
  frame_.messages.push_back(std::move(m));
}

void Fold::arrive(const Event& e) {
  SceneMessage* m = message(e.text("message"));
  if (!m) return;
  bool known = false;
  for (auto& pair : served_) {
    if (pair.first != m->to) continue;
    pair.second = m->from;
    known = true;
  }
  if (!known) served_.emplace_back(m->to, m->from);
  frame_.messages.erase(frame_.messages.begin() + (m - frame_.messages.data()));
}

void Fold::forget_lost(Time before) {
  auto old = [&](const SceneMessage& m) { return m.lost && m.due < before; };
  frame_.messages.erase(std::remove_if(frame_.messages.begin(), frame_.messages.end(), old),
                        frame_.messages.end());
}

void Fold::lose(const Event& e) {
  forget_lost(e.at);
  SceneMessage* m = message(e.text("message"));
  if (!m) return;
  settle_message(*m, e.at);
  m->lost = true;
  m->reason = e.text("reason");
  m->due = e.at;
}

void Fold::fault_on_actor(const SceneFault& fault, Participant& target) {
  Time until = fault.at + milliseconds(fault.ms);
  if (fault.action == "kill") {
    target.up = target.paused = target.waiting = false;
    target.paused_until = {};
    target.keys.clear();
    target.beliefs.clear();
  } else if (fault.action == "restart") {
    target.up = true;
  } else if (fault.action == "pause") {
    target.paused_until = until;
  } else if (fault.action == "resume") {
    target.paused_until = fault.at;
  } else if (fault.action == "clock") {
    target.clock_ms += fault.ms;
    // The node's wall clock moved: its deadlines come that much earlier.
    for (SceneKey& key : target.keys) key.deadline = key.deadline - milliseconds(fault.ms);
  } else if (fault.action == "fsync-stall") {
    target.stalled = fault.ms > 0;
  }
}

void Fold::fault(const Event& e) {
  SceneFault f{e.text("action"), e.text("target"), e.number("ms"), e.at};
  if (Participant* target = find(f.target)) fault_on_actor(f, *target);
  if (SceneLink* target = link(f.target)) {
    target->cut = f.action == "cut" || (target->cut && f.action != "heal");
    if (f.action == "cut") target->cut_at = e.at;
  }
  frame_.faults.push_back(std::move(f));
}

void Fold::set_key(const Event& e) {
  Participant& node = actor(e.source, "node");
  auto db = static_cast<int>(e.number("db"));
  const std::string& name = e.text("key");
  SceneKey* key = nullptr;
  for (SceneKey& k : node.keys) {
    if (k.db == db && k.key == name) key = &k;
  }
  if (!key) {
    node.keys.emplace_back();
    key = &node.keys.back();
  }
  key->db = db;
  key->key = name;
  key->value = e.text("value");
  key->number = static_cast<uint64_t>(e.number("lock_number"));
  key->set_at = e.at;
  key->expires = e.has("deadline_ms");
  int64_t deadline_ms = e.number("deadline_ms") - kStartWallMs - node.clock_ms;
  key->deadline = {deadline_ms * 1000};
  for (const auto& pair : served_) {
    if (pair.first == node.id) key->setter = pair.second;
  }
}

void Fold::remove_key(const Event& e) {
  Participant& node = actor(e.source, "node");
  auto db = static_cast<int>(e.number("db"));
  bool all = e.type == EventType::kDatabaseFlushed;
  const std::string& name = e.text("key");
  node.keys.erase(
      std::remove_if(node.keys.begin(), node.keys.end(),
                     [&](const SceneKey& k) { return k.db == db && (all || k.key == name); }),
      node.keys.end());
}

void Fold::remember_belief(const Event& e) {
  Participant& client = actor(e.text("client"), "client");
  const std::string& key = e.text("key");
  client.beliefs.erase(std::remove_if(client.beliefs.begin(), client.beliefs.end(),
                                      [&](const Belief& b) { return b.key == key; }),
                       client.beliefs.end());
  if (e.type == EventType::kHoldsNoMore) return;
  client.beliefs.push_back({key, e.text("token"), {e.number("until_us", Time::never().us)}});
}

void Fold::apply_database_event(const Event& e) {
  Participant& owner = actor(e.text("actor"), "database");
  if (e.type == EventType::kLoad) {
    owner.running = e.number("running");
    owner.in_line = e.number("waiting");
    return;
  }
  if (e.text("highest") != "0") owner.highest = e.text("highest");
  if (e.type == EventType::kRefused) {
    owner.refused++;
    return;
  }
  SceneRow row{e.text("row"), e.text("value"), e.number("version")};
  for (SceneRow& known : owner.rows) {
    if (known.row != row.row) continue;
    known = row;
    return;
  }
  owner.rows.push_back(std::move(row));
}

void Fold::count(const Event& e) {
  const std::string& id = e.text("counter");
  for (SceneCounter& known : frame_.counters) {
    if (known.counter != id) continue;
    known.value = e.number("value");
    return;
  }
  frame_.counters.push_back({id, e.number("value")});
}

void Fold::apply_actor_event(const Event& e) {
  if (e.type == EventType::kActor) {
    Participant& p = actor(e.text("actor"), e.text("kind").c_str());
    p.kind = e.text("kind");
    p.title = e.text("title");
  } else if (e.type == EventType::kClientSent) {
    Participant& p = actor(e.text("client"), "client");
    p.line = e.text("line");
    p.reply.clear();
    p.outcome.clear();
    p.waiting = true;
    p.error = false;
  } else if (e.type == EventType::kDone) {
    actor(e.text("client"), "client").outcome = e.text("outcome");
  } else if (e.type == EventType::kRequestLost) {
    actor(e.text("client"), "client").waiting = false;
  } else {
    Participant& p = actor(e.text("client"), "client");
    p.line = e.text("line");
    p.reply = e.text("text");
    p.waiting = false;
    p.error = is_error(e.text("resp"));
  }
}

void Fold::apply(const Event& e) {
  switch (e.type) {
    case EventType::kActor:
    case EventType::kClientSent:
    case EventType::kClientReply:
    case EventType::kDone:
    case EventType::kRequestLost: apply_actor_event(e); break;
    case EventType::kLink: {
      if (link(e.text("link"))) break;
      SceneLink l;
      l.id = e.text("link");
      l.a = e.text("from");
      l.b = e.text("to");
      l.latency_us = e.number("latency_us");
      l.spread_us = e.number("spread_us");
      frame_.links.push_back(std::move(l));
      break;
    }
    case EventType::kSent: send(e); break;
    case EventType::kDelayed:
      if (SceneMessage* m = message(e.text("message"))) {
        m->due = {e.number("due_us")};
        m->delayed = true;
      }
      break;
    case EventType::kDuplicated:
      if (SceneMessage* m = message(e.text("copy"))) m->copy_of = e.text("message");
      break;
    case EventType::kDelivered: arrive(e); break;
    case EventType::kLost: lose(e); break;
    case EventType::kFault: fault(e); break;
    case EventType::kStepBegun:
      frame_.step = e.text("step");
      frame_.in_step = true;
      break;
    case EventType::kStepEnded:
      frame_.in_step = false;
      frame_.steps_done++;
      break;
    case EventType::kGoalReached: frame_.goals.push_back(e.text("goal")); break;
    case EventType::kInvariantBroken:
      frame_.broken.push_back({e.text("invariant"), e.text("detail"), e.at});
      break;
    case EventType::kCounter: count(e); break;
    case EventType::kHolds:
    case EventType::kHoldsNoMore: remember_belief(e); break;
    case EventType::kKeySet: set_key(e); break;
    case EventType::kKeyRemoved:
    case EventType::kDatabaseFlushed: remove_key(e); break;
    case EventType::kServerStarted: actor(e.source, "node").up = true; break;
    case EventType::kLoad:
    case EventType::kRow:
    case EventType::kRefused: apply_database_event(e); break;
    case EventType::kOther: break;
  }
}

void Fold::settle_participant(Participant& p, Time at) {
  p.paused = p.up && at < p.paused_until;
  for (SceneKey& key : p.keys) {
    if (!key.expires) continue;
    int64_t whole_us = key.deadline.us - key.set_at.us;
    key.ttl_us = std::max<int64_t>(0, key.deadline.us - at.us);
    key.ttl_fraction = whole_us <= 0 ? 0 : std::min(1.0, double(key.ttl_us) / double(whole_us));
  }
  // What a client thinks ends by its own reckoning, whether or not anybody told it.
  p.beliefs.erase(std::remove_if(p.beliefs.begin(), p.beliefs.end(),
                                 [&](const Belief& b) { return b.until <= at; }),
                  p.beliefs.end());
}

void Fold::settle_message(SceneMessage& m, Time at) const {
  if (m.lost) return;
  Time now = at;
  const SceneLink* l = link_of(m);
  if (l && l->cut) now = std::max(std::min(now, l->cut_at), m.sent);
  int64_t whole_us = m.due.us - m.sent.us;
  double passed = double(now.us - m.sent.us);
  m.position = whole_us <= 0 ? 1 : std::clamp(passed / double(whole_us), 0.0, 1.0);
}

SceneFrame Fold::settle(Time at) const {
  SceneFrame f = frame_;
  f.at = at;
  for (Participant& p : f.participants) settle_participant(p, at);
  auto gone = [&](const SceneMessage& m) { return m.lost && m.due < at; };
  f.messages.erase(std::remove_if(f.messages.begin(), f.messages.end(), gone), f.messages.end());
  for (SceneMessage& m : f.messages) {
    settle_message(m, at);
    for (SceneLink& l : f.links) {
      bool on_it = (l.a == m.from && l.b == m.to) || (l.a == m.to && l.b == m.from);
      if (on_it && !m.lost) l.in_flight++;
    }
  }
  return f;
}

}  // namespace hotkv::view
