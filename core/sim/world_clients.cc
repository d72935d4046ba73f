// The clients of a world: requests, replies, death and pause. And what can be seen of nodes.
#include <algorithm>

#include "core/base/check.h"
#include "core/base/numbers.h"
#include "core/console/reply_format.h"
#include "core/node/server.h"
#include "core/sim/events.h"
#include "core/sim/world.h"

namespace hotkv::sim {

// ---- clients ----

uint64_t World::send(int client, int node, const std::string& line) {
  std::vector<std::string> words;
  if (!split_quoted(line, words) || words.empty()) return 0;
  return send_words(client, node, words, line);
}

uint64_t World::send_words(int client, int node, const std::vector<std::string>& words,
                           const std::string& line) {
  SimClient& c = clients_[static_cast<size_t>(client)];
  if (!c.up || c.paused_until > now_) return 0;
  int index = link_between(client, node);
  trace_.set_now(now_);
  trace_.emit(trace::ClientSent{c.name, Bytes(line).substr(0, 256)});
  std::string bytes;
  append_command(bytes, std::vector<Bytes>(words.begin(), words.end()));
  c.waiting[static_cast<size_t>(node)].push_back({++last_request_, index, line, now_});
  uint64_t number = last_request_;
  put_on_link(index, 0, std::move(bytes), line);
  return number;
}

void World::client_receives(int client, int node, Bytes bytes) {
  SimClient& c = clients_[static_cast<size_t>(client)];
  if (!c.up) return;
  c.input[static_cast<size_t>(node)] += bytes;
  drain(client, node);
}

void World::drain(int client, int node) {
  SimClient& c = clients_[static_cast<size_t>(client)];
  std::string& input = c.input[static_cast<size_t>(node)];
  std::deque<Request>& waiting = c.waiting[static_cast<size_t>(node)];
  ReplyParser parser;
  size_t done = 0;
  while (done < input.size()) {
    Answer answer;
    auto state = parser.next(Bytes(input).substr(done), answer.reply);
    HOTKV_CHECK(state != ReplyParser::State::kError);  // A node must never send bad RESP.
    if (state == ReplyParser::State::kNeedMore) break;
    answer.resp = input.substr(done, parser.consumed());
    done += parser.consumed();
    if (waiting.empty()) continue;      // An error before a close that answers no request.
    if (waiting.front().number == 0) {  // Of a request that was sent twice.
      waiting.pop_front();
      continue;
    }
    answer.request = waiting.front().number;
    answer.client = client;
    answer.line = waiting.front().line;
    answer.sent_at = waiting.front().sent_at;
    answer.received_at = now_;
    waiting.pop_front();
    if (trace_.wants(trace::Kind::kActor)) {
      std::string text = format_reply(answer.reply, ReplyStyle::kTerminal);
      if (!text.empty()) text.pop_back();
      trace_.emit(trace::ClientReply{c.name, Bytes(answer.line).substr(0, 256),
                                     Bytes(text).substr(0, 256),
                                     Bytes(answer.resp).substr(0, 256)});
    }
    answers_.push_back(std::move(answer));
  }
  input.erase(0, done);
}

bool World::waits_for_reply(int client) const {
  for (const auto& waiting : clients_[static_cast<size_t>(client)].waiting) {
    if (!waiting.empty()) return true;
  }
  return false;
}

void World::kill_client(int client) {
  SimClient& c = clients_[static_cast<size_t>(client)];
  if (!c.up) return;
  trace_.set_now(now_);
  trace_.emit(trace::Fault{"kill", c.name});
  c.up = false;
  for (size_t i = 0; i < links_.size(); i++) {
    if (links_[i].client == client) break_link(static_cast<int>(i), "killed");
  }
}

void World::restart_client(int client) {
  SimClient& c = clients_[static_cast<size_t>(client)];
  if (c.up) return;
  trace_.set_now(now_);
  trace_.emit(trace::Fault{"restart", c.name});
  c.up = true;
  c.paused_until = {};
}

void World::pause_client(int client, Duration length) {
  SimClient& c = clients_[static_cast<size_t>(client)];
  trace_.set_now(now_);
  trace_.emit(trace::Fault{"pause", c.name, length.ms()});
  c.paused_until = now_ + length;
  push(c.paused_until, EventKind::kResume, client, 0, 0);
}

// ---- looking ----

std::vector<World::KeyView> World::keys(int node, size_t most) const {
  return keys_of(*nodes_[static_cast<size_t>(node)].machine, node_wall(node).ms(), most);
}

std::vector<World::KeyView> World::keys_of(Node& node, int64_t wall_ms, size_t most) {
  std::vector<KeyView> out;
  const Keyspace& keyspace = node.server().keyspace;
  for (int db = 0; db < keyspace.databases(); db++) {
    uint64_t cursor = 0;
    do {
      cursor = keyspace.table(db).scan(cursor, [&](const Entry* e) {
        if (e->deadline_ms() <= wall_ms || out.size() >= most) return;
        NumberText text;
        out.push_back({db, std::string(e->key()), std::string(e->string(text)),
                       e->has_deadline() ? e->deadline_ms() - wall_ms : -1, e->lock_number()});
      });
    } while (cursor != 0);
  }
  std::sort(out.begin(), out.end(), [](const KeyView& a, const KeyView& b) {
    return a.db != b.db ? a.db < b.db : a.key < b.key;
  });
  return out;
}

bool World::holds(int node, Bytes key, Bytes value) const {
  const Table& table = nodes_[static_cast<size_t>(node)].machine->server().keyspace.table(0);
  const Entry* e = table.find(key, table.hash(key));
  NumberText text;
  return e && e->deadline_ms() > node_wall(node).ms() && e->string(text) == value;
}

}  // namespace hotkv::sim
