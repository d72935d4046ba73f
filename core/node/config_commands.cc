// CONFIG GET SET REWRITE RESETSTAT: the options table as clients see it.
#include "core/node/help.h"
#include "core/node/server.h"

namespace hotkv {

namespace {

constexpr Arg kGetArgs[] = {text("parameter").many()};

void get(Call& call) {
  std::vector<int> found;
  auto table = option_table();
  for (size_t i = 0; i < table.size(); i++) {
    for (int a = 2; a < call.count(); a++) {
      if (!glob_match(call.argument(a), table[i].name, true)) continue;
      found.push_back(static_cast<int>(i));
      break;
    }
  }
  call.reply.map(static_cast<int64_t>(found.size()));
  for (int i : found) {
    call.reply.bulk(table[static_cast<size_t>(i)].name);
    call.reply.bulk(call.server.options.text(i));
  }
}

constexpr Arg kSetPair[] = {text("parameter"), text("value")};
constexpr Arg kSetArgs[] = {block("data", kSetPair).many()};

std::string set_failure(Bytes name, Bytes why) {
  return "ERR CONFIG SET failed (possibly related to argument '" + std::string(name) + "') - " +
         std::string(why);
}

bool is_address(Bytes name) {
  return equal_ignoring_case(name, "bind") || equal_ignoring_case(name, "port");
}

bool moves_listeners(const Options& options, const std::vector<std::string>& before) {
  for (Bytes name : {Bytes("bind"), Bytes("port")}) {
    if (options.text(name) != before[static_cast<size_t>(find_option(name))]) return true;
  }
  return false;
}

// The host may fail to listen there, so the answer comes when it has tried.
void wait_for_listeners(Call& call, const std::vector<std::string>& before) {
  Server& server = call.server;
  for (int i = 2; i < call.count(); i += 2) {
    int index = find_option(call.argument(i));
    server.listen_undo.emplace_back(index, before[static_cast<size_t>(index)]);
  }
  server.listen_waiter = call.session.link;
  call.session.wait = Session::Wait::kListen;
  server.outputs->listen = true;
}

// All or nothing: a wrong value among several leaves every option as it was.
void set(Call& call) {
  Options& options = call.server.options;
  if (call.count() % 2 != 0) {
    return call.reply.error(errors::kSyntax);
  }
  for (int i = 2; i < call.count(); i += 2) {
    int index = find_option(call.argument(i));
    if (index < 0) {
      return call.reply.error("ERR Unknown option or number of arguments for CONFIG SET - '" +
                              std::string(call.argument(i)) + "'");
    }
    for (int j = 2; j < i; j += 2) {
      if (equal_ignoring_case(call.argument(i), call.argument(j))) {
        return call.reply.error(set_failure(call.argument(i), "duplicate parameter"));
      }
    }
    if ((option_table()[static_cast<size_t>(index)].flags & kProtectedOption) &&
        options.text(index) != call.argument(i + 1) &&
        !call.server.is_permitted(call.session, "enable-protected-configs")) {
      return call.reply.error(set_failure(call.argument(i), "can't set protected config"));
    }
    if (is_address(call.argument(i)) && call.session.in_exec) {
      return call.reply.error(set_failure(call.argument(i), "not available inside MULTI"));
    }
    if (is_address(call.argument(i)) && !call.server.listen_undo.empty()) {
      return call.reply.error(set_failure(call.argument(i), "another change is under way"));
    }
  }
  std::vector<std::string> before = options.snapshot();
  for (int i = 2; i < call.count(); i += 2) {
    Status status = options.set(call.argument(i), call.argument(i + 1), false);
    if (status.ok()) continue;
    options.restore(before);
    return call.reply.error(set_failure(call.argument(i), status.message()));
  }
  call.server.options_changed();
  if (moves_listeners(options, before)) return wait_for_listeners(call, before);
  call.reply.ok();
}

void reset_statistics(Call& call) {
  Server& server = call.server;
  server.counts = {};
  server.commands_at_upkeep = 0;
  server.txn.counts().hits = server.txn.counts().misses = server.txn.counts().expired = 0;
  server.error_counts.clear();
  for (CommandCounts& c : server.command_counts) c = {};
  call.reply.ok();
}

// The answer comes when the file is durable: the client's input waits until then.
void rewrite(Call& call) {
  Server& server = call.server;
  if (server.setup.config_file.empty()) {
    return call.reply.error("ERR The server is running without a config file");
  }
  if (server.rewrite_op) {
    return call.reply.error("ERR Rewriting config file: another rewrite is under way");
  }
  if (call.session.in_exec) {
    return call.reply.error("ERR Rewriting config file: not available inside MULTI");
  }
  server.setup.config_text = rewrite_config(server.setup.config_text, server.options);
  server.rewrite_op = server.next_file_op();
  server.rewrite_waiter = call.session.link;
  call.session.wait = Session::Wait::kDisk;
  server.outputs->files.push_back({FileOp::Kind::kReplace, server.rewrite_op,
                                   server.setup.config_file, server.setup.config_text});
}

void help(Call& call) { write_help(call, config_commands()[0]); }

constexpr uint32_t kUsual = kAdmin | kNoScript | kLoading | kStale;
constexpr uint32_t kOperator = kAdminCategory | kSlowCategory | kDangerousCategory;

constexpr CommandSpec kSubcommands[] = {
    {.name = "get",
     .summary = "Answers options by name or pattern.",
     .since = "2.0.0",
     .group = "server",
     .complexity = "O(N) in the number of options.",
     .arity = -3,
     .flags = kUsual,
     .categories = kOperator,
     .grammar = kGetArgs,
     .handler = get},
    {.name = "help",
     .summary = "Lists the subcommands.",
     .since = "5.0.0",
     .group = "server",
     .complexity = "O(1)",
     .arity = 2,
     .flags = kLoading | kStale,
     .categories = kSlowCategory,
     .handler = help},
    {.name = "resetstat",
     .summary = "Sets the statistics of INFO back to zero.",
     .since = "2.0.0",
     .group = "server",
     .complexity = "O(1)",
     .arity = 2,
     .flags = kUsual,
     .categories = kOperator,
     .handler = reset_statistics},
    {.name = "rewrite",
     .summary = "Writes the present options into the configuration file.",
     .since = "2.8.0",
     .group = "server",
     .complexity = "O(1)",
     .arity = 2,
     .flags = kUsual,
     .categories = kOperator,
     .handler = rewrite},
    {.name = "set",
     .summary = "Sets options, all of them or none.",
     .since = "2.0.0",
     .group = "server",
     .complexity = "O(N) in the number of options.",
     .arity = -4,
     .tips = "request_policy:all_nodes response_policy:all_succeeded",
     .flags = kUsual,
     .categories = kOperator,
     .grammar = kSetArgs,
     .handler = set},
};

constexpr CommandSpec kCommands[] = {
    {.name = "config",
     .summary = "Commands about the server's options.",
     .since = "2.0.0",
     .group = "server",
     .complexity = "Depends on the subcommand.",
     .arity = -2,
     .categories = kSlowCategory,
     .subcommands = kSubcommands},
};

}  // namespace

namespace {

// The reply that a session has waited for is written: send it, and run what came meanwhile.
void go_on(Server& server, Session& session) {
  server.mark_writable(session);
  session.wait = Session::Wait::kNone;
  if (session.unread_input() > 0) server.make_runnable(session);
}

}  // namespace

void Server::rewrite_done(const Status& status) {
  rewrite_op = {};
  Session* s = find_session(rewrite_waiter);
  if (status.ok()) {
    log(LogLevel::kNotice, "CONFIG REWRITE executed with success.");
  } else {
    log(LogLevel::kWarning, "CONFIG REWRITE failed: " + status.message());
  }
  if (!s || s->wait != Session::Wait::kDisk) return;  // The client is gone; the file is written.
  if (status.ok()) {
    s->reply.ok();
  } else {
    s->reply.error("ERR Rewriting config file: " + status.message());
  }
  go_on(*this, *s);
}

void Server::listened(const Status& status) {
  std::vector<std::pair<int, std::string>> undo = std::move(listen_undo);
  listen_undo.clear();
  // Which of the two the client named is not known where it named both.
  Bytes blamed = "bind";
  for (const auto& [index, text] : undo) {
    Bytes name = option_table()[static_cast<size_t>(index)].name;
    if (name == "port") blamed = name;
    if (status.ok()) continue;
    Status restored = options.set(name, text, true);
    (void)restored.ok();  // The text was accepted once, so it is again.
  }
  options_changed();
  Session* s = find_session(listen_waiter);
  if (!s || s->wait != Session::Wait::kListen) return;  // The client is gone.
  if (status.ok()) {
    s->reply.ok();
  } else {
    s->reply.error(set_failure(blamed, status.message()));
  }
  go_on(*this, *s);
}

std::span<const CommandSpec> config_commands() { return kCommands; }

}  // namespace hotkv
