// ReadySet: which of many file descriptors can be read or written now (one epoll set).
//
// Why not Asio for this: an Asio wait is armed again for each event, which costs one more system
// call and a queued handler per request: 1.8 us of server CPU, a sixth of an unpipelined request
// (decision record 0010). Asio keeps everything that is not the hot path and is one descriptor of
// this set (AsioLoop).
//
// Level-triggered: what is not consumed is reported again. Descriptors leave the set when closed.
// A token is the owner's name for a descriptor; an event may still arrive for a token whose
// descriptor was closed in the same turn, so owners must not reuse tokens within a turn.
#pragma once

#include <sys/epoll.h>

#include <cstdint>
#include <span>

namespace hotkv {

class ReadySet {
 public:
  // What a token stands for. The number says which one.
  enum class Source : uint32_t { kLink, kListener, kDisk, kSignal, kAsio };
  struct Token {
    Source source;
    uint32_t number;
  };
  struct Event {
    Token token;
    bool readable;
    bool writable;
    bool broken;  // Error or hang-up; reading or writing tells which.
  };
  enum Interest : uint32_t { kNothing = 0, kRead = EPOLLIN, kWrite = EPOLLOUT };

  ReadySet();
  ~ReadySet();
  ReadySet(const ReadySet&) = delete;
  ReadySet& operator=(const ReadySet&) = delete;

  bool add(int fd, uint32_t interest, Token token);  // False: out of memory or of watches.
  void change(int fd, uint32_t interest, Token token);

  // Waits up to `timeout_ms` (-1: for ever, 0: not at all) and returns how many events there are.
  int wait(int timeout_ms);
  Event event(int index) const;

 private:
  static constexpr int kEventsPerTurn = 512;

  int fd_;
  epoll_event events_[kEventsPerTurn];
};

}  // namespace hotkv
