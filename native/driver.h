// Driver: the host loop around a Node: wait, step, carry out.
//
// The same few lines are in sim/world; the two differ only in where bytes and time come from. One
// thread; the disk has its own. A turn polls all sockets once, takes at most one buffer from each,
// and gives the machine one more step if it has asked for more work or its deadline has come.
#pragma once

#include <memory>
#include <string>

#include "core/node/node.h"
#include "native/asio_loop.h"
#include "native/clock.h"
#include "native/disk.h"
#include "native/http_server.h"
#include "native/links.h"
#include "native/listeners.h"
#include "native/log.h"
#include "native/ready_set.h"
#include "native/recorder.h"
#include "native/signals.h"

namespace hotkv {

class Driver {
 public:
  static constexpr int kAcceptsPerTurn = 256;
  static constexpr int kLastFlushMs = 1000;

  // `directory`: where the machine's files are.
  Driver(Node& node, Clock& clock, Log& log, Signals& signals, std::string directory);

  Status listen();  // Opens what the options ask for; the status names what could not be opened.
  // Writes every input from now on to a file; before run().
  Status record(const std::string& path, const NodeSetup& setup);
  int run();  // Until the machine is done; returns the process's exit code.

 private:
  void turn();
  int timeout_ms() const;
  void handle(const ReadySet::Event& event);
  void handle_link(const ReadySet::Event& event);
  void accept(uint32_t listener);
  void finish_files();
  void handle_signals();

  void step(const Input& input);
  void advance(const Input& input);
  void tell_closed();
  void carry_out();
  Status listen_http();
  void apply_options();
  Status move_listeners();  // To where the options bind and port say.
  void apply_limits();
  TcpSetup tcp_setup() const;
  int64_t number(Bytes option) const;

  Node& node_;
  Clock& clock_;
  Log& log_;
  Signals& signals_;
  ReadySet ready_;
  Links links_;
  Listeners listeners_;
  Disk disk_;
  // HTTP is absent unless it was asked for; its server outlives the coroutines in the loop.
  std::unique_ptr<HttpServer> http_;
  std::unique_ptr<AsioLoop> asio_;
  bool asio_left_ = false;
  std::unique_ptr<Recorder> recorder_;  // Present when a recording was asked for.
  Outputs outputs_;
  uint64_t options_seen_ = 0;
  TcpSetup tcp_;
  int64_t clients_ = 0;
  bool work_left_ = false;
  bool exit_ = false;
  int exit_code_ = 0;
};

}  // namespace hotkv
