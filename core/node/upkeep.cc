// The timer: expiry, idle clients, statistics; bounded per step.
#include "core/base/numbers.h"
#include "core/node/server.h"

namespace hotkv {

namespace {

// One slice of the expiry scan: about 50 us of work.
constexpr size_t kSliceBuckets = 256;
constexpr size_t kSliceRemovals = 512;
// Slices of a round while few keys turn out to be expired: about 200,000 keys looked at a second.
constexpr int kSlicesPerRound = 16;
constexpr size_t kFreePerStep = 2048;

}  // namespace

void Server::options_changed() {
  settings.max_bulk_bytes = options.number("proto-max-bulk-len");
  output_limited = options.text("client-output-buffer-limit").find("normal 0 0") == Bytes::npos;
}

void Server::expire_keys() {
  if (!active_expire) return;
  if (now.mono >= timers.at(ServerTimer::kUpkeep)) {
    slices_left_ = kSlicesPerRound * static_cast<int>(options.number("active-expire-effort"));
  }
  if (slices_left_ == 0) return;
  Txn::ExpirySweep sweep = txn.expire_some(now, kSliceBuckets, kSliceRemovals);
  // While more than a tenth of the keys with a deadline are stale (Redis's own mark at effort 1)
  // the scan goes on, slice by slice between commands.
  if (sweep.removed * 10 <= sweep.seen) slices_left_--;
  if (slices_left_ > 0) outputs->more_work = true;
}

void Server::close_idle() {
  int64_t timeout = options.number(kTimeout);
  visit_sessions([&](Session& s) {
    if (timeout > 0 && !s.closing && s.wait == Session::Wait::kNone &&
        now.mono - s.active_at > hotkv::seconds(timeout)) {
      log(LogLevel::kVerbose, "Closing idle client " + s.address);
      close_session(s, "idle", true);
    }
    if (s.soft_limit_since != Time::never()) check_output_limit(s);
  });
}

void Server::upkeep() {
  if (timers.due(ServerTimer::kPauseEnd, now.mono)) unpause_clients();
  if (txn.free_some(kFreePerStep)) outputs->more_work = true;
  expire_keys();
  if (!timers.due(ServerTimer::kUpkeep, now.mono)) return;
  int64_t hz = options.number("hz");
  close_idle();
  commands_per_second = static_cast<int64_t>(counts.commands - commands_at_upkeep) * hz;
  commands_at_upkeep = counts.commands;
  if (uint64_t used = used_memory(); used > peak_memory) peak_memory = used;
  if (++upkeep_rounds % hz == 0 && epoch.state() == LockEpoch::State::kFailed) {
    epoch.start(next_file_op(), *outputs);
  }
  timers.stop(ServerTimer::kUpkeep);
}

// Upkeep runs only while there is something to keep up, so that an idle node in a simulation or a
// page sleeps for good.
void Server::schedule() {
  bool needed = connected > 0 || !txn_idle();
  Time at = timers.at(ServerTimer::kUpkeep);
  if (needed && at == Time::never()) {
    timers.set(ServerTimer::kUpkeep, now.mono + microseconds(1000000 / options.number("hz")));
  } else if (!needed) {
    timers.stop(ServerTimer::kUpkeep);
  }
}

bool Server::txn_idle() const {
  for (int db = 0; db < keyspace.databases(); db++) {
    if (keyspace.table(db).deadlines() > 0) return false;
  }
  return epoch.state() != LockEpoch::State::kFailed;
}

Time Server::next_deadline() const {
  if (!runnable_.empty()) return now.mono;
  return timers.next();
}

void Server::pause_clients(bool writes_only, int64_t ms) {
  Time until = now.mono + milliseconds(ms);
  Time present = timers.at(ServerTimer::kPauseEnd);
  // A second pause never shortens the first one, and ALL is not weakened by WRITE.
  if (paused && present != Time::never() && present > until) until = present;
  paused_writes_only = writes_only && (!paused || paused_writes_only);
  paused = true;
  timers.set(ServerTimer::kPauseEnd, until);
}

void Server::unpause_clients() {
  paused = false;
  paused_writes_only = false;
  timers.stop(ServerTimer::kPauseEnd);
  wake(Session::Wait::kPause);
}

}  // namespace hotkv
