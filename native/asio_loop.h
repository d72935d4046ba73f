// AsioLoop: an io_context that a ReadySet can wait for.
//
// Asio runs inside its own epoll set and does not tell its descriptor; it is found as the epoll
// descriptor that appears with the reactor, which a check guards. Handlers run on the loop thread,
// at most kHandlersPerTurn at once, so that HTTP never keeps the machine's clients waiting. What is
// posted outside of a handler does not make the descriptor readable: call run_ready() after it.
#pragma once

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>

namespace hotkv {

class AsioLoop {
 public:
  static constexpr int kHandlersPerTurn = 64;

  AsioLoop();

  boost::asio::io_context& context() { return context_; }
  int fd() const { return fd_; }  // Readable when there are handlers to run.
  bool run_ready();               // True: more handlers are ready now.

 private:
  boost::asio::io_context context_;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_;
  int fd_;
};

}  // namespace hotkv
