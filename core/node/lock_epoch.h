// LockEpoch: the number in `hotkv.epoch` that makes fencing numbers grow over restarts.
//
// At start the file is read, one is added, and the new epoch is made durable; only then may LOCK
// grant (SPEC: Locks), because a number granted before a crash must never be granted again after
// it. A file that cannot be read or written makes LOCK answer an error that says why; everything
// else works, and the write is tried again once a second.
#pragma once

#include "core/base/io.h"

namespace hotkv {

class LockEpoch {
 public:
  enum class State : uint8_t {
    kIdle,     // Before start.
    kReading,  // Waits for the file's contents.
    kWriting,  // Waits until the new epoch is durable.
    kReady,    // epoch() may be used.
    kFailed,   // failure() says why; retry() leads back to kReading.
  };

  void start(FileOpId id, Outputs& outputs);  // Also the retry after kFailed.
  // The effect log has passed 2^36 bytes in this run: the next epoch must be durable first.
  void advance(FileOpId id, Outputs& outputs);
  bool owns(FileOpId id) const { return id == pending_; }
  void file_done(const Input& input, FileOpId next_id, Outputs& outputs);

  State state() const { return state_; }
  bool settled() const { return state_ == State::kReady || state_ == State::kFailed; }
  uint64_t epoch() const { return epoch_; }
  const std::string& failure() const { return failure_; }

 private:
  void write(FileOpId id, Outputs& outputs);
  void fail(std::string why, Outputs& outputs);

  State state_ = State::kIdle;
  FileOpId pending_;
  uint64_t epoch_ = 0;
  std::string failure_;
};

}  // namespace hotkv
