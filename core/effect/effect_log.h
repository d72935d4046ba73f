// EffectLog: every change of the data as one byte stream with absolute offsets.
//
// The bytes are RESP commands, canonical and absolute in time: `SET k v PXAT t`, `DEL k`,
// `PEXPIREAT k t` ... Replicas, files and the backlog are cursors in it, so that equal offset means
// equal data. The log keeps the last `capacity` bytes; older ones are gone for good.
//
// A unit is what one command, EXEC or script changed. Its effects enter the log together, in
// MULTI ... EXEC when there are two or more, behind a SELECT when the database differs from the one
// before. Nothing of a unit is in the log until commit().
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "core/base/bytes.h"

namespace hotkv {

class EffectLog {
 public:
  static constexpr size_t kDefaultCapacity = 1024 * 1024;  // repl-backlog-size

  explicit EffectLog(size_t capacity = kDefaultCapacity) : capacity_(capacity) {}

  // One effect of the open unit; words of a command, in database `db`.
  void add(int db, std::initializer_list<Bytes> words);
  // The hot one, written without a loop: SET key value [PXAT deadline].
  void add_set(int db, Bytes key, Bytes value, int64_t deadline_ms);
  void commit() {  // Ends the unit.
    if (unit_effects_ > 0) commit_unit();
  }

  // Offset behind the last byte, counting the open unit: what the next effect will be at.
  uint64_t next_offset() const { return end_ + unit_size_; }
  uint64_t end_offset() const { return end_; }
  uint64_t start_offset() const { return end_ - size_; }
  // Bytes from `offset` on, as far as they lie in one piece; empty at the end.
  // REQUIRES: start_offset() <= offset <= end_offset().
  Bytes read(uint64_t offset) const;

 private:
  void begin_effect(int db);
  void select(int db);
  char* unit_room(size_t size);
  void unit_written(const char* end);
  void commit_unit();
  void append(Bytes bytes);
  void append_around(Bytes bytes);

  size_t capacity_;
  std::vector<char> ring_;  // Allocated with the first effect.
  size_t ring_at_ = 0;      // Where the next byte goes: end_ modulo the capacity.
  size_t size_ = 0;
  uint64_t end_ = 0;
  std::vector<char> unit_;  // Room for the open unit's bytes.
  size_t unit_size_ = 0;
  int unit_effects_ = 0;
  bool leading_select_ = false;
  int first_db_ = -1;
  int selected_db_ = -1;
};

}  // namespace hotkv
