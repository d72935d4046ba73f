#include "web/view/semantics.h"

#include <cmath>
#include <cstdio>

#include "core/trace/trace.h"

namespace hotkv::view {

namespace {

using trace::JsonFields;

std::string title_of(const SceneFrame& frame, const std::string& id) {
  const Participant* p = frame.participant(id);
  return p ? p->title : id;
}

std::string key_value(const SceneFrame& frame, const SceneKey& key, const Words& words) {
  std::string text = key.value;
  if (key.number) text += " #" + std::to_string(key.number);
  if (!key.setter.empty()) text += ", " + words("set by") + " " + title_of(frame, key.setter);
  if (key.expires) text += ", " + time_text(key.ttl_us) + " " + words("left");
  return text;
}

std::string participant_value(const Participant& p, const Words& words) {
  std::string text = state_text(p, words);
  for (const Belief& belief : p.beliefs) text += ", " + words("holds") + " " + belief.key;
  if (!p.line.empty()) text += ", " + p.line;
  if (!p.reply.empty()) text += ": " + p.reply;
  if (!p.outcome.empty()) text += ", " + p.outcome;
  for (const SceneRow& row : p.rows) text += ", " + row.row + " = " + row.value;
  return text;
}

std::string message_value(const SceneFrame& frame, const SceneMessage& m, const Words& words) {
  std::string text = m.kind + ", ";
  text += title_of(frame, m.from) + " \xe2\x86\x92 " + title_of(frame, m.to);
  if (m.lost) return text + ", " + words("lost") + ": " + m.reason;
  const SceneLink* link = frame.link_between(m.from, m.to);
  if (link && link->cut) return text + ", " + words("held by the cut");
  return text + ", " + words("arrives in") + " " + time_text(m.due.us - frame.at.us);
}

}  // namespace

std::string time_text(int64_t us) {
  char text[40];
  double size = std::fabs(double(us));
  if (size < 1000) {
    std::snprintf(text, sizeof text, "%d \xc2\xb5s", static_cast<int>(us));
  } else if (size < 100e3) {
    std::snprintf(text, sizeof text, "%.1f ms", double(us) / 1e3);
  } else if (size < 1e6) {
    std::snprintf(text, sizeof text, "%.0f ms", double(us) / 1e3);
  } else {
    std::snprintf(text, sizeof text, size < 100e6 ? "%.2f s" : "%.0f s", double(us) / 1e6);
  }
  return text;
}

std::string state_text(const Participant& p, const Words& words) {
  if (!p.up) return words("down");
  if (p.paused) return words("paused");
  if (p.stalled) return words("disk stalled");
  if (p.waiting) return words("waiting");
  return p.kind == "client" ? words("idle") : words("up");
}

std::vector<std::string> actions_of(const SceneFrame& frame, const std::string& id) {
  if (const Participant* p = frame.participant(id)) {
    if (!p->up) return {"restart"};
    std::vector<std::string> actions{"kill", "pause"};
    if (p->kind == "node") actions.push_back("clock");
    return actions;
  }
  for (const SceneLink& link : frame.links) {
    if (link.id == id) return {link.cut ? "heal" : "cut"};
  }
  for (const SceneMessage& m : frame.messages) {
    if (m.id != id || m.lost) continue;
    // Only a client sends again.
    if (m.kind == "reply") return {"deliver", "delay", "drop"};
    return {"deliver", "delay", "dup", "drop"};
  }
  return {};
}

Semantics describe(const SceneFrame& frame, const Words& words) {
  Semantics items;
  auto add = [&](const std::string& id, std::string role, std::string label, std::string value) {
    items.push_back(
        {id, std::move(role), std::move(label), std::move(value), {}, actions_of(frame, id)});
  };
  for (const char* kind : {"node", "client", "database"}) {
    for (const Participant& p : frame.participants) {
      if (p.kind != kind) continue;
      std::string label = p.role.empty() ? p.title : p.title + " " + p.role;
      add(p.id, kind, label, participant_value(p, words));
      for (const SceneKey& key : p.keys) {
        add(key_id(p, key), "key", key.key, key_value(frame, key, words));
      }
    }
  }
  constexpr size_t kLinksMax = 40;  // Of a crowd only the links that matter now are named.
  for (const SceneLink& link : frame.links) {
    if (frame.links.size() > kLinksMax && !link.cut && link.in_flight == 0) continue;
    std::string value = link.cut ? words("cut") : words("open");
    value += ", " + std::to_string(link.in_flight) + " " + words("in flight");
    add(link.id, "link", title_of(frame, link.a) + " \xe2\x80\x93 " + title_of(frame, link.b),
        value);
  }
  for (const SceneMessage& m : frame.messages) {
    add(m.id, "message", m.label.empty() ? m.id : m.label, message_value(frame, m, words));
  }
  return items;
}

std::string semantics_json(const Semantics& items) {
  std::string out = "[";
  for (const SemanticsItem& item : items) {
    std::string body;
    JsonFields fields(body);
    fields("id", item.id);
    fields("role", item.role);
    fields("label", item.label);
    fields("value", item.value);
    out += (out.size() > 1 ? ",{" : "{") + body.substr(1) + ",\"rect\":{";
    char rect[120];
    std::snprintf(rect, sizeof rect, "\"x\":%.1f,\"y\":%.1f,\"width\":%.1f,\"height\":%.1f}",
                  double(item.rect.x), double(item.rect.y), double(item.rect.width),
                  double(item.rect.height));
    out += rect;
    out += ",\"actions\":[";
    for (size_t i = 0; i < item.actions.size(); i++) {
      out += (i ? ",\"" : "\"") + item.actions[i] + "\"";
    }
    out += "]}";
  }
  return out + "]";
}

}  // namespace hotkv::view
