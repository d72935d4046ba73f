#include "native/cli/line_reader.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <cwchar>

#include "core/console/completion.h"
#include "native/cli/interrupt.h"

namespace hotkv::cli {

namespace {

constexpr wchar_t kCtrlC = 3;
constexpr wchar_t kCtrlE = 5;  // To the end of the line.

std::string history_path() {
  if (const char* path = std::getenv("HOTKV_HISTORY")) return path;
  const char* home = std::getenv("HOME");
  return home ? std::string(home) + "/.hotkv_history" : std::string();
}

size_t terminal_columns() {
  winsize size{};
  bool known = ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

struct Extent {
  size_t characters = 0, columns = 0;
};

// Bytes that are no UTF-8 count as a character each.
Extent extent_of(Bytes text) {
  Extent extent;
  std::mbstate_t state{};
  while (!text.empty()) {
    wchar_t c = 0;
    size_t size = std::mbrtowc(&c, text.data(), text.size(), &state);
    const bool is_valid = size > 0 && size <= text.size();
    if (!is_valid) {
      size = 1;
      state = {};
    }
    extent.characters++;
    extent.columns += is_valid ? static_cast<size_t>(std::max(0, ::wcwidth(c))) : 1;
    text.remove_prefix(size);
  }
  return extent;
}

std::string common_beginning(const std::vector<std::string>& words) {
  std::string common = words[0];
  for (const std::string& word : words) {
    size_t same = 0;
    while (same < common.size() && same < word.size() && common[same] == word[same]) same++;
    common.resize(same);
  }
  // Not the first half of a character.
  while (!common.empty() && common.size() < words[0].size() &&
         (static_cast<unsigned char>(words[0][common.size()]) & 0xc0) == 0x80) {
    common.pop_back();
  }
  return common;
}

// In columns, read from left to right, below the line that is typed.
void show_choice(const std::vector<std::string>& words) {
  size_t widest = 0;
  for (const std::string& word : words) widest = std::max(widest, extent_of(word).columns);
  const size_t in_row = std::max<size_t>(1, terminal_columns() / (widest + 2));
  std::string text;
  for (size_t i = 0; i < words.size(); i++) {
    text += i % in_row == 0 ? "\n" : "  ";
    text += words[i];
    const bool last_of_row = (i + 1) % in_row == 0 || i + 1 == words.size();
    if (!last_of_row) text.append(widest - extent_of(words[i]).columns, ' ');
  }
  std::printf("%s\n", text.c_str());
}

}  // namespace

LineReader::LineReader(LineAdviser& adviser) : adviser_(adviser), history_path_(history_path()) {
  // In the C locale libedit would show what is beyond ASCII as octal numbers.
  if (!std::setlocale(LC_CTYPE, "") || MB_CUR_MAX == 1) std::setlocale(LC_CTYPE, "C.UTF-8");
  const char* terminal = std::getenv("TERM");
  can_hint_ = terminal && Bytes(terminal) != "dumb";
  edit_ = ::el_init("hotkv-cli", stdin, stdout, stderr);
  ::el_set(edit_, EL_CLIENTDATA, this);
  ::el_set(edit_, EL_PROMPT, &LineReader::give_prompt);
  ::el_set(edit_, EL_GETCFN, &LineReader::read_key);
  ::el_set(edit_, EL_EDITOR, "emacs");
  ::el_set(edit_, EL_ADDFN, "complete", "Complete the word", &LineReader::complete);
  ::el_set(edit_, EL_BIND, "^I", "complete", nullptr);
  ::el_set(edit_, EL_ADDFN, "give-up", "Give the line up", &LineReader::give_up);
  ::el_set(edit_, EL_BIND, "^C", "give-up", nullptr);
  ::el_set(edit_, EL_BIND, "^R", "em-inc-search-prev", nullptr);
  ::el_set(edit_, EL_BIND, "^W", "ed-delete-prev-word", nullptr);
  history_ = ::history_init();
  HistEvent event;
  ::history(history_, &event, H_SETSIZE, kHistoryLines);
  ::history(history_, &event, H_SETUNIQUE, 1);
  if (!history_path_.empty()) ::history(history_, &event, H_LOAD, history_path_.c_str());
  ::el_set(edit_, EL_HIST, history, history_);
}

LineReader::~LineReader() {
  ::el_end(edit_);
  ::history_end(history_);
}

LineReader& LineReader::self(EditLine* edit) {
  void* reader = nullptr;
  ::el_get(edit, EL_CLIENTDATA, &reader);
  return *static_cast<LineReader*>(reader);
}

LineReader::Result LineReader::read(const std::string& prompt, std::string& line) {
  prompt_ = prompt;
  gives_up_ = false;
  take_interrupt();
  // Else libedit would show the prompt first, and keys pressed at once would go by the terminal's
  // own rules.
  ::el_set(edit_, EL_PREP_TERM, 1);
  int size = 0;
  const char* text = ::el_gets(edit_, &size);
  if (gives_up_) return Result::kGivenUp;
  if (!text || size <= 0) return Result::kEnd;
  line.assign(text, static_cast<size_t>(size));
  while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.pop_back();
  return Result::kLine;
}

void LineReader::remember(const std::string& line) {
  HistEvent event;
  ::history(history_, &event, H_ENTER, line.c_str());
  if (!history_path_.empty()) ::history(history_, &event, H_SAVE, history_path_.c_str());
}

Bytes LineReader::typed() const {
  const LineInfo* info = ::el_line(edit_);
  return {info->buffer, static_cast<size_t>(info->cursor - info->buffer)};
}

size_t LineReader::draw_hint() {
  const LineInfo* info = ::el_line(edit_);
  const bool at_end = info->cursor == info->lastchar;
  if (!can_hint_ || !at_end || info->cursor == info->buffer) return 0;
  const std::string hint = adviser_.hint(typed());
  const size_t used = extent_of(prompt_).columns + extent_of(typed()).columns + 1;
  constexpr size_t kWorthShowing = 3;
  if (hint.empty() || used + kWorthShowing > terminal_columns()) return 0;
  const std::string shown = hint.substr(0, terminal_columns() - used);
  std::printf("\x1b[90m%s\x1b[0m\x1b[%zuD", shown.c_str(), shown.size());
  std::fflush(stdout);
  return shown.size();
}

// After the window has another size or the program goes on behind Ctrl-Z.
void LineReader::redraw() {
  ::el_resize(edit_);
  // The shell may have left the terminal in another mode than libedit believes.
  ::el_set(edit_, EL_PREP_TERM, 0);
  ::el_set(edit_, EL_PREP_TERM, 1);
  std::printf("\r\x1b[J");
  std::fflush(stdout);
  ::el_set(edit_, EL_REFRESH);
}

char* LineReader::give_prompt(EditLine* edit) { return self(edit).prompt_.data(); }

// libedit has drawn the line and waits for a key, which may take several bytes.
int LineReader::read_key(EditLine* edit, wchar_t* key) {
  LineReader& reader = self(edit);
  if (reader.gives_up_) {
    *key = kCtrlC;
    return 1;
  }
  size_t drawn = reader.draw_hint();
  std::mbstate_t state{};
  while (true) {
    const bool signalled = !wait_readable(STDIN_FILENO);
    const bool interrupted = signalled && take_interrupt();
    if (signalled && !interrupted && !take_screen_change()) continue;
    if (drawn > 0) std::fputs("\x1b[K", stdout);
    drawn = 0;
    if (interrupted) {
      // "^C" belongs behind the line, so the cursor goes there first.
      reader.gives_up_ = true;
      *key = kCtrlE;
      return 1;
    }
    if (signalled) {
      reader.redraw();
      drawn = reader.draw_hint();
      continue;
    }
    char byte = 0;
    const ssize_t size = ::read(STDIN_FILENO, &byte, 1);
    if (size <= 0) return static_cast<int>(size);
    const size_t whole = std::mbrtowc(key, &byte, 1, &state);
    if (whole <= 1) return 1;
    if (whole == static_cast<size_t>(-1)) state = {};  // No UTF-8: dropped.
  }
}

unsigned char LineReader::complete(EditLine* edit, int) {
  LineReader& reader = self(edit);
  const std::string typed(reader.typed());
  const std::vector<std::string> words = reader.adviser_.candidates(typed);
  if (words.empty()) return CC_REFRESH_BEEP;
  const std::string word = typed.substr(completion_start(typed));
  std::string common = common_beginning(words);
  if (words.size() > 1 && common.size() <= word.size()) {
    show_choice(words);
    return CC_REDISPLAY;
  }
  if (words.size() == 1) common += ' ';
  ::el_deletestr(edit, static_cast<int>(extent_of(word).characters));
  return ::el_insertstr(edit, common.c_str()) == 0 ? CC_REFRESH : CC_REFRESH_BEEP;
}

unsigned char LineReader::give_up(EditLine* edit, int) {
  self(edit).gives_up_ = true;
  std::printf("^C\n");
  std::fflush(stdout);
  return CC_NEWLINE;
}

}  // namespace hotkv::cli
