#include "tests/transcripts/node_target.h"

#include <algorithm>

#include "core/node/server.h"
#include "core/resp/reply_parser.h"
#include "tests/transcripts/notation.h"

namespace hotkv::transcripts {
namespace {

constexpr size_t kReadBytesMax = 64 * 1024;  // What one read of a socket brings at most.
// 2027-01-15 08:00:00 UTC: any date does, as long as it is always the same.
constexpr int64_t kFirstWallMs = 1800000000000;

}  // namespace

NodeTarget::NodeTarget() {
  now_.mono = Time{} + seconds(1000);
  now_.wall = Time{} + milliseconds(kFirstWallMs);
}

Status NodeTarget::begin(const OptionList& options, bool) {
  options_ = options;
  disk_.clear();
  return start();
}

Status NodeTarget::start() {
  clients_.clear();
  disk_queue_.clear();
  outputs_.clear();
  has_ended_ = false;
  wants_step_ = false;
  effects_read_ = 0;
  NodeSetup setup;
  setup.seed = ++starts_;
  setup.options = {{"save", ""}, {"appendonly", "no"}, {"enable-debug-command", "yes"}};
  for (const auto& [name, value] : options_) {
    // The node reads values as words of redis.conf: one word, whatever is in it.
    setup.options.emplace_back(name, quoted_if_needed(value));
  }
  node_ = std::make_unique<Node>(setup);
  if (!node_->setup_status().ok()) return node_->setup_status();
  step(Input::Kind::kStart, LinkId{}, Bytes());
  settle();
  return Status();
}

void NodeTarget::step(Input::Kind kind, LinkId link, Bytes bytes) {
  Input input;
  input.kind = kind;
  input.link = link;
  input.bytes = bytes;
  node_->step(input, now_, outputs_);
  carry_out();
}

NodeTarget::Client* NodeTarget::client_of(LinkId link) {
  for (auto& [number, client] : clients_) {
    if (client.link == link) return &client;
  }
  return nullptr;
}

void NodeTarget::deliver(Client* client) {
  for (Bytes bytes = node_->pending(client->link); !bytes.empty();
       bytes = node_->pending(client->link)) {
    client->inbox.append(bytes);
    node_->taken(client->link, bytes.size());
  }
}

void NodeTarget::carry_out() {
  Outputs done;
  std::swap(done, outputs_);
  for (LinkId link : done.writable) {
    if (Client* client = client_of(link)) deliver(client);
  }
  wants_step_ = done.more_work;
  if (done.exit) has_ended_ = true;
  now_.mono = now_.mono + microseconds(done.stall_us);
  now_.wall = now_.wall + microseconds(done.stall_us);
  disk_queue_.insert(disk_queue_.end(), done.files.begin(), done.files.end());
  for (const Close& request : done.closes) {
    Client* client = client_of(request.link);
    if (client == nullptr || client->closed) continue;
    if (request.after_flush) deliver(client);
    client->closed = true;
    step(Input::Kind::kClosed, request.link, Bytes());
  }
  if (done.listen) {
    step(Input::Kind::kListened, LinkId{}, Bytes());
    wants_step_ = wants_step_ || done.more_work;
  }
}

void NodeTarget::run_disk() {
  FileOp op = disk_queue_.front();
  disk_queue_.pop_front();
  Input input;
  input.kind = Input::Kind::kFileDone;
  input.file_op = op.id;
  std::string contents;
  if (op.kind == FileOp::Kind::kReplace) {
    disk_[op.path] = op.bytes;
  } else if (auto found = disk_.find(op.path); found != disk_.end()) {
    contents = found->second;
  }
  input.bytes = contents;
  node_->step(input, now_, outputs_);
  carry_out();
}

void NodeTarget::settle() {
  bool busy = true;
  while (busy && !has_ended_) {
    busy = false;
    if (!disk_queue_.empty()) {
      run_disk();
      busy = true;
    }
    if (wants_step_ || node_->next_deadline() <= now_.mono) {
      step(Input::Kind::kTimer, LinkId{}, Bytes());
      busy = true;
    }
    for (auto& [number, client] : clients_) {
      if (client.closed || client.outbox.empty() || !node_->reads(client.link)) continue;
      std::string bytes = client.outbox.substr(0, kReadBytesMax);
      client.outbox.erase(0, bytes.size());
      step(Input::Kind::kBytes, client.link, bytes);
      busy = true;
    }
  }
}

Status NodeTarget::send(int number, const std::string& bytes) {
  auto [found, is_new] = clients_.try_emplace(number);
  Client& client = found->second;
  if (has_ended_) client.closed = true;
  if (is_new && !client.closed) {
    client.link = LinkId{++last_link_};
    std::string addresses =
        "127.0.0.1:" + std::to_string(50000 + last_link_ % 10000) + " 127.0.0.1:6379";
    step(Input::Kind::kAccepted, client.link, addresses);
  }
  if (client.closed) return Status();
  client.outbox += bytes;
  settle();
  return Status();
}

Received NodeTarget::receive(int number, int, std::string* bytes) {
  auto found = clients_.find(number);
  if (found == clients_.end()) return Received::kClosed;
  Client& client = found->second;
  if (!client.inbox.empty()) {
    bytes->append(client.inbox);
    client.inbox.clear();
    return Received::kBytes;
  }
  return client.closed || has_ended_ ? Received::kClosed : Received::kNothing;
}

void NodeTarget::close(int number) {
  auto found = clients_.find(number);
  if (found == clients_.end()) return;
  bool tell = !found->second.closed && !has_ended_;
  LinkId link = found->second.link;
  clients_.erase(found);
  if (!tell) return;
  step(Input::Kind::kClosed, link, Bytes());
  settle();
}

void NodeTarget::advance(int64_t us) {
  Now end{now_.mono + microseconds(us), now_.wall + microseconds(us)};
  while (!has_ended_) {
    Time deadline = node_->next_deadline();
    if (deadline > end.mono) break;
    Duration forward = std::max(deadline, now_.mono) - now_.mono;
    now_.mono = now_.mono + forward;
    now_.wall = now_.wall + forward;
    step(Input::Kind::kTimer, LinkId{}, Bytes());
    settle();
  }
  now_ = end;
}

Status NodeTarget::restart() {
  step(Input::Kind::kStop, LinkId{}, Bytes());
  settle();
  if (!has_ended_) return Status::error("the node did not end on kStop");
  return start();
}

bool NodeTarget::take_effects(std::vector<std::vector<std::string>>* effects) {
  const EffectLog& log = node_->server().effects;
  if (effects_read_ < log.start_offset()) {
    // One step wrote more than the log keeps; a transcript can only say so.
    effects_read_ = log.end_offset();
    effects->push_back({"(too many to keep)"});
    return true;
  }
  std::string bytes;
  for (Bytes piece = log.read(effects_read_); !piece.empty(); piece = log.read(effects_read_)) {
    bytes.append(piece);
    effects_read_ += piece.size();
  }
  ReplyParser parser;
  Reply effect;
  while (!bytes.empty() && parser.next(bytes, effect) == ReplyParser::State::kReply) {
    effects->emplace_back();
    for (const Reply& word : effect.elements) effects->back().push_back(word.text);
    bytes.erase(0, parser.consumed());
  }
  return true;
}

}  // namespace hotkv::transcripts
