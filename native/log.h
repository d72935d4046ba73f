// Log: lines of `time level text` to standard output or a file.
//
//   2026-01-02T03:04:05.678Z notice Ready to accept connections tcp
//
// One write per line, so that lines of several processes do not mix. Loop thread only.
#pragma once

#include <string>

#include "core/base/bytes.h"
#include "core/base/io.h"
#include "core/base/result.h"

namespace hotkv {

class Log {
 public:
  Log() = default;
  ~Log();
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  // "" = standard output. The file is appended to and created when missing.
  Status open(const std::string& path);
  Status reopen();  // After log rotation; nothing for standard output.
  // debug, verbose, notice, warning or nothing.
  void set_level(Bytes name);

  void write(LogLevel level, Bytes text);
  void notice(Bytes text) { write(LogLevel::kNotice, text); }
  void warning(Bytes text) { write(LogLevel::kWarning, text); }

 private:
  std::string path_;
  int fd_ = 1;
  int least_ = static_cast<int>(LogLevel::kNotice);
  std::string line_;
};

}  // namespace hotkv
