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

// "30ms" or "{ttl}ms" without its unit.
std::string time_of(Line& line, const std::string& text) {
  if (text.size() < 3 || text.substr(text.size() - 2) != "ms") {
    line.fail("'" + text + "' is no time");
    return {};
  }
  return text.substr(0, text.size() - 2);
}

// "A> SET k v" or "A@n2> SET k v": the place of '>' in its first word; npos: it is none.
size_t arrow_of(Bytes text) {
  size_t arrow = text.find('>');
  return arrow != Bytes::npos && arrow < text.find(' ') ? arrow : Bytes::npos;
}

Action read_action(Line& line, Bytes text) {
  Action action;
  size_t arrow = arrow_of(text);
  if (arrow != Bytes::npos) {
    Bytes who = text.substr(0, arrow);
    size_t at = std::min(who.find('@'), who.size());
    action.target = trimmed(who.substr(0, at));
    action.second = trimmed(who.substr(std::min(at + 1, who.size())));
    action.line = trimmed(text.substr(arrow + 1));
    return action;
  }
  std::vector<std::string> words;
  if (!split_quoted(text, words) || words.size() < 2) {
    line.fail("'" + std::string(text) + "' is no action");
    return action;
  }
  action.target = words[1];
  const size_t count = words.size();
  if (words[1] == "runs" && count > 2) {
    action.kind = Action::Kind::kRun;
    action.target = words[0];
    action.line = trimmed(text.substr(text.find(" runs ") + 6));
  } else if (words[0] == "wait" && count == 2) {
    action.kind = Action::Kind::kWait;
    action.target.clear();
    action.ms = time_of(line, words[1]);
  } else if (words[0] == "kill" && count == 2) {
    action.kind = Action::Kind::kKill;
  } else if (words[0] == "restart" && count == 2) {
    action.kind = Action::Kind::kRestart;
  } else if ((words[0] == "pause" || words[0] == "clock") && count == 3) {
    action.kind = words[0] == "pause" ? Action::Kind::kPause : Action::Kind::kClock;
    action.ms = time_of(line, words[2]);
  } else if ((words[0] == "cut" || words[0] == "heal") && count == 2) {
    action.kind = words[0] == "cut" ? Action::Kind::kCut : Action::Kind::kHeal;
    size_t dash = words[1].find('-');
    if (dash == std::string::npos) line.fail("'" + words[1] + "' is no link");
    action.target = words[1].substr(0, dash);
    action.second = dash == std::string::npos ? "" : words[1].substr(dash + 1);
  } else {
    line.fail("unknown action '" + words[0] + "'; a command has its client and '>' in front");
  }
  return action;
}

std::vector<Action> read_actions(Line& line, const std::string& text) {
  std::vector<Action> actions;
  Line rest(text, 0);
  while (line.ok() && !rest.at_end()) {
    actions.push_back(read_action(line, rest.until(";", false)));
  }
  if (line.ok() && actions.empty()) line.fail("expected an action");
  return actions;
}

void read_lesson(Line& line, Scenario& s) {
  s.id = line.word("a lesson id");
  line.expect("version");
  s.version = line.number("version");
  line.expect("seed");
  s.seed = line.number("seed");
}

void read_database(Line& line, Scenario& s) {
  Scenario::Database database;
  database.id = line.word("a database id");
  line.expect("latency");
  database.latency = line.duration();
  line.expect("workers");
  database.workers = static_cast<int>(line.number("number of workers"));
  if (database.workers < 1 || database.workers > 1000) line.fail("workers must be 1 to 1000");
  s.databases.push_back(database);
}

// `C "Client" x 3` is C1 "Client 1", C2 "Client 2", C3 "Client 3".
void read_client(Line& line, Scenario& s) {
  Scenario::Client client;
  client.id = line.word("a client id");
  client.name = line.quoted();
  line.accept(" ");
  if (!line.accept("x ")) {
    s.clients.push_back(client);
    return;
  }
  constexpr uint64_t kClientsMax = 200;
  uint64_t times = line.number("number of clients");
  if (times < 1 || times > kClientsMax) line.fail("a client is repeated 1 to 200 times");
  for (uint64_t i = 1; line.ok() && i <= times; i++) {
    NumberText text;
    std::string number(format_uint64(i, text));
    s.clients.push_back({client.id + number, client.name + " " + number});
  }
}

void read_world(Line& line, Scenario& s) {
  while (line.accept("node ")) s.nodes.push_back(line.word("a node id"));
  while (line.ok() && line.accept("database ")) read_database(line, s);
  line.expect("clients");
  do {
    read_client(line, s);
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

// "A> SET k v until reply A": the end-condition says what the reader must wait for; it follows from
// the last action, and is checked to be that.
void read_end(Line& line, const std::string& end, const Action& last) {
  Line condition(end, 0);
  bool reply = condition.accept("reply ");
  bool done = !reply && condition.accept("done ");
  std::string who = condition.word("a client id");
  bool fits =
      (reply && last.kind == Action::Kind::kCommand) || (done && last.kind == Action::Kind::kRun);
  if (!condition.ok() || !condition.at_end() || !fits || who != last.target) {
    line.fail("a step ends with the reply to its own client, or when its recipe is done");
  }
}

void read_step(Line& line, Scenario& s) {
  Scenario::Step step;
  step.id = line.word("a step id");
  std::string text = line.until("\n", false);
  size_t expect = text.find(" expect ");
  if (expect != std::string::npos) {
    step.expect = trimmed(Bytes(text).substr(expect + 8));
    text.resize(expect);
  }
  size_t until = text.find(" until ");
  step.actions = read_actions(line, text.substr(0, until));
  if (!line.ok()) return;
  const Action::Kind last = step.actions.back().kind;
  if (until != std::string::npos) {
    read_end(line, trimmed(Bytes(text).substr(until + 7)), step.actions.back());
  } else if (last == Action::Kind::kCommand || last == Action::Kind::kRun) {
    line.fail("expected 'until reply' or 'until done'");
  }
  s.steps.push_back(step);
}

void read_try(Line& line, Scenario& s) {
  Scenario::Try attempt;
  attempt.id = line.word("a what-if id", ":");
  if (line.accept("after ")) attempt.after = line.word("a step id", ":");
  line.expect(":");
  attempt.actions = read_actions(line, line.until("\n", false));
  s.tries.push_back(attempt);
}

void read_invariant(Line& line, Scenario& s) {
  Scenario::Invariant invariant;
  invariant.id = line.word("an invariant id", ":");
  if (line.accept("from ")) invariant.from = line.word("a step id", ":");
  line.expect(":");
  invariant.text = line.until("\n", false);
  s.invariants.push_back(invariant);
}

void read_goal(Line& line, Scenario& s) {
  Scenario::Goal goal;
  goal.id = line.word("a goal id");
  line.expect("when");
  if (line.accept("invariant ")) {
    goal.invariant = line.word("an invariant id");
    line.expect("breaks");
    s.goals.push_back(goal);
    return;
  }
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
    else if (keyword == "invariant")
      read_invariant(line, s);
    else if (keyword == "step")
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
  Status status = check_scenario(s);
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
