#include "web/view/history.h"

namespace hotkv::view {

namespace {

class Reading {
 public:
  void take(const Event& e);
  History history;

 private:
  void send(const Event& e);
  void end_flight(const Event& e, bool lost);
  void open(Span::Kind kind, const std::string& what, Time from, Time to = Time::never());
  void close(Span::Kind kind, const std::string& what, Time to);
  void fault(const Event& e);
};

void Reading::send(const Event& e) {
  Flight f;
  f.id = e.text("message");
  f.from = e.text("from");
  f.to = e.text("to");
  f.kind = e.text("kind");
  f.label = e.text("label");
  f.cause = e.text("cause");
  const std::string& resp = e.text("resp");
  f.error = f.kind == "reply" && !resp.empty() && (resp[0] == '-' || resp[0] == '!');
  f.sent = e.at;
  f.end = {e.number("due_us", e.at.us)};
  history.flights.push_back(std::move(f));
}

void Reading::end_flight(const Event& e, bool lost) {
  for (auto f = history.flights.rbegin(); f != history.flights.rend(); ++f) {
    if (f->id != e.text("message")) continue;
    f->ended = true;
    f->lost = lost;
    f->end = e.at;
    return;
  }
}

void Reading::open(Span::Kind kind, const std::string& what, Time from, Time to) {
  close(kind, what, from);
  history.spans.push_back({kind, what, from, to});
}

void Reading::close(Span::Kind kind, const std::string& what, Time to) {
  for (Span& span : history.spans) {
    if (span.kind == kind && span.what == what && to < span.to && span.from <= to) span.to = to;
  }
}

void Reading::fault(const Event& e) {
  const std::string& action = e.text("action");
  const std::string& target = e.text("target");
  history.marks.push_back({action, target, e.at});
  if (action == "kill") {
    open(Span::Kind::kDown, target, e.at);
    close(Span::Kind::kBelief, target, e.at);
    close(Span::Kind::kPaused, target, e.at);
  } else if (action == "restart") {
    close(Span::Kind::kDown, target, e.at);
  } else if (action == "pause") {
    open(Span::Kind::kPaused, target, e.at, e.at + milliseconds(e.number("ms")));
  } else if (action == "resume") {
    close(Span::Kind::kPaused, target, e.at);
  }
}

void Reading::take(const Event& e) {
  if (history.instants.empty() || history.instants.back() < e.at) history.instants.push_back(e.at);
  switch (e.type) {
    case EventType::kSent: send(e); break;
    case EventType::kDelayed:
      for (Flight& f : history.flights) {
        if (f.id == e.text("message")) f.end = {e.number("due_us")};
      }
      break;
    case EventType::kDelivered: end_flight(e, false); break;
    case EventType::kLost: end_flight(e, true); break;
    case EventType::kFault: fault(e); break;
    case EventType::kStepBegun: open(Span::Kind::kStep, e.text("step"), e.at); break;
    case EventType::kStepEnded: close(Span::Kind::kStep, e.text("step"), e.at); break;
    case EventType::kHolds:
      open(Span::Kind::kBelief, e.text("client"), e.at, {e.number("until_us", Time::never().us)});
      break;
    case EventType::kHoldsNoMore: close(Span::Kind::kBelief, e.text("client"), e.at); break;
    case EventType::kInvariantBroken:
      history.marks.push_back({"broken", e.text("invariant"), e.at});
      break;
    default: break;
  }
}

}  // namespace

History history_of(const std::vector<Event>& events) {
  Reading reading;
  for (const Event& e : events) reading.take(e);
  return std::move(reading.history);
}

std::vector<std::string> causal_past(const History& history, const std::string& id) {
  std::vector<std::string> past;
  std::string wanted = id;
  // Causes are older, so walking back meets each of them.
  for (auto f = history.flights.rbegin(); f != history.flights.rend() && !wanted.empty(); ++f) {
    if (f->id != wanted) continue;
    past.push_back(wanted);
    wanted = f->cause;
  }
  return past;
}

}  // namespace hotkv::view
