#include "web/bindings.h"

#include <algorithm>
#include <memory>

#include "core/base/numbers.h"
#include "core/console/completion.h"
#include "core/node/server.h"
#include "web/session_json.h"
#include "web/view/trace_follower.h"

#if defined(__EMSCRIPTEN__)
#include <emscripten.h>
#define HOTKV_EXPORT EMSCRIPTEN_KEEPALIVE
#else
#define HOTKV_EXPORT
#endif

namespace {

using hotkv::Bytes;

// One module instance, one lesson: see bindings.h.
std::string result;
hotkv::sim::Scenario scenario;
std::unique_ptr<hotkv::sim::Lesson> lesson;
hotkv::view::TraceFollower follower;  // Of the lesson's run; it reads when it is asked.

int answer(std::string text) {
  result = std::move(text);
  return static_cast<int>(result.size());
}

Bytes view(const char* data, int size) { return {data, static_cast<size_t>(size)}; }

bool has_param(Bytes name) {
  for (const auto& param : scenario.params) {
    if (param.first == name) return true;
  }
  return false;
}

// Lines "name=value"; the sentence says which one is wrong.
std::string read_params(Bytes text, std::vector<std::pair<std::string, std::string>>& params) {
  while (!text.empty()) {
    size_t end = std::min(text.find('\n'), text.size());
    Bytes line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty()) continue;
    size_t equals = line.find('=');
    Bytes name = line.substr(0, equals);
    if (equals == Bytes::npos || !has_param(name)) {
      return "the lesson has no parameter '" + std::string(name) + "'";
    }
    Bytes value = line.substr(equals + 1);
    if (value.empty() || value.find_first_of(" \t\"'{}") != Bytes::npos) {
      return "parameter " + std::string(name) +
             " must be one word without blanks, quotes or braces";
    }
    params.emplace_back(name, value);
  }
  return {};
}

std::vector<std::string> key_names() {
  std::vector<std::string> names;
  constexpr size_t kKeysMax = 500;
  for (int n = 0; lesson && n < lesson->world().nodes(); n++) {
    if (!lesson->world().serves_keys(n)) continue;
    for (const auto& key : lesson->world().keys(n, kKeysMax)) names.push_back(key.key);
  }
  return names;
}

}  // namespace

extern "C" {

HOTKV_EXPORT const char* hotkv_result() { return result.data(); }

HOTKV_EXPORT int hotkv_lesson(const char* text, int size) {
  auto parsed = hotkv::sim::parse_scenario(view(text, size));
  if (!parsed.ok()) return answer(hotkv::web::error_json(parsed.status().message()));
  scenario = std::move(parsed.value());
  lesson.reset();
  follower = {};
  return answer(hotkv::web::lesson_json(scenario));
}

HOTKV_EXPORT int hotkv_open(const char* seed, int seed_size, const char* params, int params_size) {
  uint64_t number;
  if (!hotkv::parse_uint64(view(seed, seed_size), number)) {
    return answer("seed must be a whole number from 0 to 18446744073709551615");
  }
  std::vector<std::pair<std::string, std::string>> values;
  std::string wrong = read_params(view(params, params_size), values);
  if (!wrong.empty()) return answer(wrong);
  lesson = std::make_unique<hotkv::sim::Lesson>(scenario, number, values);
  follower = {};
  return answer({});
}

HOTKV_EXPORT int hotkv_advance() { return lesson && lesson->advance(); }

HOTKV_EXPORT int hotkv_position() {
  return answer(lesson ? hotkv::web::position_json(*lesson) : std::string());
}

HOTKV_EXPORT int hotkv_step_ends() {
  return answer(lesson ? hotkv::web::step_ends_json(*lesson) : "[]");
}

HOTKV_EXPORT uint32_t hotkv_exec(const char* client, int client_size, const char* node,
                                 int node_size, const char* line, int line_size) {
  if (!lesson) return 0;
  return static_cast<uint32_t>(lesson->exec(view(client, client_size), view(node, node_size),
                                            std::string(view(line, line_size))));
}

HOTKV_EXPORT int hotkv_reply(uint32_t number) {
  const hotkv::sim::TranscriptLine* line = lesson ? lesson->typed_line(number) : nullptr;
  return answer(line && line->answered ? hotkv::web::reply_json(*line) : std::string());
}

HOTKV_EXPORT int hotkv_act(const char* id, int id_size, const char* action, int action_size,
                           const char* ms, int ms_size) {
  int64_t n = 0;
  return lesson && hotkv::parse_int64(view(ms, ms_size), n) &&
         lesson->act(view(id, id_size), view(action, action_size), n);
}

HOTKV_EXPORT int hotkv_inputs(const char* text, int size) {
  return answer(hotkv::web::inputs_json(hotkv::sim::read_input_log(view(text, size)).inputs));
}

HOTKV_EXPORT int hotkv_attempt(const char* id, int size) {
  return lesson && lesson->attempt(view(id, size));
}

HOTKV_EXPORT int hotkv_state() {
  return answer(lesson ? hotkv::web::state_json(*lesson) : std::string());
}

HOTKV_EXPORT int hotkv_transcript() {
  return answer(lesson ? hotkv::web::transcript_json(*lesson) : "[]");
}

HOTKV_EXPORT int hotkv_trace_from(int from) {
  if (!lesson) return answer({});
  const std::string& text = lesson->world().trace_text();
  return answer(text.substr(std::min(static_cast<size_t>(std::max(from, 0)), text.size())));
}

HOTKV_EXPORT int hotkv_facts(const char* id, int id_size, const char* at, int at_size) {
  int64_t us = 0;
  if (!lesson || !hotkv::parse_int64(view(at, at_size), us)) return answer({});
  follower.follow(lesson->world().trace_text());
  hotkv::Time time = std::max(lesson->world().now(), hotkv::Time{us});
  return answer(facts_json(follower.facts(std::string(view(id, id_size)), time)));
}

HOTKV_EXPORT int hotkv_hash() { return answer(lesson ? lesson->hash() : std::string()); }

HOTKV_EXPORT int hotkv_complete(const char* line, int size) {
  return answer(hotkv::web::words_json(
      hotkv::complete(view(line, size), hotkv::all_commands(), key_names())));
}

HOTKV_EXPORT int hotkv_completion_start(const char* line, int size) {
  return static_cast<int>(hotkv::completion_start(view(line, size)));
}

HOTKV_EXPORT int hotkv_hint(const char* line, int size) {
  return answer(hotkv::hint(view(line, size), hotkv::all_commands()));
}

HOTKV_EXPORT int hotkv_help(const char* name, int size) {
  return answer(hotkv::help_text(view(name, size), hotkv::all_commands()));
}

HOTKV_EXPORT int hotkv_version() { return answer(std::string(hotkv::kHotkvVersion)); }
}
