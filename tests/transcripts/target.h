// Target: a machine under test, seen as its clients see it.
//
// Three kinds exist: hotkv's node in virtual time, hotkv-server, and redis-server. A transcript
// block begins with empty data and no clients; a client connects when it first sends.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"

namespace hotkv::transcripts {

using OptionList = std::vector<std::pair<std::string, std::string>>;

enum class Received {
  kBytes,    // Something was appended.
  kNothing,  // Nothing came in the time given.
  kClosed,   // The machine closed this connection.
};

class Target {
 public:
  virtual ~Target() = default;

  // Names that `@ only` may use for this target, the most exact first.
  virtual std::vector<std::string> names() const = 0;
  // Redis version that it stands for, as "7.0.15"; HotKV follows the newest and answers "".
  virtual std::string redis_version() const = 0;

  // Empty data, no clients. With options or `fresh`, a new machine that the next block won't share.
  virtual Status begin(const OptionList& options, bool fresh) = 0;

  // Clients are known by small numbers. Sending on an unknown number connects it.
  virtual Status send(int client, const std::string& bytes) = 0;
  // Appends what has arrived; waits at most `wait_ms` for something to come.
  virtual Received receive(int client, int wait_ms, std::string* bytes) = 0;
  virtual void close(int client) = 0;

  virtual void advance(int64_t us) = 0;
  virtual Status restart() = 0;
  virtual int64_t wall_ms() const = 0;
  // Moves a virtual wall clock, to compare with a server; a real one stays as it is.
  virtual void set_wall_ms(int64_t wall_ms) = 0;

  // Effects since the last call, each as words; false when this target does not show them.
  virtual bool take_effects(std::vector<std::vector<std::string>>* effects) = 0;
};

}  // namespace hotkv::transcripts
