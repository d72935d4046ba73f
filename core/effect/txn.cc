#include "core/effect/txn.h"

#include <algorithm>
#include <cstring>

#include "core/base/check.h"
#include "core/trace/events.h"

namespace hotkv {

namespace {

// Events show enough of a value for a picture, not a megabyte.
constexpr size_t kTraceValueBytes = 64;

}  // namespace

// ---- reading ----

void Txn::expire(int db, Bytes key, uint64_t hash) {
  Entry* gone = keyspace_.table(db).remove(key, hash);
  counts_.expired++;
  effects_.add(db, {"DEL", key});
  // A watcher who saw the key expired already sees no change (CASES EXP-06).
  if (!watches_.empty()) watches_.touch_expired(db, key);
  trace_.emit(trace::KeyRemoved{db, key, "expired"});
  Entry::destroy(gone);
}

inline Entry* Txn::live(int db, Bytes key, uint64_t hash) {
  Entry* e = keyspace_.table(db).find(key, hash);
  if (e && is_expired(*e)) {
    // The caller's key may be a view into the entry itself; expire() ends with the entry.
    expire(db, key, hash);
    return nullptr;
  }
  return e;
}

const Entry* Txn::find_in(int db, Bytes key) {
  Entry* e = live(db, key, hash_of(key));
  if (e) {
    counts_.hits++;
    if (touching_) touch(*e);
  } else {
    counts_.misses++;
  }
  return e;
}

const Entry* Txn::look(Bytes key) {
  const Entry* e = live(db_, key, hash_of(key));
  (e ? counts_.hits : counts_.misses)++;
  return e;
}

const Entry* Txn::peek_in(int db, Bytes key) { return live(db, key, hash_of(key)); }

uint64_t Txn::scan(uint64_t cursor, std::vector<const Entry*>& found) const {
  return keyspace_.table(db_).scan(cursor, [&](const Entry* e) {
    if (!is_expired(*e)) found.push_back(e);
  });
}

const Entry* Txn::random_key(Random& random) {
  Table& table = keyspace_.table(db_);
  // Expired entries are removed as they are met, so the loop ends: each turn returns or shrinks.
  while (table.size() > 0) {
    Entry* e = table.random(random);
    if (!is_expired(*e)) return e;
    std::string key(e->key());
    expire(db_, key, table.hash(key));
  }
  return nullptr;
}

// ---- changing ----

void Txn::changed(int db, Bytes key) {
  counts_.changes++;
  if (!watches_.empty()) watches_.touch(db, key);
}

void Txn::put(int db, Entry* old, Entry* made, uint64_t hash) {
  Table& table = keyspace_.table(db);
  touch(*made);
  if (old) {
    table.replace(old, made, hash);
    Entry::destroy(old);
  } else {
    table.insert(made, hash);
  }
}

inline void Txn::emit_set(Bytes key, Bytes value, const EntryExtras& extras) {
  if (!trace_.wants(trace::Kind::kKeyspace)) return;
  trace_.emit(trace::KeySet{db_, key, value.substr(0, kTraceValueBytes), extras.deadline_ms,
                            extras.lock_number});
}

void Txn::set(Bytes key, Bytes value, const EntryExtras& extras) {
  if (extras.deadline_ms != kNoDeadline && extras.deadline_ms <= wall_ms()) {
    remove(key);
    return;
  }
  uint64_t hash = hash_of(key);
  Entry* old = live(db_, key, hash);
  if (old && old->overwrite_in_place(value, extras)) {
    touch(*old);
  } else {
    put(db_, old, Entry::create(key, value, extras), hash);
  }
  effects_.add_set(db_, key, value, extras.deadline_ms);
  changed(db_, key);
  emit_set(key, value, extras);
}

void Txn::set_integer(Bytes key, int64_t value, const EntryExtras& extras) {
  uint64_t hash = hash_of(key);
  Entry* old = live(db_, key, hash);
  if (extras.deadline_ms <= wall_ms()) {
    remove(key);
    return;
  }
  if (old && old->overwrite_integer_in_place(value, extras)) {
    touch(*old);
  } else {
    put(db_, old, Entry::create_integer(key, value, extras), hash);
  }
  NumberText text;
  Bytes shown = format_int64(value, text);
  effects_.add_set(db_, key, shown, extras.deadline_ms);
  changed(db_, key);
  emit_set(key, shown, extras);
}

// The string at `key` as a heap entry that can be edited; made when absent or otherwise encoded.
// The lock number does not survive: an edit is an overwrite by somebody (SPEC: Locks).
Entry* Txn::editable(Bytes key, uint64_t hash, size_t capacity) {
  Entry* old = live(db_, key, hash);
  if (old && old->encoding() == Encoding::kHeap && old->lock_number() == 0) return old;
  NumberText text;
  Bytes value = old ? old->string(text) : Bytes();
  Entry* made = Entry::create_heap(key, value.size(), std::max(capacity, value.size()),
                                   {old ? old->deadline_ms() : kNoDeadline, 0});
  copy_bytes(made->heap_data(), value);
  put(db_, old, made, hash);
  return made;
}

size_t Txn::append(Bytes key, Bytes suffix) {
  uint64_t hash = hash_of(key);
  if (!live(db_, key, hash)) {  // APPEND to nothing is SET.
    set(key, suffix);
    return suffix.size();
  }
  NumberText text;
  size_t before = live(db_, key, hash)->string_length();
  Entry* e = editable(key, hash, before + suffix.size());
  char* bytes = e->heap_resize(before + suffix.size());
  copy_bytes(bytes + before, suffix);
  touch(*e);
  effects_.add(db_, {"APPEND", key, suffix});
  changed(db_, key);
  emit_set(key, e->string(text), e->extras());
  return before + suffix.size();
}

size_t Txn::write_range(Bytes key, size_t offset, Bytes bytes) {
  uint64_t hash = hash_of(key);
  const Entry* old = live(db_, key, hash);
  size_t before = old ? old->string_length() : 0;
  size_t size = std::max(before, offset + bytes.size());
  Entry* e = editable(key, hash, size);
  copy_bytes(e->heap_resize(size) + offset, bytes);
  touch(*e);
  NumberText text, shown;
  effects_.add(db_, {"SETRANGE", key, format_uint64(offset, text), bytes});
  changed(db_, key);
  emit_set(key, e->string(shown), e->extras());
  return size;
}

bool Txn::remove(Bytes key) {
  uint64_t hash = hash_of(key);
  if (!live(db_, key, hash)) return false;
  Entry* gone = keyspace_.table(db_).remove(key, hash);
  effects_.add(db_, {"DEL", key});
  changed(db_, key);
  trace_.emit(trace::KeyRemoved{db_, key, "deleted"});
  Entry::destroy(gone);
  return true;
}

void Txn::set_extras(Entry* e, const EntryExtras& extras, uint64_t hash) {
  bool same_fields = e->has_deadline() == (extras.deadline_ms != kNoDeadline) &&
                     (e->lock_number() != 0) == (extras.lock_number != 0);
  if (same_fields) {
    if (e->has_deadline()) e->set_deadline_in_place(extras.deadline_ms);
    if (extras.lock_number) e->set_lock_number_in_place(extras.lock_number);
    return;
  }
  // Presence of a field changes the layout. Unlink before the move: it frees the old entry, and
  // the table needs the old deadline flag to keep its count.
  Table& table = keyspace_.table(db_);
  std::string key(e->key());
  table.remove(key, hash);
  table.insert(Entry::move(e, key, extras), hash);
}

void Txn::set_deadline(Bytes key, int64_t deadline_ms) {
  if (deadline_ms <= wall_ms()) {
    remove(key);
    return;
  }
  uint64_t hash = hash_of(key);
  Entry* e = live(db_, key, hash);
  HOTKV_CHECK(e != nullptr);
  set_extras(e, {deadline_ms, e->lock_number()}, hash);
  NumberText text;
  effects_.add(db_, {"PEXPIREAT", key, format_int64(deadline_ms, text)});
  changed(db_, key);
  emit_existing(key, hash);
}

bool Txn::persist(Bytes key) {
  uint64_t hash = hash_of(key);
  Entry* e = live(db_, key, hash);
  if (!e || !e->has_deadline()) return false;
  set_extras(e, {kNoDeadline, e->lock_number()}, hash);
  effects_.add(db_, {"PERSIST", key});
  changed(db_, key);
  emit_existing(key, hash);
  return true;
}

void Txn::emit_existing(Bytes key, uint64_t hash) {
  if (!trace_.wants(trace::Kind::kKeyspace)) return;
  const Entry* e = keyspace_.table(db_).find(key, hash);
  NumberText text;
  emit_set(key, e->string(text), e->extras());
}

void Txn::rename(Bytes from, Bytes to) {
  uint64_t from_hash = hash_of(from);
  HOTKV_CHECK(live(db_, from, from_hash) != nullptr);
  Table& table = keyspace_.table(db_);
  if (from != to) {
    uint64_t to_hash = table.hash(to);
    if (live(db_, to, to_hash)) Entry::destroy(table.remove(to, to_hash));
    Entry* e = table.remove(from, from_hash);
    EntryExtras extras = e->extras();
    table.insert(Entry::move(e, to, extras), to_hash);
    trace_.emit(trace::KeyRemoved{db_, from, "renamed"});
    emit_existing(to, to_hash);
  }
  effects_.add(db_, {"RENAME", from, to});
  changed(db_, from);
  if (!watches_.empty()) watches_.touch(db_, to);
}

void Txn::copy(Bytes from, int to_db, Bytes to) {
  uint64_t from_hash = hash_of(from);
  const Entry* source = live(db_, from, from_hash);
  HOTKV_CHECK(source != nullptr);
  Table& target = keyspace_.table(to_db);
  uint64_t to_hash = target.hash(to);
  // A copy is a new value without a grant: the lock number stays with the lock.
  Entry* made = Entry::copy(*source, to, {source->deadline_ms(), 0});
  put(to_db, live(to_db, to, to_hash), made, to_hash);
  NumberText text;
  effects_.add(db_, {"COPY", from, to, "DB", format_int64(to_db, text), "REPLACE"});
  changed(to_db, to);
  if (trace_.wants(trace::Kind::kKeyspace)) {
    NumberText value;
    trace_.emit(trace::KeySet{to_db, to, made->string(value).substr(0, kTraceValueBytes),
                              made->deadline_ms(), 0});
  }
}

void Txn::move(Bytes key, int to_db) {
  uint64_t hash = hash_of(key);
  HOTKV_CHECK(live(db_, key, hash) != nullptr);
  Entry* e = keyspace_.table(db_).remove(key, hash);
  keyspace_.table(to_db).insert(e, hash);
  NumberText text;
  effects_.add(db_, {"MOVE", key, format_int64(to_db, text)});
  changed(db_, key);
  if (!watches_.empty()) watches_.touch(to_db, key);
  trace_.emit(trace::KeyRemoved{db_, key, "moved"});
  if (trace_.wants(trace::Kind::kKeyspace)) {
    NumberText value;
    trace_.emit(trace::KeySet{to_db, key, e->string(value).substr(0, kTraceValueBytes),
                              e->deadline_ms(), e->lock_number()});
  }
}

void Txn::drop_table(int db) {
  Table& table = keyspace_.table(db);
  counts_.changes += table.size();
  watches_.touch_database(db, [&](Bytes key) {
    bool existed = table.find(key, table.hash(key)) != nullptr;
    return WatchTable::Replaced{existed, WatchTable::Presence::kAbsent};
  });
  trace_.emit(trace::DatabaseFlushed{db});
  if (table.size() == 0) return;
  dropped_.push_back(std::move(table));
}

void Txn::flush_database(int db) {
  drop_table(db);
  effects_.add(db, {"FLUSHDB"});
}

void Txn::flush_all() {
  for (int db = 0; db < keyspace_.databases(); db++) drop_table(db);
  effects_.add(db_, {"FLUSHALL"});
}

void Txn::swap_databases(int a, int b) {
  if (a != b) {
    auto touch = [&](int db, int with) {
      const Table &leaving = keyspace_.table(db), &coming = keyspace_.table(with);
      watches_.touch_database(db, [&](Bytes key) {
        using Presence = WatchTable::Presence;
        const Entry* e = coming.find(key, coming.hash(key));
        Presence now = !e               ? Presence::kAbsent
                       : is_expired(*e) ? Presence::kExpired
                                        : Presence::kLive;
        return WatchTable::Replaced{leaving.find(key, leaving.hash(key)) != nullptr, now};
      });
    };
    touch(a, b);
    touch(b, a);
    keyspace_.swap(a, b);
  }
  counts_.changes++;
  NumberText first, second;
  effects_.add(db_, {"SWAPDB", format_int64(a, first), format_int64(b, second)});
}

uint64_t Txn::grant_lock(Bytes key, Bytes token, int64_t deadline_ms, uint64_t epoch) {
  // Offset of this grant's effect; a later grant has a greater one, a later run a greater epoch.
  uint64_t number = (epoch << 36) + (effects_.next_offset() & ((uint64_t{1} << 36) - 1));
  set(key, token, {deadline_ms, number});
  return number;
}

// ---- bounded upkeep ----

Txn::ExpirySweep Txn::expire_some(Now now, size_t buckets, size_t removals) {
  ExpirySweep sweep;
  begin(now, 0);
  std::vector<std::string>& due = due_keys_;
  for (int db = 0; db < keyspace_.databases(); db++) {
    Table& table = keyspace_.table(db);
    if (table.deadlines() == 0) continue;
    due.clear();
    table.visit_deadlines(buckets, [&](const Entry* e) {
      sweep.seen++;
      if (is_expired(*e) && sweep.removed + due.size() < removals) due.emplace_back(e->key());
    });
    for (const std::string& key : due) {
      expire(db, key, table.hash(key));
      end();  // Each expiry is a unit of its own, as on a primary of Redis.
    }
    sweep.removed += due.size();
  }
  return sweep;
}

bool Txn::free_some(size_t max) {
  if (dropped_.empty()) return false;
  if (!dropped_.back().clear_some(max)) dropped_.pop_back();
  return !dropped_.empty();
}

}  // namespace hotkv
