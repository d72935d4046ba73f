// What a lesson concludes from what it sees: beliefs of clients, counters, goals, invariants.
#include <algorithm>

#include "core/base/numbers.h"
#include "core/sim/events.h"
#include "core/sim/lesson.h"

namespace hotkv::sim {

namespace {

int64_t option_ms(const std::vector<std::string>& words) {
  for (size_t i = 3; i + 1 < words.size(); i++) {
    int64_t n;
    bool px = equal_ignoring_case(words[i], "PX"), ex = equal_ignoring_case(words[i], "EX");
    if ((px || ex) && parse_int64(words[i + 1], n)) return ex ? n * 1000 : n;
  }
  return -1;
}

bool has_word(const std::vector<std::string>& words, Bytes word) {
  return std::any_of(words.begin(), words.end(),
                     [&](const std::string& w) { return equal_ignoring_case(w, word); });
}

}  // namespace

void Lesson::hold(int client, const Belief& belief) {
  std::vector<Belief>& held = beliefs_[static_cast<size_t>(client)];
  held.erase(std::remove_if(held.begin(), held.end(),
                            [&](const Belief& b) { return b.key == belief.key; }),
             held.end());
  held.push_back(belief);
  world_.trace().emit(
      trace::LockBelieved{world_.client_name(client), belief.key, belief.token, belief.until.us});
}

void Lesson::give_up(int client, const std::string& key) {
  std::vector<Belief>& held = beliefs_[static_cast<size_t>(client)];
  auto gone =
      std::remove_if(held.begin(), held.end(), [&](const Belief& b) { return b.key == key; });
  if (gone == held.end()) return;
  held.erase(gone, held.end());
  world_.trace().emit(trace::LockGivenUp{world_.client_name(client), key});
}

// What a careful client thinks it holds: from the reply on, until its own count from the sending.
void Lesson::believe(const Answer& answer, const std::vector<std::string>& words) {
  if (words.size() < 2) return;
  std::string name = lower_case(words[0]);
  const std::string& key = words[1];
  bool integer = answer.reply.type == Reply::Type::kInteger;
  bool set = name == "set" && answer.reply.text == "OK" &&
             (has_word(words, "NX") || has_word(words, "IFEQ"));
  if ((set || (name == "lock" && integer)) && words.size() > 2) {
    int64_t ms = option_ms(words);
    hold(answer.client,
         {key, words[2], ms < 0 ? Time::never() : answer.sent_at + milliseconds(ms)});
  } else if (name == "delex" || name == "unlock" || name == "del" || name == "unlink") {
    give_up(answer.client, key);  // Released, or told that it is gone.
    if (integer && answer.reply.integer > 0) released_[static_cast<size_t>(answer.client)] = true;
  } else if (name == "pexpire" && integer && answer.reply.integer == 1 && words.size() > 2) {
    int64_t ms = 0;
    for (const Belief& b : std::vector<Belief>(beliefs_[static_cast<size_t>(answer.client)])) {
      if (b.key != key || !parse_int64(words[2], ms)) continue;
      hold(answer.client, {b.key, b.token, answer.sent_at + milliseconds(ms)});
    }
  }
}

bool Lesson::believes(int client, Bytes key) const {
  if (!world_.client_up(client)) return false;
  for (const Belief& b : beliefs_[static_cast<size_t>(client)]) {
    if (b.key == key && b.until > world_.now()) return true;
  }
  return false;
}

bool Lesson::believes_any(int client, std::string& token) const {
  for (const Belief& b : beliefs_[static_cast<size_t>(client)]) {
    if (!believes(client, b.key)) continue;
    token = b.token;
    return true;
  }
  return false;
}

namespace {

bool fits(const Scenario::Counter& counter, const std::vector<std::string>& words) {
  for (const auto& pattern : counter.patterns) {
    bool all = equal_ignoring_case(pattern[0], words[0]);
    for (size_t i = 1; i < pattern.size(); i++) all = all && has_word(words, pattern[i]);
    if (all) return true;
  }
  return false;
}

}  // namespace

void Lesson::count_sent(const std::string& client, const std::string& step,
                        const std::vector<std::string>& words) {
  for (const auto& counter : scenario_.counters) {
    if (!counter.client.empty() && counter.client != client) continue;
    if (!counter.step.empty() && counter.step != step) continue;
    if (counter_closed_[counter.id] || !fits(counter, words)) continue;
    world_.trace().emit(trace::CounterChanged{counter.id, ++counts_[counter.id]});
  }
}

void Lesson::count_answer(const Answer& answer, const std::vector<std::string>& words,
                          const std::string& text) {
  const std::string& client = world_.client_name(answer.client);
  for (const auto& counter : scenario_.counters) {
    if (counter.until_first_ok && fits(counter, words) && text == "OK" &&
        (counter.client.empty() || counter.client == client)) {
      counter_closed_[counter.id] = true;
    }
  }
  for (const auto& goal : scenario_.goals) {
    if (goal.client != client || !equal_ignoring_case(goal.command, words[0]) ||
        goal.reply != text) {
      continue;
    }
    int other = world_.find_client(goal.not_released);
    if (other < 0 || !released_[static_cast<size_t>(other)]) reach(goal);
  }
}

void Lesson::reach(const Scenario::Goal& goal) {
  if (goal_reached(goal.id)) return;
  goals_.push_back(goal.id);
  world_.trace().emit(trace::GoalReached{goal.id});
}

bool Lesson::goal_reached(Bytes id) const {
  return std::any_of(goals_.begin(), goals_.end(), [&](const std::string& g) { return g == id; });
}

int64_t Lesson::counter(Bytes id) const {
  auto found = counts_.find(std::string(id));
  return found == counts_.end() ? 0 : found->second;
}

bool Lesson::watches(Bytes id) const {
  for (const auto& invariant : scenario_.invariants) {
    if (invariant.id == id) return invariant.from.empty() || begun_steps_.count(invariant.from) > 0;
  }
  return false;
}

void Lesson::break_invariant(Bytes id, const std::string& detail) {
  if (std::find(broken_.begin(), broken_.end(), id) != broken_.end()) return;
  broken_.emplace_back(id);
  world_.trace().emit(trace::InvariantBroken{id, detail});
  for (const auto& goal : scenario_.goals) {
    if (goal.invariant == id) reach(goal);
  }
}

void Lesson::check_mutex() {
  for (int a = 0; a < world_.clients(); a++) {
    for (const Belief& belief : beliefs_[static_cast<size_t>(a)]) {
      if (!believes(a, belief.key)) continue;
      for (int b = a + 1; b < world_.clients(); b++) {
        if (believes(b, belief.key)) {
          break_invariant("mutex", world_.client_name(a) + " and " + world_.client_name(b) +
                                       " hold " + belief.key);
        }
      }
    }
  }
}

void Lesson::check_invariants() {
  if (watches("mutex")) check_mutex();
  for (const Death& death : deaths_) {
    if (world_.now() <= death.free_by || !watches("freed")) continue;
    for (int n = 0; n < world_.nodes(); n++) {
      if (world_.serves_keys(n) && world_.holds(n, death.key, death.token)) {
        break_invariant("freed", death.key + " still holds " + death.token);
      }
    }
  }
  const int place = world_.find_database();
  if (place < 0) return;
  const Database& database = *world_.database(place);
  if (watches("one-query") && database.most_readers() > 1) {
    break_invariant("one-query", "more than one query for the same row");
  }
  if (watches("fenced") && database.accepted_older()) {
    break_invariant("fenced", "the storage took a write without a number or with an older one");
  }
}

}  // namespace hotkv::sim
