// Executing parsed commands: the checks before a handler runs, and what is counted behind it.
#include "core/node/server.h"
#include "core/trace/events.h"

namespace hotkv {

namespace {

// A browser or an SSRF that speaks HTTP to this port: nothing after it may run (CASES PROTO-06).
bool is_http(Bytes name) {
  return equal_ignoring_case(name, "post") || equal_ignoring_case(name, "host:");
}

}  // namespace

// ---- one command ----

void Server::count_error(Bytes error) {
  counts.error_replies++;
  std::string word(error.substr(0, error.find(' ')));
  // Clients choose no code words, but scripts will: the table stays bounded.
  constexpr size_t kErrorWordsMax = 128;
  if (error_counts.size() < kErrorWordsMax || error_counts.count(word)) error_counts[word]++;
}

void Server::reject(Session& s, const CommandSpec* spec, Bytes error) {
  if (spec) command_counts[spec->id].rejected++;
  std::string abort;
  if (spec && spec->name == "exec") {
    // EXEC ends the transaction even when it is refused itself.
    discard_transaction(s);
    constexpr Bytes kCode = "ERR ";
    if (error.substr(0, kCode.size()) == kCode) error.remove_prefix(kCode.size());
    abort = "EXECABORT Transaction discarded because of: " + std::string(error);
    error = abort;
  }
  if (s.in_multi) s.multi_failed = true;
  s.reply.error(error);
  count_error(error);
}

const char* Server::refusal(const Session& s, const CommandSpec& spec) const {
  if (!s.authenticated && !(spec.flags & Flag::kNoAuth)) return errors::kNoAuth.data();
  if (s.in_multi && (spec.flags & kNoMulti)) return errors::kNotInMulti.data();
  if ((spec.flags & kProtected) && !is_permitted(s, "enable-debug-command")) {
    return errors::kDebugRefused.data();
  }
  return nullptr;
}

bool Server::must_wait(Session& s, const CommandSpec& spec) {
  bool writes = (spec.flags & (kWrite | kMayReplicate)) != 0;
  bool grants = (spec.flags & kGrantsLock) != 0;
  bool is_exec = spec.name == "exec";
  if (is_exec) {
    for (const QueuedCommand& q : s.queue) {
      writes = writes || (q.spec->flags & (kWrite | kMayReplicate));
      grants = grants || (q.spec->flags & kGrantsLock);
    }
  }
  if (s.in_multi && !is_exec) return false;
  if (paused && (!paused_writes_only || writes)) {
    s.wait = Session::Wait::kPause;
  } else if (grants) {
    if (epoch.state() == LockEpoch::State::kReady && effects.next_offset() >> 36 > epoch_wraps) {
      epoch_wraps = effects.next_offset() >> 36;
      epoch.advance(next_file_op(), *outputs);
    }
    if (!epoch.settled()) s.wait = Session::Wait::kEpoch;
  }
  return s.wait != Session::Wait::kNone;
}

void Server::queue_command(Session& s, const CommandSpec& spec, const CommandSpec* sub,
                           std::span<const Bytes> arguments) {
  QueuedCommand queued{&spec, sub, {}};
  queued.words.reserve(arguments.size());
  for (Bytes a : arguments) {
    queued.words.emplace_back(a);
    s.queue_bytes += a.size();
  }
  s.queue.push_back(std::move(queued));
  s.reply.simple("QUEUED");
}

inline void Server::count_commands(Session& s, size_t commands) {
  counts.commands += commands;
  s.commands += commands;
}

// Runs one command, whose reply begins at `reply_begin` of the output, and counts it among its
// kind; count_commands() is left to the caller.
inline void Server::run(Session& s, Call& call, size_t reply_begin, bool traced) {
  uint64_t errors_before = s.reply.errors_written();
  call.spec->handler(call);
  uint64_t ticks = ticks_us();
  CommandCounts& counted = command_counts[call.spec->id];
  counted.calls++;
  counted.microseconds += ticks - last_ticks_us_;
  last_ticks_us_ = ticks;
  bool failed = s.reply.errors_written() != errors_before;
  if (__builtin_expect(failed || traced, 0)) {
    conclude(s, *call.spec, call.arguments, reply_begin, failed);
  }
}

// Whether nothing about the session and the server stands in the way of a plain command: what
// execute() checks for any command holds.
bool Server::is_usual(const Session& s) const {
  return s.reply_mode == Session::ReplyMode::kOn && s.authenticated && !s.in_multi && !paused &&
         s.wait == Session::Wait::kNone;
}

// Runs the plain commands at the front of batch_[begin, end); returns the first one that is not.
size_t Server::run_plain(Session& s, size_t begin, size_t end, size_t output_pause) {
  txn.begin(now, s.db);
  txn.set_touching(!s.no_touch);
  Call call{{}, nullptr, s.reply, txn, random, settings, s, *this};
  const bool traced = trace.wants(trace::Kind::kCommand);
  size_t i = begin;
  for (; i < end && batch_[i].is_plain; i++) {
    size_t reply_begin = s.out.size();
    if (reply_begin > output_pause) break;
    const BatchItem& item = batch_[i];
    call.spec = item.spec;
    call.arguments = arguments_of(parsed_[i]);
    txn.set_hash_hint(call.argument(item.spec->keys.first), item.hash);
    run(s, call, reply_begin, traced);
    txn.end();
  }
  if (i > begin) {
    s.last_command = batch_[i - 1].spec;
    s.last_subcommand = nullptr;
    commands_left -= static_cast<int>(i - begin);
    count_commands(s, i - begin);
  }
  return i;
}

void Server::execute(Session& s, const CommandSpec* spec, std::span<const Bytes> arguments) {
  if (s.reply_mode == Session::ReplyMode::kSkipNext) {
    s.reply_mode = Session::ReplyMode::kSkipping;
    s.reply.set_muted(true);
  } else if (s.reply_mode == Session::ReplyMode::kSkipping) {
    s.reply_mode = Session::ReplyMode::kOn;
    s.reply.set_muted(false);
  }
  if (!spec) {
    if (is_http(arguments[0])) {
      log(LogLevel::kWarning,
          "Possible SECURITY ATTACK detected. It looks like somebody is sending "
          "POST or Host: commands to HotKV from " +
              s.address + ". Connection aborted.");
      close_session(s, "HTTP on the RESP port", false);
      return;
    }
    reject(s, nullptr, errors::unknown_command(arguments));
    return;
  }
  const CommandSpec* sub = nullptr;
  if (!spec->subcommands.empty() && arguments.size() > 1) {
    sub = table.find_subcommand(*spec, arguments[1]);
    if (!sub) {
      reject(s, spec, errors::unknown_subcommand(arguments[1], upper_case(spec->name)));
      return;
    }
  }
  const CommandSpec& run = sub ? *sub : *spec;
  if (!run.accepts(arguments.size()) || (!sub && !spec->handler)) {
    reject(s, &run,
           errors::wrong_arity(sub ? std::string(spec->name) + "|" + std::string(sub->name)
                                   : std::string(spec->name)));
    return;
  }
  if (const char* error = refusal(s, run)) {
    reject(s, &run, error);
    return;
  }
  if ((paused || (run.flags & (kGrantsLock | kUnqueued))) && must_wait(s, run)) return;
  if (s.in_multi && !(run.flags & kUnqueued)) {
    queue_command(s, *spec, sub, arguments);
    return;
  }
  txn.begin(now, s.db);
  txn.set_touching(!s.no_touch);
  s.last_command = spec;
  s.last_subcommand = sub;
  invoke(s, run, arguments, sub ? 2 : 1);
  txn.end();
}

void Server::invoke(Session& s, const CommandSpec& spec, std::span<const Bytes> arguments,
                    int first) {
  Call call{arguments, &spec, s.reply, txn, random, settings, s, *this, first};
  run(s, call, s.out.size(), trace.wants(trace::Kind::kCommand));
  count_commands(s, 1);
}

// What is left to do behind a command that failed or that somebody watches.
void Server::conclude(Session& s, const CommandSpec& spec, std::span<const Bytes> arguments,
                      size_t reply_begin, bool failed) {
  // An EXEC's own reply holds the errors of its commands, which are counted one by one.
  if (failed && spec.name != "exec") {
    command_counts[spec.id].failed++;
    Bytes reply = s.out.since(reply_begin);
    if (!reply.empty() && reply[0] == '-') count_error(reply.substr(1, reply.find('\r') - 1));
  }
  if (trace.wants(trace::Kind::kCommand)) trace_command(s, arguments, reply_begin);
}

void Server::trace_command(Session& s, std::span<const Bytes> arguments, size_t reply_begin) {
  constexpr size_t kReplyBytes = 256, kWords = 32, kWordBytes = 128;
  std::string line;
  for (size_t i = 0; i < arguments.size() && i < kWords; i++) {
    if (i) line += ' ';
    append_quoted(line, arguments[i].substr(0, kWordBytes));
  }
  Bytes reply = s.out.since(reply_begin);
  trace.emit(trace::CommandExecuted{s.id.value, s.db, line, reply.substr(0, kReplyBytes)});
}

}  // namespace hotkv
