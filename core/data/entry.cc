#include "core/data/entry.h"

#include <cstdlib>
#include <cstring>

#include "core/base/check.h"

namespace hotkv {

struct Entry::Heap {
  uint32_t size;
  uint32_t capacity;
  char* bytes() { return reinterpret_cast<char*>(this + 1); }
};

namespace {

constexpr size_t round_up_8(size_t n) { return (n + 7) & ~static_cast<size_t>(7); }

void* allocate_or_stop(size_t size) {
  void* p = std::malloc(size);
  HOTKV_CHECK(p != nullptr);
  return p;
}

// Only text that an int64 prints as is an integer; the cheap test first, since most are not.
bool is_integer_text(Bytes value, int64_t& number) {
  if (value.empty() || value.size() > 20) return false;
  char c = value[0];
  if (c != '-' && (c < '0' || c > '9')) return false;
  return parse_int64(value, number);
}

}  // namespace

void Entry::store(size_t offset, uint64_t value) { std::memcpy(fields() + offset, &value, 8); }

Entry::Heap* Entry::heap() const {
  return reinterpret_cast<Heap*>(static_cast<uintptr_t>(load(word_offset())));
}

Entry* Entry::allocate(Bytes key, Encoding encoding, size_t inline_size,
                       const EntryExtras& extras) {
  uint8_t flags = (extras.deadline_ms != kNoDeadline ? kDeadline : 0) |
                  (extras.lock_number ? kNumber : 0) | (key.size() > 255 ? kWide : 0);
  size_t fields = 8u * (((flags & kDeadline) != 0) + ((flags & kNumber) != 0) +
                        ((flags & kWide) != 0) + (encoding != Encoding::kInline));
  auto* e =
      static_cast<Entry*>(allocate_or_stop(round_up_8(8 + fields + key.size() + inline_size)));
  e->kind_ = static_cast<uint8_t>(static_cast<uint8_t>(Type::kString) |
                                  static_cast<uint8_t>(encoding) << 4);
  e->flags_ = flags;
  e->set_access(0);
  e->key_small_ = static_cast<uint8_t>(key.size() > 255 ? 0 : key.size());
  e->value_small_ = static_cast<uint16_t>(inline_size);
  if (flags & kDeadline) e->store(0, static_cast<uint64_t>(extras.deadline_ms));
  if (flags & kNumber) e->store(e->number_offset(), extras.lock_number);
  if (flags & kWide) e->store(e->wide_offset(), key.size());
  copy_bytes(e->fields() + e->key_offset(), key);
  return e;
}

Entry* Entry::create(Bytes key, Bytes value, const EntryExtras& extras) {
  int64_t number;
  if (is_integer_text(value, number)) return create_integer(key, number, extras);
  if (value.size() > kInlineMax) {
    Entry* e = create_heap(key, value.size(), value.size(), extras);
    copy_bytes(e->heap_data(), value);
    return e;
  }
  Entry* e = allocate(key, Encoding::kInline, value.size(), extras);
  copy_bytes(e->fields() + e->key_offset() + key.size(), value);
  return e;
}

Entry* Entry::create_integer(Bytes key, int64_t value, const EntryExtras& extras) {
  Entry* e = allocate(key, Encoding::kInteger, 0, extras);
  e->store(e->word_offset(), static_cast<uint64_t>(value));
  return e;
}

Entry* Entry::create_heap(Bytes key, size_t size, size_t capacity, const EntryExtras& extras) {
  Entry* e = allocate(key, Encoding::kHeap, 0, extras);
  auto* heap = static_cast<Heap*>(allocate_or_stop(sizeof(Heap) + capacity));
  heap->size = static_cast<uint32_t>(size);
  heap->capacity = static_cast<uint32_t>(capacity);
  std::memset(heap->bytes(), 0, size);
  e->store(e->word_offset(), reinterpret_cast<uintptr_t>(heap));
  return e;
}

Entry* Entry::copy(const Entry& from, Bytes key, const EntryExtras& extras) {
  Entry* e;
  switch (from.encoding()) {
    case Encoding::kInteger: e = create_integer(key, from.integer(), extras); break;
    case Encoding::kHeap:
      e = create_heap(key, from.heap()->size, from.heap()->size, extras);
      std::memcpy(e->heap_data(), from.heap()->bytes(), from.heap()->size);
      break;
    default: {
      NumberText text;
      Bytes value = from.string(text);
      e = allocate(key, Encoding::kInline, value.size(), extras);
      copy_bytes(e->fields() + e->key_offset() + key.size(), value);
    }
  }
  e->set_access(from.access());
  return e;
}

Entry* Entry::move(Entry* from, Bytes key, const EntryExtras& extras) {
  if (from->encoding() != Encoding::kHeap) {
    Entry* e = copy(*from, key, extras);
    destroy(from);
    return e;
  }
  Entry* e = allocate(key, Encoding::kHeap, 0, extras);
  e->store(e->word_offset(), from->load(from->word_offset()));
  e->set_access(from->access());
  std::free(from);
  return e;
}

void Entry::destroy(Entry* entry) {
  if (entry->encoding() == Encoding::kHeap) std::free(entry->heap());
  std::free(entry);
}

uint64_t Entry::lock_number() const { return (flags_ & kNumber) ? load(number_offset()) : 0; }

void Entry::set_deadline_in_place(int64_t deadline_ms) {
  HOTKV_CHECK(has_deadline());
  store(0, static_cast<uint64_t>(deadline_ms));
}

void Entry::set_lock_number_in_place(uint64_t number) {
  HOTKV_CHECK(flags_ & kNumber);
  store(number_offset(), number);
}

Bytes Entry::outlying_string(NumberText& text) const {
  if (encoding() == Encoding::kInteger) return format_int64(integer(), text);
  return {heap()->bytes(), heap()->size};
}

size_t Entry::string_length() const {
  NumberText text;
  return string(text).size();
}

int64_t Entry::integer() const { return static_cast<int64_t>(load(word_offset())); }

bool Entry::same_shape(const EntryExtras& extras) const {
  static_assert(kDeadline == 1 && kNumber == 2);
  int wanted = (extras.deadline_ms != kNoDeadline) | (extras.lock_number != 0) << 1;
  return (flags_ & (kDeadline | kNumber)) == wanted;
}

bool Entry::overwrite_in_place(Bytes value, const EntryExtras& extras) {
  constexpr uint8_t kInlineString = 0;
  static_assert(static_cast<int>(Type::kString) == 0 && static_cast<int>(Encoding::kInline) == 0);
  if (kind_ != kInlineString || !same_shape(extras)) return false;
  size_t offset = key_offset() + key_size();
  if (value.size() != value_small_ &&
      (value.size() > kInlineMax ||
       round_up_8(offset + value.size()) != round_up_8(offset + value_small_))) {
    return false;
  }
  int64_t number;
  if (is_integer_text(value, number)) return false;
  copy_bytes(fields() + offset, value);
  value_small_ = static_cast<uint16_t>(value.size());
  if (has_deadline()) store(0, static_cast<uint64_t>(extras.deadline_ms));
  if (flags_ & kNumber) store(number_offset(), extras.lock_number);
  return true;
}

bool Entry::overwrite_integer_in_place(int64_t value, const EntryExtras& extras) {
  if (type() != Type::kString || encoding() != Encoding::kInteger || !same_shape(extras))
    return false;
  store(word_offset(), static_cast<uint64_t>(value));
  if (has_deadline()) store(0, static_cast<uint64_t>(extras.deadline_ms));
  if (flags_ & kNumber) store(number_offset(), extras.lock_number);
  return true;
}

char* Entry::heap_data() {
  HOTKV_CHECK(encoding() == Encoding::kHeap);
  return heap()->bytes();
}

char* Entry::heap_resize(size_t size) {
  HOTKV_CHECK(encoding() == Encoding::kHeap);
  Heap* h = heap();
  if (size > h->capacity) {
    // Doubling makes appends linear in total; past 1 MiB a megabyte of slack is enough.
    size_t capacity = size < (1u << 20) ? size * 2 : size + (1u << 20);
    h = static_cast<Heap*>(std::realloc(h, sizeof(Heap) + capacity));
    HOTKV_CHECK(h != nullptr);
    h->capacity = static_cast<uint32_t>(capacity);
    store(word_offset(), reinterpret_cast<uintptr_t>(h));
  }
  if (size > h->size) std::memset(h->bytes() + h->size, 0, size - h->size);
  h->size = static_cast<uint32_t>(size);
  return h->bytes();
}

size_t Entry::allocated_bytes() const {
  size_t n = round_up_8(8 + key_offset() + key_size() + value_small_);
  if (encoding() == Encoding::kHeap) n += sizeof(Heap) + heap()->capacity;
  return n;
}

}  // namespace hotkv
