// Txn: the only way to change data.
//
// One call changes one thing and does everything that belongs to a change, in this order: mutate,
// record the effect, fail watchers, emit the trace event. A command cannot forget to replicate,
// because it cannot touch the keyspace.
//
// Reading a key whose deadline has passed removes it (lazy expiry) with a DEL effect. Time is the
// step's `Now`: one snapshot for a command, an EXEC, a script.
//
// A Txn lives as long as its node; begin() and end() bracket a unit (one command, one EXEC).
#pragma once

#include "core/base/time.h"
#include "core/data/keyspace.h"
#include "core/effect/effect_log.h"
#include "core/effect/watch_table.h"
#include "core/trace/trace.h"

namespace hotkv {

struct KeyspaceCounts {
  uint64_t hits = 0;
  uint64_t misses = 0;
  uint64_t expired = 0;
  uint64_t changes = 0;  // rdb_changes_since_last_save until persistence resets it.
};

class Txn {
 public:
  Txn(Keyspace& keyspace, EffectLog& effects, WatchTable& watches, trace::Trace& trace)
      : keyspace_(keyspace),
        effects_(effects),
        watches_(watches),
        trace_(trace),
        table_(&keyspace.table(0)) {}

  void begin(Now now, int db) {
    if (now.wall != now_.wall) {
      access_clock_ = static_cast<uint32_t>(now.wall.seconds()) & 0xffffff;
      wall_ms_ = now.wall.ms();
    }
    now_ = now;
    select(db);
    hint_key_ = no_key();  // Another command's key may lie at the same address.
  }
  void end() { effects_.commit(); }
  void select(int db) {
    db_ = db;
    table_ = &keyspace_.table(db);
  }
  int db() const { return db_; }
  Now now() const { return now_; }
  int64_t wall_ms() const { return wall_ms_; }
  // The pipeline look-ahead has computed this key's hash already.
  void set_hash_hint(Bytes key, uint64_t hash) {
    hint_key_ = key;
    hint_hash_ = hash;
  }
  // Reads of a client with CLIENT NO-TOUCH, or TOUCH-less commands, leave the access clock alone.
  void set_touching(bool touching) { touching_ = touching; }
  bool is_touching() const { return touching_; }

  // ---- reading ----
  // Counts a hit or miss, touches.
  const Entry* find(Bytes key) {
    if (!is_hinted(key)) return find_in(db_, key);
    Entry* e = table_->find(key, hint_hash_);
    if (!e) {
      counts_.misses++;
      return nullptr;
    }
    if (__builtin_expect(is_expired(*e), 0)) return find_in(db_, key);
    counts_.hits++;
    if (touching_) touch(*e);
    return e;
  }
  const Entry* peek(Bytes key) { return peek_in(db_, key); }  // Counts and touches nothing.
  const Entry* look(Bytes key);  // Counts a hit or miss, touches nothing: EXISTS, TYPE, TTL ...
  const Entry* find_in(int db, Bytes key);
  const Entry* peek_in(int db, Bytes key);
  bool is_expired(const Entry& e) const { return e.has_deadline() && e.deadline_ms() <= wall_ms(); }
  const Keyspace& keyspace() const { return keyspace_; }
  size_t database_size() const { return keyspace_.table(db_).size(); }
  uint64_t scan(uint64_t cursor, std::vector<const Entry*>& found) const;
  const Entry* random_key(Random& random);

  // ---- changing ----
  // Sets a string, whatever was there. Extras are absolute: no deadline = persistent, no number =
  // the lock number is dropped. A deadline that has passed removes the key instead (effect DEL).
  void set(Bytes key, Bytes value, const EntryExtras& extras = {});
  void set_integer(Bytes key, int64_t value, const EntryExtras& extras = {});
  // Appends to a string (made when absent), keeping its deadline; returns the new length.
  size_t append(Bytes key, Bytes suffix);
  // Overwrites from `offset`, padding with zero bytes; returns the new length.
  // REQUIRES: bytes is not empty.
  size_t write_range(Bytes key, size_t offset, Bytes bytes);
  bool remove(Bytes key);                             // False when absent.
  void set_deadline(Bytes key, int64_t deadline_ms);  // REQUIRES: the key exists. Past = removed.
  bool persist(Bytes key);                            // False without a deadline.
  void rename(Bytes from, Bytes to);                  // REQUIRES: `from` exists. Overwrites `to`.
  void copy(Bytes from, int to_db, Bytes to);         // REQUIRES: `from` exists. Overwrites `to`.
  void move(Bytes key, int to_db);                    // REQUIRES: exists here, absent there.
  void flush_database(int db);
  void flush_all();
  void swap_databases(int a, int b);
  // Grants a lock: sets token and deadline and attaches a new fencing number, which is returned.
  // `epoch` is the durable epoch of this run (SPEC: Locks).
  uint64_t grant_lock(Bytes key, Bytes token, int64_t deadline_ms, uint64_t epoch);

  // The bounded expiry scan of the timer: looks at up to `buckets` buckets of each database,
  // removes at most `removals` entries. Its own unit. Reports how many entries with a deadline it
  // saw.
  struct ExpirySweep {
    size_t seen = 0;
    size_t removed = 0;
  };
  ExpirySweep expire_some(Now now, size_t buckets, size_t removals);
  // Destroys values that were unlinked wholesale (FLUSHALL), bounded; false when none are left.
  bool free_some(size_t max);

  KeyspaceCounts& counts() { return counts_; }
  const KeyspaceCounts& counts() const { return counts_; }
  EffectLog& effects() { return effects_; }
  WatchTable& watches() { return watches_; }

 private:
  bool is_hinted(Bytes key) const {
    return key.data() == hint_key_.data() && key.size() == hint_key_.size();
  }
  // What equals no key: an address where none can lie.
  Bytes no_key() const { return {reinterpret_cast<const char*>(this), 0}; }
  uint64_t hash_of(Bytes key) const { return is_hinted(key) ? hint_hash_ : table_->hash(key); }
  // The live entry; an expired one is removed and null returned.
  Entry* live(int db, Bytes key, uint64_t hash);
  void put(int db, Entry* old, Entry* made, uint64_t hash);
  Entry* editable(Bytes key, uint64_t hash, size_t capacity);
  void set_extras(Entry* e, const EntryExtras& extras, uint64_t hash);
  void emit_set(Bytes key, Bytes value, const EntryExtras& extras);
  void emit_existing(Bytes key, uint64_t hash);
  void touch(Entry& e) { e.set_access(access_clock_); }
  void changed(int db, Bytes key);
  void expire(int db, Bytes key, uint64_t hash);
  void drop_table(int db);

  Keyspace& keyspace_;
  EffectLog& effects_;
  WatchTable& watches_;
  trace::Trace& trace_;
  Table* table_;  // Of database db_.
  Now now_;
  int64_t wall_ms_ = 0;
  uint32_t access_clock_ = 0;  // LRU: whole seconds of wall time, 24 bits.
  int db_ = 0;
  Bytes hint_key_ = no_key();
  uint64_t hint_hash_ = 0;
  bool touching_ = true;
  KeyspaceCounts counts_;
  std::vector<Table> dropped_;         // Flushed tables whose entries free_some destroys.
  std::vector<std::string> due_keys_;  // Of expire_some, kept so that a sweep allocates little.
};

}  // namespace hotkv
