// Signals: what the operator asks of the process, noted by handlers and looked up by the loop.
//
// SIGTERM and SIGINT ask for an orderly stop; a second SIGINT ends the process at once. SIGHUP asks
// for the log to be reopened. SIGPIPE is ignored: a closed peer is an error of its send. One per
// process.
#pragma once

#include "native/doorbell.h"

namespace hotkv {

class Signals {
 public:
  Signals();  // Installs the handlers.
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  const Doorbell& doorbell() const { return doorbell_; }
  // Each true once per request.
  bool take_stop();
  bool take_hangup();

 private:
  Doorbell doorbell_;
};

}  // namespace hotkv
