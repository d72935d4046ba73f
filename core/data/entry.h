// Entry: one key with its value, in one allocation.
//
//   0        1       2        5           6            8
//   | kind   | flags | access | key_small | value_small|  header, 8 bytes
//   [ i64 deadline, Unix ms ]                           only with kDeadline
//   [ u64 lock number ]                                 only with kNumber
//   [ u64 key length ]                                  only with kWide (keys over 255 bytes)
//   [ i64 value or address of the heap block ]          kInteger, kHeap
//   key bytes, value bytes                              value bytes only with kInline
//
// Why: with a million keys, cache misses decide. A GET touches one table line and one entry. A
// 16-byte key with a 16-byte value takes 40 bytes, and 48 with a time to live.
//
// Entries are made and changed through Txn only; this file knows layout, not policy. Lengths are at
// most 512 MiB. Out of memory stops the process (HOTKV_CHECK), as in Redis.
#pragma once

#include <cstdint>
#include <cstring>

#include "core/base/bytes.h"
#include "core/base/numbers.h"

namespace hotkv {

// Written into traces and, later, files: never change the numbers.
enum class Type : uint8_t { kString = 0, kList, kSet, kSortedSet, kHash, kStream };
// As TYPE reports it.
constexpr Bytes type_name(Type type) {
  constexpr Bytes kNames[] = {"string", "list", "set", "zset", "hash", "stream"};
  return kNames[static_cast<int>(type)];
}
enum class Encoding : uint8_t {
  kInline = 0,   // String bytes behind the key.
  kInteger = 1,  // A string that is the canonical text of an int64.
  kHeap = 2,  // String bytes in a block of their own that can grow (APPEND, SETRANGE, long values).
};

constexpr int64_t kNoDeadline = INT64_MAX;

// Extras of an entry that exist only when they differ from the default.
struct EntryExtras {
  int64_t deadline_ms = kNoDeadline;
  uint64_t lock_number = 0;  // Fencing number of LOCK; 0 = none.
};

class Entry {
 public:
  // Values of this length and less lie behind the key; longer ones in a heap block.
  static constexpr size_t kInlineMax = 1024;

  // Makes a string entry; picks the encoding (integer, inline, heap) from the value.
  static Entry* create(Bytes key, Bytes value, const EntryExtras& extras);
  static Entry* create_integer(Bytes key, int64_t value, const EntryExtras& extras);
  // Makes a heap-encoded string of `size` bytes, zero-filled, with at least `capacity` bytes room.
  static Entry* create_heap(Bytes key, size_t size, size_t capacity, const EntryExtras& extras);
  // The same value under another key, or with other extras; heap blocks are copied.
  static Entry* copy(const Entry& from, Bytes key, const EntryExtras& extras);
  // As copy, but takes the heap block over and destroys `from`.
  static Entry* move(Entry* from, Bytes key, const EntryExtras& extras);
  static void destroy(Entry* entry);

  Type type() const { return static_cast<Type>(kind_ & 15); }
  Encoding encoding() const { return static_cast<Encoding>(kind_ >> 4); }
  Bytes key() const { return {fields() + key_offset(), key_size()}; }
  bool has_key(Bytes key) const {
    return key_size() == key.size() && equal_bytes(fields() + key_offset(), key.data(), key.size());
  }
  int64_t deadline_ms() const {
    return has_deadline() ? static_cast<int64_t>(load(0)) : kNoDeadline;
  }
  bool has_deadline() const { return (flags_ & kDeadline) != 0; }
  uint64_t lock_number() const;
  EntryExtras extras() const { return {deadline_ms(), lock_number()}; }
  // REQUIRES: the entry has a deadline already; the in-place path of EXPIRE.
  void set_deadline_in_place(int64_t deadline_ms);
  void set_lock_number_in_place(uint64_t number);  // REQUIRES: has a number already.

  // The string's bytes; an integer is written into `text`. REQUIRES: type() == kString.
  Bytes string(NumberText& text) const {
    return encoding() == Encoding::kInline ? inline_string() : outlying_string(text);
  }
  // REQUIRES: encoding() == kInline
  Bytes inline_string() const { return {fields() + word_offset() + key_size(), value_small_}; }
  size_t string_length() const;
  int64_t integer() const;  // REQUIRES: encoding() == kInteger
  // Overwrites the value without a new allocation when encoding, extras and room allow it.
  // True when done. `deadline_ms` must have the same presence as now.
  bool overwrite_in_place(Bytes value, const EntryExtras& extras);
  bool overwrite_integer_in_place(int64_t value, const EntryExtras& extras);
  // REQUIRES: encoding() == kHeap. Grows to `size` (new bytes are zero) and returns the bytes.
  char* heap_resize(size_t size);
  char* heap_data();

  size_t allocated_bytes() const;  // Entry and heap block, for MEMORY USAGE and used_memory.

  uint32_t access() const { return access_[0] | access_[1] << 8 | access_[2] << 16; }
  void set_access(uint32_t value) {  // 24 bits: LRU clock in seconds or LFU counter.
    access_[0] = static_cast<uint8_t>(value);
    access_[1] = static_cast<uint8_t>(value >> 8);
    access_[2] = static_cast<uint8_t>(value >> 16);
  }

 private:
  static constexpr uint8_t kDeadline = 1, kNumber = 2, kWide = 4;
  struct Heap;

  static Entry* allocate(Bytes key, Encoding encoding, size_t inline_size,
                         const EntryExtras& extras);
  // Optional 8-byte fields sit in a fixed order; each one present moves the later ones by 8.
  const char* fields() const { return reinterpret_cast<const char*>(this) + 8; }
  char* fields() { return reinterpret_cast<char*>(this) + 8; }
  // The table holds 8 per bit.
  static constexpr uint8_t kFieldBytes[] = {0, 8, 8, 16, 8, 16, 16, 24};
  size_t number_offset() const { return kFieldBytes[flags_ & kDeadline]; }
  size_t wide_offset() const { return kFieldBytes[flags_ & (kDeadline | kNumber)]; }
  size_t word_offset() const { return kFieldBytes[flags_ & (kDeadline | kNumber | kWide)]; }
  size_t key_offset() const { return word_offset() + (encoding() == Encoding::kInline ? 0 : 8); }
  size_t key_size() const {
    return __builtin_expect((flags_ & kWide) == 0, 1) ? key_small_ : load(wide_offset());
  }
  uint64_t load(size_t offset) const {
    uint64_t v;
    std::memcpy(&v, fields() + offset, 8);
    return v;
  }
  Bytes outlying_string(NumberText& text) const;  // kInteger and kHeap
  void store(size_t offset, uint64_t value);
  Heap* heap() const;
  bool same_shape(const EntryExtras& extras) const;

  uint8_t kind_;
  uint8_t flags_;
  uint8_t access_[3];
  uint8_t key_small_;
  uint16_t value_small_;
};
static_assert(sizeof(Entry) == 8);

}  // namespace hotkv
