#include "core/node/lock_epoch.h"

#include "core/base/numbers.h"

namespace hotkv {

namespace {
constexpr const char* kPath = "hotkv.epoch";
// epoch * 2^36 stays below 2^53, the integers that every client language holds exactly.
constexpr uint64_t kEpochMax = (uint64_t{1} << 17) - 1;
}  // namespace

void LockEpoch::start(FileOpId id, Outputs& outputs) {
  state_ = State::kReading;
  pending_ = id;
  outputs.files.push_back({FileOp::Kind::kRead, id, kPath, {}});
}

void LockEpoch::advance(FileOpId id, Outputs& outputs) {
  epoch_++;
  write(id, outputs);
}

void LockEpoch::write(FileOpId id, Outputs& outputs) {
  if (epoch_ > kEpochMax) {
    fail("hotkv.epoch has reached its greatest value", outputs);
    return;
  }
  state_ = State::kWriting;
  pending_ = id;
  NumberText text;
  std::string line(format_uint64(epoch_, text));
  outputs.files.push_back({FileOp::Kind::kReplace, id, kPath, line + "\n"});
}

void LockEpoch::fail(std::string why, Outputs& outputs) {
  state_ = State::kFailed;
  pending_ = {};
  if (why != failure_) {  // Once per reason, not once per retry.
    outputs.logs.push_back({LogLevel::kWarning, "LOCK is not available: " + why});
  }
  failure_ = std::move(why);
}

void LockEpoch::file_done(const Input& input, FileOpId next_id, Outputs& outputs) {
  pending_ = {};
  if (!input.status.ok()) {
    fail(input.status.message(), outputs);
    return;
  }
  if (state_ == State::kWriting) {
    state_ = State::kReady;
    failure_.clear();
    return;
  }
  Bytes text = input.bytes;
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
  uint64_t stored = 0;
  if (!text.empty() && !parse_uint64(text, stored)) {
    fail("hotkv.epoch does not hold a number; it must be a decimal epoch or be removed", outputs);
    return;
  }
  // A retry must not go back behind an epoch that this run has used.
  epoch_ = (stored > epoch_ ? stored : epoch_) + 1;
  write(next_id, outputs);
}

}  // namespace hotkv
