#include "core/sim/lesson.h"

#include <algorithm>

#include "core/base/numbers.h"
#include "core/console/reply_format.h"
#include "core/sim/events.h"

namespace hotkv::sim {

namespace {

// Clients think this long between steps; it keeps steps apart without hiding time.
constexpr Duration kThink = milliseconds(1);
constexpr size_t kShownBytes = 160;

std::string reply_text(const Reply& reply) {
  std::string text = format_reply(reply, ReplyStyle::kTerminal);
  if (!text.empty()) text.pop_back();
  return text;
}

// A line as it is shown: a megabyte of token is cut, and says so.
std::string shown(const std::string& line) {
  if (line.size() <= kShownBytes) return line;
  NumberText text;
  return line.substr(0, 64) + "... (" + std::string(format_uint64(line.size(), text)) + " bytes)";
}

}  // namespace

Lesson::Lesson(const Scenario& scenario, uint64_t seed,
               const std::vector<std::pair<std::string, std::string>>& params)
    : scenario_(scenario), world_(seed), params_(scenario.params) {
  for (const auto& [name, value] : params) {
    for (auto& own : params_) {
      if (own.first == name) own.second = value;
    }
  }
  world_.keep_trace(true);
  for (const std::string& node : scenario_.nodes) world_.add_node(node);
  for (const auto& d : scenario_.databases) world_.add_database(d.id, d.latency, d.workers);
  for (const auto& client : scenario_.clients) world_.add_client(client.id, client.name);
  for (const auto& link : scenario_.links) {
    for (int client = 0; client < world_.clients(); client++) {
      if (!glob_match(link.client, world_.client_name(client))) continue;
      world_.set_latency(client, world_.find_node(link.node), link.latency);
    }
  }
  for (int i = 0; i < world_.nodes(); i++) {
    if (!world_.is_database(i)) world_.start_node(i);
  }
  beliefs_.resize(scenario_.clients.size());
  released_.resize(scenario_.clients.size());
  for (const auto& step : scenario_.steps) {
    for (size_t i = 0; i < step.actions.size(); i++) {
      bool last = i + 1 == step.actions.size();
      script_.push_back({step.actions[i], step.id, last ? step.expect : "", i == 0, last});
    }
  }
  plan_next();
}

// ---- the script ----

bool Lesson::attempt(Bytes id) {
  if (world_.events() > 0) return false;
  for (const auto& attempt : scenario_.tries) {
    if (attempt.id != id) continue;
    size_t kept = 0;
    for (size_t i = 0; i < script_.size() && !attempt.after.empty(); i++) {
      if (script_[i].step == attempt.after) kept = i + 1;
    }
    script_.resize(kept);
    for (const auto& action : attempt.actions) script_.push_back({action, "", ""});
    if (begin_timer_ == 0) plan_next();  // A scenario without steps had nothing to begin.
    return true;
  }
  return false;
}

void Lesson::plan_next() {
  if (next_item_ < script_.size()) begin_timer_ = world_.schedule(kThink);
}

bool Lesson::ended() const {
  return next_item_ >= script_.size() && !item_running_ && open_.empty() && typed_waiting_.empty();
}

std::vector<int> Lesson::targets(const Scenario::Action& action) const {
  std::vector<int> found;
  for (int client = 0; client < world_.clients(); client++) {
    if (glob_match(action.target, world_.client_name(client))) found.push_back(client);
  }
  return found;
}

// Until when somebody who has to act stands still.
Time Lesson::asleep_until(const Scenario::Action& action) const {
  Time until;
  using Kind = Scenario::Action::Kind;
  if (action.kind != Kind::kCommand && action.kind != Kind::kRun) return until;
  for (int client : targets(action)) {
    if (world_.client_paused_until(client) > until) until = world_.client_paused_until(client);
  }
  return until;
}

void Lesson::begin_item() {
  const Item& item = script_[next_item_];
  const Scenario::Action& action = item.action;
  if (Time until = asleep_until(action); until > world_.now()) {
    begin_timer_ = world_.schedule(until - world_.now());
    return;
  }
  const int client = world_.find_client(action.target), node = world_.find_node(action.target);
  const Duration length = milliseconds(milliseconds_of(action.ms));
  item_running_ = true;
  if (item.begins) {
    begun_steps_.insert(item.step);
    world_.trace().emit(trace::StepBegun{item.step});
  }
  using Kind = Scenario::Action::Kind;
  switch (action.kind) {
    case Kind::kCommand: return begin_command(item);
    case Kind::kRun: return begin_recipes(item);
    case Kind::kWait: wait_timer_ = world_.schedule(length.us > 0 ? length : Duration{}); return;
    case Kind::kKill: kill(action.target); break;
    case Kind::kRestart:
      node >= 0 ? world_.restart_node(node) : world_.restart_client(client);
      break;
    case Kind::kPause:
      node >= 0 ? world_.pause_node(node, length) : world_.pause_client(client, length);
      break;
    case Kind::kClock:
      if (node >= 0) world_.step_clock(node, length);
      break;
    case Kind::kCut: world_.cut(client, world_.find_node(action.second)); break;
    case Kind::kHeal: world_.heal(client, world_.find_node(action.second)); break;
  }
  end_item();
}

void Lesson::begin_command(const Item& item) {
  const std::string& node = item.action.second;
  const int place = node.empty() ? 0 : world_.find_node(node);
  parts_left_ = 0;
  for (int client : targets(item.action)) {
    const std::string line = substitute(item.action.line, client);
    if (say(client, place, line, item.step, {0, static_cast<int>(next_item_)})) parts_left_++;
  }
  if (parts_left_ == 0) end_item();
}

void Lesson::part_done() {
  if (--parts_left_ == 0) end_item();
}

void Lesson::end_item() {
  const Item& item = script_[next_item_];
  if (item.ends) {
    world_.trace().emit(trace::StepEnded{item.step});
    step_ends_.push_back(world_.events());
  }
  item_running_ = false;
  next_item_++;
  plan_next();
}

void Lesson::kill(const std::string& name) {
  int client = world_.find_client(name);
  if (client < 0) {
    world_.kill_node(world_.find_node(name));
    return;
  }
  int64_t ttl_ms = milliseconds_of("{ttl}");
  for (const Belief& b : beliefs_[static_cast<size_t>(client)]) {
    deaths_.push_back({b.key, b.token, world_.now() + milliseconds(ttl_ms)});
  }
  world_.kill_client(client);
}

// ---- what visitors do ----

bool Lesson::act_on_actor(Bytes id, Bytes action, Duration length) {
  const int client = world_.find_client(id), node = world_.find_node(id);
  if (client < 0 && node < 0) return false;
  const bool up = node >= 0 ? world_.node_up(node) : world_.client_up(client);
  if (action == "kill" && up) {
    kill(std::string(id));
  } else if (action == "restart" && !up) {
    node >= 0 ? world_.restart_node(node) : world_.restart_client(client);
  } else if (action == "pause" && up && length.us > 0) {
    node >= 0 ? world_.pause_node(node, length) : world_.pause_client(client, length);
  } else if (action == "clock" && node >= 0 && length.us != 0) {
    world_.step_clock(node, length);
  } else {
    return false;
  }
  return true;
}

bool Lesson::act_on_message(Bytes id, Bytes action, Duration length) {
  if (action == "drop") return world_.drop_message(id);
  if (action == "delay") return world_.delay_message(id, length);
  if (action == "dup") return world_.duplicate_message(id);
  return action == "deliver" && world_.deliver_message(id);
}

bool Lesson::act(Bytes id, Bytes action, int64_t ms) {
  constexpr int64_t kMsMax = int64_t{1000} * 60 * 60 * 24 * 365;
  if (ms > kMsMax || ms < -kMsMax) return false;
  const size_t dash = id.find('-');
  bool done;
  if (id.find('#') != Bytes::npos) {
    done = act_on_message(id, action, milliseconds(ms));
  } else if (dash != Bytes::npos) {
    const int client = world_.find_client(id.substr(0, dash));
    const int node = world_.find_node(id.substr(dash + 1));
    if (client < 0 || node < 0 || (action != "cut" && action != "heal")) return false;
    done = action == "cut" ? world_.cut(client, node) : world_.heal(client, node);
  } else {
    done = act_on_actor(id, action, milliseconds(ms));
  }
  // Requests that broke off with a link will not be answered.
  for (uint64_t request : world_.take_lost()) take_loss(request);
  return done;
}

// ---- saying and hearing ----

// Number of the request; 0: it could not be sent.
uint64_t Lesson::say(int client, int node, const std::string& line, const std::string& step,
                     Open open) {
  uint64_t request = world_.send(client, node, line);
  if (request == 0) return 0;
  TranscriptLine entry;
  entry.client = world_.client_name(client);
  entry.node = world_.node_name(node);
  entry.step = step;
  entry.line = shown(line);
  entry.typed = open.item < 0;
  entry.event = world_.events();
  entry.sent_at = world_.now();
  open.line = transcript_.size();
  open_[request] = open;
  transcript_.push_back(std::move(entry));
  std::vector<std::string> words;
  if (split_quoted(line, words)) count_sent(world_.client_name(client), step, words);
  return request;
}

uint64_t Lesson::exec(Bytes client, Bytes node, const std::string& line) {
  Typed typed{world_.find_client(client), world_.find_node(node), line};
  std::vector<std::string> words;
  if (typed.client < 0 || typed.node < 0 || !split_quoted(line, words) || words.empty()) return 0;
  uint64_t timer = world_.schedule({});
  typed_waiting_[timer] = std::move(typed);
  return timer;
}

const TranscriptLine* Lesson::typed_line(uint64_t number) const {
  auto found = typed_lines_.find(number);
  return found == typed_lines_.end() ? nullptr : &transcript_[found->second];
}

// Whether a line that somebody typed still waits for its reply. The script begins nothing new
// meanwhile: what a visitor types is answered before the story goes on.
bool Lesson::typed_is_open() const {
  return !typed_waiting_.empty() || std::any_of(open_.begin(), open_.end(), [](const auto& open) {
    return open.second.item < 0;
  });
}

void Lesson::go_on() {
  if (!held_ || typed_is_open()) return;
  held_ = false;
  plan_next();
}

bool Lesson::advance() {
  if (ended()) return false;
  if (!world_.advance()) {
    // The typed line is never answered (a cut link): the script goes on without it.
    if (!held_) return false;
    held_ = false;
    plan_next();
    return world_.advance() && (carry_on(), true);
  }
  carry_on();
  return true;
}

// What the event that has just happened means for the lesson.
void Lesson::carry_on() {
  for (uint64_t timer : world_.fired()) {
    auto typed = typed_waiting_.find(timer);
    if (typed != typed_waiting_.end()) {
      typed_lines_[timer] = transcript_.size();
      Typed t = typed->second;
      typed_waiting_.erase(typed);
      if (!say(t.client, t.node, t.line, "", {0, -1})) typed_lines_.erase(timer);
    } else if (auto program = program_timers_.find(timer); program != program_timers_.end()) {
      size_t number = program->second;
      program_timers_.erase(program);
      wake_program(number, timer);
    } else if (timer == begin_timer_ && !item_running_) {
      held_ = typed_is_open();
      if (!held_) begin_item();
    } else if (timer == wait_timer_ && item_running_) {
      end_item();
    }
  }
  for (const Answer& answer : world_.answers()) take_answer(answer);
  for (uint64_t request : world_.lost_requests()) take_loss(request);
  go_on();
  check_invariants();
}

void Lesson::take_loss(uint64_t number) {
  auto found = open_.find(number);
  if (found == open_.end()) return;
  const Open open = found->second;
  transcript_[open.line].lost = true;
  open_.erase(found);
  if (open.program >= 0) return answer_program(static_cast<size_t>(open.program), number, nullptr);
  if (open.item == static_cast<int>(next_item_) && item_running_) part_done();
}

void Lesson::take_answer(const Answer& answer) {
  auto found = open_.find(answer.request);
  if (found == open_.end()) return;
  const Open open = found->second;
  open_.erase(found);
  TranscriptLine& line = transcript_[open.line];
  line.text = reply_text(answer.reply);
  line.resp = answer.resp;
  line.answered = true;
  line.event = world_.events();
  line.answered_at = world_.now();
  std::vector<std::string> words;
  if (split_quoted(answer.line, words)) {
    if (open.program < 0) believe(answer, words);
    count_answer(answer, words, line.text);
  }
  if (open.program >= 0) {
    return answer_program(static_cast<size_t>(open.program), answer.request, &answer.reply);
  }
  if (open.item != static_cast<int>(next_item_)) return;
  judge(script_[next_item_], answer.client, line.text);
  part_done();
}

void Lesson::judge(const Item& item, int client, const std::string& text) {
  if (item.expect.empty()) return;
  const std::string expect = substitute(item.expect, client);
  if (matches_expectation(expect, text)) return;
  failures_.push_back("step " + item.step + ": expected " + expect + ", got " + text);
}

}  // namespace hotkv::sim
