#include "core/sim/scenario.h"

#include <algorithm>

#include "core/base/numbers.h"

namespace hotkv::sim {

namespace {

std::string trimmed(Bytes text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) {
    text.remove_suffix(1);
  }
  return std::string(text);
}

// Reads one statement word by word. The first failure sticks and names what was wanted.
class Line {
 public:
  Line(Bytes text, int number) : rest_(trimmed(text)), number_(number) {}

  bool ok() const { return error_.empty(); }
  bool at_end() const { return rest_.empty(); }
  Status status() const {
    NumberText text;
    return ok() ? Status()
                : Status::error("line " + std::string(format_int64(number_, text)) + ": " + error_);
  }
  void fail(const std::string& why) {
    if (ok()) error_ = why;
  }

  // The next word, up to a blank or one of `stops`, which stays.
  std::string word(const char* what, Bytes stops = "") {
    size_t end = 0;
    while (end < rest_.size() && rest_[end] != ' ' && stops.find(rest_[end]) == Bytes::npos) end++;
    if (end == 0) fail(std::string("expected ") + what + " at '" + rest_.substr(0, 20) + "'");
    return take(end);
  }
  bool next_is(Bytes text) const { return Bytes(rest_).substr(0, text.size()) == text; }
  bool accept(Bytes text) {
    if (!next_is(text)) return false;
    take(text.size());
    return true;
  }
  void expect(Bytes text) {
    if (!accept(text))
      fail("expected '" + std::string(text) + "' at '" + rest_.substr(0, 20) + "'");
  }
  uint64_t number(const char* what) {
    uint64_t n = 0;
    std::string text = word(what);
    if (ok() && !parse_uint64(text, n)) fail("'" + text + "' is not a " + what);
    return n;
  }
  // "12ms": the duration.
  Duration duration() {
    size_t end = 0;
    while (end < rest_.size() && rest_[end] >= '0' && rest_[end] <= '9') end++;
    uint64_t n = 0;
    if (!parse_uint64(Bytes(rest_).substr(0, end), n)) fail("expected milliseconds");
    take_exactly(end);
    expect("ms");
    return milliseconds(static_cast<int64_t>(n));
  }
  std::string quoted() {
    expect("\"");
    size_t end = rest_.find('"');
    if (end == std::string::npos) {
      fail("a quote does not close");
      return {};
    }
    std::string text = take_exactly(end);
    expect("\"");
    return text;
  }
  // Up to `mark` (which is taken) or, without it, to the end.
  std::string until(Bytes mark, bool required) {
    size_t end = rest_.find(mark);
    if (end == std::string::npos) {
      if (required) fail("expected '" + std::string(mark) + "'");
      return trimmed(take_exactly(rest_.size()));
    }
    std::string text = trimmed(take_exactly(end));
    take(mark.size());
    return text;
  }

 private:
  std::string take_exactly(size_t n) {
    std::string text = rest_.substr(0, n);
    rest_.erase(0, n);
    return text;
  }
  std::string take(size_t n) {
    std::string text = take_exactly(n);
    rest_ = trimmed(rest_);
    return text;
  }

