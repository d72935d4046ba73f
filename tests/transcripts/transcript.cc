#include "tests/transcripts/transcript.h"

#include <cctype>
#include <fstream>

#include "tests/transcripts/notation.h"

namespace hotkv::transcripts {
namespace {

// One line of the form NAME mark ' ' text, where NAME may be empty.
struct MarkedLine {
  std::string client;
  char mark = 0;
  std::string text;
};

bool read_marked_line(const std::string& line, MarkedLine* out) {
  size_t at = 0;
  while (at < line.size() && (isalnum(static_cast<unsigned char>(line[at])) || line[at] == '_')) {
    ++at;
  }
  if (at == line.size() || std::string("><@=").find(line[at]) == std::string::npos) return false;
  if (at + 1 < line.size() && line[at + 1] != ' ') return false;
  out->client = line.substr(0, at);
  out->mark = line[at];
  out->text = at + 2 <= line.size() ? line.substr(at + 2) : "";
  return true;
}

bool read_duration(const std::string& text, int64_t* us) {
  size_t digits = text.find_first_not_of("0123456789");
  if (digits == 0 || digits == std::string::npos || digits > 9) return false;
  int64_t count = std::stoll(text.substr(0, digits));
  std::string unit = text.substr(digits);
  int64_t scale = unit == "us" ? 1 : unit == "ms" ? 1000 : unit == "s" ? 1000000 : 0;
  *us = count * scale;
  return scale != 0;
}

class Parser {
 public:
  explicit Parser(Transcript* out) : out_(out) {}

  Status parse() {
    for (size_t i = 0; i < out_->lines.size(); ++i) {
      line_ = static_cast<int>(i) + 1;
      std::string problem = take(out_->lines[i]);
      if (!problem.empty()) {
        return Status::error(out_->path + ":" + std::to_string(line_) + ": " + problem);
      }
    }
    if (out_->blocks.empty()) return Status::error(out_->path + ": no block (a '# title' line)");
    return Status();
  }

 private:
  std::string take(const std::string& line) {
    if (line.empty() || line.substr(0, 2) == "--") {
      step_ = nullptr;
      return "";
    }
    if (line.substr(0, 2) == "# ") {
      step_ = nullptr;
      out_->blocks.emplace_back();
      out_->blocks.back().title = line.substr(2);
      out_->blocks.back().line = line_;
      return "";
    }
    MarkedLine marked;
    if (!read_marked_line(line, &marked))
      return "a line begins with '# ', '--', '>', '<', '=' or '@'";
    if (out_->blocks.empty()) return "a '# title' line comes first";
    switch (marked.mark) {
      case '>': return add_step(Step::Kind::kCommand, marked);
      case '<': return take_expected(marked);
      case '=': return take_effect(marked);
      default: return take_directive(marked);
    }
  }

  std::string add_step(Step::Kind kind, const MarkedLine& marked) {
    std::vector<std::string> words;
    if (!split_command(marked.text, &words)) return "quotes do not balance";
    block().steps.emplace_back();
    step_ = &block().steps.back();
    step_->kind = kind;
    step_->line = line_;
    step_->client = marked.client;
    step_->text = marked.text;
    return "";
  }

  std::string take_expected(const MarkedLine& marked) {
    bool continues = step_ != nullptr && (marked.client.empty() || marked.client == step_->client);
    if (!continues) {
      if (marked.client.empty()) return "a reply without a command before it";
      MarkedLine nothing{marked.client, '<', ""};
      add_step(Step::Kind::kReplies, nothing);
    }
    if (step_->has_effects) return "replies come before effects";
    if (step_->expected.empty()) step_->expected_line = line_;
    step_->expected.push_back(marked.text);
    return "";
  }

  std::string take_effect(const MarkedLine& marked) {
    if (step_ == nullptr) return "an effect without a command before it";
    if (!step_->has_effects) step_->effects_line = line_;
    step_->has_effects = true;
    step_->effects.push_back(marked.text);
    return "";
  }

  std::string take_directive(const MarkedLine& marked) {
    std::vector<std::string> words;
    if (!split_command(marked.text, &words) || words.empty()) return "'@' needs a directive";
    const std::string& name = words[0];
    if (name == "raw") return take_raw(marked);
    if (name == "close") return add_step(Step::Kind::kClose, marked);
    if (name == "restart") return add_step(Step::Kind::kRestart, marked);
    if (name == "advance") {
      int64_t us = 0;
      if (words.size() != 2 || !read_duration(words[1], &us))
        return "advance takes 99us, 99ms or 9s";
      add_step(Step::Kind::kAdvance, marked);
      step_->advance_us = us;
      return "";
    }
    return take_marker(words);
  }

  std::string take_raw(const MarkedLine& marked) {
    MarkedLine bytes = marked;
    bytes.text = marked.text.substr(marked.text.find("raw") + 3);
    return add_step(Step::Kind::kRaw, bytes);
  }

  std::string take_marker(const std::vector<std::string>& words) {
    const std::string& name = words[0];
    if (!block().steps.empty()) return "'@ " + name + "' comes before the first command of a block";
    if (name == "fresh" && words.size() == 1) {
      block().fresh = true;
    } else if (name == "only" && words.size() >= 2) {
      block().only.assign(words.begin() + 1, words.end());
    } else if (name == "since" && words.size() == 2) {
      block().since = words[1];
    } else if (name == "before" && words.size() == 2) {
      block().before = words[1];
    } else if (name == "config" && words.size() == 3) {
      block().options.emplace_back(words[1], words[2]);
      block().fresh = true;
    } else {
      return "unknown directive or wrong number of words: @ " + name;
    }
    return "";
  }

  Block& block() { return out_->blocks.back(); }

  Transcript* out_;
  Step* step_ = nullptr;  // The step that following '<' and '=' lines belong to.
  int line_ = 0;
};

}  // namespace

Result<Transcript> read_transcript(const std::string& path) {
  std::ifstream file(path);
  if (!file) return Status::error(path + ": cannot be read");
  Transcript transcript;
  transcript.path = path;
  std::string line;
  while (std::getline(file, line)) transcript.lines.push_back(line);
  Status status = Parser(&transcript).parse();
  if (!status.ok()) return status;
  return transcript;
}

}  // namespace hotkv::transcripts
