#include "native/driver.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <limits>

#include "core/base/check.h"
#include "core/base/numbers.h"
#include "native/process.h"

namespace hotkv {

Driver::Driver(Node& node, Clock& clock, Log& log, Signals& signals, std::string directory)
    : node_(node),
      clock_(clock),
      log_(log),
      signals_(signals),
      links_(node, ready_, log),
      listeners_(ready_, log),
      disk_(std::move(directory)) {
  using Source = ReadySet::Source;
  HOTKV_CHECK(ready_.add(disk_.doorbell().fd(), ReadySet::kRead, {Source::kDisk, 0}));
  HOTKV_CHECK(ready_.add(signals_.doorbell().fd(), ReadySet::kRead, {Source::kSignal, 0}));
}

Status Driver::record(const std::string& path, const NodeSetup& setup) {
  recorder_ = std::make_unique<Recorder>(log_);
  links_.record_to(&recorder_->writer());
  return recorder_->open(path, setup);
}

int Driver::run() {
  clock_.refresh();
  log_.notice("Server initialized");
  step({.kind = Input::Kind::kStart});
  if (listeners_.has_tcp()) log_.notice("Ready to accept connections tcp");
  if (listeners_.has_unix()) log_.notice("Ready to accept connections unix");
  if (listeners_.has_tcp())
    log_.notice("Clients: port " + node_.option("port") + " of " + tcp_.bind);
  if (http_) log_.notice("Page: " + http_->address());
  while (!exit_) turn();
  links_.flush_all(kLastFlushMs);
  listeners_.close_all();
  return exit_code_;
}

void Driver::turn() {
  const int events = ready_.wait(timeout_ms());
  clock_.refresh();
  links_.begin_turn(clock_.now().mono);
  for (int i = 0; i < events && !exit_; i++) handle(ready_.event(i));
  if (asio_left_) asio_left_ = asio_->run_ready();
  const Time mono = clock_.now().mono;
  if (!exit_ && (work_left_ || node_.next_deadline() <= mono)) {
    work_left_ = false;
    step({.kind = Input::Kind::kTimer});
  }
  listeners_.end_turn(mono);
  links_.end_turn(mono, work_left_);
  tell_closed();
  if (recorder_) recorder_->end_turn();
}

void Driver::step(const Input& input) {
  advance(input);
  tell_closed();
}

// A send that fails during a step closes a link, and closing is a step of its own.
void Driver::tell_closed() {
  LinkId link;
  while (links_.take_closed(link)) advance({.kind = Input::Kind::kClosed, .link = link});
}

void Driver::advance(const Input& input) {
  outputs_.clear();
  const Now now = clock_.now();
  if (recorder_) recorder_->writer().input(input, now);
  node_.step(input, now, outputs_);
  carry_out();
}

void Driver::carry_out() {
  for (const LogLine& line : outputs_.logs) log_.write(line.level, line.text);
  if (node_.option_generation() != options_seen_) apply_options();
  if (outputs_.stall_us > 0) stand_still(outputs_.stall_us);  // Before the reply, as Redis does.
  for (FileOp& op : outputs_.files) disk_.submit(std::move(op));
  for (LinkId link : outputs_.writable) links_.flush(link);
  for (const Close& close : outputs_.closes) links_.close(close);
  HOTKV_CHECK(outputs_.connects.empty());  // No command asks for outbound links yet.
  work_left_ |= outputs_.more_work;
  if (outputs_.exit && !exit_) {
    exit_ = true;
    exit_code_ = outputs_.exit_code;
  }
  // Last, because it is a step of its own.
  if (outputs_.listen) advance({.kind = Input::Kind::kListened, .status = move_listeners()});
}

int Driver::timeout_ms() const {
  if (work_left_ || asio_left_) return 0;
  const Time due =
      std::min({node_.next_deadline(), links_.next_deadline(), listeners_.next_deadline()});
  if (due == Time::never()) return -1;
  // Rounded up, so that a deadline has passed when we wake.
  const int64_t ms = (due.us - clock_.now().mono.us + 999) / 1000;
  return static_cast<int>(std::clamp<int64_t>(ms, 0, std::numeric_limits<int>::max()));
}

void Driver::handle(const ReadySet::Event& event) {
  switch (event.token.source) {
    case ReadySet::Source::kLink: handle_link(event); break;
    case ReadySet::Source::kListener: accept(event.token.number); break;
    case ReadySet::Source::kDisk: finish_files(); break;
    case ReadySet::Source::kSignal: handle_signals(); break;
    case ReadySet::Source::kAsio: asio_left_ = true; break;
  }
}

void Driver::handle_link(const ReadySet::Event& event) {
  const LinkId link{event.token.number};
  if (event.writable) links_.flush(link);
  if (event.readable || event.broken) {
    const Bytes bytes = links_.read(link, work_left_);
    if (!bytes.empty()) {
      step({.kind = Input::Kind::kBytes, .link = link, .bytes = bytes});
      links_.settle(link);
    }
  }
  if (event.broken) links_.handle_broken(link);
  tell_closed();
}

void Driver::accept(uint32_t listener) {
  Accepted accepted;
  for (int i = 0; i < kAcceptsPerTurn; i++) {
    if (!listeners_.accept(listener, clock_.now().mono, accepted)) return;
    const LinkId link = links_.open(accepted.fd);
    if (link) step({.kind = Input::Kind::kAccepted, .link = link, .bytes = accepted.addresses});
  }
}

void Driver::finish_files() {
  disk_.doorbell().answer();
  for (FileDone& done : disk_.take_done()) {
    step({.kind = Input::Kind::kFileDone,
          .bytes = done.bytes,
          .file_op = done.id,
          .status = std::move(done.status)});
  }
}

void Driver::handle_signals() {
  signals_.doorbell().answer();
  if (signals_.take_hangup()) {
    Status status = log_.reopen();
    if (!status.ok()) log_.warning(status.message());
  }
  if (signals_.take_stop()) {
    log_.notice("Stopping: a signal asked for it");
    step({.kind = Input::Kind::kStop});
  }
}

int64_t Driver::number(Bytes option) const {
  int64_t value = 0;
  HOTKV_CHECK(parse_int64(node_.option(option), value));
  return value;
}

Status Driver::listen() {
  options_seen_ = node_.option_generation();
  apply_limits();
  tcp_ = tcp_setup();
  Status status = listeners_.listen_tcp(tcp_);
  if (!status.ok()) return status;
  const std::string path = node_.option("unixsocket");
  if (!path.empty()) {
    const unsigned long permissions = strtoul(node_.option("unixsocketperm").c_str(), nullptr, 8);
    status = listeners_.listen_unix(path, static_cast<unsigned>(permissions), tcp_.backlog);
    if (!status.ok()) return status;
  }
  return number("http-port") == 0 ? Status() : listen_http();
}

Status Driver::listen_http() {
  HttpSetup setup;
  setup.address = node_.option("http-bind");
  setup.port = static_cast<int>(number("http-port"));
  setup.root = node_.option("http-root");
  if (setup.root.empty()) {
    const std::string program = executable_path();
    setup.root = program.substr(0, program.rfind('/')) + "/../site";
  }
  HOTKV_CHECK(split_quoted(node_.option("http-allowed-hosts"), setup.allowed_hosts));
  asio_ = std::make_unique<AsioLoop>();
  http_ = std::make_unique<HttpServer>(asio_->context(), node_, log_, setup);
  HOTKV_CHECK(ready_.add(asio_->fd(), ReadySet::kRead, {ReadySet::Source::kAsio, 0}));
  asio_left_ = true;
  return http_->listen();
}

// CONFIG SET has changed something: act on what is the host's. New addresses are asked for by
// Outputs::listen, because they may fail.
void Driver::apply_options() {
  options_seen_ = node_.option_generation();
  log_.set_level(node_.option("loglevel"));
  apply_limits();
  const TcpSetup wanted = tcp_setup();
  if (wanted.keepalive_s == tcp_.keepalive_s) return;
  listeners_.set_keepalive(wanted.keepalive_s);
  tcp_.keepalive_s = wanted.keepalive_s;
}

Status Driver::move_listeners() {
  const TcpSetup wanted = tcp_setup();
  Status status = listeners_.listen_tcp(wanted);
  if (status.ok()) {
    tcp_ = wanted;
  } else {
    log_.warning(status.message() + "; the old addresses stay");
  }
  return status;
}

void Driver::apply_limits() {
  const int64_t wanted = number("maxclients");
  if (wanted == clients_) return;
  clients_ = wanted;
  const int64_t room = raise_open_files(wanted);
  if (room < wanted) {
    log_.warning("The limit of open files leaves room for " + std::to_string(room) +
                 " clients, not for maxclients " + std::to_string(wanted) +
                 "; raise it (ulimit -n) or set maxclients lower");
  }
}

TcpSetup Driver::tcp_setup() const {
  return {.bind = node_.option("bind"),
          .port = static_cast<int>(number("port")),
          .backlog = static_cast<int>(number("tcp-backlog")),
          .keepalive_s = static_cast<int>(number("tcp-keepalive"))};
}

}  // namespace hotkv
