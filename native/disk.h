// Disk: one thread that carries out a machine's file operations, in the order they were asked for.
//
// The loop thread hands over a FileOp and later takes its FileDone; `doorbell` rings when there is
// one. Relative paths are below `directory`. Errors are sentences with the path and the system's
// reason. A missing file reads as no bytes.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "core/base/io.h"
#include "native/doorbell.h"

namespace hotkv {

struct FileDone {
  FileOpId id;
  Status status;
  std::string bytes;  // kRead: the contents.
};

class Disk {
 public:
  explicit Disk(std::string directory) : directory_(std::move(directory)) {}
  // Finishes what was submitted: an orderly stop loses nothing.
  ~Disk();
  Disk(const Disk&) = delete;
  Disk& operator=(const Disk&) = delete;

  const Doorbell& doorbell() const { return doorbell_; }
  void submit(FileOp op);             // Starts the thread when called first.
  std::vector<FileDone> take_done();  // In order of submission.

 private:
  void work();
  FileDone carry_out(const FileOp& op) const;
  std::string absolute(const std::string& path) const;

  const std::string directory_;
  Doorbell doorbell_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<FileOp> queue_;  // Guarded by mutex_, as the two below.
  std::vector<FileDone> done_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace hotkv
