#include "core/data/table.h"

#include <cstdlib>
#include <cstring>

#include "core/base/check.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace hotkv {

namespace {

constexpr size_t kStartBuckets = 16;
// Entries per bucket at which one more bucket is made, in 1/16: 5.25 of 7 slots. Measured: above
// it overflow lines cost more than the emptier buckets below it.
constexpr size_t kGrowLoad16 = 84;
constexpr size_t kShrinkLoad16 = 24;

}  // namespace

uint64_t hash_key(Bytes key, uint64_t seed) {
  return XXH3_64bits_withSeed(key.data(), key.size(), seed);
}

Table::~Table() { clear(); }

Table::Table(Table&& other) noexcept { take(other); }

Table& Table::operator=(Table&& other) noexcept {
  if (this != &other) {
    clear();
    take(other);
  }
  return *this;
}

void Table::take(Table& other) {
  segments_ = std::move(other.segments_);
  other.segments_.clear();
  buckets_ = other.buckets_;
  mask_ = other.mask_;
  size_ = other.size_;
  deadlines_ = other.deadlines_;
  overflow_buckets_ = other.overflow_buckets_;
  hand_ = other.hand_;
  hash_seed_ = other.hash_seed_;
  other.buckets_ = other.mask_ = other.size_ = other.deadlines_ = 0;
  other.overflow_buckets_ = other.hand_ = 0;
}

size_t Table::bucket_bytes() const {
  return (segments_.size() * kSegmentBuckets + overflow_buckets_) * sizeof(Bucket);
}

Entry* Table::find_any(Bytes key, uint64_t hash) const {
  if (!buckets_) return nullptr;
  uint8_t tag = tag_of(hash);
  for (const Bucket* b = &bucket(index_of(hash)); b; b = link(*b)) {
    for (uint64_t hits = match_tags(*b, tag); hits; hits &= hits - 1) {
      int i = __builtin_ctzll(hits) / 8;
      // A linked bucket's slot 6 is no entry; its tag is 0, but a borrow may flag it.
      if (b->tags[i] != tag) continue;
      Entry* e = entry_at(*b, i);
      if (e->has_key(key)) return e;
    }
  }
  return nullptr;
}

void Table::add_to_bucket(Bucket& first, Entry* entry, uint8_t tag) {
  Bucket* b = &first;
  while (true) {
    int n = used_slots(*b);
    for (int i = 0; i < n; i++) {
      if (b->tags[i]) continue;
      b->tags[i] = tag;
      b->slots[i] = reinterpret_cast<uintptr_t>(entry);
      if (entry->has_deadline()) b->meta |= static_cast<uint8_t>(1 << i);
      return;
    }
    if (Bucket* next = link(*b)) {
      b = next;
      continue;
    }
    // Full: slot 6 becomes the link, and its entry moves to the new bucket.
    auto* more = static_cast<Bucket*>(std::aligned_alloc(64, sizeof(Bucket)));
    HOTKV_CHECK(more != nullptr);
    std::memset(static_cast<void*>(more), 0, sizeof(Bucket));
    overflow_buckets_++;
    more->tags[0] = b->tags[6];
    more->slots[0] = b->slots[6];
    more->meta = static_cast<uint8_t>(b->meta >> 6 & 1);
    b->tags[6] = 0;
    b->slots[6] = reinterpret_cast<uintptr_t>(more);
    b->meta = static_cast<uint8_t>((b->meta & 0x3f) | kLinked);
    b = more;
  }
}

void Table::start() {
  auto* segment = static_cast<Bucket*>(std::aligned_alloc(64, kSegmentBuckets * sizeof(Bucket)));
  HOTKV_CHECK(segment != nullptr);
  std::memset(static_cast<void*>(segment), 0, kSegmentBuckets * sizeof(Bucket));
  segments_.push_back(segment);
}

void Table::insert(Entry* entry, uint64_t hash) {
  if (!buckets_) {
    start();
    buckets_ = kStartBuckets;
    mask_ = kStartBuckets - 1;
  }
  add_to_bucket(bucket(index_of(hash)), entry, tag_of(hash));
  size_++;
  if (entry->has_deadline()) deadlines_++;
  if (size_ * 16 > buckets_ * kGrowLoad16) grow_one();
}

void Table::replace(Entry* now, Entry* with, uint64_t hash) {
  for (Bucket* b = &bucket(index_of(hash)); b; b = link(*b)) {
    for (int i = 0, n = used_slots(*b); i < n; i++) {
      if (!b->tags[i] || entry_at(*b, i) != now) continue;
      auto bit = static_cast<uint8_t>(1 << i);
      deadlines_ -= (b->meta & bit) != 0;
      deadlines_ += with->has_deadline();
      b->slots[i] = reinterpret_cast<uintptr_t>(with);
      b->meta = static_cast<uint8_t>((b->meta & ~bit) | (with->has_deadline() ? bit : 0));
      return;
    }
  }
  HOTKV_CHECK(false && "replace: the entry is not in the table");
}

