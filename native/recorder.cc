#include "native/recorder.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace hotkv {

Recorder::~Recorder() {
  end_turn();
  if (fd_ >= 0) close(fd_);
}

Status Recorder::open(const std::string& path, const NodeSetup& setup) {
  path_ = path;
  fd_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (fd_ < 0) return Status::error("--record " + path + " can't be opened: " + strerror(errno));
  writer_.setup(setup);
  return {};
}

void Recorder::end_turn() {
  Bytes left = writer_.bytes;
  while (fd_ >= 0 && !left.empty()) {
    const ssize_t put = write(fd_, left.data(), left.size());
    if (put >= 0) {
      left.remove_prefix(static_cast<size_t>(put));
    } else if (errno != EINTR) {
      log_.warning("The recording " + path_ + " ends here: " + strerror(errno));
      close(fd_);
      fd_ = -1;
    }
  }
  writer_.bytes.clear();
}

}  // namespace hotkv
