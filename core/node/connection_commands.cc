// HELLO AUTH PING ECHO SELECT QUIT RESET: what a client says first and last.
#include "core/node/server.h"

namespace hotkv {

namespace {

bool is_valid_name(Bytes name) {
  for (char c : name) {
    if (c < '!' || c > '~') return false;
  }
  return true;
}

// Compares in a time that does not depend on where two passwords differ.
bool same_secret(Bytes a, Bytes b) {
  unsigned difference = a.size() != b.size();
  for (size_t i = 0; i < a.size(); i++) {
    difference |= static_cast<unsigned char>(a[i]) ^
                  static_cast<unsigned char>(b[b.empty() ? 0 : i % b.size()]);
  }
  return difference == 0;
}

// True when accepted; there is one user, "default".
bool authenticate(Call& call, Bytes user, Bytes password) {
  const std::string& wanted = call.server.options.text(Server::kRequirepass);
  if (user != "default" || (!wanted.empty() && !same_secret(password, wanted))) return false;
  call.session.authenticated = true;
  return true;
}

constexpr Arg kAuthArgs[] = {text("username").maybe(), text("password")};

void auth(Call& call) {
  if (call.count() > 3) return call.reply.error(errors::kSyntax);
  bool with_user = call.count() == 3;
  if (!with_user && !call.server.password_needed()) {
    return call.reply.error(
        "ERR AUTH <password> called without any password configured for the default user. Are you "
        "sure your configuration is correct?");
  }
  Bytes user = with_user ? call.argument(1) : Bytes("default");
  if (!authenticate(call, user, call.argument(with_user ? 2 : 1))) {
    return call.reply.error(errors::kWrongPass);
  }
  call.reply.ok();
}

constexpr Arg kHelloAuth[] = {text("username"), text("password")};
constexpr Arg kHelloOptions[] = {
    integer("protover"),
    block("auth", kHelloAuth).after("AUTH").maybe(),
    text("clientname").after("SETNAME").maybe(),
};
constexpr Arg kHelloArgs[] = {block("arguments", kHelloOptions).maybe()};

void write_hello(Call& call) {
  ReplyWriter& reply = call.reply;
  reply.map(7);
  reply.bulk("server");
  reply.bulk("redis");
  reply.bulk("version");
  reply.bulk(kRedisVersion);
  reply.bulk("proto");
  reply.integer(static_cast<int64_t>(reply.protocol()));
  reply.bulk("id");
  reply.integer(static_cast<int64_t>(call.session.id.value));
  reply.bulk("mode");
  reply.bulk("standalone");
  reply.bulk("role");
  reply.bulk("master");
  reply.bulk("modules");
  reply.array(0);
}

// The options of HELLO are read by hand: a failed AUTH must leave protocol and name unchanged, and
// the texts differ from the grammar's.
void hello(Call& call) {
  int64_t version = static_cast<int64_t>(call.reply.protocol());
  if (call.count() > 1) {
    int64_t asked;
    if (!parse_int64(call.argument(1), asked)) return call.reply.error(errors::kHelloNotInteger);
    if (asked < 2 || asked > 3) return call.reply.error(errors::kNoProto);
    version = asked;
  }
  const Bytes* name = nullptr;
  for (int i = 2; i < call.count(); i++) {
    int more = call.count() - 1 - i;
    if (equal_ignoring_case(call.argument(i), "AUTH") && more >= 2) {
      if (!authenticate(call, call.argument(i + 1), call.argument(i + 2))) {
        return call.reply.error(errors::kWrongPass);
      }
      i += 2;
    } else if (equal_ignoring_case(call.argument(i), "SETNAME") && more >= 1) {
      name = &call.arguments[static_cast<size_t>(i + 1)];
      if (!is_valid_name(*name)) return call.reply.error(errors::kClientName);
      i++;
    } else {
      return call.reply.error("ERR Syntax error in HELLO option '" + std::string(call.argument(i)) +
                              "'");
    }
  }
  if (!call.session.authenticated) return call.reply.error(errors::kHelloNoAuth);
  if (name) call.session.name = std::string(*name);
  call.reply.set_protocol(version == 3 ? Protocol::kResp3 : Protocol::kResp2);
  write_hello(call);
}

constexpr Arg kPingArgs[] = {text("message").maybe()};

void ping(Call& call) {
  if (call.count() > 2) return call.reply.error(errors::wrong_arity("ping"));
  if (call.count() == 2) return call.reply.bulk(call.argument(1));
  call.reply.simple("PONG");
}

constexpr Arg kEchoArgs[] = {text("message")};
void echo(Call& call) { call.reply.bulk(call.argument(1)); }

constexpr Arg kSelectArgs[] = {integer("index")};

void select_database(Call& call) {
  int64_t index;
  if (!call.parse_integer(1, index)) return;
  if (index < INT32_MIN || index > INT32_MAX) return call.reply.error(errors::kNotInt32);
  if (index < 0 || index >= call.server.keyspace.databases()) {
    return call.reply.error(errors::kDatabaseRange);
  }
  call.session.db = static_cast<int>(index);
  call.txn.select(call.session.db);  // What follows in the same EXEC runs there.
  call.reply.ok();
}

void quit(Call& call) {
  call.reply.ok();
  call.server.close_session(call.session, "QUIT", true);
}

void reset(Call& call) {
  call.server.reset_session(call.session);
  call.reply.simple("RESET");
}

constexpr uint32_t kAnytime = kNoScript | kLoading | kStale | kFast | kNoAuth | kAllowBusy;
constexpr uint32_t kConnectionFast = kFastCategory | kConnectionCategory;

constexpr CommandSpec kCommands[] = {
    {.name = "auth",
     .summary = "Authenticates the connection.",
     .since = "1.0.0",
     .group = "connection",
     .complexity = "O(1)",
     .arity = -2,
     .flags = kAnytime,
     .categories = kConnectionFast,
     .grammar = kAuthArgs,
     .handler = auth},
    {.name = "hello",
     .summary = "Greets the server and chooses the protocol version.",
     .since = "6.0.0",
     .group = "connection",
     .complexity = "O(1)",
     .arity = -1,
     .flags = kAnytime,
     .categories = kConnectionFast,
     .grammar = kHelloArgs,
     .handler = hello},
    {.name = "ping",
     .summary = "Answers PONG, or the message.",
     .since = "1.0.0",
     .group = "connection",
     .complexity = "O(1)",
     .arity = -1,
     .tips = "request_policy:all_shards response_policy:all_succeeded",
     .flags = kFast,
     .categories = kConnectionFast,
     .grammar = kPingArgs,
     .handler = ping},
    {.name = "echo",
     .summary = "Answers the message.",
     .since = "1.0.0",
     .group = "connection",
     .complexity = "O(1)",
     .arity = 2,
     .flags = kLoading | kStale | kFast,
     .categories = kConnectionFast,
     .grammar = kEchoArgs,
     .handler = echo},
    {.name = "select",
     .summary = "Changes the database of the connection.",
     .since = "1.0.0",
     .group = "connection",
     .complexity = "O(1)",
     .arity = 2,
     .flags = kLoading | kStale | kFast,
     .categories = kConnectionFast,
     .grammar = kSelectArgs,
     .handler = select_database},
    {.name = "quit",
     .summary = "Closes the connection.",
     .since = "1.0.0",
     .group = "connection",
     .complexity = "O(1)",
     .arity = -1,
     .flags = kAnytime | kUnqueued,
     .categories = kConnectionFast,
     .handler = quit},
    {.name = "reset",
     .summary = "Puts the connection back into its first state.",
     .since = "6.2.0",
     .group = "connection",
     .complexity = "O(1)",
     .arity = 1,
     .flags = kAnytime | kUnqueued,
     .categories = kConnectionFast,
     .handler = reset},
};

}  // namespace

std::span<const CommandSpec> connection_commands() { return kCommands; }

}  // namespace hotkv
