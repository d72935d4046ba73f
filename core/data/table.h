// Table: the hash table of a database: entries in cache-line buckets, grown one bucket at a time.
//
//   bucket, 64 bytes:  tag[7] meta | slot[7]
//     tag   8 bits of the hash, never 0; 0 = the slot is free. One compare finds candidates.
//     meta  bits 0-6: the slot's entry has a deadline (the expiry scan skips other entries);
//           bit 7: slot 6 is the link to an overflow bucket.
//     slot  the entry's address (8 bytes on every platform, so that wasm has the same layout).
//
// Growth is linear hashing (Litwin 1980): when the load passes kSlotsPerBucketTarget, one bucket is
// split per insert. There is never a doubled table nor a pause, and memory per key does not saw.
// Shrinking is the reverse. Buckets live in segments of fixed size, which are never moved.
//
// SCAN: the cursor is a position in the order of bit-reversed hashes. A bucket covers one
// interval of that order whatever its level, so splits and merges between calls lose nothing: every
// entry present from the first call to the last is returned at least once.
//
// The hash is seeded per node (XXH3 with seed): equal seeds give equal layouts on all platforms.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/random.h"
#include "core/data/entry.h"

namespace hotkv {

uint64_t hash_key(Bytes key, uint64_t seed);

class Table {
 public:
  Table() = default;
  ~Table();
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;
  Table(Table&& other) noexcept;
  Table& operator=(Table&& other) noexcept;

  explicit Table(uint64_t hash_seed) : hash_seed_(hash_seed) {}
  uint64_t hash(Bytes key) const { return hash_key(key, hash_seed_); }

  size_t size() const { return size_; }
  size_t deadlines() const { return deadlines_; }  // Entries that have one.
  size_t bucket_bytes() const;                     // Memory of buckets, without entries.

  // Look-ahead of a pipeline in two rounds: where the key's bucket is, then, that being in the
  // cache, where its entry probably is (or the next bucket). The caller fetches them. Places hold
  // until the table changes. REQUIRES: the table is not empty.
  const void* bucket_place(uint64_t hash) const { return &bucket(index_of(hash)); }
  const void* entry_place(const void* bucket_place, uint64_t hash) const {
    const Bucket& b = *static_cast<const Bucket*>(bucket_place);
    uint64_t hits = match_tags(b, tag_of(hash));
    return hits ? static_cast<const void*>(entry_at(b, __builtin_ctzll(hits) / 8)) : link(b);
  }

  Entry* find(Bytes key, uint64_t hash) const {
    Entry* e = find_first(key, hash);
    return __builtin_expect(e != nullptr, 1) ? e : find_any(key, hash);
  }
  void insert(Entry* entry, uint64_t hash);              // REQUIRES: the key is absent.
  void replace(Entry* now, Entry* with, uint64_t hash);  // Same key. `now` is not destroyed.
  Entry* remove(Bytes key, uint64_t hash);               // Unlinks and returns it; null if absent.
  void clear();                                          // Destroys all entries.
  // Destroys about `max` entries (buckets are emptied whole); false when none are left. For bounded
  // lazy frees.
  bool clear_some(size_t max);

  // Visits the bucket at `cursor` and returns the next cursor; 0 = the end (and the start).
  template <class Visit>
  uint64_t scan(uint64_t cursor, Visit visit) const;

  // An entry drawn nearly uniformly; null when empty.
  Entry* random(Random& random) const;

  // The expiry scan: visits up to `max_buckets` buckets in address order from an internal hand and
  // calls visit(Entry*) for entries with a deadline. `visit` must not change the table.
  template <class Visit>
  void visit_deadlines(size_t max_buckets, Visit visit);

  size_t buckets() const { return buckets_; }

 private:
  struct alignas(64) Bucket {
    uint8_t tags[7];
    uint8_t meta;
    uint64_t slots[7];
  };
  static_assert(sizeof(Bucket) == 64);
  static constexpr int kSlots = 7;
  static constexpr uint8_t kLinked = 0x80;
  static constexpr size_t kSegmentBuckets = 256;  // 16 KiB

