#include "tests/transcripts/player.h"

#include "tests/transcripts/notation.h"

namespace hotkv::transcripts {
namespace {

// Long enough for a busy machine to answer; short enough to notice that nothing comes.
constexpr int kReplyWaitMs = 10000;
constexpr int kSilenceWaitMs = 40;

const char kNoReply[] = "(no reply)";
const char kClosed[] = "(closed)";
const char kUnordered[] = "(unordered)";
const char kAnyLines[] = "...";

// Matches `lines` from `i` against `expected` from `j`; returns the end in `expected`, or npos.
size_t match_lines(const std::vector<std::string>& lines, size_t i,
                   const std::vector<std::string>& expected, size_t j, Variables* variables) {
  if (i == lines.size()) return j < expected.size() && expected[j] == kAnyLines ? j + 1 : j;
  if (j == expected.size()) return std::string::npos;
  if (expected[j] == kAnyLines) {
    for (size_t k = i; k <= lines.size(); ++k) {
      Variables attempt = *variables;
      size_t end = match_lines(lines, k, expected, j + 1, &attempt);
      if (end == std::string::npos) continue;
      *variables = attempt;
      return end;
    }
    return std::string::npos;
  }
  if (!matches(expected[j], lines[i], variables)) return std::string::npos;
  return match_lines(lines, i + 1, expected, j + 1, variables);
}

// The bytes of a `< raw "..."` line; false when the line is another one.
bool raw_bytes(const std::string& line, std::string* bytes) {
  std::vector<std::string> words;
  if (line.substr(0, 4) != "raw " || !split_command(line.substr(4), &words)) return false;
  bytes->clear();
  for (const std::string& word : words) *bytes += expand_runs(word);
  return true;
}

std::string effect_line(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) {
    if (!line.empty()) line += " ";
    line += quoted_if_needed(word);
  }
  return line;
}

}  // namespace

Player::Client* Player::client_of(const std::string& name) {
  auto [found, is_new] = clients_.try_emplace(name);
  if (is_new) found->second.number = static_cast<int>(clients_.size());
  return &found->second;
}

void Player::refresh_clock() {
  int64_t now_ms = target_->wall_ms();
  variables_["now_ms"] = std::to_string(now_ms);
  variables_["now_s"] = std::to_string(now_ms / 1000);
}

Status Player::send_step(const Step& step, Client* client) {
  std::vector<std::string> words;
  split_command(step.text, &words);  // The parser has checked the quotes.
  refresh_clock();
  for (std::string& word : words) word = expand_runs(substitute(word, variables_));
  if (step.kind == Step::Kind::kCommand) return target_->send(client->number, command_bytes(words));
  std::string bytes;
  for (const std::string& word : words) bytes += word;
  return target_->send(client->number, bytes);
}

Status Player::perform(const Step& step) {
  switch (step.kind) {
    case Step::Kind::kCommand:
    case Step::Kind::kRaw: return send_step(step, client_of(step.client));
    case Step::Kind::kReplies: return Status();
    case Step::Kind::kAdvance: target_->advance(step.advance_us); return Status();
    case Step::Kind::kRestart:
      // Connections do not survive; the names may be used again for new ones.
      clients_.clear();
      return target_->restart();
    case Step::Kind::kClose: {
      auto found = clients_.find(step.client);
      if (found == clients_.end()) return Status::error("@ close of a client that never spoke");
      target_->close(found->second.number);
      clients_.erase(found);
      return Status();
    }
  }
  return Status();
}

std::string Player::next_raw(Client* client, size_t length) {
  while (client->bytes.size() < length) {
    if (target_->receive(client->number, kReplyWaitMs, &client->bytes) != Received::kBytes) break;
  }
  std::string bytes = client->bytes.substr(0, length);
  client->bytes.erase(0, length);
  return bytes;
}