Entry* Table::remove(Bytes key, uint64_t hash) {
  if (!buckets_) return nullptr;
  uint8_t tag = tag_of(hash);
  Bucket& first = bucket(index_of(hash));
  for (Bucket* b = &first; b; b = link(*b)) {
    for (int i = 0, n = used_slots(*b); i < n; i++) {
      if (b->tags[i] != tag || entry_at(*b, i)->key() != key) continue;
      Entry* e = entry_at(*b, i);
      b->tags[i] = 0;
      deadlines_ -= (b->meta >> i & 1);
      b->meta &= static_cast<uint8_t>(~(1 << i));
      size_--;
      if (buckets_ > kStartBuckets && size_ * 16 < buckets_ * kShrinkLoad16) shrink_one();
      return e;
    }
  }
  return nullptr;
}

void Table::free_chain(Bucket& first) {
  for (Bucket* b = link(first); b;) {
    Bucket* next = link(*b);
    std::free(b);
    overflow_buckets_--;
    b = next;
  }
  std::memset(static_cast<void*>(&first), 0, sizeof(Bucket));
}

// Empties the chain at `from` and places its entries by the present mask into buckets `low` (=
// from's index) and `high`.
void Table::redistribute(Bucket& from, size_t low, size_t high) {
  struct Held {
    Entry* entry;
    uint8_t tag;
  };
  constexpr int kBatch = 64;
  Held held[kBatch];
  int n = 0;
  std::vector<Held> rest;  // Only a chain of more than 9 buckets gets here.
  for (Bucket* b = &from; b; b = link(*b)) {
    for (int i = 0, used = used_slots(*b); i < used; i++) {
      if (!b->tags[i]) continue;
      Entry* e = entry_at(*b, i);
      __builtin_prefetch(e);
      if (n < kBatch) {
        held[n++] = {e, b->tags[i]};
      } else {
        rest.push_back({e, b->tags[i]});
      }
    }
  }
  free_chain(from);
  auto place = [&](const Held& h) {
    size_t index = low == high ? low : (hash(h.entry->key()) & mask_);
    add_to_bucket(bucket(index), h.entry, h.tag);
  };
  for (int i = 0; i < n; i++) place(held[i]);
  for (const Held& h : rest) place(h);
}

void Table::grow_one() {
  size_t added = buckets_;
  if (added / kSegmentBuckets >= segments_.size()) start();
  if (added == mask_ + 1) mask_ = mask_ * 2 + 1;
  buckets_++;
  size_t low = added & (mask_ >> 1);
  redistribute(bucket(low), low, added);
}

void Table::shrink_one() {
  size_t last = buckets_ - 1;
  size_t low = last & (mask_ >> 1);
  Bucket& from = bucket(last);
  // With the last bucket out of the count its hashes address `low`.
  buckets_--;
  redistribute(from, low, low);
  if (buckets_ == (mask_ + 1) / 2) mask_ >>= 1;
  size_t needed = (buckets_ + kSegmentBuckets - 1) / kSegmentBuckets;
  // One spare segment stays, so that a table at the edge does not allocate back and forth.
  while (segments_.size() > needed + 1) {
    std::free(segments_.back());
    segments_.pop_back();
  }
}

bool Table::clear_some(size_t max) {
  while (buckets_ > 0 && max > 0) {
    Bucket& last = bucket(buckets_ - 1);
    size_t destroyed = 0;
    visit_bucket(last, [&](Entry* e, bool) {
      Entry::destroy(e);
      destroyed++;
    });
    free_chain(last);
    buckets_--;
    size_ -= destroyed;
    max -= destroyed < max ? destroyed : max;
  }
  if (buckets_ > 0) return true;
  for (Bucket* segment : segments_) std::free(segment);
  segments_.clear();
  mask_ = size_ = deadlines_ = hand_ = 0;
  return false;
}

void Table::clear() {
  while (clear_some(SIZE_MAX)) {
  }
}

Entry* Table::random(Random& random) const {
  if (size_ == 0) return nullptr;
  while (true) {
    const Bucket& b = bucket(random.below(buckets_));
    // Drawing a position among more slots than a chain ever uses, and drawing again when it is
    // free, makes each entry about equally likely, however full its bucket is.
    uint64_t wanted = random.below(3 * kSlots), seen = 0;
    Entry* found = nullptr;
    visit_bucket(b, [&](Entry* e, bool) {
      if (seen++ == wanted) found = e;
    });
    if (found) return found;
  }
}

}  // namespace hotkv
