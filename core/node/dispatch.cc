// From bytes to executed commands: batches, look-ahead, the checks before a handler runs.
#include <algorithm>

#include "core/node/server.h"
#include "core/trace/events.h"

namespace hotkv {

namespace {

constexpr size_t kKeepInputBytes = 64 * 1024;
constexpr size_t kKeepArguments = 4096;

// A browser or an SSRF that speaks HTTP to this port: nothing after it may run (CASES PROTO-06).
bool is_http(Bytes name) {
  return equal_ignoring_case(name, "post") || equal_ignoring_case(name, "host:");
}

// Whether the keys outgrow the processor's near caches, so that fetching ahead is worth its work.
bool is_far(const Table& keys) { return keys.size() > 4096; }

}  // namespace

// ---- input ----

void Server::receive(Session& s, Bytes bytes) {
  counts.bytes_in += bytes.size();
  s.bytes_in += bytes.size();
  s.active_at = now.mono;
  if (s.closing) return;
  if (s.input.empty() && s.wait == Session::Wait::kNone) {
    Progress progress = execute_buffer(s, bytes);
    bytes.remove_prefix(progress.consumed);
    if (!s.closing && !bytes.empty()) s.input.assign(bytes);
    keep_rest(s, progress);
  } else {
    s.input.append(bytes);
    run_input(s);
  }
}

void Server::run_input(Session& s) {
  if (s.closing || s.wait != Session::Wait::kNone) {
    keep_rest(s, {0, true});
    return;
  }
  Progress progress = execute_buffer(s, Bytes(s.input).substr(s.input_begin));
  s.input_begin += progress.consumed;
  if (s.closing || s.input_begin == s.input.size()) {
    s.input_begin = 0;
    if (s.input.capacity() > kKeepInputBytes) {
      s.input = std::string();
    } else {
      s.input.clear();
    }
  } else if (s.input_begin > kKeepInputBytes && s.input_begin > s.input.size() / 2) {
    s.input.erase(0, s.input_begin);  // At most half is moved: linear in total.
    s.input_begin = 0;
  }
  keep_rest(s, progress);
}

// After execution: what happens to the session that still has input.
void Server::keep_rest(Session& s, const Progress& progress) {
  if (!s.out.empty()) mark_writable(s);
  if (s.closing) return;
  if (s.unread_input() > static_cast<size_t>(options.number(kQueryLimit))) {
    counts.query_limit_closes++;
    log(LogLevel::kWarning, "Closing client that reached max query buffer length: " + describe(s));
    close_session(s, "query buffer limit", false);
    return;
  }
  if (s.unread_input() > 0 && !progress.needs_more) make_runnable(s);
}

void Server::make_runnable(Session& s) {
  if (s.runnable || s.wait != Session::Wait::kNone) return;
  s.runnable = true;
  runnable_.push_back(s.link);
}

void Server::run_runnable() {
  for (size_t turns = runnable_.size(); turns > 0 && commands_left > 0; turns--) {
    Session* s = find_session(runnable_.front());
    runnable_.pop_front();
    if (!s || !s->runnable) continue;
    s->runnable = false;
    run_input(*s);
  }
  if (!runnable_.empty()) outputs->more_work = true;
}

void Server::wake(Session::Wait reason) {
  visit_sessions([&](Session& s) {
    if (s.wait != reason) return;
    s.wait = Session::Wait::kNone;
    if (s.unread_input() > 0) make_runnable(s);
  });
  if (!runnable_.empty()) outputs->more_work = true;
}

void Server::mark_writable(Session& s) {
  check_output_limit(s);
  if (s.listed_writable) return;
  s.listed_writable = true;
  outputs->writable.push_back(s.link);
}

// ---- batches ----

// The item of a command that begins at `begin` and whose arguments are the pool's from `first` on.
inline void Server::set_item(BatchItem& item, size_t begin, size_t first) {
  item.begin = begin;
  item.first_argument = static_cast<uint32_t>(first);
  item.argument_count = static_cast<uint32_t>(argument_pool_.size() - first);
  item.spec = table.find(argument_pool_[first]);
}

inline void Server::look_ahead(const Table& keys, BatchItem& item) {
  const CommandSpec* spec = item.spec;
  item.is_plain = spec && spec->is_plain && spec->accepts(item.argument_count);
  if (!item.is_plain) return;
  auto key = static_cast<uint32_t>(spec->keys.first);
  item.hash = keys.hash(argument_pool_[item.first_argument + key]);
  if (is_far(keys)) item.place = keys.prefetch_bucket(item.hash);
}

// Parses up to a batch of commands from buffer[at..]: whole ones as long as they come, or one that
// takes the parser's full attention. Argument views stay valid because neither the buffer nor the
// parser, where inline words live, is touched until the batch is executed.
int Server::parse_batch(Session& s, Bytes buffer, size_t& at, CommandParser::State& state) {
  ParserLimits limits{settings.max_bulk_bytes, s.authenticated};
  const Table& keys = keyspace.table(s.db);
  argument_pool_.clear();
  state = CommandParser::State::kCommand;
  Bytes rest = buffer.substr(at);
  int most = std::min(kBatchMax, commands_left), n = 0;
  for (size_t first = 0, taken; n < most; n++, first = argument_pool_.size()) {
    taken = s.parser.take_whole(rest, limits, argument_pool_);
    if (!taken) break;
    set_item(batch_[n], static_cast<size_t>(rest.data() - buffer.data()), first);
    look_ahead(keys, batch_[n]);
    rest.remove_prefix(taken);
  }
  if (n > 1 && is_far(keys)) {
    for (int i = 0; i < n; i++) {
      if (batch_[i].is_plain) keys.prefetch_entry(batch_[i].place, batch_[i].hash);
    }
  } else if (n == 0 && most > 0) {
    state = s.parser.next(rest, limits, argument_pool_);
    rest.remove_prefix(s.parser.consumed());
    if (state == CommandParser::State::kCommand) {
      set_item(batch_[n], at, 0);
      look_ahead(keys, batch_[n++]);
    }
  }
  at = buffer.size() - rest.size();
  return n;
}

Server::Progress Server::execute_buffer(Session& s, Bytes buffer) {
  size_t at = 0;
  auto output_pause = static_cast<size_t>(options.number(kOutputPause));
  last_ticks_us_ = ticks_us();
  while (commands_left > 0) {
    CommandParser::State state;
    int n = parse_batch(s, buffer, at, state);
    for (int i = 0; i < n; i++) {
      if (is_usual(s)) i = run_plain(s, i, n, output_pause);
      if (i == n) break;
      const BatchItem& item = batch_[i];
      if (s.out.size() > output_pause) s.wait = Session::Wait::kOutput;
      if (s.wait == Session::Wait::kNone) {
        execute(s, item, argument_pool_.part(item.first_argument, item.argument_count));
      }
      if (s.closing) return {buffer.size(), true};
      bool done = s.wait == Session::Wait::kNone || s.wait == Session::Wait::kDisk;
      if (done) commands_left--;
      if (s.wait != Session::Wait::kNone) {
        // What the parser has read ahead is parsed again when the session goes on.
        s.parser = CommandParser();
        return {!done ? item.begin : i + 1 < n ? batch_[i + 1].begin : at, false};
      }
    }
    if (argument_pool_.capacity() > kKeepArguments) argument_pool_.release();
    if (state == CommandParser::State::kNeedMore) return {at, true};
    if (state == CommandParser::State::kError) {
      protocol_error(s, s.parser.error());
      return {buffer.size(), true};
    }
  }
  return {at, at == buffer.size()};
}

void Server::protocol_error(Session& s, Bytes error) {
  counts.protocol_errors++;
  log(LogLevel::kVerbose, "Protocol error from client: " + std::string(error) + ". " + describe(s));
  s.reply.set_muted(false);
  s.reply.error(error);
  count_error(error);
  close_session(s, "protocol error", true);
}

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

inline void Server::run(Session& s, const CommandSpec& spec, std::span<const Bytes> arguments,
                        int first) {
  size_t reply_begin = s.out.size();
  uint64_t errors_before = s.reply.errors_written();
  Call call{arguments, spec, s.reply, txn, random, settings, s, *this, first};
  spec.handler(call);
  counts.commands++;
  s.commands++;
  uint64_t ticks = ticks_us();
  CommandCounts& counted = command_counts[spec.id];
  counted.calls++;
  counted.microseconds += ticks - last_ticks_us_;
  last_ticks_us_ = ticks;
  bool failed = s.reply.errors_written() != errors_before;
  if (__builtin_expect(failed || trace.wants(trace::Kind::kCommand), 0)) {
    conclude(s, spec, arguments, reply_begin, failed);
  }
}

// Whether nothing about the session and the server stands in the way of a plain command: what
// execute() checks for any command holds.
bool Server::is_usual(const Session& s) const {
  return s.reply_mode == Session::ReplyMode::kOn && s.authenticated && !s.in_multi && !paused &&
         s.wait == Session::Wait::kNone;
}

// Runs the plain commands at the front of batch_[begin, end); returns the first one that is not.
int Server::run_plain(Session& s, int begin, int end, size_t output_pause) {
  txn.begin(now, s.db);
  txn.set_touching(!s.no_touch);
  int i = begin;
  for (; i < end && batch_[i].is_plain && s.out.size() <= output_pause; i++) {
    const BatchItem& item = batch_[i];
    std::span<const Bytes> arguments =
        argument_pool_.part(item.first_argument, item.argument_count);
    txn.set_hash_hint(arguments[static_cast<size_t>(item.spec->keys.first)], item.hash);
    run(s, *item.spec, arguments, 1);
    txn.end();
  }
  if (i > begin) {
    s.last_command = batch_[i - 1].spec;
    s.last_subcommand = nullptr;
    commands_left -= i - begin;
  }
  return i;
}

void Server::execute(Session& s, const BatchItem& item, std::span<const Bytes> arguments) {
  const CommandSpec* spec = item.spec;
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
  run(s, spec, arguments, first);
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
