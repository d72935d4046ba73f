// Lesson: a scenario being run in a world: the script, what clients believe, counters, checks.
//
// A lesson is a pure function of (scenario, seed, parameters, inputs), so "back" is running again.
// Inputs (exec, attempt) are anchored by the event after which they are given: the caller gives
// them at the same event again.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "core/sim/recipe.h"
#include "core/sim/scenario.h"

namespace hotkv::sim {

// One line of the transcript: what a client said to a node and, once it has come, what it heard; or
// a note: what a client's recipe came to, in `text`.
struct TranscriptLine {
  std::string client, node, step, line, text, resp;
  bool note = false;
  bool answered = false;
  bool lost = false;   // The link broke before the reply.
  bool typed = false;  // Not of the script.
  uint64_t event = 0;  // Of the reply; until then of the command.
  Time sent_at, answered_at;
};

class Lesson {
 public:
  // REQUIRES: params name parameters of the scenario; others keep their default.
  Lesson(const Scenario& scenario, uint64_t seed,
         const std::vector<std::pair<std::string, std::string>>& params);

  bool advance();  // One event; false at the end.
  bool ended() const;
  // A client says a line now; the number finds its transcript line. 0: no such client or node.
  uint64_t exec(Bytes client, Bytes node, const std::string& line);
  const TranscriptLine* typed_line(uint64_t number) const;
  // Does something to an actor, a link or a message in flight, at once: kill, restart, pause (ms),
  // clock (ms), cut, heal; drop, delay (ms), dup, deliver. False: not possible, nothing done.
  bool act(Bytes id, Bytes action, int64_t ms);
  // Replaces the script by a what-if. False: the scenario has no such id, or the run has begun.
  bool attempt(Bytes id);

  World& world() { return world_; }
  const Scenario& scenario() const { return scenario_; }
  int steps_done() const { return static_cast<int>(step_ends_.size()); }
  const std::vector<uint64_t>& step_ends() const { return step_ends_; }  // Event numbers.
  const std::vector<TranscriptLine>& transcript() const { return transcript_; }
  // What `expect` lines did not find, as sentences; for tests.
  const std::vector<std::string>& failures() const { return failures_; }
  const std::vector<std::string>& broken_invariants() const { return broken_; }
  bool goal_reached(Bytes id) const;
  int64_t counter(Bytes id) const;
  bool believes(int client, Bytes key) const;
  bool believes_any(int client, std::string& token) const;
  std::string param(Bytes name) const;
  std::string hash() const;  // 16 hexadecimal digits
  // "# title", "hotkv> command", reply: as it stands on the site.
  std::string transcript_text() const;
  std::string prompt_of(const TranscriptLine& line) const;  // "hotkv> "

 private:
  struct Item {
    Scenario::Action action;
    std::string step, expect;
    bool begins = false, ends = false;  // Its step.
  };
  struct Belief {
    std::string key, token;
    Time until;
  };
  struct Death {
    std::string key, token;
    Time free_by;
  };
  struct Open {        // A request whose answer is awaited.
    size_t line;       // Index in the transcript.
    int item;          // Of the script; -1 = typed.
    int program = -1;  // Whose recipe asked; -1 = none.
  };
  // A recipe that a client runs.
  struct Program {
    std::unique_ptr<Recipe> recipe;
    int client;
    size_t item;
    std::string name;
    Random random;
  };
  class Host;

  bool typed_is_open() const;
  void go_on();
  void carry_on();
  void plan_next();
  void begin_item();
  void end_item();
  void part_done();
  std::vector<int> targets(const Scenario::Action& action) const;
  Time asleep_until(const Scenario::Action& action) const;
  void begin_command(const Item& item);
  void begin_recipes(const Item& item);
  uint64_t say(int client, int node, const std::string& line, const std::string& step, Open open);
  void answer_program(size_t program, uint64_t request, const Reply* reply);
  void wake_program(size_t program, uint64_t timer);
  void after_program(size_t program);
  void take_answer(const Answer& answer);
  void take_loss(uint64_t request);
  void believe(const Answer& answer, const std::vector<std::string>& words);
  void count_sent(const std::string& client, const std::string& step,
                  const std::vector<std::string>& words);
  void count_answer(const Answer& answer, const std::vector<std::string>& words,
                    const std::string& text);
  void kill(const std::string& name);
  bool act_on_actor(Bytes id, Bytes action, Duration length);
  bool act_on_message(Bytes id, Bytes action, Duration length);
  void check_invariants();
  void check_mutex();
  bool watches(Bytes invariant) const;
  void break_invariant(Bytes id, const std::string& detail);
  void reach(const Scenario::Goal& goal);
  void hold(int client, const Belief& belief);
  void give_up(int client, const std::string& key);
  std::string spread_out(Bytes name, Bytes percent_name, int client) const;
  std::string value_of(Bytes inside, int client) const;
  std::string substitute(Bytes text, int client) const;
  void judge(const Item& item, int client, const std::string& text);
  int64_t milliseconds_of(Bytes text) const;

  Scenario scenario_;
  World world_;
  std::vector<std::pair<std::string, std::string>> params_;
  std::vector<Item> script_;
  size_t next_item_ = 0;
  bool item_running_ = false;
  int parts_left_ = 0;  // What the running item waits for.
  std::set<std::string> begun_steps_;
  std::vector<Program> programs_;
  std::map<uint64_t, size_t> program_timers_;
  std::map<uint64_t, uint64_t> late_timers_;  // That stand for one that came during a pause.
  bool held_ = false;                         // The next item is due, but a typed line comes first.
  uint64_t begin_timer_ = 0;
  uint64_t wait_timer_ = 0;
  std::map<uint64_t, Open> open_;  // By request.
  struct Typed {
    int client, node;
    std::string line;
  };
  std::map<uint64_t, Typed> typed_waiting_;  // By timer.
  std::map<uint64_t, size_t> typed_lines_;   // Input number -> transcript line.
  std::vector<TranscriptLine> transcript_;
  std::vector<uint64_t> step_ends_;
  std::vector<std::string> failures_, broken_, goals_;
  std::vector<std::vector<Belief>> beliefs_;  // By client.
  std::vector<bool> released_;                // By client: a release has succeeded.
  std::vector<Death> deaths_;
  std::map<std::string, int64_t> counts_;
  std::map<std::string, bool> counter_closed_;
};

// Whether `text` is what an `expect` asks for: equal, or "(integer) low..high" around it.
bool matches_expectation(Bytes expect, Bytes text);

}  // namespace hotkv::sim