  std::string rest_;
  int number_;
  std::string error_;
};

using Action = Scenario::Action;

Action read_action(Line& line, Bytes text) {
  Action action;
  std::vector<std::string> words;
  size_t arrow = text.find('>');
  size_t blank = text.find(' ');
  if (arrow != Bytes::npos && arrow < blank) {
    action.target = trimmed(text.substr(0, arrow));
    action.line = trimmed(text.substr(arrow + 1));
    return action;
  }
  if (!split_quoted(text, words) || words.size() < 2) {
    line.fail("'" + std::string(text) + "' is no action");
    return action;
  }
  auto strip_ms = [&](std::string ms) {
    if (ms.size() < 3 || ms.substr(ms.size() - 2) != "ms") line.fail("'" + ms + "' is no time");
    return ms.substr(0, ms.size() - std::min<size_t>(2, ms.size()));
  };
  action.target = words[1];
  if (words[0] == "wait") {
    action.kind = Action::Kind::kWait;
    action.ms = strip_ms(words[1]);
  } else if (words[0] == "kill") {
    action.kind = Action::Kind::kKill;
  } else if (words[0] == "restart") {
    action.kind = Action::Kind::kRestart;
  } else if (words[0] == "pause" && words.size() == 3) {
    action.kind = Action::Kind::kPause;
    action.ms = strip_ms(words[2]);
  } else if (words[0] == "cut" || words[0] == "heal") {
    action.kind = words[0] == "cut" ? Action::Kind::kCut : Action::Kind::kHeal;
    size_t dash = words[1].find('-');
    if (dash == std::string::npos) line.fail("'" + words[1] + "' is no link");
    action.target = words[1].substr(0, dash);
    action.second = dash == std::string::npos ? "" : words[1].substr(dash + 1);
  } else {
    line.fail("unknown action '" + words[0] + "'");
  }
  return action;
}

void read_lesson(Line& line, Scenario& s) {
  s.id = line.word("a lesson id");
  line.expect("version");
  s.version = line.number("version");
  line.expect("seed");
  s.seed = line.number("seed");
}

void read_world(Line& line, Scenario& s) {
  while (line.accept("node ")) s.nodes.push_back(line.word("a node id"));
  line.expect("clients");
  do {
    Scenario::Client client;
    client.id = line.word("a client id");
    client.name = line.quoted();
    line.accept(" ");
    s.clients.push_back(client);
  } while (line.ok() && line.accept(","));
}

void read_link(Line& line, Scenario& s) {
  do {
    Scenario::Link link;
    link.client = line.word("a client id", "-");
    line.expect("-");
    link.node = line.word("a node id");
    link.latency.mean = line.duration();
    if (line.accept("±")) link.latency.spread = line.duration();
    s.links.push_back(link);
  } while (line.ok() && line.accept("link "));
}

void read_params(Line& line, Scenario& s) {
  while (line.ok() && !line.at_end()) {
    std::string name = line.word("a parameter name", "=");
    line.expect("=");
    s.params.emplace_back(name, line.word("a value"));
  }
}

void read_count(Line& line, Scenario& s) {
  Scenario::Counter counter;
  counter.id = line.word("a counter id");
  line.expect("=");
  line.expect("commands");
  do {
    std::vector<std::string> pattern;
    do {
      pattern.push_back(line.word("a command", "|+"));
    } while (line.ok() && line.accept("+"));
    counter.patterns.push_back(pattern);
  } while (line.ok() && line.accept("|"));
  if (line.accept("by ")) counter.client = line.word("a client id");
  if (line.accept("until first OK")) counter.until_first_ok = true;
  if (line.accept("in step ")) counter.step = line.word("a step id");
  s.counters.push_back(counter);
}

void read_step(Line& line, Scenario& s) {
  Scenario::Step step;
  step.id = line.word("a step id");
  step.action.target = line.word("a client id", ">");
  line.expect(">");
  step.action.line = line.until("until reply", true);
  std::string client = line.word("a client id");
  if (client != step.action.target) line.fail("a step ends with the reply to its own client");
  if (line.accept("expect ")) step.expect = line.until("\n", false);
  s.steps.push_back(step);
}

void read_try(Line& line, Scenario& s) {
  Scenario::Try attempt;
  attempt.id = line.word("a what-if id", ":");
  if (line.accept("after ")) attempt.after = line.word("a step id", ":");
  line.expect(":");
  while (line.ok() && !line.at_end()) {
    attempt.actions.push_back(read_action(line, line.until(";", false)));
  }
  s.tries.push_back(attempt);
}

void read_goal(Line& line, Scenario& s) {
  Scenario::Goal goal;
  goal.id = line.word("a goal id");
  line.expect("when");
  line.expect("reply");
  goal.client = line.word("a client id");
  line.expect("of");
  goal.command = line.word("a command");
  line.expect("=");
  std::string rest = line.until("\n", false);
  size_t extra = rest.find(" and ");
  goal.reply = trimmed(rest.substr(0, extra));
  if (extra != std::string::npos) {
    Line condition(Bytes(rest).substr(extra + 5), 0);
    goal.not_released = condition.word("a client id");
    condition.expect("not released");
    if (!condition.ok() || !condition.at_end()) line.fail("expected '<client> not released'");
  }
  s.goals.push_back(goal);
}

// What a line by itself cannot tell: ids that name nothing.
Status check(const Scenario& s) {
  auto is_client = [&](const std::string& id) {
    return std::any_of(s.clients.begin(), s.clients.end(),
                       [&](const Scenario::Client& c) { return c.id == id; });
  };
  auto is_node = [&](const std::string& id) {
    return std::find(s.nodes.begin(), s.nodes.end(), id) != s.nodes.end();
  };
  auto is_step = [&](const std::string& id) {
    return std::any_of(s.steps.begin(), s.steps.end(),
                       [&](const Scenario::Step& step) { return step.id == id; });
  };
  if (s.id.empty()) return Status::error("the file has no line 'lesson'");
  if (s.nodes.empty() || s.clients.empty())
    return Status::error("the world needs a node and a client");
  for (const auto& link : s.links) {
    if (!is_client(link.client) || !is_node(link.node)) {
      return Status::error("link " + link.client + "-" + link.node + " joins nobody");
    }
  }
  for (const auto& step : s.steps) {
    if (!is_client(step.action.target))
      return Status::error("step " + step.id + ": no such client");
  }
  for (const auto& attempt : s.tries) {
    if (!attempt.after.empty() && !is_step(attempt.after)) {
      return Status::error("try " + attempt.id + ": no step '" + attempt.after + "'");
    }
    for (const auto& action : attempt.actions) {
      if (action.kind != Action::Kind::kWait && !is_client(action.target) &&
          !is_node(action.target)) {
        return Status::error("try " + attempt.id + ": nobody is called '" + action.target + "'");
      }
    }
  }
  return {};
}

}  // namespace

