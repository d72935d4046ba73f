// Call: one execution of one command: what a handler gets, and all that it gets.
//
// A handler reads arguments, reads and changes data through `txn`, and writes exactly one reply.
// Handlers of families in core/command use nothing else; the connection and server families in
// core/node also use `session` and `server`, whose definitions live there.
#pragma once

#include <span>

#include "core/base/random.h"
#include "core/command/arguments.h"
#include "core/command/spec.h"
#include "core/effect/txn.h"
#include "core/resp/errors.h"
#include "core/resp/reply_writer.h"

namespace hotkv {

class Session;
class Server;

// Options that data commands depend on, read from the options table by the node.
struct CommandSettings {
  int64_t max_bulk_bytes = 512 * 1024 * 1024;  // proto-max-bulk-len: longest string value
  bool lfu = false;                            // maxmemory-policy is one of the LFU ones
  uint64_t lock_epoch = 0;   // Durable epoch of this run (SPEC: Locks); 0 = LOCK cannot grant.
  std::string lock_failure;  // Why it cannot, for the client.
};

struct Call {
  std::span<const Bytes> arguments;  // [0] is the command's name as sent.
  const CommandSpec* spec;
  ReplyWriter& reply;
  Txn& txn;
  Random& random;
  const CommandSettings& settings;
  Session& session;
  Server& server;
  // Where the grammar's arguments begin: 1, or 2 behind a subcommand's name.
  int first = 1;

  Bytes argument(int i) const { return arguments[static_cast<size_t>(i)]; }
  int count() const { return static_cast<int>(arguments.size()); }
  // Parses by the grammar; on failure the error reply is written and false returned.
  bool parse(Parsed& parsed);
  // Parses one integer argument; on failure writes `ERR value is not an integer or out of range`.
  bool parse_integer(int i, int64_t& value);
  // The string entry at `key`, null when absent; on another type writes WRONGTYPE, returns false.
  bool find_string(Bytes key, const Entry*& entry);
  // As find_string, for commands that go on to write: counts no hit or miss, touches nothing.
  bool peek_string(Bytes key, const Entry*& entry);
  // Replies with the bytes of a string; null when absent.
  void reply_string(const Entry* entry);
};

inline bool Call::find_string(Bytes key, const Entry*& entry) {
  entry = txn.find(key);
  if (__builtin_expect(!entry || entry->type() == Type::kString, 1)) return true;
  reply.error(errors::kWrongType);
  return false;
}

inline void Call::reply_string(const Entry* entry) {
  if (!entry) return reply.null();
  if (entry->encoding() == Encoding::kInline) return reply.bulk(entry->inline_string());
  NumberText text;
  reply.bulk(entry->string(text));
}

}  // namespace hotkv
