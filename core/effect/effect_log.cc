#include "core/effect/effect_log.h"

#include <algorithm>
#include <cstring>

#include "core/base/check.h"
#include "core/base/numbers.h"

namespace hotkv {

namespace {

constexpr size_t kHeaderMax = 24;  // type, 20 digits, CR LF

inline char* write_header(char* out, char type, size_t n) {
  *out = type;
  out = write_decimal(out + 1, n);
  std::memcpy(out, "\r\n", 2);
  return out + 2;
}

constexpr size_t bulk_max(Bytes word) { return kHeaderMax + word.size() + 2; }

inline char* write_bulk(char* out, Bytes word) {
  out = write_header(out, '$', word.size());
  copy_bytes(out, word);
  std::memcpy(out + word.size(), "\r\n", 2);
  return out + word.size() + 2;
}

template <size_t n>
char* write_literal(char* out, const char (&text)[n]) {
  std::memcpy(out, text, n - 1);
  return out + n - 1;
}

}  // namespace

// Room for `size` more bytes of the unit; unit_size_ says how many are used.
inline char* EffectLog::unit_room(size_t size) {
  if (unit_.size() - unit_size_ < size) unit_.resize(2 * unit_.size() + size);
  return unit_.data() + unit_size_;
}

inline void EffectLog::unit_written(const char* end) {
  unit_size_ = static_cast<size_t>(end - unit_.data());
}

// Opens an effect in `db`. A SELECT before the unit's first effect is written by commit(), in
// front of MULTI; one between two effects goes into the unit.
inline void EffectLog::begin_effect(int db) {
  if (db != selected_db_) select(db);
  unit_effects_++;
}

void EffectLog::select(int db) {
  selected_db_ = db;
  if (unit_effects_ == 0) {
    leading_select_ = true;
    first_db_ = db;
    return;
  }
  NumberText text;
  Bytes number = format_int64(db, text);
  char* out = write_literal(unit_room(64), "*2\r\n$6\r\nSELECT\r\n");
  unit_written(write_bulk(out, number));
}

void EffectLog::add(int db, std::initializer_list<Bytes> words) {
  begin_effect(db);
  unit_written(write_header(unit_room(kHeaderMax), '*', words.size()));
  for (Bytes word : words) unit_written(write_bulk(unit_room(bulk_max(word)), word));
}

void EffectLog::add_set(int db, Bytes key, Bytes value, int64_t deadline_ms) {
  begin_effect(db);
  char* out = unit_room(96 + bulk_max(key) + bulk_max(value));
  bool timed = deadline_ms != INT64_MAX;
  out =
      timed ? write_literal(out, "*5\r\n$3\r\nSET\r\n") : write_literal(out, "*3\r\n$3\r\nSET\r\n");
  out = write_bulk(write_bulk(out, key), value);
  if (timed) {
    NumberText text;
    out = write_bulk(write_literal(out, "$4\r\nPXAT\r\n"), format_int64(deadline_ms, text));
  }
  unit_written(out);
}

inline void EffectLog::append(Bytes bytes) {
  if (ring_.size() - ring_at_ <= bytes.size()) return append_around(bytes);
  std::memcpy(ring_.data() + ring_at_, bytes.data(), bytes.size());
  ring_at_ += bytes.size();
  end_ += bytes.size();
  size_ = std::min(size_ + bytes.size(), capacity_);
}

// The bytes go on at the ring's start, or the ring is not there yet.
void EffectLog::append_around(Bytes bytes) {
  if (ring_.empty()) ring_.resize(capacity_);
  end_ += bytes.size();
  size_ = std::min(size_ + bytes.size(), capacity_);
  if (bytes.size() > capacity_) bytes.remove_prefix(bytes.size() - capacity_);
  size_t at = (end_ - bytes.size()) % capacity_;
  size_t first = std::min(bytes.size(), capacity_ - at);
  std::memcpy(ring_.data() + at, bytes.data(), first);
  if (first < bytes.size()) std::memcpy(ring_.data(), bytes.data() + first, bytes.size() - first);
  ring_at_ = end_ % capacity_;
}

void EffectLog::commit_unit() {
  if (leading_select_) {
    char prefix[64];
    NumberText text;
    Bytes number = format_int64(first_db_, text);
    char* end = write_bulk(write_literal(prefix, "*2\r\n$6\r\nSELECT\r\n"), number);
    append({prefix, static_cast<size_t>(end - prefix)});
  }
  if (unit_effects_ > 1) append("*1\r\n$5\r\nMULTI\r\n");
  append({unit_.data(), unit_size_});
  if (unit_effects_ > 1) append("*1\r\n$4\r\nEXEC\r\n");
  constexpr size_t kKeepUnitBytes = 64 * 1024;
  if (unit_.size() > kKeepUnitBytes) unit_ = std::vector<char>();
  unit_size_ = 0;
  unit_effects_ = 0;
  leading_select_ = false;
}

Bytes EffectLog::read(uint64_t offset) const {
  HOTKV_CHECK(offset >= start_offset() && offset <= end_);
  if (offset == end_) return {};
  size_t at = offset % capacity_;
  uint64_t left = end_ - offset;
  size_t piece = left < capacity_ - at ? left : capacity_ - at;
  return {ring_.data() + at, piece};
}

}  // namespace hotkv
