// NodeTarget: hotkv's node in this process, in virtual time.
//
// The host loop of native/driver with nothing real in it: bytes move at once, the disk is a map and
// answers at once, and time passes only by advance() and DEBUG SLEEP. Timers fire at their exact
// deadlines while time advances.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/node/node.h"
#include "tests/transcripts/target.h"

namespace hotkv::transcripts {

class NodeTarget : public Target {
 public:
  NodeTarget();

  std::vector<std::string> names() const override { return {"node", "hotkv"}; }
  std::string redis_version() const override { return ""; }
  Status begin(const OptionList& options, bool fresh) override;
  Status send(int client, const std::string& bytes) override;
  Received receive(int client, int wait_ms, std::string* bytes) override;
  void close(int client) override;
  void advance(int64_t us) override;
  Status restart() override;
  int64_t wall_ms() const override { return now_.wall.ms(); }
  void set_wall_ms(int64_t wall_ms) override { now_.wall = Time{} + milliseconds(wall_ms); }
  bool take_effects(std::vector<std::vector<std::string>>* effects) override;

 private:
  struct Client {
    LinkId link;
    bool closed = false;
    std::string outbox;  // Not yet taken by the node, which pauses reading at times.
    std::string inbox;
  };

  Status start();
  void step(Input::Kind kind, LinkId link, Bytes bytes);
  void carry_out();  // What the last step asked for.
  void deliver(Client* client);
  void settle();  // Steps until nothing is left to do at this instant.
  void run_disk();
  Client* client_of(LinkId link);

  std::unique_ptr<Node> node_;
  OptionList options_;
  Now now_;
  Outputs outputs_;
  std::map<int, Client> clients_;
  uint64_t last_link_ = 0;
  std::map<std::string, std::string> disk_;
  std::deque<FileOp> disk_queue_;
  bool has_ended_ = false;
  bool wants_step_ = false;
  uint64_t starts_ = 0;
  uint64_t effects_read_ = 0;
};

}  // namespace hotkv::transcripts
