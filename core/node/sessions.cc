// Opening, describing and closing clients.
#include "core/base/numbers.h"
#include "core/node/server.h"
#include "core/trace/events.h"

namespace hotkv {

namespace {

constexpr const char* kProtectedText =
    "-DENIED HotKV is running in protected mode because protected mode is enabled and no password "
    "is "
    "set for the default user. In this mode connections are only accepted from the loopback "
    "interface. To connect from other computers set a password with 'CONFIG SET requirepass', or "
    "start the server with '--protected-mode no' if nobody else can reach it.\r\n";

bool is_local(Bytes address) {
  return address.substr(0, 4) == "127." || address.substr(0, 4) == "[::1" ||
         address.substr(0, 4) == "::1:" || address.substr(0, 1) == "/";
}

void field(std::string& line, Bytes name, Bytes value) {
  if (!line.empty()) line += ' ';
  line += name;
  line += '=';
  line += value;
}

void field(std::string& line, Bytes name, int64_t value) {
  NumberText text;
  field(line, name, format_int64(value, text));
}

// The limits of class "normal" of client-output-buffer-limit.
struct OutputLimit {
  uint64_t hard = 0, soft = 0;
  int64_t soft_seconds = 0;
};

OutputLimit normal_limit(Bytes option) {
  std::vector<std::string> words;
  OutputLimit limit;
  if (!split_quoted(option, words)) return limit;
  for (size_t i = 0; i + 3 < words.size(); i += 4) {
    if (words[i] != "normal") continue;
    bool sound = parse_memory_size(words[i + 1], limit.hard) &&
                 parse_memory_size(words[i + 2], limit.soft) &&
                 parse_int64(words[i + 3], limit.soft_seconds);
    (void)sound;  // The option's own check has refused anything else.
  }
  return limit;
}

}  // namespace

void Server::accept(LinkId link, Bytes addresses) {
  if (sessions_.size() <= link.value) sessions_.resize(link.value + 1);
  auto session = std::make_unique<Session>(link, ClientId{++last_client_id});
  Session& s = *session;
  sessions_[link.value] = std::move(session);
  size_t blank = addresses.find(' ');
  s.address = std::string(addresses.substr(0, blank));
  if (blank != Bytes::npos) s.local_address = std::string(addresses.substr(blank + 1));
  s.connected_at = s.active_at = now.mono;
  s.authenticated = !password_needed();
  connected++;
  if (connected > options.number(kMaxClients)) {
    counts.rejected_connections++;
    s.out.append("-ERR max number of clients reached\r\n");
    close_session(s, "maxclients", true);
    return;
  }
  if (options.flag("protected-mode") && !password_needed() && !is_local(s.address)) {
    counts.rejected_connections++;
    s.out.append(kProtectedText);
    close_session(s, "protected mode", true);
    return;
  }
  counts.connections++;
  trace.emit(trace::ClientConnected{s.id.value, s.address});
}

bool Server::is_permitted(const Session& s, Bytes option) const {
  const std::string& who = options.text(option);
  return who == "yes" || (who == "local" && is_local(s.address));
}

void Server::forget(LinkId link) {
  Session* s = find_session(link);
  if (!s) return;
  watches.unwatch(s->id);
  connected--;
  if (!s->closing) trace.emit(trace::ClientClosed{s->id.value, "closed by the client"});
  sessions_[link.value].reset();
}

void Server::close_session(Session& s, Bytes reason, bool after_flush) {
  if (s.closing) return;
  s.closing = true;
  s.runnable = false;
  s.input = std::string();
  s.input_begin = 0;
  trace.emit(trace::ClientClosed{s.id.value, reason});
  if (after_flush && !s.out.empty() && !s.listed_writable) {
    s.listed_writable = true;
    outputs->writable.push_back(s.link);
  }
  outputs->closes.push_back({s.link, after_flush});
}

void Server::discard_transaction(Session& s) {
  s.in_multi = s.multi_failed = false;
  s.queue.clear();
  s.queue_bytes = 0;
  watches.unwatch(s.id);
  s.watched = 0;
}

void Server::reset_session(Session& s) {
  discard_transaction(s);
  s.db = 0;
  s.authenticated = !password_needed();
  s.name.clear();
  s.reply.set_protocol(Protocol::kResp2);
  s.reply_mode = Session::ReplyMode::kOn;
  s.reply.set_muted(false);
  s.no_evict = s.no_touch = false;
}

void Server::output_taken(Session& s, size_t size) {
  counts.bytes_out += size;
  s.bytes_out += size;
  s.out.taken(size);
  auto pause = static_cast<size_t>(options.number(kOutputPause));
  if (s.wait == Session::Wait::kOutput && s.out.size() <= pause / 2) {
    s.wait = Session::Wait::kNone;
    if (s.unread_input() > 0) make_runnable(s);
  }
}

void Server::check_output_limit(Session& s) {
  if (!output_limited) return;
  OutputLimit limit = normal_limit(options.text("client-output-buffer-limit"));
  size_t size = s.out.size();
  bool over = limit.hard && size > limit.hard;
  if (limit.soft && size > limit.soft) {
    if (s.soft_limit_since == Time::never()) s.soft_limit_since = now.mono;
    over = over || now.mono - s.soft_limit_since >= hotkv::seconds(limit.soft_seconds);
  } else {
    s.soft_limit_since = Time::never();
  }
  if (!over || s.closing) return;
  counts.output_limit_closes++;
  log(LogLevel::kWarning,
      "Client " + describe(s) +
          " scheduled to be closed ASAP for overcoming of output buffer limits.");
  close_session(s, "output buffer limit", false);
}

std::string Server::describe(const Session& s) const {
  std::string line;
  field(line, "id", static_cast<int64_t>(s.id.value));
  field(line, "addr", s.address);
  field(line, "laddr", s.local_address);
  field(line, "fd", static_cast<int64_t>(s.link.value));
  field(line, "name", s.name);
  field(line, "age", (now.mono - s.connected_at).us / 1000000);
  field(line, "idle", (now.mono - s.active_at).us / 1000000);
  std::string flags = s.in_multi ? "x" : "";
  if (watches.is_dirty(s.id)) flags += 'd';
  if (s.closing) flags += 'c';
  if (s.wait != Session::Wait::kNone) flags += 'b';
  if (s.no_evict) flags += 'e';
  if (s.no_touch) flags += 'T';
  if (s.local_address.substr(0, 1) == "/") flags += 'U';
  field(line, "flags", flags.empty() ? "N" : flags);
  field(line, "db", s.db);
  field(line, "sub", int64_t{0});
  field(line, "psub", int64_t{0});
  field(line, "ssub", int64_t{0});
  field(line, "multi", s.in_multi ? static_cast<int64_t>(s.queue.size()) : -1);
  field(line, "watch", static_cast<int64_t>(s.watched));
  field(line, "qbuf", static_cast<int64_t>(s.unread_input()));
  field(line, "qbuf-free", static_cast<int64_t>(s.input.capacity() - s.input.size()));
  field(line, "multi-mem", static_cast<int64_t>(s.queue_bytes));
  field(line, "omem", static_cast<int64_t>(s.out.size()));
  field(line, "tot-mem",
        static_cast<int64_t>(sizeof(Session) + s.input.capacity() + s.out.capacity() +
                             s.queue_bytes));
  field(line, "events", s.out.empty() ? "r" : "rw");
  std::string command = s.last_command ? std::string(s.last_command->name) : "NULL";
  if (s.last_subcommand) command += "|" + std::string(s.last_subcommand->name);
  field(line, "cmd", command);
  field(line, "user", "default");
  field(line, "redir", int64_t{-1});
  field(line, "resp", static_cast<int64_t>(s.reply.protocol()));
  field(line, "lib-name", s.library_name);
  field(line, "lib-ver", s.library_version);
  field(line, "tot-net-in", static_cast<int64_t>(s.bytes_in));
  field(line, "tot-net-out", static_cast<int64_t>(s.bytes_out));
  field(line, "tot-cmds", static_cast<int64_t>(s.commands));
  return line;
}

}  // namespace hotkv
