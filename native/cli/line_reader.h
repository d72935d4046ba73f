// LineReader: lines that a person types at a terminal, edited by libedit, with history, completion
// and a grey hint of the syntax that is still missing.
//
// libedit knows nothing of the hint: it is drawn behind the line while libedit waits for a key and
// wiped before libedit sees that key, so that its picture of the screen stays true. There is none
// on a terminal that cannot (TERM=dumb) nor where it would not fit into the row.
//
// History: the last kHistoryLines, each line once in a row, in $HOTKV_HISTORY or ~/.hotkv_history,
// readable by its owner alone.
#pragma once

#include <histedit.h>

#include <string>
#include <vector>

#include "core/base/bytes.h"

namespace hotkv::cli {

// What completes and explains `line`, the text left of the cursor.
class LineAdviser {
 public:
  virtual ~LineAdviser() = default;
  virtual std::string hint(Bytes line) = 0;
  // Words that may replace the one that begins at completion_start(line).
  virtual std::vector<std::string> candidates(Bytes line) = 0;
};

class LineReader {
 public:
  static constexpr int kHistoryLines = 1000;

  explicit LineReader(LineAdviser& adviser);
  ~LineReader();
  LineReader(const LineReader&) = delete;
  LineReader& operator=(const LineReader&) = delete;

  // kGivenUp: by Ctrl-C. kEnd: Ctrl-D on an empty line, or the terminal is gone.
  enum class Result : uint8_t { kLine, kGivenUp, kEnd };
  Result read(const std::string& prompt, std::string& line);
  void remember(const std::string& line);

 private:
  // What libedit calls.
  static char* give_prompt(EditLine* edit);
  static int read_key(EditLine* edit, wchar_t* key);
  static unsigned char complete(EditLine* edit, int key);
  static unsigned char give_up(EditLine* edit, int key);
  static LineReader& self(EditLine* edit);

  Bytes typed() const;  // Left of the cursor.
  size_t draw_hint();   // Its columns; 0 = nothing drawn.
  void redraw();

  LineAdviser& adviser_;
  EditLine* edit_;
  History* history_;
  std::string history_path_;
  std::string prompt_;
  bool gives_up_ = false;
  bool can_hint_ = false;
};

}  // namespace hotkv::cli
