#include "native/doorbell.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cstdint>

#include "core/base/check.h"

namespace hotkv {

Doorbell::Doorbell() : fd_(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) { HOTKV_CHECK(fd_ >= 0); }

Doorbell::~Doorbell() { close(fd_); }

void Doorbell::ring() const {
  const uint64_t one = 1;
  // Fails only when the counter is full: then it is ringing already.
  [[maybe_unused]] ssize_t written = write(fd_, &one, sizeof one);
}

void Doorbell::answer() const {
  uint64_t rings;
  [[maybe_unused]] ssize_t taken = read(fd_, &rings, sizeof rings);
}

}  // namespace hotkv
