// The events of the core: plain structs, declared once. Names are stable: lessons, checkers and the
// page's pictures read them (site reference: trace events).
#pragma once

#include "core/trace/trace.h"

namespace hotkv::trace {

struct ClientConnected {
  static constexpr Kind kKind = Kind::kClient;
  static constexpr Bytes kName = "client-connected";
  uint64_t client;
  Bytes address;
  template <class V>
  void fields(V& v) const {
    v("client", client), v("address", address);
  }
};

struct ClientClosed {
  static constexpr Kind kKind = Kind::kClient;
  static constexpr Bytes kName = "client-closed";
  uint64_t client;
  Bytes reason;
  template <class V>
  void fields(V& v) const {
    v("client", client), v("reason", reason);
  }
};

// `line` is the command in redis-cli's quoting.
struct CommandExecuted {
  static constexpr Kind kKind = Kind::kCommand;
  static constexpr Bytes kName = "command";
  uint64_t client;
  int db;
  Bytes line;
  Bytes reply;  // RESP bytes, cut at 256.
  template <class V>
  void fields(V& v) const {
    v("client", client), v("db", db), v("line", line), v("reply", reply);
  }
};

struct KeySet {
  static constexpr Kind kKind = Kind::kKeyspace;
  static constexpr Bytes kName = "key-set";
  int db;
  Bytes key;
  Bytes value;  // Cut at 64 bytes.
  int64_t deadline_ms;
  uint64_t lock_number;
  template <class V>
  void fields(V& v) const {
    v("db", db), v("key", key), v("value", value);
    if (deadline_ms != INT64_MAX) v("deadline_ms", deadline_ms);
    if (lock_number) v("lock_number", lock_number);
  }
};

struct KeyRemoved {
  static constexpr Kind kKind = Kind::kKeyspace;
  static constexpr Bytes kName = "key-removed";
  int db;
  Bytes key;
  Bytes reason;  // deleted, expired, renamed, moved
  template <class V>
  void fields(V& v) const {
    v("db", db), v("key", key), v("reason", reason);
  }
};

struct DatabaseFlushed {
  static constexpr Kind kKind = Kind::kKeyspace;
  static constexpr Bytes kName = "database-flushed";
  int db;
  template <class V>
  void fields(V& v) const {
    v("db", db);
  }
};

struct ServerStarted {
  static constexpr Kind kKind = Kind::kServer;
  static constexpr Bytes kName = "server-started";
  Bytes run_id;
  uint64_t epoch;
  template <class V>
  void fields(V& v) const {
    v("run_id", run_id), v("epoch", epoch);
  }
};

using NodeEvents = EventList<ClientConnected, ClientClosed, CommandExecuted, KeySet, KeyRemoved,
                             DatabaseFlushed, ServerStarted>;

}  // namespace hotkv::trace
