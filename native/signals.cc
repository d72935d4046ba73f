#include "native/signals.h"

#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <initializer_list>

#include "core/base/check.h"

namespace hotkv {

namespace {

volatile sig_atomic_t stop_wanted = 0;
volatile sig_atomic_t interrupts = 0;
volatile sig_atomic_t hangup_wanted = 0;
const Doorbell* bell = nullptr;

void note_signal(int number) {
  const int saved_errno = errno;
  if (number == SIGHUP) {
    hangup_wanted = 1;
  } else {
    stop_wanted = 1;
  }
  if (number == SIGINT) {
    interrupts = interrupts + 1;
    if (interrupts > 1) _exit(1);
  }
  bell->ring();
  errno = saved_errno;
}

void install(int number, void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigfillset(&action.sa_mask);
  HOTKV_CHECK(sigaction(number, &action, nullptr) == 0);
}

}  // namespace

Signals::Signals() {
  HOTKV_CHECK(bell == nullptr);
  bell = &doorbell_;
  install(SIGTERM, note_signal);
  install(SIGINT, note_signal);
  install(SIGHUP, note_signal);
  install(SIGPIPE, SIG_IGN);
}

Signals::~Signals() {
  for (int number : {SIGTERM, SIGINT, SIGHUP}) install(number, SIG_DFL);
  bell = nullptr;
}

bool Signals::take_stop() {
  const bool wanted = stop_wanted != 0;
  stop_wanted = 0;
  return wanted;
}

bool Signals::take_hangup() {
  const bool wanted = hangup_wanted != 0;
  hangup_wanted = 0;
  return wanted;
}

}  // namespace hotkv
