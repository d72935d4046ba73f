// World: nodes and clients under one virtual clock; the seventh type of the program.
//
// A world is a pure function of its seed and of what is asked of it: time moves only in advance(),
// which takes the earliest event from the queue (ties by sequence number) and carries it out. There
// are no threads, no real clocks, no randomness but the seeded streams, one per directed link and
// actor, so that dropping one message does not reshuffle the others.
//
// The wire is real RESP over links that are ordered byte streams. A message is what one write put
// on a link; it has an id such as "A-n1#3" and is in flight until it is due. A link that is cut
// delivers nothing until it is healed; a link of a killed participant loses what is in flight and
// closes.
//
// Upkeep timers of nodes are carried out silently between events: they are not what a visitor steps
// through.
#pragma once

#include <deque>
#include <memory>
#include <queue>
#include <string>
#include <utility>
#include <vector>

#include "core/base/random.h"
#include "core/node/node.h"
#include "core/resp/reply_parser.h"
#include "core/sim/database.h"
#include "core/sim/mem_disk.h"
#include "core/trace/trace.h"

namespace hotkv::sim {

struct Latency {
  Duration mean = milliseconds(1);
  Duration spread;  // Uniform in mean +- spread.
};

// A reply as a client got it.
struct Answer {
  uint64_t request = 0;  // The number that send() gave.
  int client = -1;
  std::string line;
  Reply reply;
  std::string resp;
  Time sent_at, received_at;
};

class World {
 public:
  // Wall time of the start: 2026-01-01 00:00:00 UTC, in every run.
  static constexpr int64_t kStartWallUs = 1767225600000000;

  explicit World(uint64_t seed);
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  // ---- building ----
  // Actors are added before the first link is used. Names have no '-' and no '#'.
  int add_node(std::string name);
  int add_database(std::string name, Duration latency, int workers);  // Counted among the nodes.
  int add_client(std::string name, std::string title = "");
  void set_latency(int client, int node, Latency latency);
  // Option words that every node starts with.
  void set_node_options(std::vector<std::pair<std::string, std::string>> options);
  void start_node(int node);
  // All lines of the trace are kept for trace_text(); the digest is kept always.
  void keep_trace(bool keep) { keep_trace_ = keep; }
  void set_trace_mask(uint32_t mask) { mask_ = mask; }
  // Called with each line of the trace as it happens: how checkers listen.
  void set_observer(trace::Sink observer, void* context) {
    observer_ = observer;
    observer_context_ = context;
  }

  // ---- running ----
  // Carries out the next event; false when none is left but upkeep.
  bool advance();
  // As advance, but not beyond `until`; upkeep runs up to it. False when `until` is reached.
  bool advance_until(Time until);
  // An event at now + delay whose meaning the caller keeps; advance() reports it in fired().
  uint64_t schedule(Duration delay);
  const std::vector<uint64_t>& fired() const { return fired_; }
  Time now() const { return now_; }
  Time next_time() const;  // Of the next event; now() when none is left.
  uint64_t events() const { return events_; }

  // ---- clients ----
  // Sends a command (words are split as hotkv-cli does); the number identifies the answer. A client
  // that is down or a line that does not split gives 0.
  uint64_t send(int client, int node, const std::string& line);
  uint64_t send_words(int client, int node, const std::vector<std::string>& words,
                      const std::string& line);
  bool waits_for_reply(int client) const;
  // Answers that arrived during the last advance().
  const std::vector<Answer>& answers() const { return answers_; }
  // Requests whose link broke before the answer, during the last advance(): nobody knows whether
  // they were carried out.
  const std::vector<uint64_t>& lost_requests() const { return lost_; }
  // The same for faults between two advances; each is answered once.
  std::vector<uint64_t> take_lost() { return std::exchange(lost_, {}); }

  // ---- faults ----
  void kill_node(int node);
  void restart_node(int node);
  // The process stands still, as under SIGSTOP: nothing is read, no timer runs.
  void pause_node(int node, Duration length);
  void step_clock(int node, Duration step);  // Of the wall clock; the other clock never jumps.
  void kill_client(int client);
  void restart_client(int client);
  void pause_client(int client, Duration length);
  bool cut(int client, int node);  // False: it was so already.
  bool heal(int client, int node);
  MemDisk& disk(int node) { return nodes_[static_cast<size_t>(node)].disk; }

  // ---- messages in flight ----
  // A link is a stream, and streams keep their order: what is delayed holds up what is behind it,
  // and what is delivered now takes what is before it along. Each is false without such a message.
  // The connection breaks at this message: what is before it arrives, it and the rest do not.
  bool drop_message(Bytes id);
  bool delay_message(Bytes id, Duration length);
  bool deliver_message(Bytes id);
  // The client sends a request once more, as libraries do that retry. False for replies.
  bool duplicate_message(Bytes id);

