#include "native/ready_set.h"

#include <unistd.h>

#include "core/base/check.h"

namespace hotkv {

namespace {

epoll_event packed(uint32_t interest, ReadySet::Token token) {
  epoll_event event{};
  event.events = interest;
  event.data.u64 = uint64_t{static_cast<uint32_t>(token.source)} << 32 | token.number;
  return event;
}

}  // namespace

ReadySet::ReadySet() : fd_(epoll_create1(EPOLL_CLOEXEC)) { HOTKV_CHECK(fd_ >= 0); }

ReadySet::~ReadySet() { close(fd_); }

bool ReadySet::add(int fd, uint32_t interest, Token token) {
  epoll_event event = packed(interest, token);
  return epoll_ctl(fd_, EPOLL_CTL_ADD, fd, &event) == 0;
}

void ReadySet::change(int fd, uint32_t interest, Token token) {
  epoll_event event = packed(interest, token);
  HOTKV_CHECK(epoll_ctl(fd_, EPOLL_CTL_MOD, fd, &event) == 0);
}

int ReadySet::wait(int timeout_ms) {
  const int count = epoll_wait(fd_, events_, kEventsPerTurn, timeout_ms);
  return count < 0 ? 0 : count;  // Interrupted by a signal: its doorbell rings at the next wait.
}

ReadySet::Event ReadySet::event(int index) const {
  const epoll_event& e = events_[index];
  const Token token{static_cast<Source>(e.data.u64 >> 32), static_cast<uint32_t>(e.data.u64)};
  return {token, (e.events & EPOLLIN) != 0, (e.events & EPOLLOUT) != 0,
          (e.events & (EPOLLERR | EPOLLHUP)) != 0};
}

}  // namespace hotkv
