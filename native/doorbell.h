// Doorbell: wakes the loop from another thread or from a signal handler (an eventfd).
//
// ring() is async-signal-safe and never blocks; rings that nobody has answered yet count as one.
#pragma once

namespace hotkv {

class Doorbell {
 public:
  Doorbell();
  ~Doorbell();
  Doorbell(const Doorbell&) = delete;
  Doorbell& operator=(const Doorbell&) = delete;

  int fd() const { return fd_; }  // Readable while it has rung.
  void ring() const;
  void answer() const;  // Stop ringing; what was asked for is looked up elsewhere.

 private:
  int fd_;
};

}  // namespace hotkv
