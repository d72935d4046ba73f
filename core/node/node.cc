#include "core/node/node.h"

#include "core/base/check.h"
#include "core/node/server.h"

namespace hotkv {

Node::Node(const NodeSetup& setup) : server_(std::make_unique<Server>(setup)) {}
Node::~Node() = default;

const Status& Node::setup_status() const { return server_->setup_status; }

namespace {

void file_done(Server& server, const Input& input) {
  if (server.epoch.owns(input.file_op)) {
    server.epoch.file_done(input, server.next_file_op(), *server.outputs);
    if (!server.epoch.settled()) return;
    server.settings.lock_epoch =
        server.epoch.state() == LockEpoch::State::kReady ? server.epoch.epoch() : 0;
    server.settings.lock_failure = server.epoch.failure();
    server.wake(Session::Wait::kEpoch);
  } else if (input.file_op == server.rewrite_op) {
    server.rewrite_done(input.status);
  }
}

void stop(Server& server) {
  server.log(LogLevel::kNotice, "User requested shutdown...");
  server.log(LogLevel::kNotice, "HotKV is now ready to exit, bye bye...");
  server.outputs->exit = true;
}

void dispatch(Server& server, const Input& input) {
  switch (input.kind) {
    case Input::Kind::kStart: server.start(); break;
    case Input::Kind::kAccepted: server.accept(input.link, input.bytes); break;
    case Input::Kind::kConnected: break;  // A node of this version asks for no outbound links.
    case Input::Kind::kBytes:
      if (Session* s = server.find_session(input.link)) server.receive(*s, input.bytes);
      break;
    case Input::Kind::kClosed: server.forget(input.link); break;
    case Input::Kind::kFileDone: file_done(server, input); break;
    case Input::Kind::kTimer: server.upkeep(); break;
    case Input::Kind::kStop: stop(server); break;
    case Input::Kind::kListened: server.listened(input.status); break;
  }
}

}  // namespace

void Node::step(const Input& input, Now now, Outputs& outputs) {
  Server& server = *server_;
  HOTKV_CHECK(now.mono >= server.now.mono || !server.started);
  server.now = now;
  server.outputs = &outputs;
  server.commands_left = kCommandsPerStep;
  server.trace.set_now(now.mono);
  dispatch(server, input);
  server.run_runnable();
  server.schedule();
  for (LinkId link : outputs.writable) {
    if (Session* s = server.find_session(link)) s->listed_writable = false;
  }
}

Time Node::next_deadline() const { return server_->next_deadline(); }

Bytes Node::pending(LinkId link) const {
  const Session* s = server_->find_session(link);
  return s ? s->out.pending() : Bytes();
}

void Node::taken(LinkId link, size_t size) {
  if (Session* s = server_->find_session(link)) server_->output_taken(*s, size);
}

bool Node::reads(LinkId link) const {
  const Session* s = server_->find_session(link);
  return s && !s->closing && !s->runnable && s->wait == Session::Wait::kNone &&
         s->out.size() <= static_cast<size_t>(server_->options.number(Server::kOutputPause));
}

std::string Node::option(Bytes name) const { return server_->options.text(name); }
uint64_t Node::option_generation() const { return server_->options.generation(); }
std::string Node::metrics_text() const { return server_->metrics_text(); }
bool Node::ready() const { return server_->epoch.settled(); }
trace::Trace& Node::trace() { return server_->trace; }
uint64_t Node::data_digest() const { return server_->data_digest(); }

}  // namespace hotkv