Result<Scenario> parse_scenario(Bytes text) {
  Scenario s;
  int number = 0;
  while (!text.empty()) {
    size_t end = std::min(text.find('\n'), text.size());
    Line line(text.substr(0, end), ++number);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.at_end() || line.next_is("#")) continue;
    std::string keyword = line.word("a statement");
    if (keyword == "lesson")
      read_lesson(line, s);
    else if (keyword == "world")
      read_world(line, s);
    else if (keyword == "link")
      read_link(line, s);
    else if (keyword == "param")
      read_params(line, s);
    else if (keyword == "count")
      read_count(line, s);
    else if (keyword == "invariant") {
      std::string id = line.word("an invariant id", ":");
      line.expect(":");
      s.invariants.push_back({id, line.until("\n", false)});
    } else if (keyword == "step")
      read_step(line, s);
    else if (keyword == "try")
      read_try(line, s);
    else if (keyword == "goal")
      read_goal(line, s);
    else
      line.fail("unknown statement '" + keyword + "'");
    if (line.ok() && !line.at_end()) line.fail("unexpected '" + line.until("\n", false) + "'");
    if (!line.ok()) return line.status();
  }
  Status status = check(s);
  if (!status.ok()) return status;
  return s;
}

std::string strip_expectations(Bytes text) {
  std::string out;
  while (!text.empty()) {
    size_t end = std::min(text.find('\n'), text.size());
    Bytes line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    std::string shown = trimmed(line);
    if (shown.empty() || shown[0] == '#') continue;
    if (shown.substr(0, 5) == "step ") shown = trimmed(shown.substr(0, shown.find(" expect ")));
    out += shown + "\n";
  }
  return out;
}

}  // namespace hotkv::sim
