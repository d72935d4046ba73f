// Session: one client of a node: its link, protocol state, unparsed input and unsent output.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/base/ids.h"
#include "core/base/time.h"
#include "core/command/spec.h"
#include "core/resp/command_parser.h"
#include "core/resp/output_queue.h"
#include "core/resp/reply_writer.h"

namespace hotkv {

// A command kept for EXEC: its words, owned.
struct QueuedCommand {
  const CommandSpec* spec = nullptr;
  const CommandSpec* subcommand = nullptr;
  std::vector<std::string> words;
};

class Session {
 public:
  Session(LinkId link_id, ClientId client_id)
      : link(link_id), id(client_id), reply(out, Protocol::kResp2) {}

  const LinkId link;
  const ClientId id;
  std::string address;        // "127.0.0.1:50000"
  std::string local_address;  // "127.0.0.1:6379"
  Time connected_at;          // mono
  Time active_at;             // mono, last bytes received

  OutputQueue out;
  ReplyWriter reply;
  CommandParser parser;
  std::string input;       // Bytes received and not yet executed.
  size_t input_begin = 0;  // How far `input` is done.

  int db = 0;
  bool authenticated = false;
  std::string name;
  std::string library_name;
  std::string library_version;
  const CommandSpec* last_command = nullptr;
  const CommandSpec* last_subcommand = nullptr;
  uint64_t commands = 0;
  uint64_t bytes_in = 0;
  uint64_t bytes_out = 0;

  // MULTI
  bool in_multi = false;
  bool multi_failed = false;
  bool in_exec = false;  // EXEC is running its queue.
  std::vector<QueuedCommand> queue;
  size_t queue_bytes = 0;
  int watched = 0;

  enum class ReplyMode : uint8_t { kOn, kOff, kSkipNext, kSkipping };
  ReplyMode reply_mode = ReplyMode::kOn;
  bool no_evict = false;
  bool no_touch = false;

  // Why the session's input is not being executed; kNone = it runs when there is input.
  enum class Wait : uint8_t {
    kNone,
    kEpoch,   // LOCK before the epoch is durable; leaves when the disk has answered.
    kDisk,    // CONFIG REWRITE has run and is answered when the disk has answered.
    kListen,  // CONFIG SET of bind or port has run and is answered when the host listens.
    kPause,   // CLIENT PAUSE; leaves at its end or at CLIENT UNPAUSE.
    kOutput,  // Unsent replies exceed client-output-pause-bytes; leaves when they are taken.
  };
  Wait wait = Wait::kNone;
  bool runnable = false;         // In the node's list of sessions with input to go on with.
  bool listed_writable = false;  // In Outputs::writable of this step.
  bool closing = false;          // A Close was asked for; nothing is executed any more.
  bool close_after_reply = false;
  Time soft_limit_since = Time::never();  // client-output-buffer-limit: over the soft limit since.

  size_t unread_input() const { return input.size() - input_begin; }
};

}  // namespace hotkv
