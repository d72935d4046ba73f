#include "core/effect/watch_table.h"

#include <algorithm>

namespace hotkv {

void WatchTable::watch(ClientId client, int db, Bytes key, bool expired) {
  Place place{db, std::string(key)};
  std::vector<Watch>& watchers = watches_[place];
  for (const Watch& w : watchers) {
    if (w.client == client) return;
  }
  watchers.push_back({client, expired});
  clients_[client].places.push_back(std::move(place));
}

void WatchTable::unwatch(ClientId client) {
  auto it = clients_.find(client);
  if (it == clients_.end()) return;
  for (const Place& place : it->second.places) {
    auto at = watches_.find(place);
    std::vector<Watch>& watchers = at->second;
    watchers.erase(std::remove_if(watchers.begin(), watchers.end(),
                                  [&](const Watch& w) { return w.client == client; }),
                   watchers.end());
    if (watchers.empty()) watches_.erase(at);
  }
  clients_.erase(it);
}

void WatchTable::touch(int db, Bytes key) {
  auto it = watches_.find(Place{db, std::string(key)});
  if (it == watches_.end()) return;
  for (Watch& w : it->second) mark_dirty(w.client);
}

void WatchTable::touch_expired(int db, Bytes key) {
  auto it = watches_.find(Place{db, std::string(key)});
  if (it == watches_.end()) return;
  for (Watch& w : it->second) {
    if (!w.expired) mark_dirty(w.client);
    w.expired = false;  // From now on the key is absent; its coming back is a change.
  }
}

// An expired key counts as absent, so absent to expired and back is no change.
void WatchTable::replaced(Watch& w, Replaced key) {
  if (!key.existed && key.now == Presence::kAbsent) return;
  bool was_there = key.existed && !w.expired;
  if (was_there || key.now == Presence::kLive) {
    mark_dirty(w.client);
  } else {
    w.expired = key.now == Presence::kExpired;
  }
}

void WatchTable::mark_dirty(ClientId client) { clients_[client].dirty = true; }

bool WatchTable::is_dirty(ClientId client) const {
  auto it = clients_.find(client);
  return it != clients_.end() && it->second.dirty;
}

}  // namespace hotkv
