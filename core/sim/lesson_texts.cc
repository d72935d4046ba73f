// The texts of a lesson: what stands for {parameters}, what an expectation means, the transcript.
#include <algorithm>

#include "core/base/numbers.h"
#include "core/sim/lesson.h"

namespace hotkv::sim {

namespace {

constexpr int64_t kSpreadMax = int64_t{1} << 40;

// The text of the last reply to `client`, without the quotes of a string; only of commands that
// begin with `command`, if any is named.
std::string last_reply(const std::vector<TranscriptLine>& transcript, const std::string& client,
                       Bytes command) {
  for (size_t i = transcript.size(); i-- > 0;) {
    const TranscriptLine& line = transcript[i];
    bool fits = equal_ignoring_case(Bytes(line.line).substr(0, command.size()), command);
    if (line.client != client || !line.answered || line.note || !fits) continue;
    bool quoted = line.text.size() >= 2 && line.text[0] == '"';
    return quoted ? line.text.substr(1, line.text.size() - 2) : line.text;
  }
  return {};
}

}  // namespace

bool matches_expectation(Bytes expect, Bytes text) {
  constexpr Bytes kOpenEnd = " ...";
  if (expect.size() > kOpenEnd.size() && expect.substr(expect.size() - 4) == kOpenEnd) {
    Bytes begin = expect.substr(0, expect.size() - 4);
    return text.substr(0, begin.size()) == begin;
  }
  size_t dots = expect.find("..");
  size_t blank = expect.rfind(' ');
  if (dots == Bytes::npos || blank == Bytes::npos) return expect == text;
  int64_t low, high, value;
  return text.substr(0, blank + 1) == expect.substr(0, blank + 1) &&
         parse_int64(expect.substr(blank + 1, dots - blank - 1), low) &&
         parse_int64(expect.substr(dots + 2), high) && parse_int64(text.substr(blank + 1), value) &&
         value >= low && value <= high;
}

std::string Lesson::param(Bytes name) const {
  for (const auto& own : params_) {
    if (own.first == name) return own.second;
  }
  return {};
}

// The parameter, give or take so many percent of it: another value for each client and action.
std::string Lesson::spread_out(Bytes name, Bytes percent_name, int client) const {
  int64_t value = 0, percent = 0;
  if (!parse_int64(param(name), value) || !parse_int64(param(percent_name), percent)) return {};
  if (value < 1 || value > kSpreadMax || percent < 0 || percent > 100) return param(name);
  const uint64_t width = static_cast<uint64_t>(value) * static_cast<uint64_t>(percent) / 100;
  const uint64_t place = (uint64_t{next_item_} << 32) + static_cast<uint64_t>(client + 1);
  const uint64_t drawn = mix64(world_.seed() ^ mix64(place)) % (2 * width + 1);
  NumberText text;
  return std::string(
      format_int64(value - static_cast<int64_t>(width) + static_cast<int64_t>(drawn), text));
}

// What stands for {inside} in a line of `client`: decision 0003.
std::string Lesson::value_of(Bytes inside, int client) const {
  if (size_t sign = inside.find(" ± "); sign != Bytes::npos) {
    return spread_out(inside.substr(0, sign), inside.substr(sign + Bytes(" ± ").size()), client);
  }
  if (client < 0) return param(inside);
  const std::string& id = world_.client_name(client);
  if (inside == "reply") return last_reply(transcript_, id, "");
  if (inside == "number") {
    std::string text = last_reply(transcript_, id, "LOCK ");
    return text.substr(std::min(text.size(), text.find(' ') + 1));
  }
  if (inside == "i") return id.substr(std::min(id.size(), id.find_first_of("0123456789")));
  return param(inside);
}

// {name} and {name x n} of decision 0003.
std::string Lesson::substitute(Bytes text, int client) const {
  std::string out;
  while (!text.empty()) {
    size_t open = text.find('{'), close = text.find('}', open == Bytes::npos ? 0 : open);
    if (open == Bytes::npos || close == Bytes::npos) return out + std::string(text);
    out += text.substr(0, open);
    Bytes inside = text.substr(open + 1, close - open - 1);
    text.remove_prefix(close + 1);
    size_t times = inside.find(" x ");
    uint64_t n = 1;
    if (times != Bytes::npos && !parse_uint64(inside.substr(times + 3), n)) n = 1;
    std::string value = value_of(inside.substr(0, times), client);
    for (uint64_t i = 0; i < n; i++) out += value;
  }
  return out;
}

int64_t Lesson::milliseconds_of(Bytes text) const {
  int64_t n = 0;
  return parse_int64(substitute(text, -1), n) ? n : 0;
}

std::string Lesson::hash() const {
  static constexpr char kHex[] = "0123456789abcdef";
  std::string out;
  for (int shift = 60; shift >= 0; shift -= 4) out += kHex[world_.digest() >> shift & 15];
  return out;
}

// As hotkv-cli would show it: the name of the node only where there are several.
std::string Lesson::prompt_of(const TranscriptLine& line) const {
  if (world_.is_database(world_.find_node(line.node))) return line.node + "> ";
  return scenario_.nodes.size() == 1 ? "hotkv> " : "hotkv(" + line.node + ")> ";
}

std::string Lesson::transcript_text() const {
  std::string out;
  for (const TranscriptLine& line : transcript_) {
    std::string who = line.client;
    for (const auto& client : scenario_.clients) {
      if (client.id == line.client) who = client.name;
    }
    out += "# " + who + (line.step.empty() ? "" : ": " + line.step) + "\n";
    if (line.note) {
      out += "# " + line.text + "\n";
      continue;
    }
    out += prompt_of(line) + line.line + "\n";
    if (line.answered) out += line.text + "\n";
  }
  return out;
}

}  // namespace hotkv::sim
