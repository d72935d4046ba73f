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

// What is known of batch_[i] before it runs; `far`: fetch its key's bucket into the cache.
inline void Server::look_ahead(const Table& keys, bool far, size_t i) {
  const ParsedCommand& parsed = parsed_[i];
  BatchItem& item = batch_[i];
  if (parsed.repeats) {
    item.spec = batch_[i - 1].spec;
    item.is_plain = batch_[i - 1].is_plain;
  } else {
    item.spec = table.find(argument_pool_[parsed.first_argument]);
    item.is_plain = item.spec && item.spec->is_plain && item.spec->accepts(parsed.argument_count);
  }
  if (!item.is_plain) return;
  auto key = static_cast<uint32_t>(item.spec->keys.first);
  item.hash = keys.hash(argument_pool_[parsed.first_argument + key]);
  if (far) {
    item.place = keys.bucket_place(item.hash);
    __builtin_prefetch(item.place);
  }
}

// Parses up to a batch of commands from buffer[at..]: whole ones as long as they come, or one that
// takes the parser's full attention. Argument views stay valid because neither the buffer nor the
// parser, where inline words live, is touched until the batch is executed.
size_t Server::parse_batch(Session& s, Bytes buffer, size_t& at, CommandParser::State& state) {
  ParserLimits limits{settings.max_bulk_bytes, s.authenticated};
  argument_pool_.clear();
  state = CommandParser::State::kCommand;
  auto most = std::min(kBatchMax, static_cast<size_t>(commands_left));
  size_t n = s.parser.take_whole(buffer, at, limits, argument_pool_, {parsed_, most});
  if (n == 0 && most > 0) {
    state = s.parser.next(buffer.substr(at), limits, argument_pool_);
    parsed_[0] = {buffer.data() + at, 0, static_cast<uint32_t>(argument_pool_.size())};
    at += s.parser.consumed();
    n = state == CommandParser::State::kCommand;
  }
  const Table& keys = keyspace.table(s.db);
  bool far = is_far(keys);
  for (size_t i = 0; i < n; i++) look_ahead(keys, far, i);
  for (size_t i = 0; far && i < n; i++) {
    if (!batch_[i].is_plain) continue;
    __builtin_prefetch(keys.entry_place(batch_[i].place, batch_[i].hash));
  }
  return n;
}

inline std::span<const Bytes> Server::arguments_of(const ParsedCommand& parsed) const {
  return argument_pool_.part(parsed.first_argument, parsed.argument_count);
}

Server::Progress Server::execute_buffer(Session& s, Bytes buffer) {
  size_t at = 0;
  auto output_pause = static_cast<size_t>(options.number(kOutputPause));
  last_ticks_us_ = ticks_us();
  while (commands_left > 0) {
    CommandParser::State state;
    size_t n = parse_batch(s, buffer, at, state);
    for (size_t i = 0; i < n; i++) {
      if (is_usual(s)) i = run_plain(s, i, n, output_pause);
      if (i == n) break;
      if (s.out.size() > output_pause) s.wait = Session::Wait::kOutput;
      if (s.wait == Session::Wait::kNone) execute(s, batch_[i].spec, arguments_of(parsed_[i]));
      if (s.closing) return {buffer.size(), true};
      bool done = s.wait == Session::Wait::kNone || s.wait == Session::Wait::kDisk;
      if (done) commands_left--;
      if (s.wait != Session::Wait::kNone) {
        // What the parser has read ahead is parsed again when the session goes on.
        s.parser = CommandParser();
        const char* end = buffer.data() + at;
        const char* rest = !done ? parsed_[i].begin : i + 1 < n ? parsed_[i + 1].begin : end;
        return {static_cast<size_t>(rest - buffer.data()), false};
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
