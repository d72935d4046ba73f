#include "native/asio_loop.h"

#include <fcntl.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <boost/asio/detail/reactor.hpp>
#include <cerrno>

#include "core/base/check.h"

namespace hotkv {

namespace {

// Asking an epoll set to change a descriptor it does not watch fails with ENOENT; asking any other
// kind of descriptor fails with EINVAL.
bool is_epoll_set(int fd, int unwatched) {
  epoll_event event{};
  return epoll_ctl(fd, EPOLL_CTL_MOD, unwatched, &event) != 0 && errno == ENOENT;
}

// The kernel gives out the lowest free number, so the reactor's descriptors are the next few.
int find_reactor(boost::asio::io_context& context) {
  constexpr int kReactorDescriptors = 8;
  int pipe_ends[2];
  HOTKV_CHECK(pipe2(pipe_ends, O_CLOEXEC) == 0);
  const int first = dup(pipe_ends[0]);
  close(first);
  boost::asio::use_service<boost::asio::detail::reactor>(context).init_task();
  int found = -1;
  for (int fd = first; fd >= 0 && fd < first + kReactorDescriptors && found < 0; fd++) {
    if (is_epoll_set(fd, pipe_ends[0])) found = fd;
  }
  close(pipe_ends[0]);
  close(pipe_ends[1]);
  HOTKV_CHECK(found >= 0);
  return found;
}

}  // namespace

AsioLoop::AsioLoop()
    : context_(BOOST_ASIO_CONCURRENCY_HINT_UNSAFE),
      work_(context_.get_executor()),
      fd_(find_reactor(context_)) {}

bool AsioLoop::run_ready() {
  for (int i = 0; i < kHandlersPerTurn; i++) {
    if (context_.poll_one() == 0) return false;
  }
  return true;
}

}  // namespace hotkv
