#include "native/links.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/base/check.h"
#include "native/listeners.h"

namespace hotkv {

Links::~Links() {
  for (Link& link : links_) {
    if (link.fd >= 0) ::close(link.fd);
  }
}

LinkId Links::open(int fd) {
  LinkId id;
  if (free_.empty()) {
    id.value = links_.size();
    links_.emplace_back();
  } else {
    id = free_.back();
    free_.pop_back();
  }
  if (!ready_.add(fd, ReadySet::kRead, token(id))) {
    log_.warning(std::string("Can't watch a new client: ") + strerror(errno));
    ::close(fd);
    free_.push_back(id);
    return {};
  }
  Link& link = at(id);
  link = Link{};
  link.fd = fd;
  link.state = State::kOpen;
  link.reading = true;
  open_++;
  return id;
}

Bytes Links::read(LinkId id, bool work_left) {
  Link& link = at(id);
  if (link.state == State::kDraining) {
    drain(id);
    return {};
  }
  if (!link.reading) return {};
  const ssize_t got = recv(link.fd, buffer_, sizeof buffer_, 0);
  if (got > 0) return {buffer_, static_cast<size_t>(got)};
  if (got == 0) {
    end_input(id, work_left);
  } else if (errno != EAGAIN && errno != EINTR) {
    finish(id, false);
  }
  return {};
}

void Links::handle_broken(LinkId id) {
  Link& link = at(id);
  if (link.state == State::kDraining) {
    release(id);
  } else if (link.state == State::kClosing || (link.state == State::kOpen && !link.reading)) {
    finish(id, false);  // A link that is read finds out by reading, after the last bytes.
  }
}

void Links::flush(LinkId id) {
  Link& link = at(id);
  if (link.state != State::kOpen && link.state != State::kClosing) return;
  const Bytes pending = node_.pending(id);
  if (!pending.empty()) {
    const ssize_t sent = send(link.fd, pending.data(), pending.size(), MSG_NOSIGNAL);
    if (sent > 0) {
      link.since_us = now_us_;
      node_.taken(id, static_cast<size_t>(sent));
      if (recording_) recording_->taken(id, static_cast<size_t>(sent));
    } else if (errno != EAGAIN && errno != EINTR && errno != ENOBUFS) {
      finish(id, false);
      return;
    }
  }
  // One send a turn: what a long queue has left waits until the others had theirs.
  const bool left = !node_.pending(id).empty();
  if (!left && link.state == State::kClosing) {
    finish(id, true);
  } else if (left != link.blocked) {
    link.blocked = left;
    watch(id);
  }
}

void Links::close(const Close& request) {
  if (request.link.value >= links_.size()) return;
  Link& link = at(request.link);
  if (link.state != State::kOpen) return;
  if (!request.after_flush) {
    finish(request.link, false);
    return;
  }
  link.state = State::kClosing;
  link.since_us = now_us_;
  closing_++;
  if (!link.blocked) flush(request.link);
  if (link.state == State::kClosing && link.reading) {
    link.reading = false;
    watch(request.link);
  }
}

bool Links::take_closed(LinkId& id) {
  if (closed_.empty()) return false;
  id = closed_.back();
  closed_.pop_back();
  return true;
}

void Links::end_turn(Time mono, bool work_left) {
  if (!paused_.empty()) resume_paused();
  if (!ended_.empty()) finish_ended(work_left);
  if (next_deadline() <= mono) sweep(mono);
  for (LinkId id : gone_) {
    at(id) = Link{};
    free_.push_back(id);
  }
  gone_.clear();
}

Time Links::next_deadline() const {
  const bool waiting = !paused_.empty() || draining_ > 0 || closing_ > 0;
  return waiting ? Time{next_sweep_us_} : Time::never();
}

void Links::flush_all(int ms_max) {
  timespec start, now;
  clock_gettime(CLOCK_MONOTONIC, &start);
  for (int spent_ms = 0; spent_ms < ms_max;) {
    std::vector<pollfd> waiting;
    for (uint64_t n = 1; n < links_.size(); n++) {
      flush(LinkId{n});
      if (links_[n].blocked && links_[n].fd >= 0) waiting.push_back({links_[n].fd, POLLOUT, 0});
    }
    if (waiting.empty()) return;
    poll(waiting.data(), waiting.size(), ms_max - spent_ms);
    clock_gettime(CLOCK_MONOTONIC, &now);
    spent_ms = static_cast<int>((now.tv_sec - start.tv_sec) * 1000 +
                                (now.tv_nsec - start.tv_nsec) / 1000000);
  }
}

void Links::watch(LinkId id) {
  const Link& link = at(id);
  ready_.change(link.fd,
                (link.reading ? ReadySet::kRead : 0u) | (link.blocked ? ReadySet::kWrite : 0u),
                token(id));
}

void Links::pause(LinkId id) {
  Link& link = at(id);
  link.reading = false;
  link.since_us = now_us_;
  watch(id);
  if (!link.paused) paused_.push_back(id);
  link.paused = true;
}

void Links::end_input(LinkId id, bool work_left) {
  Link& link = at(id);
  if (!work_left && node_.pending(id).empty()) {
    finish(id, false);
    return;
  }
  link.reading = false;
  link.ended = true;
  ended_.push_back(id);
  watch(id);
}

void Links::drain(LinkId id) {
  const ssize_t got = recv(at(id).fd, buffer_, sizeof buffer_, 0);
  if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) release(id);
}