  // ---- looking ----
  Node& node(int node) { return *nodes_[static_cast<size_t>(node)].machine; }
  // Of a database: always.
  bool node_up(int node) const { return serves_keys(node) || is_database(node); }
  bool is_database(int node) const { return database(node) != nullptr; }
  // A HotKV node that is up.
  bool serves_keys(int node) const { return nodes_[static_cast<size_t>(node)].machine != nullptr; }
  const Database* database(int node) const {
    return nodes_[static_cast<size_t>(node)].database.get();
  }
  int find_database() const;  // The first; -1 = none.
  bool client_up(int client) const { return clients_[static_cast<size_t>(client)].up; }
  const std::string& node_name(int node) const { return nodes_[static_cast<size_t>(node)].name; }
  const std::string& client_name(int c) const { return clients_[static_cast<size_t>(c)].name; }
  int nodes() const { return static_cast<int>(nodes_.size()); }
  int clients() const { return static_cast<int>(clients_.size()); }
  int find_node(Bytes name) const;
  int find_client(Bytes name) const;
  // Live string keys of a node: what a picture of it shows. Looks without touching anything.
  struct KeyView {
    int db;
    std::string key, value;
    int64_t ttl_ms;  // -1 = none
    uint64_t lock_number;
  };
  std::vector<KeyView> keys(int node, size_t most) const;
  static std::vector<KeyView> keys_of(Node& node, int64_t wall_ms, size_t most);
  bool holds(int node, Bytes key, Bytes value) const;
  // Until when a client stands still; a time that has passed: it does not.
  Time client_paused_until(int client) const {
    return clients_[static_cast<size_t>(client)].paused_until;
  }
  int messages_in_flight() const;
  struct MessageView {
    std::string id, link, from, to, label;
    bool is_reply;
    Time due;
  };
  std::vector<MessageView> in_flight() const;  // By link, requests first, oldest first.
  struct LinkView {
    std::string id, from, to;
    bool is_cut;
  };
  std::vector<LinkView> link_views() const;
  uint64_t digest() const { return digest_; }
  uint64_t seed() const { return seed_; }
  const std::string& trace_text() const { return trace_text_; }
  trace::Trace& trace() { return trace_; }
  Time wall() const { return {kStartWallUs + now_.us}; }
  Time node_wall(int node) const { return wall() + nodes_[static_cast<size_t>(node)].clock_error; }
  bool node_paused(int node) const { return nodes_[static_cast<size_t>(node)].paused_until > now_; }

 private:
  enum class EventKind : uint8_t {
    kDeliver,
    kDisk,
    kQuery,
    kUpkeep,
    kResume,
    kNodeResume,
    kCaller
  };
  struct Event {
    Time at;
    uint64_t sequence;
    EventKind kind;
    int target;       // Link, node or client.
    int direction;    // kDeliver: 0 to the node, 1 to the client.
    uint64_t number;  // Incarnation of the target, operation, or the caller's number.
    friend bool operator<(const Event& a, const Event& b) {
      return a.at != b.at ? b.at < a.at : b.sequence < a.sequence;  // priority_queue: least first
    }
  };
  struct Message {
    std::string id;
    std::string bytes;
    std::string label;
    Time due;
  };
  struct Direction {
    Random random{0};
    std::deque<Message> in_flight;
    uint64_t sent = 0;
    Time last_due;
    bool breaks_behind = false;  // When what is in flight has arrived, the link breaks.
  };
  struct Link {
    int client = 0, node = 0;
    bool open = false;
    bool is_cut = false;
    uint64_t incarnation = 0;
    Latency latency;
    Direction direction[2];
  };
  struct Request {
    uint64_t number;
    int link;
    std::string line;
    Time sent_at;
  };
  struct SimClient {
    std::string name;
    std::string title;
    bool up = true;
    Time paused_until;
    std::vector<std::string> input;            // By node: bytes not yet parsed.
    std::vector<std::deque<Request>> waiting;  // By node.
  };
  struct SimNode {
    std::string name;
    std::unique_ptr<Node> machine;
    std::unique_ptr<Database> database;  // Instead of a machine.
    Outputs outputs;
    MemDisk disk;
    uint64_t incarnation = 0;
    Time upkeep_at = Time::never();
    Time paused_until;
    Duration clock_error;  // Of its wall clock.
    std::deque<FileOp> file_ops;
    Time disk_free_at;
  };

  int add_participant(std::string name, Bytes kind);
  void push(Time at, EventKind kind, int target, int direction, uint64_t number);
  bool carry_out(const Event& event);
  void put_on_link(int link, int direction, std::string bytes, std::string label);
  // Where a message is; link < 0: nowhere.
  struct Place {
    int link = -1;
    int direction = 0;
    size_t index = 0;
  };
  Place find_message(Bytes id) const;
  void set_due(Place place, Time due);
  Now now_of(int node) const { return {now_, node_wall(node)}; }
  void deliver(int link, int direction);
  void client_receives(int client, int node, Bytes bytes);
  void drain(int client, int node);
  void step_node(int node, const Input& input);
  void carry_out_outputs(int node);
  void break_link(int link, Bytes reason);
  int link_between(int client, int node);
  int add_link(int client, int node, Latency latency);
  bool deliver_due(const Event& event);
  void query(int link, Bytes bytes);
  void finish_query(int node);
  void open_link(int link);
  void drop_in_flight(Link& link, Bytes reason);
  void run_upkeep(Time before);
  std::string link_name(const Link& link, int direction) const;
  void on_line(Bytes line);

  uint64_t seed_;
  Time now_;
  uint64_t sequence_ = 0;
  uint64_t events_ = 0;
  uint64_t last_request_ = 0;
  uint64_t last_timer_ = 0;
  std::priority_queue<Event> queue_;
  std::vector<SimNode> nodes_;
  std::vector<SimClient> clients_;
  std::vector<Link> links_;
  std::vector<std::pair<std::string, std::string>> node_options_;
  std::vector<Answer> answers_;
  std::vector<uint64_t> lost_;
  std::vector<uint64_t> fired_;
  trace::Trace trace_;
  uint32_t mask_ = trace::kAll;
  bool keep_trace_ = false;
  trace::Sink observer_ = nullptr;
  void* observer_context_ = nullptr;
  std::string trace_text_;
  std::string cause_;  // The message that is being delivered.
  uint64_t digest_ = 0;
};

}  // namespace hotkv::sim
