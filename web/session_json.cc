#include "web/session_json.h"

#include "core/base/numbers.h"

namespace hotkv::web {

namespace {

using trace::JsonFields;

// {...} of what `fill` writes; JsonFields begins each field with a comma.
template <class Fill>
std::string object(Fill fill) {
  std::string body;
  JsonFields fields(body);
  fill(fields);
  return "{" + body.substr(body.empty() ? 0 : 1) + "}";
}

template <class List, class Item>
std::string array(const List& list, Item item) {
  std::string out = "[";
  for (const auto& element : list) out += (out.size() > 1 ? "," : "") + item(element);
  return out + "]";
}

std::string named(const char* name, const std::string& json) {
  return ",\"" + std::string(name) + "\":" + json;
}

// An object with further members that are JSON already.
std::string with(std::string object_text, const std::string& members) {
  object_text.pop_back();
  std::string joined = object_text == "{" ? members.substr(members.empty() ? 0 : 1) : members;
  return object_text + joined + "}";
}

std::string id_object(const std::string& id) {
  return object([&](JsonFields& f) { f("id", id); });
}

std::string key_json(const sim::World::KeyView& key) {
  return object([&](JsonFields& f) {
    f("db", key.db);
    f("key", key.key);
    f("value", Bytes(key.value).substr(0, 64));
    f("ttl_ms", key.ttl_ms);
    f("number", key.lock_number);
  });
}

std::string node_json(sim::World& world, int node) {
  bool up = world.node_up(node);
  std::string text = object([&](JsonFields& f) {
    f("id", world.node_name(node));
    f("role", world.is_database(node) ? "database" : "primary");
    f("up", up);
    f("paused", up && world.node_paused(node));
    f("clock_ms", (world.node_wall(node) - world.wall()).ms());
  });
  constexpr size_t kKeysMax = 50;
  std::vector<sim::World::KeyView> keys;
  if (world.serves_keys(node)) keys = world.keys(node, kKeysMax);
  return with(text, named("keys", array(keys, key_json)));
}

std::string link_json(const sim::World::LinkView& link) {
  return object([&](JsonFields& f) {
    f("id", link.id), f("from", link.from), f("to", link.to), f("cut", link.is_cut);
  });
}

std::string message_json(const sim::World::MessageView& message) {
  return object([&](JsonFields& f) {
    f("id", message.id), f("link", message.link), f("from", message.from), f("to", message.to);
    f("kind", message.is_reply ? "reply" : "request"), f("label", message.label);
    f("due_us", message.due.us);
  });
}

std::string client_json(sim::Lesson& lesson, int client) {
  const sim::TranscriptLine* last = nullptr;
  const std::string& id = lesson.world().client_name(client);
  for (const sim::TranscriptLine& line : lesson.transcript()) {
    if (line.client == id) last = &line;
  }
  std::string token;
  bool holding = lesson.believes_any(client, token);
  return object([&](JsonFields& f) {
    f("id", id);
    f("name", lesson.scenario().clients[static_cast<size_t>(client)].name);
    f("up", lesson.world().client_up(client));
    f("paused", lesson.world().client_paused_until(client) > lesson.world().now());
    f("holding", holding);
    f("token", token);
    if (last) f("line", last->line);
    if (last && last->answered) f("text", last->text);
  });
}

void position_fields(JsonFields& f, sim::Lesson& lesson) {
  f("event", lesson.world().events());
  f("step", lesson.steps_done());
  f("time_us", lesson.world().now().us);
  f("next_us", lesson.world().next_time().us);
  f("ended", lesson.ended());
}

// The number of the step that is being told: the last that ended, or the next once it has asked
// something. A request of an earlier step that was lost stays unanswered and tells nothing.
int step_told(const sim::Lesson& lesson) {
  const int done = lesson.steps_done();
  const auto& steps = lesson.scenario().steps;
  if (done >= static_cast<int>(steps.size())) return done;
  for (const sim::TranscriptLine& line : lesson.transcript()) {
    if (line.step == steps[done].id && !line.answered) return done + 1;
  }
  return done;
}

}  // namespace

std::string error_json(const std::string& sentence) {
  return object([&](JsonFields& f) { f("error", sentence); });
}

std::string lesson_json(const sim::Scenario& s) {
  std::string text = object([&](JsonFields& f) {
    NumberText seed;
    f("id", s.id);
    f("version", s.version);
    f("seed", format_uint64(s.seed, seed));
  });
  auto pair = [](const std::pair<std::string, std::string>& p) {
    return object([&](JsonFields& f) { f("name", p.first), f("value", p.second); });
  };
  std::string members = named("params", array(s.params, pair));
  members += named("nodes", array(s.nodes, id_object));
  members += named("databases", array(s.databases, [](const auto& d) { return id_object(d.id); }));
  members += named("clients", array(s.clients, [](const auto& c) {
                     return object([&](JsonFields& f) { f("id", c.id), f("name", c.name); });
                   }));
  members += named("steps", array(s.steps, [](const auto& x) { return id_object(x.id); }));
  members += named("tries", array(s.tries, [](const auto& x) { return id_object(x.id); }));
  members += named("counters", array(s.counters, [](const auto& x) { return id_object(x.id); }));
  members += named("invariants", array(s.invariants, [](const auto& x) {
                     return object([&](JsonFields& f) { f("id", x.id), f("text", x.text); });
                   }));
  members += named("goals", array(s.goals, [](const auto& x) { return id_object(x.id); }));
  return with(text, members);
}

std::string position_json(sim::Lesson& lesson) {
  return object([&](JsonFields& f) { position_fields(f, lesson); });
}

std::string state_json(sim::Lesson& lesson) {
  std::string text = object([&](JsonFields& f) {
    position_fields(f, lesson);
    f("telling", step_told(lesson));
    f("flight", lesson.world().messages_in_flight());
  });
  std::vector<int> nodes, clients;
  for (int i = 0; i < lesson.world().nodes(); i++) nodes.push_back(i);
  for (int i = 0; i < lesson.world().clients(); i++) clients.push_back(i);
  std::string members =
      named("nodes", array(nodes, [&](int n) { return node_json(lesson.world(), n); }));
  members += named("clients", array(clients, [&](int c) { return client_json(lesson, c); }));
  members += named("links", array(lesson.world().link_views(), link_json));
  members += named("messages", array(lesson.world().in_flight(), message_json));
  const sim::Scenario& s = lesson.scenario();
  members += named(
      "counters", array(s.counters, [&](const auto& x) {
        return object([&](JsonFields& f) { f("id", x.id), f("value", lesson.counter(x.id)); });
      }));
  members += named("invariants", array(s.invariants, [&](const auto& x) {
                     bool holds = true;
                     for (const std::string& broken : lesson.broken_invariants())
                       holds = holds && broken != x.id;
                     return object([&](JsonFields& f) { f("id", x.id), f("holds", holds); });
                   }));
  members += named("goals", array(s.goals, [&](const auto& x) {
                     return object([&](JsonFields& f) {
                       f("id", x.id), f("reached", lesson.goal_reached(x.id));
                     });
                   }));
  return with(text, members);
}

std::string transcript_json(const sim::Lesson& lesson) {
  return array(lesson.transcript(), [&](const sim::TranscriptLine& line) {
    std::string text = object([&](JsonFields& f) {
      f("client", line.client);
      f("node", line.node);
      f("note", line.note);
      f("prompt", line.note ? std::string() : lesson.prompt_of(line));
      f("step", line.step);
      f("line", line.line);
      if (line.answered) f("text", line.text), f("resp", line.resp);
      f("time_us", (line.answered ? line.answered_at : line.sent_at).us);
      f("event", line.event);
      f("typed", line.typed);
      f("lost", line.lost);
    });
    return line.answered ? text : with(text, named("text", "null"));
  });
}

std::string reply_json(const sim::TranscriptLine& line) {
  return object([&](JsonFields& f) {
    f("text", line.text);
    f("resp", line.resp);
    f("event", line.event);
  });
}

std::string step_ends_json(const sim::Lesson& lesson) {
  return array(lesson.step_ends(), [](uint64_t event) {
    NumberText text;
    return std::string(format_uint64(event, text));
  });
}

std::string inputs_json(const std::vector<sim::LessonInput>& inputs) {
  return array(inputs, [](const sim::LessonInput& input) {
    const bool typed = input.action == "exec";
    return object([&](JsonFields& f) {
      f("at", input.at);
      f("do", input.action);
      f(typed ? "client" : "id", input.id);
      if (typed) f("node", input.node), f("line", input.line);
      if (input.ms) f("arg", *input.ms);
    });
  });
}

std::string words_json(const std::vector<std::string>& words) {
  return array(words, [](const std::string& word) {
    std::string field;
    JsonFields fields(field);
    fields("w", word);
    return field.substr(5);  // ,"w": goes
  });
}

}  // namespace hotkv::web
