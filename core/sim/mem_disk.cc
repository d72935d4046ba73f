#include "core/sim/mem_disk.h"

namespace hotkv::sim {

Status MemDisk::complete(const FileOp& op, std::string& bytes) {
  if (!failure_.empty()) return Status::error(op.path + ": " + failure_);
  if (op.kind == FileOp::Kind::kReplace) {
    files_[op.path] = op.bytes;
  } else {
    auto found = files_.find(op.path);
    bytes = found == files_.end() ? std::string() : found->second;
  }
  return {};
}

}  // namespace hotkv::sim
