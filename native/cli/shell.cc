#include "native/cli/shell.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <thread>

#include "core/base/numbers.h"
#include "core/console/completion.h"
#include "core/node/server.h"

namespace hotkv::cli {

bool Shell::exchange(const std::vector<std::string>& words, Reply& reply) {
  Status status = connection_.send(std::vector<Bytes>(words.begin(), words.end()));
  if (status.ok()) status = connection_.receive(reply);
  // Out-of-band messages may come before the reply.
  while (status.ok() && reply.type == Reply::Type::kPush) {
    std::fputs(format_reply(reply, settings_.style).c_str(), stdout);
    status = connection_.receive(reply);
  }
  if (!status.ok()) std::fprintf(stderr, "Error: %s\n", status.message().c_str());
  return status.ok();
}

bool Shell::prepare(const std::vector<std::string>& words) {
  Reply reply;
  if (!exchange(words, reply)) return false;
  if (reply.type != Reply::Type::kError) return true;
  std::fprintf(stderr, "%s failed: %s\n", words[0].c_str(), reply.text.c_str());
  return words[0] != "HELLO" && words[0] != "SELECT";
}

bool Shell::connect() {
  if (connection_.is_open()) return true;
  Status status = connection_.open(settings_.address);
  if (!status.ok()) {
    std::fprintf(stderr, "%s\n", status.message().c_str());
    return false;
  }
  in_multi_ = false;
  database_ = 0;
  std::vector<std::string> auth = {"AUTH"};
  if (!settings_.user.empty()) auth.push_back(settings_.user);
  auth.push_back(settings_.password);
  if (!settings_.password.empty() && !prepare(auth)) return false;
  if (settings_.resp3 && !prepare({"HELLO", "3"})) return false;
  if (settings_.database != 0) {
    if (!prepare({"SELECT", std::to_string(settings_.database)})) return false;
    database_ = settings_.database;
  }
  return true;
}

void Shell::note_state(const std::vector<std::string>& words, const Reply& reply) {
  if (reply.type == Reply::Type::kError) return;
  std::string name = lower_case(words[0]);
  int64_t db = 0;
  if (name == "select" && words.size() == 2 && reply.text == "OK" && parse_int64(words[1], db)) {
    database_ = static_cast<int>(db);
  }
  if (name == "multi") in_multi_ = true;
  if (name == "exec" || name == "discard" || name == "reset") in_multi_ = false;
  if (name == "reset") database_ = 0;
}

bool Shell::run(const std::vector<std::string>& words) {
  if (!connect()) return false;
  bool muted = words.size() == 3 && equal_ignoring_case(words[0], "client") &&
               equal_ignoring_case(words[1], "reply") && !equal_ignoring_case(words[2], "on");
  if (muted) {
    std::fprintf(stderr, "CLIENT REPLY OFF and SKIP would leave hotkv-cli waiting; not sent.\n");
    return false;
  }
  Reply reply;
  if (!exchange(words, reply)) return false;
  note_state(words, reply);
  // INFO and its like are text made for reading: shown as they are, like redis-cli does.
  bool text = reply.type == Reply::Type::kBulk && settings_.style == ReplyStyle::kTerminal &&
              (equal_ignoring_case(words[0], "info") ||
               (words.size() > 1 && equal_ignoring_case(words[0], "client") &&
                (equal_ignoring_case(words[1], "list") || equal_ignoring_case(words[1], "info"))));
  std::string shown = format_reply(reply, text ? ReplyStyle::kRaw : settings_.style);
  std::fwrite(shown.data(), 1, shown.size(), stdout);
  std::fflush(stdout);
  if (equal_ignoring_case(words[0], "quit")) connection_.close();
  return reply.type != Reply::Type::kError;
}

bool Shell::run_line(const std::string& line) {
  std::vector<std::string> words;
  if (!split_quoted(line, words)) {
    std::printf("Invalid argument(s)\n");
    return true;
  }
  if (words.empty()) return true;
  std::string name = lower_case(words[0]);
  if (name == "exit" || name == "quit") return false;
  if (name == "clear") {
    std::fputs("\x1b[H\x1b[2J", stdout);
    return true;
  }
  if (name == "help" || name == "?") {
    std::string asked;
    for (size_t i = 1; i < words.size(); i++) asked += (i > 1 ? " " : "") + words[i];
    std::string text = asked.empty()
                           ? "Type a command; Tab completes it; help COMMAND explains it.\n"
                           : help_text(asked, all_commands());
    std::printf("%s", text.empty() ? "No such command.\n" : text.c_str());
    return true;
  }
  int64_t times = 1;
  // "5 incr x" runs five times, as redis-cli does.
  if (words.size() > 1 && parse_int64(words[0], times) && times > 0) words.erase(words.begin());
  for (int64_t i = 0; i < times; i++) run(words);
  return true;
}

std::string Shell::prompt() const {
  if (!connection_.is_open()) return "not connected> ";
  std::string text = "hotkv";
  if (!settings_.address.is_standard()) text += " " + settings_.address.text();
  if (database_ != 0) text += "[" + std::to_string(database_) + "]";
  return text + (in_multi_ ? "(TX)> " : "> ");
}

const std::vector<std::string>& Shell::key_names() {
  keys_.clear();
  Reply reply;
  // Inside MULTI a SCAN would be queued; without a connection there is nothing to ask.
  if (!connection_.is_open() || in_multi_) return keys_;
  Status status = connection_.send({"SCAN", "0", "COUNT", "500"});
  if (!status.ok() || !connection_.receive(reply).ok() || reply.elements.size() != 2) return keys_;
  for (const Reply& key : reply.elements[1].elements) keys_.push_back(key.text);
  return keys_;
}

int Shell::run_latency() {
  using Clock = std::chrono::steady_clock;
  double least = 0, greatest = 0, sum = 0;
  int64_t samples = 0;
  while (connect()) {
    Reply reply;
    auto begin = Clock::now();
    if (!exchange({"PING"}, reply)) return 1;
    double ms = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
    least = samples == 0 ? ms : std::min(least, ms);
    greatest = std::max(greatest, ms);
    sum += ms;
    samples++;
    std::printf("\rmin: %.3f ms, max: %.3f ms, avg: %.3f ms (%lld samples)", least, greatest,
                sum / static_cast<double>(samples), static_cast<long long>(samples));
    std::fflush(stdout);
    std::this_thread::sleep_for(std::chrono::milliseconds(10));  // A sample each 10 ms.
  }
  return 1;
}

}  // namespace hotkv::cli