// The machine is told by the next take_closed(); it may still name the link until then.
void Links::finish(LinkId id, bool drain_first) {
  Link& link = at(id);
  if (link.state == State::kClosing) closing_--;
  closed_.push_back(id);
  open_--;
  if (!drain_first || draining_ >= kDrainsMax || shutdown(link.fd, SHUT_WR) != 0) {
    ::close(link.fd);
    link.fd = -1;
    link.state = State::kGone;
    gone_.push_back(id);
    return;
  }
  draining_++;
  link.state = State::kDraining;
  link.since_us = now_us_;
  link.reading = true;
  link.blocked = false;
  watch(id);
}

void Links::release(LinkId id) {
  Link& link = at(id);
  HOTKV_CHECK(link.state == State::kDraining);
  draining_--;
  ::close(link.fd);
  link.fd = -1;
  link.state = State::kGone;
  gone_.push_back(id);
}

void Links::sweep(Time mono) {
  next_sweep_us_ = mono.us + kSweepUs;
  for (uint64_t n = 1; n < links_.size(); n++) {
    Link& link = links_[n];
    const LinkId id{n};
    const int64_t age_us = mono.us - link.since_us;
    if (link.state == State::kDraining && age_us >= kDrainUs) release(id);
    const bool stuck = link.state == State::kClosing ||
                       (link.state == State::kOpen && link.paused && link.blocked);
    if (!stuck || age_us < kStuckUs) continue;
    log_.warning("Closed client " + peer_name(link.fd) + ": it took none of its replies for 60 s");
    finish(id, false);
  }
}

void Links::resume_paused() {
  size_t kept = 0;
  for (LinkId id : paused_) {
    Link& link = at(id);
    if (link.state == State::kOpen && !link.ended && !node_.reads(id)) {
      paused_[kept++] = id;
      continue;
    }
    link.paused = false;
    if (link.state != State::kOpen || link.ended) continue;
    link.reading = true;
    watch(id);
  }
  paused_.resize(kept);
}

void Links::finish_ended(bool work_left) {
  size_t kept = 0;
  for (LinkId id : ended_) {
    if (at(id).state != State::kOpen) continue;
    if (work_left || !node_.pending(id).empty()) {
      ended_[kept++] = id;
    } else {
      finish(id, false);
    }
  }
  ended_.resize(kept);
}

}  // namespace hotkv
