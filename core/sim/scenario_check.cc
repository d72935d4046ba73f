// What no line of a scenario can tell by itself: ids that name nothing.
#include <algorithm>

#include "core/sim/scenario.h"

namespace hotkv::sim {

namespace {

using Action = Scenario::Action;

class Checker {
 public:
  explicit Checker(const Scenario& s) : s_(s) {}

  Status check() {
    if (s_.id.empty()) fail("the file has no line 'lesson'");
    if (s_.nodes.empty() || s_.clients.empty()) fail("the world needs a node and a client");
    for (const auto& link : s_.links) {
      if (!is_client(link.client) || !is_node(link.node)) {
        fail("link " + link.client + "-" + link.node + " joins nobody");
      }
    }
    for (const auto& step : s_.steps) check_actions("step " + step.id, step.actions);
    for (const auto& attempt : s_.tries) {
      check_step("try " + attempt.id, attempt.after);
      check_actions("try " + attempt.id, attempt.actions);
    }
    for (const auto& i : s_.invariants) check_step("invariant " + i.id, i.from);
    for (const auto& goal : s_.goals) check_goal(goal);
    return status_;
  }

 private:
  void fail(const std::string& text) {
    if (status_.ok()) status_ = Status::error(text);
  }
  bool is_client(Bytes pattern) const {
    return std::any_of(s_.clients.begin(), s_.clients.end(),
                       [&](const Scenario::Client& c) { return glob_match(pattern, c.id); });
  }
  bool is_node(const std::string& id) const {
    return std::find(s_.nodes.begin(), s_.nodes.end(), id) != s_.nodes.end() ||
           std::any_of(s_.databases.begin(), s_.databases.end(),
                       [&](const Scenario::Database& d) { return d.id == id; });
  }
  void check_step(const std::string& where, const std::string& step) {
    bool known = std::any_of(s_.steps.begin(), s_.steps.end(),
                             [&](const Scenario::Step& own) { return own.id == step; });
    if (!step.empty() && !known) fail(where + ": no step '" + step + "'");
  }
  void check_goal(const Scenario::Goal& goal) {
    const bool known =
        std::any_of(s_.invariants.begin(), s_.invariants.end(),
                    [&](const Scenario::Invariant& own) { return own.id == goal.invariant; });
    if (!goal.invariant.empty() && !known) {
      fail("goal " + goal.id + ": no invariant '" + goal.invariant + "'");
    }
  }
  void check_actions(const std::string& where, const std::vector<Action>& actions) {
    for (const Action& action : actions) {
      bool speaks = action.kind == Action::Kind::kCommand || action.kind == Action::Kind::kRun;
      bool known = action.kind == Action::Kind::kWait || is_client(action.target) ||
                   (!speaks && is_node(action.target));
      if (!known && speaks) fail(where + ": no such client '" + action.target + "'");
      if (!known) fail(where + ": nobody is called '" + action.target + "'");
      if (!action.second.empty() && !is_node(action.second)) {
        fail(where + ": no such node '" + action.second + "'");
      }
      if (action.kind == Action::Kind::kRun) check_recipe(where, action.line);
    }
  }
  void check_recipe(const std::string& where, const std::string& line) {
    std::vector<std::string> words;
    split_quoted(line, words);
    for (size_t i = 1; i < words.size(); i++) {
      size_t equals = words[i].find('=');
      if (equals == std::string::npos) return fail(where + ": '" + words[i] + "' has no '='");
    }
  }

  const Scenario& s_;
  Status status_;
};

}  // namespace

Status check_scenario(const Scenario& scenario) { return Checker(scenario).check(); }

}  // namespace hotkv::sim
