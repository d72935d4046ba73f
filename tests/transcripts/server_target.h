// ServerTarget: a real server process (redis-server or hotkv-server) on a free loopback port.
//
// It has a data folder of its own that goes away with it. Blocks share the process as long as they
// need no options; FLUSHALL stands between them. The process is ended by its id, and it ends with
// us even when we are killed.
#pragma once

#include <sys/types.h>

#include <map>
#include <string>
#include <vector>

#include "tests/transcripts/target.h"

namespace hotkv::transcripts {

class ServerTarget : public Target {
 public:
  explicit ServerTarget(std::string binary) : binary_(std::move(binary)) {}
  ~ServerTarget() override;
  ServerTarget(const ServerTarget&) = delete;
  ServerTarget& operator=(const ServerTarget&) = delete;

  // Starts once to learn what it is. Call before anything else.
  Status identify();

  std::vector<std::string> names() const override;
  std::string redis_version() const override { return is_hotkv_ ? "" : version_; }
  Status begin(const OptionList& options, bool fresh) override;
  Status send(int client, const std::string& bytes) override;
  Received receive(int client, int wait_ms, std::string* bytes) override;
  void close(int client) override;
  void advance(int64_t us) override;
  Status restart() override;
  int64_t wall_ms() const override;
  void set_wall_ms(int64_t) override {}
  bool take_effects(std::vector<std::vector<std::string>>* effects) override;

 private:
  Status start();
  Status wait_until_ready();
  void stop();
  Status flush();
  void close_all();
  // One command on a connection of its own; empty when it could not be asked.
  std::string ask(const std::string& request);
  std::string log_tail() const;

  std::string binary_;
  bool is_hotkv_ = false;
  std::string version_;
  OptionList options_;
  bool is_shared_ = false;  // The running process serves any block without options.
  pid_t pid_ = 0;
  int port_ = 0;
  std::string folder_;
  std::map<int, int> sockets_;
};

}  // namespace hotkv::transcripts
