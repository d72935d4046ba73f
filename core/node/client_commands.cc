// CLIENT: what connections say about themselves. What they do with each other: client_list.h.
#include "core/node/client_list.h"
#include "core/node/help.h"
#include "core/node/server.h"

namespace hotkv {

namespace {

bool is_printable_word(Bytes text) {
  for (char c : text) {
    if (c < '!' || c > '~') return false;
  }
  return true;
}

void client_id(Call& call) { call.reply.integer(static_cast<int64_t>(call.session.id.value)); }

void get_name(Call& call) {
  if (call.session.name.empty()) return call.reply.null();
  call.reply.bulk(call.session.name);
}

constexpr Arg kSetNameArgs[] = {text("connection-name")};

void set_name(Call& call) {
  if (!is_printable_word(call.argument(2))) return call.reply.error(errors::kClientName);
  call.session.name = std::string(call.argument(2));
  call.reply.ok();
}

constexpr Arg kSetInfoAttributes[] = {text("libname").after("LIB-NAME"),
                                      text("libver").after("LIB-VER")};
constexpr Arg kSetInfoArgs[] = {one_of("attr", kSetInfoAttributes)};

void set_info(Call& call) {
  Bytes attribute = call.argument(2), value = call.argument(3);
  std::string* field = equal_ignoring_case(attribute, "LIB-NAME")  ? &call.session.library_name
                       : equal_ignoring_case(attribute, "LIB-VER") ? &call.session.library_version
                                                                   : nullptr;
  if (!field) return call.reply.error("ERR Unrecognized option '" + std::string(attribute) + "'");
  if (!is_printable_word(value)) {
    return call.reply.error("ERR " + lower_case(attribute) +
                            " cannot contain spaces, newlines or special characters.");
  }
  *field = std::string(value);
  call.reply.ok();
}

void show_own(Call& call) { call.reply.verbatim("txt", call.server.describe(call.session) + "\n"); }

constexpr Arg kReplyModes[] = {flag("on", "ON"), flag("off", "OFF"), flag("skip", "SKIP")};
constexpr Arg kReplyArgs[] = {one_of("action", kReplyModes)};

void reply_mode(Call& call) {
  Session& s = call.session;
  if (equal_ignoring_case(call.argument(2), "on")) {
    s.reply_mode = Session::ReplyMode::kOn;
    call.reply.set_muted(false);
    call.reply.ok();
  } else if (equal_ignoring_case(call.argument(2), "off")) {
    s.reply_mode = Session::ReplyMode::kOff;
    call.reply.set_muted(true);
  } else if (equal_ignoring_case(call.argument(2), "skip")) {
    if (s.reply_mode != Session::ReplyMode::kOff) s.reply_mode = Session::ReplyMode::kSkipNext;
  } else {
    call.reply.error(errors::kSyntax);
  }
}

constexpr Arg kOnOff[] = {flag("on", "ON"), flag("off", "OFF")};
constexpr Arg kOnOffArgs[] = {one_of("enabled", kOnOff)};

void set_switch(Call& call, bool& value) {
  if (equal_ignoring_case(call.argument(2), "on")) {
    value = true;
  } else if (equal_ignoring_case(call.argument(2), "off")) {
    value = false;
  } else {
    return call.reply.error(errors::kSyntax);
  }
  call.reply.ok();
}

void no_evict(Call& call) { set_switch(call, call.session.no_evict); }
void no_touch(Call& call) { set_switch(call, call.session.no_touch); }

constexpr Arg kPauseModes[] = {flag("write", "WRITE"), flag("all", "ALL")};
constexpr Arg kPauseArgs[] = {integer("timeout"), one_of("mode", kPauseModes).maybe()};

void pause(Call& call) {
  bool writes_only = false;
  if (call.count() == 4) {
    writes_only = equal_ignoring_case(call.argument(3), "write");
    if (!writes_only && !equal_ignoring_case(call.argument(3), "all")) {
      return call.reply.error("ERR CLIENT PAUSE mode must be WRITE or ALL");
    }
  } else if (call.count() > 4) {
    return call.reply.error(errors::kSyntax);
  }
  int64_t ms;
  if (!parse_int64(call.argument(2), ms) || ms > INT64_MAX / 2000) {
    return call.reply.error("ERR timeout is not an integer or out of range");
  }
  if (ms < 0) return call.reply.error("ERR timeout is negative");
  call.server.pause_clients(writes_only, ms);
  call.reply.ok();
}

void unpause(Call& call) {
  call.server.unpause_clients();
  call.reply.ok();
}

constexpr Arg kUnblockModes[] = {flag("timeout", "TIMEOUT"), flag("error", "ERROR")};
constexpr Arg kUnblockArgs[] = {integer("client-id"),
                                one_of("unblock-type", kUnblockModes).maybe()};

// No command of this version blocks on a key, so no client is ever unblocked: the answer is 0.
void unblock(Call& call) {
  int64_t id;
  if (call.count() > 4) return call.reply.error(errors::kSyntax);
  if (call.count() == 4 && !equal_ignoring_case(call.argument(3), "timeout") &&
      !equal_ignoring_case(call.argument(3), "error")) {
    return call.reply.error("ERR CLIENT UNBLOCK reason should be TIMEOUT or ERROR");
  }
  if (!call.parse_integer(2, id)) return;
  call.reply.integer(0);
}

void help(Call& call) { write_help(call, client_commands()[0]); }

constexpr uint32_t kConnection = kConnectionCategory | kSlowCategory;
constexpr uint32_t kOperator = kConnection | kAdminCategory | kDangerousCategory;
constexpr uint32_t kUsual = kNoScript | kLoading | kStale;

constexpr CommandSpec kSubcommands[] = {
    {.name = "getname",
     .summary = "Answers the connection's name.",
     .since = "2.6.9",
     .group = "connection",
     .complexity = "O(1)",
     .arity = 2,
     .flags = kUsual,
     .categories = kConnection,
     .handler = get_name},
    {.name = "help",
     .summary = "Lists the subcommands.",
     .since = "5.0.0",
     .group = "connection",
     .complexity = "O(1)",
     .arity = 2,
     .flags = kLoading | kStale,
     .categories = kConnection,
     .handler = help},
    {.name = "id",
     .summary = "Answers the connection's id.",
     .since = "5.0.0",
     .group = "connection",
     .complexity = "O(1)",
     .arity = 2,
     .flags = kUsual,
     .categories = kConnection,
     .handler = client_id},
    {.name = "info",
     .summary = "Describes the connection.",
     .since = "6.2.0",
     .group = "connection",
     .complexity = "O(1)",
     .arity = 2,
     .tips = "nondeterministic_output",
     .flags = kUsual,
     .categories = kConnection,
     .handler = show_own},
    {.name = "kill",
     .summary = "Closes connections by address, id, type or age.",
     .since = "2.4.0",
     .group = "connection",
     .complexity = "O(N) in the number of clients.",
     .arity = -3,
     .flags = kUsual | kAdmin,
     .categories = kOperator,
     .grammar = kClientKillArgs,
     .handler = client_kill},
    {.name = "list",
     .summary = "Describes all connections.",
     .since = "2.4.0",
     .group = "connection",
     .complexity = "O(N) in the number of clients.",
     .arity = -2,
     .tips = "nondeterministic_output",
     .flags = kUsual | kAdmin,
     .categories = kOperator,
     .grammar = kClientListArgs,
     .handler = client_list},
    {.name = "no-evict",
     .summary = "Keeps the connection out of client eviction.",
     .since = "7.0.0",
     .group = "connection",
     .complexity = "O(1)",
     .arity = 3,
     .flags = kUsual | kAdmin,
     .categories = kOperator,
     .grammar = kOnOffArgs,
     .handler = no_evict},
    {.name = "no-touch",
     .summary = "Whether reads of the connection refresh access times.",
     .since = "7.2.0",
     .group = "connection",
     .complexity = "O(1)",
     .arity = 3,
     .flags = kUsual,
     .categories = kConnection,
     .grammar = kOnOffArgs,
     .handler = no_touch},
    {.name = "pause",
     .summary = "Holds back commands of all clients for a time.",
     .since = "2.9.50",
     .group = "connection",
     .complexity = "O(1)",
     .arity = -3,
     .flags = kUsual | kAdmin,
     .categories = kOperator,
     .grammar = kPauseArgs,
     .handler = pause},
    {.name = "reply",
     .summary = "Turns replies to the connection on, off, or off once.",
     .since = "3.2.0",
     .group = "connection",
     .complexity = "O(1)",
     .arity = 3,
     .flags = kUsual,
     .categories = kConnection,
     .grammar = kReplyArgs,
     .handler = reply_mode},
    {.name = "setinfo",
     .summary = "Tells the client library's name or version.",
     .since = "7.2.0",
     .group = "connection",
     .complexity = "O(1)",
     .arity = 4,
     .flags = kUsual,
     .categories = kConnection,
     .grammar = kSetInfoArgs,
     .handler = set_info},
    {.name = "setname",
     .summary = "Names the connection.",
     .since = "2.6.9",
     .group = "connection",
     .complexity = "O(1)",
     .arity = 3,
     .flags = kUsual,
     .categories = kConnection,
     .grammar = kSetNameArgs,
     .handler = set_name},
    {.name = "unblock",
     .summary = "Ends the waiting of a blocked connection.",
     .since = "5.0.0",
     .group = "connection",
     .complexity = "O(log N) in the number of clients.",
     .arity = -3,
     .flags = kUsual | kAdmin,
     .categories = kOperator,
     .grammar = kUnblockArgs,
     .handler = unblock},
    {.name = "unpause",
     .summary = "Ends CLIENT PAUSE at once.",
     .since = "6.2.0",
     .group = "connection",
     .complexity = "O(N) in the number of held clients.",
     .arity = 2,
     .flags = kUsual | kAdmin,
     .categories = kOperator,
     .handler = unpause},
};

constexpr CommandSpec kCommands[] = {
    {.name = "client",
     .summary = "Commands about connections.",
     .since = "2.4.0",
     .group = "connection",
     .complexity = "Depends on the subcommand.",
     .arity = -2,
     .categories = kSlowCategory,
     .subcommands = kSubcommands},
};

}  // namespace

std::span<const CommandSpec> client_commands() { return kCommands; }

}  // namespace hotkv