  Bucket& bucket(size_t index) const {
    return segments_[index / kSegmentBuckets][index % kSegmentBuckets];
  }
  size_t index_of(uint64_t hash) const {
    size_t index = hash & mask_;
    return index < buckets_ ? index : hash & (mask_ >> 1);
  }
  static uint8_t tag_of(uint64_t hash) {
    auto tag = static_cast<uint8_t>(hash >> 56);
    return tag ? tag : 1;
  }
  // The low 7 bytes are 0x80 where the tag equals `tag`. May also flag a byte above a true match (a
  // borrow), which the comparison of tags and keys then refuses.
  static uint64_t match_tags(const Bucket& b, uint8_t tag) {
    uint64_t word;
    std::memcpy(&word, b.tags, 8);
    uint64_t x = word ^ (0x0101010101010101u * tag);
    return (x - 0x0101010101010101u) & ~x & 0x0080808080808080u;
  }
  // Where most keys are: the first with their tag in their bucket's first line. Null says nothing.
  Entry* find_first(Bytes key, uint64_t hash) const {
    if (__builtin_expect(buckets_ == 0, 0)) return nullptr;
    const Bucket& b = bucket(index_of(hash));
    uint64_t hits = match_tags(b, tag_of(hash));
    if (__builtin_expect(hits == 0, 0)) return nullptr;
    // The lowest flag is never a false one (match_tags).
    Entry* e = entry_at(b, __builtin_ctzll(hits) / 8);
    return __builtin_expect(e->has_key(key), 1) ? e : nullptr;
  }
  Entry* find_any(Bytes key, uint64_t hash) const;
  template <class Visit>
  static void visit_bucket(const Bucket& first, Visit visit);
  void add_to_bucket(Bucket& first, Entry* entry, uint8_t tag);
  void grow_one();
  void shrink_one();
  void redistribute(Bucket& from, size_t low, size_t high);
  void free_chain(Bucket& first);
  void start();
  void take(Table& other);

  std::vector<Bucket*> segments_;
  size_t buckets_ = 0;  // In use; the least power of two above is mask_ + 1.
  size_t mask_ = 0;
  size_t size_ = 0;
  size_t deadlines_ = 0;
  size_t overflow_buckets_ = 0;
  size_t hand_ = 0;
  uint64_t hash_seed_ = 0;

  static Entry* entry_at(const Bucket& b, int i) {
    return reinterpret_cast<Entry*>(static_cast<uintptr_t>(b.slots[i]));
  }
  static Bucket* link(const Bucket& b) {
    return (b.meta & kLinked) ? reinterpret_cast<Bucket*>(static_cast<uintptr_t>(b.slots[6]))
                              : nullptr;
  }
  static int used_slots(const Bucket& b) { return (b.meta & kLinked) ? kSlots - 1 : kSlots; }
};

// ---- templates ----

template <class Visit>
void Table::visit_bucket(const Bucket& first, Visit visit) {
  for (const Bucket* b = &first; b; b = link(*b)) {
    for (int i = 0, n = used_slots(*b); i < n; i++) {
      if (b->tags[i]) visit(entry_at(*b, i), (b->meta >> i & 1) != 0);
    }
  }
}

inline uint64_t reverse_bits(uint64_t x) {
  x = (x >> 1 & 0x5555555555555555) | (x & 0x5555555555555555) << 1;
  x = (x >> 2 & 0x3333333333333333) | (x & 0x3333333333333333) << 2;
  x = (x >> 4 & 0x0f0f0f0f0f0f0f0f) | (x & 0x0f0f0f0f0f0f0f0f) << 4;
  return __builtin_bswap64(x);
}

template <class Visit>
uint64_t Table::scan(uint64_t cursor, Visit visit) const {
  if (buckets_ == 0) return 0;
  size_t index = index_of(cursor);
  visit_bucket(bucket(index), [&](Entry* e, bool) { visit(e); });
  // The bucket owns the hashes that end in its low `level` bits; its successor in reversed order
  // is found by adding one to the reversed value of those bits.
  size_t half = mask_ >> 1;
  uint64_t level_mask = index > half || index + half + 1 < buckets_ ? mask_ : half;
  return reverse_bits(reverse_bits(cursor | ~level_mask) + 1);
}

template <class Visit>
void Table::visit_deadlines(size_t max_buckets, Visit visit) {
  if (buckets_ == 0) return;
  for (size_t n = 0; n < max_buckets && n < buckets_; n++) {
    if (hand_ >= buckets_) hand_ = 0;
    visit_bucket(bucket(hand_++), [&](Entry* e, bool has_deadline) {
      if (has_deadline) visit(e);
    });
  }
}

}  // namespace hotkv
