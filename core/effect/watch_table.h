// WatchTable: which clients watch which keys, for WATCH.
//
// A watcher is a number with a dirty flag that lives here; the session asks `is_dirty` at EXEC.
// Empty most of the time: Txn tests `empty()` first, which is its one branch per change.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/base/bytes.h"
#include "core/base/ids.h"

namespace hotkv {

class WatchTable {
 public:
  bool empty() const { return watches_.empty(); }
  // Watching the same key again changes nothing. `expired` says that the key existed with a passed
  // deadline: its later removal then is no change (CASES EXP-06).
  void watch(ClientId client, int db, Bytes key, bool expired);
  void unwatch(ClientId client);
  void touch(int db, Bytes key);          // The key was changed or removed.
  void touch_expired(int db, Bytes key);  // As touch, but not for those who saw it expired.
  // What becomes of a key when the whole database is replaced.
  enum class Presence : uint8_t { kAbsent, kExpired, kLive };
  struct Replaced {
    bool existed;  // Also when its deadline had passed.
    Presence now;
  };
  // All keys of `db` change at once (FLUSHDB, SWAPDB); `look(key)` answers a Replaced.
  template <class Look>
  void touch_database(int db, Look look);
  void mark_dirty(ClientId client);
  bool is_dirty(ClientId client) const;
  // The keys of a client, for the check at EXEC whether one has expired meanwhile.
  template <class Visit>
  void visit(ClientId client, Visit visit) const;
  size_t watched_by(ClientId client) const {
    auto it = clients_.find(client);
    return it == clients_.end() ? 0 : it->second.places.size();
  }
  size_t watched_keys() const { return watches_.size(); }
  size_t watching_clients() const { return clients_.size(); }

 private:
  struct Watch {
    ClientId client;
    bool expired;
  };
  using Place = std::pair<int, std::string>;
  void replaced(Watch& w, Replaced key);
  struct Client {
    std::vector<Place> places;
    bool dirty = false;
  };
  std::map<Place, std::vector<Watch>> watches_;
  std::map<ClientId, Client> clients_;
};

template <class Look>
void WatchTable::touch_database(int db, Look look) {
  for (auto it = watches_.lower_bound(Place{db, std::string()}); it != watches_.end(); ++it) {
    if (it->first.first != db) break;
    const Replaced key = look(Bytes(it->first.second));
    for (Watch& w : it->second) replaced(w, key);
  }
}

template <class Visit>
void WatchTable::visit(ClientId client, Visit visit) const {
  auto it = clients_.find(client);
  if (it == clients_.end()) return;
  for (const Place& p : it->second.places) {
    for (const Watch& w : watches_.at(p)) {
      if (w.client == client) visit(p.first, Bytes(p.second), w.expired);
    }
  }
}

}  // namespace hotkv
