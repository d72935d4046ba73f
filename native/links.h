// Links: the accepted sockets, as the LinkIds that the machine knows.
//
// One recv per link and turn into one shared buffer, so that no link starves the others and idle
// links hold no memory; one send per link and step, which carries all replies of a pipeline.
//
// A link's life: open -> (closing: its last replies are being sent) -> (draining: our side is shut,
// what the peer still sends is thrown away, so that it gets our last reply instead of a reset) ->
// gone. Its number is free again after recycle(), at the end of the turn.
//
// Limits: kStuckUs without progress while the machine refuses to read from a client, or while its
// last replies wait, closes it with a log line; kDrainUs and kDrainsMax bound draining.
//
// A client that has ended its side is closed when everything it had asked for is answered.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/io.h"
#include "core/node/node.h"
#include "core/node/recording.h"
#include "native/log.h"
#include "native/ready_set.h"

namespace hotkv {

class Links {
 public:
  static constexpr int64_t kStuckUs = 60 * 1000000;
  static constexpr int64_t kDrainUs = 1000000;
  static constexpr int64_t kSweepUs = 250000;
  static constexpr uint32_t kDrainsMax = 64;
  static constexpr size_t kReadBytes = 64 * 1024;

  Links(Node& node, ReadySet& ready, Log& log) : node_(node), ready_(ready), log_(log), links_(1) {}
  ~Links();
  Links(const Links&) = delete;
  Links& operator=(const Links&) = delete;

  // Takes over a connected non-blocking socket. None when the system refuses to watch it; the
  // socket is then closed.
  LinkId open(int fd);

  void record_to(RecordingWriter* recording) { recording_ = recording; }

  // What has arrived, valid until the next read; empty when there is nothing for the machine.
  // `work_left`: the machine has asked for more work, perhaps on this link's input.
  Bytes read(LinkId id, bool work_left);
  void handle_broken(LinkId id);  // The socket reports an error or a hang-up.

  void flush(LinkId id);    // Sends what is pending, as far as the socket takes it.
  void settle(LinkId id) {  // After a step on the link's input: does the machine want more of it?
    const Link& link = at(id);  // The step may have closed it.
    if (link.state == State::kOpen && link.reading && !node_.reads(id)) pause(id);
  }
  void close(const Close& request);

  // A link that the machine has not been told about: it needs an Input::kClosed. False when none.
  bool take_closed(LinkId& id);

  void begin_turn(Time mono) { now_us_ = mono.us; }
  // At the end of each turn: goes on with paused and ended links, frees numbers.
  void end_turn(Time mono, bool work_left);
  Time next_deadline() const;  // For links that are stuck or draining.

  // Before the process ends: sends what is pending, waiting for at most `ms_max`.
  void flush_all(int ms_max);
  size_t size() const { return open_; }

 private:
  enum class State : uint8_t { kFree, kOpen, kClosing, kDraining, kGone };
  struct Link {
    int fd = -1;
    State state = State::kFree;
    bool reading = false;  // Watched for input.
    bool blocked = false;  // The socket's buffer is full: watched for room.
    bool paused = false;   // In paused_.
    bool ended = false;    // The peer has ended its side; in ended_.
    int64_t since_us = 0;  // Last progress of a paused or closing link; when draining began.
  };

  ReadySet::Token token(LinkId id) const {
    return {ReadySet::Source::kLink, static_cast<uint32_t>(id.value)};
  }
  Link& at(LinkId id) { return links_[id.value]; }
  void watch(LinkId id);
  void pause(LinkId id);
  void end_input(LinkId id, bool work_left);
  void drain(LinkId id);
  void finish(LinkId id, bool drain_first);
  void release(LinkId id);
  void sweep(Time mono);
  void resume_paused();
  void finish_ended(bool work_left);

  Node& node_;
  ReadySet& ready_;
  Log& log_;
  RecordingWriter* recording_ = nullptr;
  std::vector<Link> links_;  // By number; number 0 is nobody's.
  std::vector<LinkId> free_;
  std::vector<LinkId> gone_;    // Closed in this turn.
  std::vector<LinkId> closed_;  // The machine is to be told.
  std::vector<LinkId> paused_;
  std::vector<LinkId> ended_;
  size_t open_ = 0;
  uint32_t draining_ = 0;
  uint32_t closing_ = 0;
  int64_t now_us_ = 0;
  int64_t next_sweep_us_ = 0;
  char buffer_[kReadBytes];
};

}  // namespace hotkv
