// MemDisk: the disk of a simulated node: files in memory that survive a crash of the node.
//
// An operation is carried out when it completes, latency after it was asked for; what has not
// completed when the node dies has not happened. kReplace is atomic by construction, as the real
// one is by rename.
#pragma once

#include <map>
#include <string>

#include "core/base/io.h"

namespace hotkv::sim {

class MemDisk {
 public:
  // Operations fail with this sentence until it is cleared; empty = the disk is well.
  void set_failure(std::string sentence) { failure_ = std::move(sentence); }
  // Carries `op` out; for kRead the contents are in `bytes`.
  Status complete(const FileOp& op, std::string& bytes);
  const std::map<std::string, std::string>& files() const { return files_; }

 private:
  std::map<std::string, std::string> files_;
  std::string failure_;
};

}  // namespace hotkv::sim
