#include "native/cli/shell.h"

#include <chrono>
#include <cstdio>

#include "core/base/numbers.h"
#include "core/console/completion.h"
#include "core/node/server.h"

namespace hotkv::cli {

namespace {

using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

bool is_word(const std::vector<std::string>& words, size_t at, Bytes wanted) {
  return at < words.size() && equal_ignoring_case(words[at], wanted);
}

// INFO and its like are text made for reading: shown as they are, like redis-cli does.
bool is_readable_text(const std::vector<std::string>& words, const Reply& reply) {
  if (reply.type != Reply::Type::kBulk && reply.type != Reply::Type::kVerbatim) return false;
  return is_word(words, 0, "info") ||
         (is_word(words, 0, "client") && (is_word(words, 1, "list") || is_word(words, 1, "info")));
}

// Characters that would end a word or change its meaning for SCAN's MATCH.
std::string as_pattern(const std::string& prefix) {
  std::string pattern;
  for (char c : prefix) {
    if (Bytes("*?[]\\").find(c) != Bytes::npos) pattern += '\\';
    pattern += c;
  }
  return pattern + "*";
}

void print_help(const std::vector<std::string>& words) {
  std::string asked;
  for (size_t i = 1; i < words.size(); i++) asked += (i > 1 ? " " : "") + words[i];
  if (asked.empty()) {
    std::string groups;
    for (const std::string& group : help_groups(all_commands())) groups += " " + group;
    std::printf(
        "hotkv-cli speaks with a HotKV or Redis server.\n"
        "  help COMMAND   syntax and summary of a command\n"
        "  help @GROUP    the commands of a group:%s\n"
        "  Tab            completes commands, their option words and the names of keys\n"
        "  5 INCR key     runs the command five times\n"
        "  clear          clears the screen\n"
        "  Ctrl-C         gives up the typed line, or waiting for a reply\n"
        "  exit, Ctrl-D   leaves\n",
        groups.c_str());
    return;
  }
  std::string text = help_text(asked, all_commands());
  if (text.empty()) {
    std::printf("There is no %s '%s' here.\n", asked[0] == '@' ? "group" : "command",
                asked.c_str());
  } else {
    std::printf("%s", text.c_str());
  }
}

}  // namespace

bool Shell::exchange(const std::vector<std::string>& words, Reply& reply) {
  Status status = connection_.send(std::vector<Bytes>(words.begin(), words.end()));
  if (status.ok()) status = connection_.receive(reply);
  // Out-of-band messages may come before the reply.
  while (status.ok() && reply.type == Reply::Type::kPush) {
    std::fputs(format_reply(reply, settings_.style).c_str(), stdout);
    status = connection_.receive(reply);
  }
  if (!status.ok()) {
    std::fflush(stdout);
    std::fprintf(stderr, "Error: %s\n", status.message().c_str());
  }
  return status.ok();
}

bool Shell::prepare(const std::vector<std::string>& words) {
  Reply reply;
  if (!exchange(words, reply)) return false;
  if (reply.type != Reply::Type::kError) return true;
  std::fflush(stdout);
  std::fprintf(stderr, "%s failed: %s\n", words[0].c_str(), reply.text.c_str());
  if (words[0] == "AUTH") return true;  // What needs no password may still be asked.
  connection_.close();
  return false;
}

bool Shell::connect() {
  if (connection_.is_open()) return true;
  Status status = connection_.open(settings_.address);
  if (!status.ok()) {
    std::fflush(stdout);
    std::fprintf(stderr, "%s\n", status.message().c_str());
    return false;
  }
  in_multi_ = false;
  if (!settings_.password.empty()) {
    std::vector<std::string> auth = {"AUTH"};
    if (!settings_.user.empty()) auth.push_back(settings_.user);
    auth.push_back(settings_.password);
    if (!prepare(auth)) return false;
  }
  if (settings_.resp3 && !prepare({"HELLO", "3"})) return false;
  const int wanted = database_ < 0 ? settings_.database : database_;
  if (wanted != 0 && !prepare({"SELECT", std::to_string(wanted)})) return false;
  database_ = wanted;
  return true;
}

// True when the server went away inside a transaction: the command was meant to be a part of it.
bool Shell::notice_lost_transaction() {
  if (!connection_.is_open() || !connection_.is_dead()) return false;
  connection_.close();
  if (!in_multi_) return false;
  in_multi_ = false;
  std::fflush(stdout);
  std::fprintf(stderr,
               "Error: Server closed the connection; the transaction is gone, nothing was sent\n");
  return true;
}

void Shell::note_state(const std::vector<std::string>& words, const Reply& reply) {
  if (reply.type == Reply::Type::kError) {
    // EXEC with an error has ended the transaction all the same.
    if (is_word(words, 0, "exec")) in_multi_ = false;
    return;
  }
  int64_t db = 0;
  if (is_word(words, 0, "select") && words.size() == 2 && reply.text == "OK" &&
      parse_int64(words[1], db)) {
    database_ = static_cast<int>(db);
  }
  if (is_word(words, 0, "multi")) in_multi_ = true;
  bool reset = is_word(words, 0, "reset");
  if (is_word(words, 0, "exec") || is_word(words, 0, "discard") || reset) in_multi_ = false;
  if (reset) database_ = 0;
}

Outcome Shell::run(const std::vector<std::string>& words) {
  if (is_word(words, 0, "client") && is_word(words, 1, "reply") && words.size() == 3 &&
      !is_word(words, 2, "on")) {
    std::fflush(stdout);
    std::fprintf(stderr, "CLIENT REPLY OFF and SKIP would leave hotkv-cli waiting; not sent.\n");
    return Outcome::kFailed;
  }
  if (notice_lost_transaction() || !connect()) return Outcome::kFailed;
  Reply reply;
  if (!exchange(words, reply)) {
    in_multi_ = false;
    return Outcome::kFailed;
  }
  note_state(words, reply);
  // With -e a script wants errors apart from replies, as redis-cli does it.
  if (reply.type == Reply::Type::kError && settings_.error_is_failure &&
      !settings_.command.empty()) {
    std::fprintf(stderr, "%s\n", reply.text.c_str());
    return Outcome::kErrorReply;
  }
  bool readable = settings_.style != ReplyStyle::kJson && is_readable_text(words, reply);
  std::string shown = readable ? reply.text : format_reply(reply, settings_.style);
  std::fwrite(shown.data(), 1, shown.size(), stdout);
  std::fflush(stdout);
  if (is_word(words, 0, "quit")) connection_.close();
  return reply.type == Reply::Type::kError ? Outcome::kErrorReply : Outcome::kDone;
}

Outcome Shell::run_line(const std::string& line, bool& leave) {
  constexpr double kSlow_ms = 500;
  std::vector<std::string> words;
  if (!split_quoted(line, words)) {
    std::printf("Invalid argument(s)\n");
    return Outcome::kFailed;
  }
  if (words.empty()) return Outcome::kDone;
  leave = words.size() == 1 && (is_word(words, 0, "exit") || is_word(words, 0, "quit"));
  if (leave) return Outcome::kDone;
  if (words.size() == 1 && is_word(words, 0, "clear")) {
    std::fputs("\x1b[H\x1b[2J", stdout);
    return Outcome::kDone;
  }
  if (is_word(words, 0, "help") || words[0] == "?") {
    print_help(words);
    return Outcome::kDone;
  }
  int64_t times = 1;
  // "5 incr x" runs five times, as redis-cli does.
  if (words.size() > 1 && parse_int64(words[0], times)) {
    if (times <= 0) {
      std::printf("A count before a command must be positive, not '%s'\n", words[0].c_str());
      return Outcome::kFailed;
    }
    words.erase(words.begin());
  }
  auto begin = Clock::now();
  Outcome outcome = Outcome::kDone;
  for (int64_t i = 0; i < times && outcome != Outcome::kFailed; i++) outcome = run(words);
  double ms = ms_since(begin);
  if (ms >= kSlow_ms && settings_.style == ReplyStyle::kTerminal) {
    std::printf("(%.2fs)\n", ms / 1000);
  }
  return outcome;
}

std::string Shell::prompt() const {
  if (!connection_.is_open()) return "not connected> ";
  std::string text = "hotkv";
  if (!settings_.address.is_standard()) text += " " + settings_.address.text();
  if (database_ > 0) text += "[" + std::to_string(database_) + "]";
  return text + (in_multi_ ? "(TX)> " : "> ");
}

std::vector<std::string> Shell::key_names(const std::string& prefix) {
  std::vector<std::string> keys;
  Reply reply;
  // Inside MULTI a SCAN would be queued; without a connection there is nothing to ask.
  if (!connection_.is_open() || connection_.is_dead() || in_multi_) return keys;
  Status status = connection_.send({"SCAN", "0", "MATCH", as_pattern(prefix), "COUNT", "1000"});
  if (status.ok()) status = connection_.receive(reply);
  while (status.ok() && reply.type == Reply::Type::kPush) status = connection_.receive(reply);
  if (!status.ok() || reply.elements.size() != 2) return keys;
  for (const Reply& key : reply.elements[1].elements) keys.push_back(key.text);
  return keys;
}

bool Shell::measure_ms(double& ms) {
  Reply reply;
  if (!connect()) return false;
  auto begin = Clock::now();
  if (!exchange({"PING"}, reply)) return false;
  ms = ms_since(begin);
  return true;
}

}  // namespace hotkv::cli
