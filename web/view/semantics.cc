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

std::string hexadecimal(const std::string& bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  for (char ch : bytes) {
    auto c = static_cast<unsigned char>(ch);
    if (!out.empty()) out += ' ';
    out += kDigits[c >> 4];
    out += kDigits[c & 15];
  }
  return out;
}

std::string escaped(const std::string& bytes) {
  std::string marked;
  for (char c : bytes) {
    if (c == '\r') {
      marked += "\\r";
    } else if (c == '\n') {
      marked += "\\n";
    } else {
      marked += c >= 0x20 && c <= 0x7e ? c : '.';
    }
  }
  return marked;
}

void participant_facts(const SceneFrame& frame, const Participant& p, const Words& words,
                       Facts& facts) {
  facts.emplace_back(words("state"), state_text(p, words));
  if (p.kind == "node") {
    facts.emplace_back(words("role"), p.role);
    facts.emplace_back(words("keys"), std::to_string(p.keys.size()));
    if (p.clock_ms) facts.emplace_back(words("clock off by"), time_text(p.clock_ms * 1000));
    for (const SceneKey& key : p.keys) {
      facts.emplace_back(key.key, key_value(frame, key, words));
    }
  } else if (p.kind == "client") {
    if (p.beliefs.empty()) facts.emplace_back(words("believes to hold"), words("nothing"));
    for (const Belief& belief : p.beliefs) {
      std::string until = belief.until == Time::never()
                              ? words("for ever")
                              : time_text(belief.until.us - frame.at.us) + " " + words("left");
      facts.emplace_back(words("believes to hold"), belief.key);
      facts.emplace_back(words("token"), belief.token);
      facts.emplace_back(words("by its own clock"), until);
    }
    if (!p.line.empty()) facts.emplace_back(words("last command"), p.line);
    if (!p.reply.empty()) facts.emplace_back(words("reply"), p.reply);
    if (!p.outcome.empty()) facts.emplace_back(words("came to"), p.outcome);
  } else {
    for (const SceneRow& row : p.rows) {
      facts.emplace_back(row.row, row.value + " (" + std::to_string(row.version) + ")");
    }
    facts.emplace_back(words("queries running"), std::to_string(p.running));
    facts.emplace_back(words("queries in line"), std::to_string(p.in_line));
    if (!p.highest.empty()) facts.emplace_back(words("highest number seen"), p.highest);
    facts.emplace_back(words("refused writes"), std::to_string(p.refused));
  }
}

void key_facts(const SceneFrame& frame, const Participant& node, const SceneKey& key,
               const Words& words, Facts& facts) {
  facts.emplace_back(words("value"), key.value);
  facts.emplace_back(words("node"), node.title);
  if (!key.setter.empty()) facts.emplace_back(words("set by"), title_of(frame, key.setter));
  if (key.number) facts.emplace_back(words("lock number"), std::to_string(key.number));
  facts.emplace_back(words("expires in"), key.expires ? time_text(key.ttl_us) : words("never"));
  for (const Participant& p : frame.participants) {
    for (const Belief& belief : p.beliefs) {
      if (belief.key == key.key) facts.emplace_back(words("believed held by"), p.title);
    }
  }
}

void message_facts(const SceneFrame& frame, const SceneMessage& m, const Words& words,
                   Facts& facts) {
  facts.emplace_back(words("content"), m.label);
  facts.emplace_back(words("kind"), m.kind);
  facts.emplace_back(words("from"), title_of(frame, m.from));
  facts.emplace_back(words("to"), title_of(frame, m.to));
  facts.emplace_back(words("sent at"), time_text(m.sent.us));
  facts.emplace_back(m.lost ? words("lost at") : words("due at"), time_text(m.due.us));
  facts.emplace_back(words("size"), std::to_string(m.bytes) + " B");
  if (!m.cause.empty()) facts.emplace_back(words("caused by"), m.cause);
  if (!m.copy_of.empty()) facts.emplace_back(words("copy of"), m.copy_of);
  facts.emplace_back("RESP", escaped(m.resp));
  facts.emplace_back("hex", hexadecimal(m.resp.substr(0, 64)));
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

std::string key_id(const Participant& node, const SceneKey& key) {
  std::string db = key.db == 0 ? std::string() : std::to_string(key.db) + ":";
  return node.id + "/" + db + key.key;
}

std::vector<std::string> actions_of(const SceneFrame& frame, const std::string& id) {
  if (const Participant* p = frame.participant(id)) {
    if (!p->up) return {"restart"};
    std::vector<std::string> actions{"kill", "pause"};
    if (p->kind == "node") {
      actions.push_back("clock");
      actions.push_back("fsync-stall");
    }
    return actions;
  }
  for (const SceneLink& link : frame.links) {
    if (link.id == id) return {link.cut ? "heal" : "cut"};
  }
  for (const SceneMessage& m : frame.messages) {
    if (m.id == id && !m.lost) return {"deliver", "delay", "dup", "drop"};
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

Facts facts_of(const SceneFrame& frame, const std::string& id, const Words& words) {
  Facts facts;
  for (const Participant& p : frame.participants) {
    if (p.id == id) participant_facts(frame, p, words, facts);
    for (const SceneKey& key : p.keys) {
      if (key_id(p, key) == id) key_facts(frame, p, key, words, facts);
    }
  }
  for (const SceneLink& link : frame.links) {
    if (link.id != id) continue;
    facts.emplace_back(words("between"), title_of(frame, link.a) + ", " + title_of(frame, link.b));
    facts.emplace_back(words("state"), link.cut ? words("cut") : words("open"));
    facts.emplace_back(words("latency"),
                       time_text(link.latency_us) + " \xc2\xb1 " + time_text(link.spread_us));
    facts.emplace_back(words("in flight"), std::to_string(link.in_flight));
  }
  for (const SceneMessage& m : frame.messages) {
    if (m.id == id) message_facts(frame, m, words, facts);
  }
  return facts;
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

std::string facts_json(const Facts& facts) {
  std::string out = "[";
  for (const auto& fact : facts) {
    std::string body;
    JsonFields fields(body);
    fields("name", fact.first);
    fields("value", fact.second);
    out += (out.size() > 1 ? ",{" : "{") + body.substr(1) + "}";
  }
  return out + "]";
}

}  // namespace hotkv::view
