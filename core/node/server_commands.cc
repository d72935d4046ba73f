// INFO TIME ROLE SHUTDOWN DEBUG: about the server itself.
#include "core/base/check.h"
#include "core/base/numbers.h"
#include "core/node/help.h"
#include "core/node/server.h"

namespace hotkv {

namespace {

constexpr Arg kInfoArgs[] = {text("section").maybe().many()};

void info(Call& call) {
  call.reply.verbatim("txt", call.server.info_text(call.arguments.subspan(1)));
}

void time(Call& call) {
  int64_t us = call.txn.now().wall.us;
  call.reply.array(2);
  call.reply.bulk_integer(us / 1000000);
  call.reply.bulk_integer(us % 1000000);
}

void role(Call& call) {
  call.reply.array(3);
  call.reply.bulk("master");
  call.reply.integer(static_cast<int64_t>(call.txn.effects().end_offset()));
  call.reply.array(0);
}

constexpr Arg kSaveModes[] = {flag("nosave", "NOSAVE"), flag("save", "SAVE")};
constexpr Arg kShutdownArgs[] = {one_of("save-selector", kSaveModes).maybe(),
                                 flag("now", "NOW").maybe(), flag("force", "FORCE").maybe(),
                                 flag("abort", "ABORT").maybe()};
constexpr int kSave = leaf(kShutdownArgs, "SAVE");
constexpr int kAbort = leaf(kShutdownArgs, "ABORT");

void shutdown(Call& call) {
  Parsed parsed;
  if (!call.parse(parsed)) return;
  if (parsed.has(kAbort)) {
    if (call.count() > 2) return call.reply.error(errors::kSyntax);
    return call.reply.error("ERR No shutdown in progress.");
  }
  if (parsed.has(kSave)) {
    // Saving is promised by nothing yet; stopping without it would lose what the client counts on.
    return call.reply.error("ERR SHUTDOWN SAVE needs snapshots, which this version does not have");
  }
  call.server.log(LogLevel::kNotice, "User requested shutdown...");
  call.server.log(LogLevel::kNotice, "HotKV is now ready to exit, bye bye...");
  call.server.outputs->exit = true;
  call.server.close_session(call.session, "SHUTDOWN", false);
}

// ---- DEBUG: what tests need ----

void debug_sleep(Call& call) {
  double seconds;
  if (!parse_double(call.argument(2), seconds) || seconds < 0 || seconds > 3600) {
    return call.reply.error("ERR DEBUG SLEEP takes seconds between 0 and 3600");
  }
  call.server.outputs->stall_us += static_cast<int64_t>(seconds * 1e6);
  call.reply.ok();
}

void debug_active_expire(Call& call) {
  call.server.active_expire = call.argument(2) != "0";
  call.reply.ok();
}

// For whoever tests what a fault of our own leaves behind.
void debug_panic(Call&) { HOTKV_CHECK(!"DEBUG PANIC was asked for"); }

void debug_digest(Call& call) {
  NumberText text;
  call.reply.simple(format_uint64(call.server.data_digest(), text));
}

void debug_error(Call& call) { call.reply.error(call.argument(2)); }

void debug_object(Call& call) {
  const Entry* e = call.txn.peek(call.argument(2));
  if (!e) return call.reply.error("ERR no such key");
  NumberText length, lru;
  std::string line = "Value at:0x0 refcount:1 encoding:";
  line += e->encoding() == Encoding::kInteger                              ? "int"
          : e->encoding() == Encoding::kInline && e->string_length() <= 44 ? "embstr"
                                                                           : "raw";
  line += " serializedlength:";
  line += format_uint64(e->string_length() + 1, length);
  line += " lru:";
  line += format_uint64(e->access(), lru);
  line += " lru_seconds_idle:0";
  call.reply.simple(line);
}

void debug_log(Call& call) {
  call.server.log(LogLevel::kNotice, std::string(call.argument(2)));
  call.reply.ok();
}

// One reply of each RESP type, for testing clients and the formatter.
void debug_protocol(Call& call) {
  ReplyWriter& reply = call.reply;
  std::string type = lower_case(call.argument(2));
  if (type == "string") return reply.bulk("Hello World");
  if (type == "integer") return reply.integer(12345);
  if (type == "double") return reply.number(3.141);
  if (type == "null") return reply.null();
  if (type == "verbatim") return reply.verbatim("txt", "This is a verbatim\nstring");
  if (type == "true") return reply.boolean(true);
  if (type == "false") return reply.boolean(false);
  if (type == "array" || type == "set" || type == "push") {
    type == "array" ? reply.array(3) : type == "set" ? reply.set(3) : reply.push(3);
    for (int i = 0; i < 3; i++) reply.integer(i);
    return;
  }
  if (type == "map") {
    reply.map(3);
    for (int i = 0; i < 3; i++) {
      reply.integer(i);
      reply.boolean(i == 1);
    }
    return;
  }
  reply.error(
      "ERR Wrong protocol type name. Please use one of the following: string|integer|double|null|"
      "array|set|map|push|verbatim|true|false");
}

void debug_help(Call& call);

constexpr Arg kSleepArgs[] = {number("seconds")};
constexpr Arg kSwitchArgs[] = {integer("enabled")};
constexpr Arg kTextArgs[] = {text("message")};
constexpr Arg kKeyArgs[] = {key("key")};
constexpr Arg kTypeArgs[] = {text("type")};
constexpr uint32_t kDebugFlags = kAdmin | kNoScript | kLoading | kStale | kProtected;
constexpr uint32_t kOperator = kAdminCategory | kSlowCategory | kDangerousCategory;

constexpr CommandSpec debug_command(std::string_view name, std::string_view summary, int arity,
                                    std::span<const Arg> grammar, Handler handler) {
  return {.name = name,
          .summary = summary,
          .since = "1.0.0",
          .group = "server",
          .complexity = "O(1)",
          .arity = arity,
          .flags = kDebugFlags,
          .categories = kOperator,
          .grammar = grammar,
          .handler = handler};
}

constexpr CommandSpec kDebugSubcommands[] = {
    debug_command("digest", "Answers a hash over all data.", 2, {}, debug_digest),
    debug_command("error", "Answers the message as an error.", 3, kTextArgs, debug_error),
    debug_command("help", "Lists the subcommands.", 2, {}, debug_help),
    debug_command("log", "Writes the message to the log.", 3, kTextArgs, debug_log),
    debug_command("object", "Shows how a key is stored.", 3, kKeyArgs, debug_object),
    debug_command("panic", "Stops the server as a fault of its own would.", 2, {}, debug_panic),
    debug_command("protocol", "Answers a sample of a RESP type.", 3, kTypeArgs, debug_protocol),
    debug_command("set-active-expire", "Turns the expiry scan on or off.", 3, kSwitchArgs,
                  debug_active_expire),
    debug_command("sleep", "Lets the whole server stand still.", 3, kSleepArgs, debug_sleep),
};

constexpr CommandSpec kCommands[] = {
    {.name = "info",
     .summary = "Tells about the server, its clients and its memory.",
     .since = "1.0.0",
     .group = "server",
     .complexity = "O(1)",
     .arity = -1,
     .tips = "nondeterministic_output request_policy:all_shards response_policy:special",
     .flags = kLoading | kStale,
     .categories = kSlowCategory | kDangerousCategory,
     .grammar = kInfoArgs,
     .handler = info},
    {.name = "time",
     .summary = "Answers the server's time in seconds and microseconds.",
     .since = "2.6.0",
     .group = "server",
     .complexity = "O(1)",
     .arity = 1,
     .tips = "nondeterministic_output",
     .flags = kLoading | kStale | kFast,
     .categories = kFastCategory,
     .handler = time},
    {.name = "role",
     .summary = "Answers whether the server is a primary, replica or sentinel.",
     .since = "2.8.12",
     .group = "server",
     .complexity = "O(1)",
     .arity = 1,
     .flags = kNoScript | kLoading | kStale | kFast,
     .categories = kAdminCategory | kFastCategory | kDangerousCategory,
     .handler = role},
    {.name = "shutdown",
     .summary = "Stops the server in good order.",
     .since = "1.0.0",
     .group = "server",
     .complexity = "O(1)",
     .arity = -1,
     .flags = kAdmin | kNoScript | kLoading | kStale | kNoMulti | kAllowBusy,
     .categories = kOperator,
     .grammar = kShutdownArgs,
     .handler = shutdown},
    {.name = "debug",
     .summary = "Commands that tests need.",
     .since = "1.0.0",
     .group = "server",
     .complexity = "Depends on the subcommand.",
     .arity = -2,
     .flags = kDebugFlags,
     .categories = kOperator,
     .subcommands = kDebugSubcommands},
};

void debug_help(Call& call) { write_help(call, kCommands[4]); }

}  // namespace

std::span<const CommandSpec> server_commands() { return kCommands; }

}  // namespace hotkv
