#include "core/sim/input_log.h"

#include <algorithm>

#include "core/base/numbers.h"
#include "core/base/utf8.h"

namespace hotkv::sim {

namespace {

constexpr size_t kDigitsMax = 11;  // A year in milliseconds.

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

// "DEL+a%7Eb" as in a link; false: a % without two digits, or no text.
bool unescape(Bytes text, std::string& out) {
  out.clear();
  for (size_t i = 0; i < text.size(); i++) {
    if (text[i] != '%') {
      out += text[i] == '+' ? ' ' : text[i];
      continue;
    }
    if (i + 2 >= text.size()) return false;
    const int high = hex_digit(text[i + 1]), low = hex_digit(text[i + 2]);
    if (high < 0 || low < 0) return false;
    out += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return is_utf8(out);
}

// Takes the text up to `mark`, and the mark.
Bytes take_until(Bytes& rest, char mark) {
  const size_t end = std::min(rest.find(mark), rest.size());
  const Bytes taken = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return taken;
}

bool is_digits(Bytes text) {
  return !text.empty() && text.size() <= kDigitsMax &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool is_on_message(Bytes action) {
  return action == "drop" || action == "delay" || action == "dup" || action == "deliver";
}

bool is_action(Bytes action) {
  return is_on_message(action) || action == "kill" || action == "restart" || action == "pause" ||
         action == "clock" || action == "cut" || action == "heal" || action == "fsync-stall";
}

// Reads one input; what is wrong with it, or "".
class Reader {
 public:
  Reader(Bytes text, LessonInput& input) : rest_(text), input_(input) {}

  std::string read() {
    const Bytes at = take_until(rest_, '.');
    if (!is_digits(at) || !parse_uint64(at, input_.at)) return "the event is no number";
    const Bytes first = take_until(rest_, '.');
    if (rest_.substr(0, 5) == "exec.") return read_line(first);
    input_.action = std::string(first);
    if (first == "try") return read_attempt();
    return is_action(first) ? read_intervention() : "the action is unknown";
  }

 private:
  std::string read_line(Bytes client) {
    rest_.remove_prefix(5);
    input_.action = "exec";
    if (!unescape(client, input_.id) || client.empty()) return "the client is no text";
    input_.node = std::string(take_until(rest_, '.'));
    if (!unescape(rest_, input_.line) || rest_.empty()) return "the line is no text";
    return input_.line.size() <= InputLog::kLineMax ? "" : "the line is too long";
  }

  std::string read_attempt() {
    input_.id = std::string(rest_);
    const bool is_id = std::all_of(rest_.begin(), rest_.end(), [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
             c == '-' || c == '_';
    });
    return is_id && !rest_.empty() ? "" : "the what-if is no id";
  }

  std::string read_intervention() {
    const Bytes target = take_until(rest_, '.');
    if (!unescape(target, input_.id) || target.empty()) return "the target is no text";
    if (is_on_message(input_.action)) {
      const Bytes number = take_until(rest_, '.');
      if (!is_digits(number)) return "the number of the message is no number";
      input_.id += "#" + std::string(number);
    }
    if (rest_.empty()) return "";
    const bool negative = rest_[0] == '-';
    int64_t ms = 0;
    if (!is_digits(rest_.substr(negative)) || !parse_int64(rest_, ms)) {
      return "the milliseconds are no number";
    }
    input_.ms = ms;
    return "";
  }

  Bytes rest_;
  LessonInput& input_;
};

std::string fault_of(size_t number, Bytes text, const std::string& wrong) {
  NumberText digits;
  return "input " + std::string(format_uint64(number, digits)) + ", '" +
         std::string(text.substr(0, 60)) + "': " + wrong;
}

void give(Lesson& lesson, const LessonInput& input) {
  if (input.action == "try") {
    lesson.attempt(input.id);
  } else if (input.action == "exec") {
    lesson.exec(input.id, input.node, input.line);
  } else {
    lesson.act(input.id, input.action, input.ms.value_or(0));
  }
}

}  // namespace

InputLog read_input_log(Bytes text) {
  InputLog log;
  for (size_t number = 1; !text.empty(); number++) {
    const Bytes one = take_until(text, '~');
    LessonInput input;
    std::string wrong = Reader(one, input).read();
    if (wrong.empty() && !log.inputs.empty() && input.at < log.inputs.back().at) {
      wrong = "the event lies before that of an earlier input";
    }
    if (number > InputLog::kInputsMax) {
      log.faults.push_back(fault_of(number, one, "a log has at most 5,000 inputs"));
      return log;
    }
    if (wrong.empty()) {
      log.inputs.push_back(std::move(input));
    } else {
      log.faults.push_back(fault_of(number, one, wrong));
    }
  }
  return log;
}

LessonReplay::LessonReplay(Lesson& lesson, const std::vector<LessonInput>& inputs)
    : lesson_(lesson), inputs_(inputs) {
  give_due();
}

bool LessonReplay::advance() {
  if (!lesson_.advance()) return false;
  give_due();
  return true;
}

void LessonReplay::give_due() {
  while (next_ < inputs_.size() && inputs_[next_].at <= lesson_.world().events()) {
    give(lesson_, inputs_[next_++]);
  }
}

}  // namespace hotkv::sim
