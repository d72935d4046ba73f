// Input and Outputs: the only way into and out of a machine (a node, a sentinel).
//
// The host reads sockets, files and clocks and calls `step(input, now, outputs)`; the machine
// answers with what it wants done. The same loop, on one screen, is native/driver and sim/world.
//
// Outputs carry no order between their lists: the host may act on them in any order, except that
// the file operations of one machine are carried out in the order in which they were asked for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/bytes.h"
#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/base/time.h"

namespace hotkv {

// One atomic step. Which fields matter depends on the kind.
struct Input {
  enum class Kind : uint8_t {
    kStart,      // First step of a machine; nothing else.
    kAccepted,   // `link` is a new inbound link; `bytes` = "peer-address local-address".
    kConnected,  // An outbound link asked for by Outputs::connects stands (or `status` says why
                 // not).
    kBytes,      // `bytes` arrived on `link`. The view is the host's, valid during the step.
    kClosed,     // `link` is gone (also after Outputs::closes); the machine forgets it and the host
                 // may use its number again.
    kFileDone,   // `file_op` is finished: `status`, and for kRead the `bytes`.
    kTimer,      // Time has passed (next_deadline) or more_work was asked for.
    kStop,       // The operator wants an orderly stop (SIGTERM).
    kListened,   // Outputs::listen is done; with a failed `status` the host listens as before.
  };
  Kind kind = Kind::kTimer;
  LinkId link{};
  Bytes bytes{};
  FileOpId file_op{};
  Status status{};
};

// A request to the disk. Paths are relative to the machine's directory unless absolute.
struct FileOp {
  enum class Kind : uint8_t {
    kRead,     // The whole file; a missing file is an OK read of no bytes with `missing` set.
    kReplace,  // Atomic and durable: temp file, fsync, rename over `path`, fsync the folder.
  };
  Kind kind = Kind::kRead;
  FileOpId id;
  std::string path;
  std::string bytes;  // kReplace: the new contents.
};

struct Connect {
  LinkId link;
  std::string host;
  uint16_t port = 0;
};

struct Close {
  LinkId link;
  bool after_flush = false;  // Send what is pending first, then close.
};

enum class LogLevel : uint8_t { kDebug, kVerbose, kNotice, kWarning };

struct LogLine {
  LogLevel level = LogLevel::kNotice;
  std::string text;
};

// What a step asks of the host. Owned and reused by the host, so that a step allocates nothing.
struct Outputs {
  std::vector<LinkId> writable;  // Links that have pending() bytes because of this step, each once.
  std::vector<Connect> connects;
  std::vector<Close> closes;
  std::vector<FileOp> files;
  std::vector<LogLine> logs;
  bool more_work = false;  // Step again soon with kTimer: the bound of this step was reached.
  int64_t stall_us = 0;    // DEBUG SLEEP: the host stands still for so long.
  bool listen = false;     // The options bind or port have changed: listen so, answer kListened.
  bool exit = false;       // The machine is done; the host flushes and ends with `exit_code`.
  int exit_code = 0;

  void clear() {
    writable.clear();
    connects.clear();
    closes.clear();
    files.clear();
    logs.clear();
    more_work = false;
    stall_us = 0;
    listen = false;
    exit = false;
    exit_code = 0;
  }
};

}  // namespace hotkv
