// Recipes within a lesson: what they may do to the world, and what becomes of their answers.
#include <algorithm>

#include "core/sim/events.h"
#include "core/sim/lesson.h"

namespace hotkv::sim {

namespace {

// A command as somebody would type it.
std::string typed(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) {
    const bool plain = !word.empty() && word.find_first_of(" \"'\\\t\r\n") == std::string::npos;
    if (!line.empty()) line += ' ';
    plain ? line += word : (append_quoted(line, word), line);
  }
  return line;
}

}  // namespace

class Lesson::Host : public RecipeHost {
 public:
  Host(Lesson& lesson, size_t program) : lesson_(lesson), program_(program) {}

  uint64_t send(int node, const std::vector<std::string>& words) override {
    Program& own = lesson_.programs_[program_];
    if (node < 0) return 0;
    Open open{0, static_cast<int>(own.item), static_cast<int>(program_)};
    return lesson_.say(own.client, node, typed(words), lesson_.script_[own.item].step, open);
  }
  uint64_t sleep(Duration length) override {
    uint64_t timer = lesson_.world_.schedule(length);
    lesson_.program_timers_[timer] = program_;
    return timer;
  }
  Time now() const override { return lesson_.world_.now(); }
  int64_t draw(int64_t low, int64_t high) override {
    return lesson_.programs_[program_].random.between(low, high);
  }
  std::vector<int> key_nodes() const override {
    std::vector<int> nodes;
    for (int i = 0; i < lesson_.world_.nodes(); i++) {
      if (!lesson_.world_.is_database(i)) nodes.push_back(i);
    }
    return nodes;
  }
  int database() const override { return lesson_.world_.find_database(); }
  void believe(const std::string& key, const std::string& token, Time until) override {
    lesson_.hold(lesson_.programs_[program_].client, {key, token, until});
  }
  void give_up(const std::string& key) override {
    lesson_.give_up(lesson_.programs_[program_].client, key);
  }

 private:
  Lesson& lesson_;
  size_t program_;
};

void Lesson::begin_recipes(const Item& item) {
  std::vector<size_t> begun;
  parts_left_ = 0;
  for (int client : targets(item.action)) {
    std::vector<std::string> words;
    RecipeArguments arguments;
    split_quoted(substitute(item.action.line, client), words);
    for (size_t i = 1; i < words.size(); i++) {
      size_t equals = words[i].find('=');
      arguments[words[i].substr(0, equals)] =
          equals == std::string::npos ? "" : words[i].substr(equals + 1);
    }
    Result<std::unique_ptr<Recipe>> made = make_recipe(words[0], arguments);
    if (!made.ok()) {
      failures_.push_back("step " + item.step + ": " + made.status().message());
      continue;
    }
    if (!world_.client_up(client)) continue;
    const uint64_t stream = 500000 + programs_.size();
    programs_.push_back(
        {std::move(made.value()), client, next_item_, words[0], Random(world_.seed(), stream)});
    begun.push_back(programs_.size() - 1);
    parts_left_++;
  }
  if (begun.empty()) return end_item();
  for (size_t program : begun) {
    Host host(*this, program);
    programs_[program].recipe->begin(host);
    after_program(program);
  }
}

void Lesson::answer_program(size_t program, uint64_t request, const Reply* reply) {
  if (programs_[program].recipe->done()) return;  // Too late: it has decided already.
  Host host(*this, program);
  programs_[program].recipe->answer(host, request, reply);
  after_program(program);
}

void Lesson::wake_program(size_t program, uint64_t timer) {
  Program& own = programs_[program];
  if (own.recipe->done()) return;
  Time until = world_.client_paused_until(own.client);
  Host host(*this, program);
  if (until > world_.now()) {
    // Its process stands still; it notices afterwards that its time was up. The recipe knows the
    // timer by its number, so the new one is told under the old one's name.
    late_timers_[host.sleep(until - world_.now())] = timer;
    return;
  }
  auto late = late_timers_.find(timer);
  own.recipe->wake(host, late == late_timers_.end() ? timer : late->second);
  after_program(program);
}

void Lesson::after_program(size_t program) {
  const Program& own = programs_[program];
  if (!own.recipe->done()) return;
  const Item& item = script_[own.item];
  const std::string& client = world_.client_name(own.client);
  const std::string& outcome = own.recipe->outcome();
  world_.trace().emit(trace::RecipeDone{client, own.name, outcome});
  TranscriptLine note;
  note.client = client;
  note.step = item.step;
  note.text = outcome;
  note.note = note.answered = true;
  note.event = world_.events();
  note.sent_at = note.answered_at = world_.now();
  transcript_.push_back(std::move(note));
  judge(item, own.client, outcome);
  part_done();
}

}  // namespace hotkv::sim
