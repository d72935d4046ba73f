// What is known of keys, there or gone, and of links.
#include "web/view/fact_writer.h"

namespace hotkv::view {

namespace {

const SceneKey* key_of(const SceneFrame& frame, const std::string& id, const Participant*& node) {
  for (const Participant& p : frame.participants) {
    for (const SceneKey& key : p.keys) {
      if (key_id(p, key) != id) continue;
      node = &p;
      return &key;
    }
  }
  return nullptr;
}

void write_owner(FactWriter& out, const SceneKey& key) {
  out.section("owner");
  out.actor("set_by", key.setter);
  out.time("set", key.set_at.us);
  if (key.number) out.text("number", std::to_string(key.number));
  for (const Participant& p : out.frame().participants) {
    for (const Belief& belief : p.beliefs) {
      if (belief.key == key.key) out.actor("believed_held_by", p.id);
    }
  }
}

// The last that was heard of a key that is no more.
bool write_gone(FactWriter& out, const std::string& id) {
  const Event* last = nullptr;
  std::string node, name;
  for (const Event& e : out.happened()) {
    if (e.type != EventType::kKeySet && e.type != EventType::kKeyRemoved) continue;
    Participant p;
    SceneKey key;
    p.id = e.source;
    key.db = static_cast<int>(e.number("db"));
    key.key = e.text("key");
    if (key_id(p, key) != id) continue;
    last = &e, node = e.source, name = key.key;
  }
  if (!last) return false;
  out.begin("key", name);
  out.section("state");
  out.word("state", "gone");
  out.actor("node", node);
  // A key can also go with its node, or with a whole database: then no event names it.
  if (last->type == EventType::kKeyRemoved) {
    out.time("removed", last->at.us);
    out.text("reason", last->text("reason"));
  }
  return true;
}

}  // namespace

bool write_key(FactWriter& out, const std::string& id) {
  const Participant* node = nullptr;
  const SceneKey* key = key_of(out.frame(), id, node);
  if (!key) return write_gone(out, id);
  out.begin("key", key->key);
  out.section("state");
  out.text("type", "string");
  out.text("value", key->value);
  if (key->expires) {
    out.time("ttl", key->ttl_us);
  } else {
    out.word("ttl", "never");
  }
  out.actor("node", node->id);
  if (key->db) out.text("db", std::to_string(key->db));
  write_owner(out, *key);
  return true;
}

bool write_link(FactWriter& out, const std::string& id) {
  for (const SceneLink& link : out.frame().links) {
    if (link.id != id) continue;
    int64_t sent = 0, lost = 0;
    for (const Event& e : out.happened()) {
      bool own = e.type == EventType::kSent && e.text("link") == id;
      if (own) sent++;
      if (e.type != EventType::kLost) continue;
      const std::string& message = e.text("message");
      std::string way = message.substr(0, message.find('#'));
      lost += way == link.a + "-" + link.b || way == link.b + "-" + link.a;
    }
    out.begin("link", id);
    out.section("state");
    out.word("state", link.cut ? "cut" : "whole");
    if (link.cut) out.time("cut", link.cut_at.us);
    out.actor("end", link.a);
    out.actor("end", link.b);
    out.section("latency");
    out.time("mean", link.latency_us);
    out.time("spread", link.spread_us);
    out.section("traffic");
    out.count("sent_in_all", sent);
    out.count("lost_in_all", lost);
    out.count("in_flight", link.in_flight);
    for (const SceneMessage& m : out.frame().messages) {
      bool on_it = (m.from == link.a && m.to == link.b) || (m.from == link.b && m.to == link.a);
      if (on_it && !m.lost) out.text("message", m.id + "  " + m.label, m.id);
    }
    return true;
  }
  return false;
}

}  // namespace hotkv::view
