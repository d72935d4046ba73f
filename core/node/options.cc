#include "core/node/options.h"

#include "core/base/numbers.h"

namespace hotkv {

namespace {

bool is_choice(std::string_view choices, Bytes value, std::string& found) {
  size_t at = 0;
  while (at < choices.size()) {
    size_t end = choices.find(' ', at);
    if (end == std::string_view::npos) end = choices.size();
    std::string_view word = choices.substr(at, end - at);
    if (equal_ignoring_case(word, value)) {
      found = std::string(word);
      return true;
    }
    at = end + 1;
  }
  return false;
}

std::string comma_joined(std::string_view words) {
  std::string out;
  for (char c : words) {
    if (c == ' ') out += ',';
    out += c;
  }
  return out;
}

std::string range_text(const OptionSpec& spec) {
  NumberText least, greatest;
  return "argument must be between " + std::string(format_int64(spec.least, least)) + " and " +
         std::string(format_int64(spec.greatest, greatest)) + " inclusive";
}

bool parse_octal(Bytes value, int64_t& number) {
  number = 0;
  for (char c : value) {
    if (c < '0' || c > '7' || number > 07777777) return false;
    number = number * 8 + (c - '0');
  }
  return !value.empty();
}

// A word as it must stand in a configuration file.
std::string config_word(Bytes value) {
  bool plain = !value.empty();
  for (char c : value) plain = plain && c > ' ' && c != '"' && c != '\'' && c != '\\' && c < 0x7f;
  if (plain) return std::string(value);
  std::string quoted;
  append_quoted(quoted, value);
  return quoted;
}

std::string config_line(const OptionSpec& spec, Bytes value) {
  std::string line(spec.name);
  line += ' ';
  line += (spec.flags & kManyWords) && !value.empty() ? std::string(value) : config_word(value);
  return line;
}

}  // namespace

Options::Options() {
  for (const OptionSpec& spec : option_table()) {
    std::string text;
    int64_t number = 0;
    Status ignored = canonical(spec, spec.standard, text, number);
    (void)ignored.ok();
    texts_.push_back(std::string(spec.standard));
    numbers_.push_back(number);
  }
}

Status Options::canonical(const OptionSpec& spec, Bytes value, std::string& text,
                          int64_t& number) const {
  number = 0;
  text = std::string(value);
  switch (spec.type) {
    case OptionType::kText: break;
    case OptionType::kBool:
      if (!is_choice("yes no", value, text)) return Status::error("argument must be 'yes' or 'no'");
      number = text == "yes";
      break;
    case OptionType::kChoice:
      if (!is_choice(spec.choices, value, text)) {
        return Status::error("argument(s) must be one of the following: " +
                             comma_joined(spec.choices));
      }
      number = text == "yes" ? 1 : text == "local" ? 2 : 0;
      break;
    case OptionType::kInteger:
      if (!parse_int64(value, number)) {
        return Status::error("argument couldn't be parsed into an integer");
      }
      if (number < spec.least || number > spec.greatest) return Status::error(range_text(spec));
      break;
    case OptionType::kOctal:
      if (!parse_octal(value, number)) {
        return Status::error("argument couldn't be parsed as an octal number");
      }
      if (number < spec.least || number > spec.greatest) return Status::error(range_text(spec));
      break;
    case OptionType::kMemory: {
      uint64_t bytes;
      if (!parse_memory_size(value, bytes) || bytes > INT64_MAX) {
        return Status::error("argument must be a memory value");
      }
      number = static_cast<int64_t>(bytes);
      if (number < spec.least || number > spec.greatest) return Status::error(range_text(spec));
      NumberText decimal;
      text = std::string(format_int64(number, decimal));
      break;
    }
  }
  if (spec.check) {
    std::string wrong = spec.check(value);
    if (!wrong.empty()) return Status::error(wrong);
  }
  return {};
}

Status Options::set(Bytes name, Bytes value, bool at_start) {
  int index = find_option(name);
  if (index < 0) return Status::error("unknown option '" + std::string(name) + "'");
  const OptionSpec& spec = option_table()[static_cast<size_t>(index)];
  if ((spec.flags & kStartOnly) && !at_start) {
    // Writing the present value back is harmless, and tools that restore a CONFIG GET do it.
    if (texts_[static_cast<size_t>(index)] == value) return {};
    return Status::error("can't set immutable config");
  }
  std::string text;
  int64_t number = 0;
  Status status = canonical(spec, value, text, number);
  if (!status.ok()) return status;
  std::string& present = texts_[static_cast<size_t>(index)];
  present = spec.merge ? spec.merge(present, value) : text;
  numbers_[static_cast<size_t>(index)] = number;
  generation_++;
  return {};
}

const std::string& Options::text(Bytes name) const {
  static const std::string kNone;
  int index = find_option(name);
  return index < 0 ? kNone : text(index);
}

bool Options::is_standard(int index) const {
  return texts_[static_cast<size_t>(index)] == option_table()[static_cast<size_t>(index)].standard;
}

void Options::restore(const std::vector<std::string>& texts) {
  for (size_t i = 0; i < texts.size(); i++) {
    if (texts[i] == texts_[i]) continue;
    Status status = set(option_table()[i].name, texts[i], true);
    (void)status.ok();  // The text was accepted once, so it is again.
  }
}

Status Options::set_line(Bytes line) {
  std::vector<std::string> words;
  if (!split_quoted(line, words) || words.empty()) return Status::error("unbalanced quotes");
  std::string value;
  for (size_t i = 1; i < words.size(); i++) value += (i > 1 ? " " : "") + words[i];
  int index = find_option(words[0]);
  if (index >= 0 && !(option_table()[static_cast<size_t>(index)].flags & kManyWords) &&
      words.size() != 2) {
    return Status::error("takes exactly one value");
  }
  return set(words[0], value, true);
}

Status Options::load(Bytes file_text) {
  size_t at = 0;
  int line_number = 0;
  while (at < file_text.size()) {
    size_t end = file_text.find('\n', at);
    if (end == Bytes::npos) end = file_text.size();
    Bytes line = file_text.substr(at, end - at);
    at = end + 1;
    line_number++;
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
    while (!line.empty() && (line.front() == ' ' || line.front() == '\t')) line.remove_prefix(1);
    if (line.empty() || line[0] == '#') continue;
    NumberText text;
    std::string where = "line " + std::string(format_int64(line_number, text)) + " '" +
                        std::string(line.substr(0, line.find(' '))) + "': ";
    Status status = set_line(line);
    if (!status.ok()) return Status::error(where + status.message());
  }
  return {};
}

std::string rewrite_config(Bytes file_text, const Options& options) {
  std::string out;
  std::vector<bool> done(option_table().size(), false);
  size_t at = 0;
  while (at < file_text.size()) {
    size_t end = file_text.find('\n', at);
    if (end == Bytes::npos) end = file_text.size();
    Bytes line = file_text.substr(at, end - at);
    at = end + 1;
    std::vector<std::string> words;
    int index = -1;
    if (!line.empty() && line[0] != '#' && split_quoted(line, words) && !words.empty()) {
      index = find_option(words[0]);
    }
    if (index < 0) {
      out += line;
      out += '\n';
      continue;
    }
    auto i = static_cast<size_t>(index);
    if (done[i]) continue;  // A later line of the same option would win at the next start.
    done[i] = true;
    out += config_line(option_table()[i], options.text(index));
    out += '\n';
  }
  constexpr Bytes kMarker = "# Generated by CONFIG REWRITE\n";
  bool marked = file_text.find(kMarker) != Bytes::npos;
  for (size_t i = 0; i < done.size(); i++) {
    if (done[i] || options.is_standard(static_cast<int>(i))) continue;
    if (!marked) out += kMarker;
    marked = true;
    out += config_line(option_table()[i], options.text(static_cast<int>(i)));
    out += '\n';
  }
  return out;
}

}  // namespace hotkv
