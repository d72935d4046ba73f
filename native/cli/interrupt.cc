#include "native/cli/interrupt.h"

#include <poll.h>

#include <csignal>

namespace hotkv::cli {

namespace {

volatile std::sig_atomic_t interrupted = 0;
volatile std::sig_atomic_t screen_changed = 0;

bool take(volatile std::sig_atomic_t& flag) {
  const bool was = flag != 0;
  flag = 0;
  return was;
}

void handle(int number, void (*handler)(int), int flags) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigaction(number, &action, nullptr);
}

}  // namespace

void catch_interrupts() {
  // Ctrl-C also ends connecting and printing; a new size must not cost a piece of the output.
  handle(
      SIGINT, [](int) { interrupted = 1; }, 0);
  handle(
      SIGWINCH, [](int) { screen_changed = 1; }, SA_RESTART);
  handle(
      SIGCONT, [](int) { screen_changed = 1; }, SA_RESTART);
}

bool take_interrupt() { return take(interrupted); }
bool take_screen_change() { return take(screen_changed); }

bool wait_readable(int fd) {
  // Held back but inside ppoll, so that none comes between the look at the flags and the wait.
  sigset_t ours, before;
  sigemptyset(&ours);
  sigaddset(&ours, SIGINT);
  sigaddset(&ours, SIGWINCH);
  sigaddset(&ours, SIGCONT);
  sigprocmask(SIG_BLOCK, &ours, &before);
  pollfd wanted{fd, POLLIN, 0};
  const bool quiet = interrupted == 0 && screen_changed == 0;
  const bool readable = quiet && ::ppoll(&wanted, 1, nullptr, &before) > 0;
  sigprocmask(SIG_SETMASK, &before, nullptr);
  return readable;
}

}  // namespace hotkv::cli