std::vector<std::string> Player::next_lines(Client* client, const std::string& expected,
                                            bool unordered, int wait_ms) {
  std::string raw;
  if (raw_bytes(expected, &raw)) {
    std::string actual = next_raw(client, raw.size());
    return {actual == raw ? expected : "raw " + quoted(actual)};
  }
  if (expected == kNoReply) wait_ms = kSilenceWaitMs;
  while (true) {
    ReplyParser parser;
    Reply reply;
    ReplyParser::State state =
        client->bytes.empty() ? ReplyParser::State::kNeedMore : parser.next(client->bytes, reply);
    if (state == ReplyParser::State::kError) {
      std::string broken = client->bytes;
      client->bytes.clear();
      return {"raw " + quoted(broken)};
    }
    if (state == ReplyParser::State::kReply) {
      client->bytes.erase(0, parser.consumed());
      if (unordered) sort_unordered(&reply);
      return reply_lines(reply);
    }
    switch (target_->receive(client->number, wait_ms, &client->bytes)) {
      case Received::kBytes: break;
      case Received::kNothing: return {kNoReply};
      case Received::kClosed: return {kClosed};
    }
  }
}

bool Player::check_replies(const Step& step, std::vector<std::string>* actual) {
  Client* client = client_of(step.client);
  bool answers = step.kind == Step::Kind::kCommand || step.kind == Step::Kind::kRaw ||
                 step.kind == Step::Kind::kReplies;
  if (!answers) return step.expected.empty();
  bool good = true;
  size_t at = 0;
  while (at < step.expected.size()) {
    bool unordered = step.expected[at] == kUnordered;
    if (unordered) actual->push_back(step.expected[at++]);
    std::string expected = at < step.expected.size() ? step.expected[at] : "";
    std::vector<std::string> lines = next_lines(client, expected, unordered, kReplyWaitMs);
    refresh_clock();
    size_t end = match_lines(lines, 0, step.expected, at, &variables_);
    if (end == std::string::npos) {
      actual->insert(actual->end(), lines.begin(), lines.end());
      good = false;
      break;
    }
    actual->insert(actual->end(), step.expected.begin() + static_cast<long>(at),
                   step.expected.begin() + static_cast<long>(end));
    at = end;
  }
  if (step.expected.empty()) {
    good = false;
    *actual = next_lines(client, "", false, 1000);
  }
  bool drains = !good && step.kind == Step::Kind::kRaw;
  while (drains && actual->back() != kNoReply && actual->back() != kClosed) {
    std::vector<std::string> lines = next_lines(client, kNoReply, false, kSilenceWaitMs);
    if (lines[0] == kNoReply) break;
    actual->insert(actual->end(), lines.begin(), lines.end());
  }
  return good;
}

bool Player::check_effects(const Step& step, std::vector<std::string>* actual) {
  std::vector<std::vector<std::string>> effects;
  if (!target_->take_effects(&effects) || !step.has_effects) return true;
  for (const auto& words : effects) actual->push_back(effect_line(words));
  if (actual->empty()) actual->push_back("(none)");
  refresh_clock();
  bool good = match_lines(*actual, 0, step.effects, 0, &variables_) == step.effects.size();
  return good;
}

Status Player::play(const Block& block, std::vector<Mismatch>* mismatches) {
  Status status = target_->begin(block.options, block.fresh);
  if (!status.ok()) return status;
  for (const Step& step : block.steps) {
    status = perform(step);
    if (!status.ok())
      return Status::error("line " + std::to_string(step.line) + ": " + status.message());
    Mismatch mismatch{&step, false, {}};
    if (!check_replies(step, &mismatch.actual)) mismatches->push_back(mismatch);
    mismatch.actual.clear();
    mismatch.of_effects = true;
    if (!check_effects(step, &mismatch.actual)) mismatches->push_back(mismatch);
    if (!mismatches->empty() && !keep_going_) break;
  }
  for (const auto& [name, client] : clients_) target_->close(client.number);
  clients_.clear();
  return Status();
}

}  // namespace hotkv::transcripts
