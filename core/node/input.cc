// From bytes to batches of parsed commands, and which session's turn it is.
#include <algorithm>

#include "core/node/server.h"

namespace hotkv {

namespace {

constexpr size_t kKeepInputBytes = 64 * 1024;
constexpr size_t kKeepArguments = 4096;

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
      bool done = s.wait == Session::Wait::kNone || s.wait == Session::Wait::kDisk ||
                  s.wait == Session::Wait::kListen;
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

}  // namespace hotkv
