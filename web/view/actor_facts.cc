// What is known of nodes, clients and databases.
#include "web/view/fact_writer.h"

namespace hotkv::view {

namespace {

constexpr size_t kHistoryMax = 12;  // Of the turns of an actor's life, the latest.

// As INFO counts: since the last start.
struct Counts {
  const Event* started = nullptr;
  int64_t connections = 0, connected = 0, commands = 0, errors = 0, expired = 0;
};

Counts counts_of(std::span<const Event> happened, const std::string& node) {
  Counts c;
  for (const Event& e : happened) {
    if (e.source != node) continue;
    if (e.type == EventType::kServerStarted) {
      c = Counts();
      c.started = &e;
    } else if (e.name == "client-connected") {
      c.connections++, c.connected++;
    } else if (e.name == "client-closed") {
      c.connected--;
    } else if (e.name == "command") {
      c.commands++;
      if (e.text("reply").starts_with('-')) c.errors++;
    } else if (e.type == EventType::kKeyRemoved && e.text("reason") == "expired") {
      c.expired++;
    }
  }
  return c;
}

std::string turn_of(const Event& e, const std::string& id) {
  if (e.type == EventType::kServerStarted && e.source == id) return "started";
  if (e.type != EventType::kFault || e.text("target") != id) return {};
  const std::string& action = e.text("action");
  if (action == "kill") return "killed";
  if (action == "pause") return "paused";
  if (action == "resume") return "resumed";
  if (action == "clock") return "clock_stepped";
  return action == "restart" ? "restarted" : std::string();
}

void write_history(FactWriter& out, const std::string& id) {
  std::vector<const Event*> turns;
  for (const Event& e : out.happened()) {
    if (!turn_of(e, id).empty()) turns.push_back(&e);
  }
  if (turns.size() > kHistoryMax) turns.erase(turns.begin(), turns.end() - kHistoryMax);
  out.section("history");
  for (const Event* e : turns) out.time(turn_of(*e, id).c_str(), e->at.us);
}

void write_life(FactWriter& out, const Participant& p) {
  if (p.up && p.paused) out.time("paused_for", p.paused_until.us - out.frame().at.us);
}

void write_node(FactWriter& out, const Participant& p) {
  out.section("state");
  out.text("role", p.role);
  out.word("state", !p.up ? "down" : p.paused ? "paused" : "up");
  write_life(out, p);
  if (p.stalled) out.word("disk", "stalled");
  out.time("clock", p.clock_ms * 1000);
  Counts counts = counts_of(out.happened(), p.id);
  if (p.up && counts.started) {
    out.section("server");
    out.text("run_id", counts.started->text("run_id"));
    out.time("uptime", (out.frame().at - counts.started->at).us);
    out.count("lock_epoch", counts.started->number("epoch"));
    out.section("stats");
    out.count("connected", counts.connected);
    out.count("connections", counts.connections);
    out.count("commands", counts.commands);
    out.count("errors", counts.errors);
    out.count("expired", counts.expired);
    out.section("keyspace");
    out.count("keys", static_cast<int64_t>(p.keys.size()));
    for (const SceneKey& key : p.keys) {
      out.text("key", key.key + " = " + key.value, key_id(p, key));
    }
  }
  write_history(out, p.id);
}

// What the nodes say about a lock that a client thinks it holds.
void write_actual(FactWriter& out, const Belief& belief) {
  for (const Participant& node : out.frame().participants) {
    if (node.kind != "node") continue;
    const SceneKey* held = nullptr;
    for (const SceneKey& key : node.keys) {
      if (key.key == belief.key) held = &key;
    }
    bool own = held && held->value == belief.token;
    out.actor("asked", node.id);
    out.word("actually", !node.up ? "down" : own ? "own" : held ? "other" : "free");
    if (held) out.text("value", held->value, key_id(node, *held));
  }
}

std::string state_of(const Participant& p) {
  if (!p.up) return "down";
  if (p.paused) return "paused";
  if (p.waiting) return "waiting";
  return p.beliefs.empty() ? "idle" : "holding";
}

void write_client(FactWriter& out, const Participant& p) {
  out.section("state");
  out.word("state", state_of(p));
  write_life(out, p);
  out.section("lock");
  if (p.beliefs.empty()) out.word("believes", "nothing");
  for (const Belief& belief : p.beliefs) {
    out.text("believes", belief.key);
    out.text("token", belief.token);
    if (belief.until == Time::never()) {
      out.word("believed_for", "ever");
    } else {
      out.time("believed_for", belief.until.us - out.frame().at.us);
    }
    write_actual(out, belief);
  }
  out.section("talk");
  out.text("command", p.line);
  out.text("reply", p.reply);
  out.text("outcome", p.outcome);
  write_history(out, p.id);
}

void write_database(FactWriter& out, const Participant& p) {
  out.section("queries");
  out.count("running", p.running);
  out.count("in_line", p.in_line);
  out.section("rows");
  for (const SceneRow& row : p.rows) {
    out.text("row", row.row + " = " + row.value);
    out.count("version", row.version);
  }
  out.section("fence");
  out.text("highest", p.highest);
  if (!p.highest.empty() || p.refused) out.count("refused", p.refused);
}

}  // namespace

bool write_participant(FactWriter& out, const std::string& id) {
  const Participant* p = out.frame().participant(id);
  if (!p) return false;
  out.begin(p->kind.c_str(), p->title);
  if (p->kind == "node") {
    write_node(out, *p);
  } else if (p->kind == "client") {
    write_client(out, *p);
  } else {
    write_database(out, *p);
  }
  return true;
}

}  // namespace hotkv::view
