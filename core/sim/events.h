// Events of a simulation: what the network and the actors do. The nodes' own are in trace/events.h.
#pragma once

#include "core/trace/trace.h"

namespace hotkv::trace {

// The cast, at time 0 and in the story's order: what a picture of the world has to place.
struct ActorAdded {
  static constexpr Kind kKind = Kind::kActor;
  static constexpr Bytes kName = "actor";
  Bytes actor;
  Bytes kind;   // node, database, client
  Bytes title;  // As shown: "Worker A".
  template <class V>
  void fields(V& v) const {
    v("actor", actor), v("kind", kind), v("title", title);
  }
};

struct LinkAdded {
  static constexpr Kind kKind = Kind::kNetwork;
  static constexpr Bytes kName = "link";
  Bytes link;  // "A-n1"
  Bytes from;
  Bytes to;
  int64_t latency_us;
  int64_t spread_us;
  template <class V>
  void fields(V& v) const {
    v("link", link), v("from", from), v("to", to);
    v("latency_us", latency_us), v("spread_us", spread_us);
  }
};

// A message is a range of a link's bytes: what one write put on it.
struct MessageSent {
  static constexpr Kind kKind = Kind::kNetwork;
  static constexpr Bytes kName = "sent";
  Bytes message;  // "A-n1#3": directed link and number.
  Bytes link;     // "A-n1", in both directions.
  Bytes from;
  Bytes to;
  Bytes kind;   // request, reply
  Bytes label;  // The command, or the first reply as hotkv-cli prints it; cut at 64 bytes.
  Bytes resp;   // The bytes, cut at 512.
  int64_t bytes;
  int64_t due_us;
  Bytes cause;  // The message whose delivery caused it; empty: a client's own idea.
  template <class V>
  void fields(V& v) const {
    v("message", message), v("link", link), v("from", from), v("to", to), v("kind", kind);
    v("label", label), v("resp", resp), v("bytes", bytes), v("due_us", due_us), v("cause", cause);
  }
};

struct MessageDelayed {
  static constexpr Kind kKind = Kind::kNetwork;
  static constexpr Bytes kName = "delayed";
  Bytes message;
  int64_t due_us;
  template <class V>
  void fields(V& v) const {
    v("message", message), v("due_us", due_us);
  }
};

// `copy` has the same bytes and its own `sent` event.
struct MessageDuplicated {
  static constexpr Kind kKind = Kind::kNetwork;
  static constexpr Bytes kName = "duplicated";
  Bytes message;
  Bytes copy;
  template <class V>
  void fields(V& v) const {
    v("message", message), v("copy", copy);
  }
};

struct MessageDelivered {
  static constexpr Kind kKind = Kind::kNetwork;
  static constexpr Bytes kName = "delivered";
  Bytes message;
  template <class V>
  void fields(V& v) const {
    v("message", message);
  }
};

struct MessageLost {
  static constexpr Kind kKind = Kind::kNetwork;
  static constexpr Bytes kName = "lost";
  Bytes message;
  Bytes reason;
  template <class V>
  void fields(V& v) const {
    v("message", message), v("reason", reason);
  }
};

// Kill, restart, pause, resume, cut, heal, clock: something done to a node, client or link.
struct Fault {
  static constexpr Kind kKind = Kind::kActor;
  static constexpr Bytes kName = "fault";
  Bytes action;
  Bytes target;
  int64_t ms = 0;  // Length of a pause, step of a clock.
  template <class V>
  void fields(V& v) const {
    v("action", action), v("target", target), v("ms", ms);
  }
};

struct ClientSent {
  static constexpr Kind kKind = Kind::kActor;
  static constexpr Bytes kName = "client-sent";
  Bytes client;
  Bytes line;
  template <class V>
  void fields(V& v) const {
    v("client", client), v("line", line);
  }
};

struct ClientReply {
  static constexpr Kind kKind = Kind::kActor;
  static constexpr Bytes kName = "client-reply";
  Bytes client;
  Bytes line;
  Bytes text;  // As hotkv-cli prints it.
  Bytes resp;  // As it came over the link.
  template <class V>
  void fields(V& v) const {
    v("client", client), v("line", line), v("text", text), v("resp", resp);
  }
};

// How many queries a database works on, and how many wait in line.
struct DatabaseLoad {
  static constexpr Kind kKind = Kind::kActor;
  static constexpr Bytes kName = "load";
  Bytes actor;
  int64_t running;
  int64_t waiting;
  template <class V>
  void fields(V& v) const {
    v("actor", actor), v("running", running), v("waiting", waiting);
  }
};

struct RowWritten {
  static constexpr Kind kKind = Kind::kActor;
  static constexpr Bytes kName = "row";
  Bytes actor;
  Bytes row;
  Bytes value;  // Cut at 64 bytes.
  uint64_t version;
  uint64_t highest;  // Fencing number seen; 0 = none.
  template <class V>
  void fields(V& v) const {
    v("actor", actor), v("row", row), v("value", value), v("version", version);
    v("highest", highest);
  }
};

struct WriteRefused {
  static constexpr Kind kKind = Kind::kActor;
  static constexpr Bytes kName = "refused";
  Bytes actor;
  Bytes row;
  uint64_t number;
  uint64_t highest;
  template <class V>
  void fields(V& v) const {
    v("actor", actor), v("row", row), v("number", number), v("highest", highest);
  }
};

// What a client program (recipe.h) came to.
struct RecipeDone {
  static constexpr Kind kKind = Kind::kActor;
  static constexpr Bytes kName = "done";
  Bytes client;
  Bytes recipe;
  Bytes outcome;
  template <class V>
  void fields(V& v) const {
    v("client", client), v("recipe", recipe), v("outcome", outcome);
  }
};

// The link broke before the reply: nobody knows whether the command was carried out.
struct RequestLost {
  static constexpr Kind kKind = Kind::kActor;
  static constexpr Bytes kName = "request-lost";
  Bytes client;
  Bytes line;
  template <class V>
  void fields(V& v) const {
    v("client", client), v("line", line);
  }
};

// A client believes from now on that it holds a lock, until its own count is over.
struct LockBelieved {
  static constexpr Kind kKind = Kind::kActor;
  static constexpr Bytes kName = "holds";
  Bytes client;
  Bytes key;
  Bytes token;
  int64_t until_us;  // INT64_MAX: for ever.
  template <class V>
  void fields(V& v) const {
    v("client", client), v("key", key), v("token", token), v("until_us", until_us);
  }
};

struct LockGivenUp {
  static constexpr Kind kKind = Kind::kActor;
  static constexpr Bytes kName = "holds-no-more";
  Bytes client;
  Bytes key;
  template <class V>
  void fields(V& v) const {
    v("client", client), v("key", key);
  }
};

struct CounterChanged {
  static constexpr Kind kKind = Kind::kActor;
  static constexpr Bytes kName = "counter";
  Bytes counter;
  int64_t value;
  template <class V>
  void fields(V& v) const {
    v("counter", counter), v("value", value);
  }
};

struct StepBegun {
  static constexpr Kind kKind = Kind::kActor;
  static constexpr Bytes kName = "step-begun";
  Bytes step;
  template <class V>
  void fields(V& v) const {
    v("step", step);
  }
};

struct StepEnded {
  static constexpr Kind kKind = Kind::kActor;
  static constexpr Bytes kName = "step-ended";
  Bytes step;
  template <class V>
  void fields(V& v) const {
    v("step", step);
  }
};

struct InvariantBroken {
  static constexpr Kind kKind = Kind::kActor;
  static constexpr Bytes kName = "invariant-broken";
  Bytes invariant;
  Bytes detail;
  template <class V>
  void fields(V& v) const {
    v("invariant", invariant), v("detail", detail);
  }
};

struct GoalReached {
  static constexpr Kind kKind = Kind::kActor;
  static constexpr Bytes kName = "goal-reached";
  Bytes goal;
  template <class V>
  void fields(V& v) const {
    v("goal", goal);
  }
};

using SimulationEvents =
    EventList<ActorAdded, LinkAdded, MessageSent, MessageDelayed, MessageDuplicated,
              MessageDelivered, MessageLost, Fault, ClientSent, ClientReply, RequestLost,
              LockBelieved, LockGivenUp, CounterChanged, DatabaseLoad, RowWritten, WriteRefused,
              RecipeDone, StepBegun, StepEnded, InvariantBroken, GoalReached>;

}  // namespace hotkv::trace
