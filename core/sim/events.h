// Events of a simulation: what the network and the actors do. The nodes' own are in trace/events.h.
#pragma once

#include "core/trace/trace.h"

namespace hotkv::trace {

struct MessageSent {
  static constexpr Kind kKind = Kind::kNetwork;
  static constexpr Bytes kName = "sent";
  Bytes message;  // "A-n1#3": directed link and number.
  int64_t bytes;
  int64_t due_us;
  template <class V>
  void fields(V& v) const {
    v("message", message), v("bytes", bytes), v("due_us", due_us);
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

// Kill, restart, pause, resume, cut, heal: something done to a node, client or link.
struct Fault {
  static constexpr Kind kKind = Kind::kActor;
  static constexpr Bytes kName = "fault";
  Bytes action;
  Bytes target;
  template <class V>
  void fields(V& v) const {
    v("action", action), v("target", target);
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

using SimulationEvents = EventList<MessageSent, MessageDelivered, MessageLost, Fault, ClientSent,
                                   ClientReply, StepBegun, StepEnded, InvariantBroken, GoalReached>;

}  // namespace hotkv::trace
