#include "native/cli/interrupt.h"

#include <csignal>

namespace hotkv::cli {

namespace {
volatile std::sig_atomic_t interrupted = 0;
}

void catch_interrupts() {
  // Without SA_RESTART, so that a waiting read or recv ends.
  struct sigaction action {};
  action.sa_handler = [](int) { interrupted = 1; };
  sigaction(SIGINT, &action, nullptr);
}

bool take_interrupt() {
  bool was = interrupted != 0;
  interrupted = 0;
  return was;
}

}  // namespace hotkv::cli
