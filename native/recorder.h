// Recorder: writes a recording (core/node/recording.h) to a file while the server runs.
//
// What a turn of the loop recorded is written at its end. A file that can't be written any further
// is said once in the log and left as it is; the server goes on.
#pragma once

#include <string>

#include "core/node/recording.h"
#include "native/log.h"

namespace hotkv {

class Recorder {
 public:
  explicit Recorder(Log& log) : log_(log) {}
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  // Only its owner may read the file: it holds what clients sent. An existing one is replaced.
  Status open(const std::string& path, const NodeSetup& setup);
  RecordingWriter& writer() { return writer_; }
  void end_turn();

 private:
  Log& log_;
  RecordingWriter writer_;
  std::string path_;
  int fd_ = -1;
};

}  // namespace hotkv
