#include "core/effect/effect_log.h"

#include <cstring>

#include "core/base/check.h"
#include "core/base/numbers.h"

namespace hotkv {

namespace {

void append_bulk(std::string& out, Bytes word) {
  NumberText text;
  out += '$';
  out += format_uint64(word.size(), text);
  out += "\r\n";
  out += word;
  out += "\r\n";
}

}  // namespace

// Opens an effect in `db`. A SELECT before the unit's first effect is written by commit(), in
// front of MULTI; one between two effects goes into the unit.
void EffectLog::begin_effect(int db) {
  if (db != selected_db_) {
    if (unit_effects_ == 0) {
      leading_select_ = true;
      first_db_ = db;
    } else {
      NumberText text;
      unit_ += "*2\r\n";
      append_bulk(unit_, "SELECT");
      append_bulk(unit_, format_int64(db, text));
    }
    selected_db_ = db;
  }
  unit_effects_++;
}

void EffectLog::add(int db, std::initializer_list<Bytes> words) {
  begin_effect(db);
  NumberText text;
  unit_ += '*';
  unit_ += format_uint64(words.size(), text);
  unit_ += "\r\n";
  for (Bytes word : words) append_bulk(unit_, word);
}

void EffectLog::add_set(int db, Bytes key, Bytes value, int64_t deadline_ms) {
  begin_effect(db);
  bool timed = deadline_ms != INT64_MAX;
  unit_ += timed ? "*5\r\n$3\r\nSET\r\n" : "*3\r\n$3\r\nSET\r\n";
  append_bulk(unit_, key);
  append_bulk(unit_, value);
  if (timed) {
    NumberText text;
    unit_ += "$4\r\nPXAT\r\n";
    append_bulk(unit_, format_int64(deadline_ms, text));
  }
}

void EffectLog::commit() {
  if (unit_effects_ == 0) return;
  if (leading_select_) {
    std::string prefix = "*2\r\n";
    NumberText text;
    append_bulk(prefix, "SELECT");
    append_bulk(prefix, format_int64(first_db_, text));
    append(prefix);
  }
  if (unit_effects_ > 1) append("*1\r\n$5\r\nMULTI\r\n");
  append(unit_);
  if (unit_effects_ > 1) append("*1\r\n$4\r\nEXEC\r\n");
  constexpr size_t kKeepUnitBytes = 64 * 1024;
  if (unit_.capacity() > kKeepUnitBytes) {
    unit_ = std::string();
  } else {
    unit_.clear();
  }
  unit_effects_ = 0;
  leading_select_ = false;
}

void EffectLog::append(Bytes bytes) {
  if (ring_.empty()) ring_.resize(capacity_);
  end_ += bytes.size();
  if (bytes.size() > capacity_) bytes.remove_prefix(bytes.size() - capacity_);
  size_t at = (end_ - bytes.size()) % capacity_;
  size_t first = bytes.size() < capacity_ - at ? bytes.size() : capacity_ - at;
  std::memcpy(ring_.data() + at, bytes.data(), first);
  if (first < bytes.size()) std::memcpy(ring_.data(), bytes.data() + first, bytes.size() - first);
  size_ = size_ + bytes.size() < capacity_ ? size_ + bytes.size() : capacity_;
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
