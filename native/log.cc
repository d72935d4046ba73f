#include "native/log.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstring>
#include <ctime>

namespace hotkv {

namespace {

constexpr const char* kLevelNames[] = {"debug", "verbose", "notice", "warning"};
constexpr int kLevels = 4;

void append_time(std::string& line) {
  timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  tm utc;
  gmtime_r(&t.tv_sec, &utc);
  char text[40];
  size_t size = strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &utc);
  const int ms = static_cast<int>(t.tv_nsec / 1000000);
  text[size++] = '.';
  text[size++] = static_cast<char>('0' + ms / 100);
  text[size++] = static_cast<char>('0' + ms / 10 % 10);
  text[size++] = static_cast<char>('0' + ms % 10);
  line.append(text, size);
  line += "Z ";
}

}  // namespace

Log::~Log() {
  if (fd_ > 2) close(fd_);
}

Status Log::open(const std::string& path) {
  int fd = STDOUT_FILENO;
  if (!path.empty()) {
    fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (fd < 0) {
      return Status::error("logfile " + path + " can't be opened: " + strerror(errno));
    }
  }
  if (fd_ > 2) close(fd_);
  fd_ = fd;
  path_ = path;
  return {};
}

Status Log::reopen() { return path_.empty() ? Status() : open(path_); }

void Log::set_level(Bytes name) {
  least_ = kLevels;  // "nothing"
  for (int i = 0; i < kLevels; i++) {
    if (name == kLevelNames[i]) least_ = i;
  }
}

void Log::write(LogLevel level, Bytes text) {
  const int index = static_cast<int>(level);
  if (index < least_) return;
  line_.clear();
  append_time(line_);
  line_ += kLevelNames[index];
  line_ += ' ';
  // A line stays a line, whatever a peer may have put into the text.
  for (char c : text) line_ += c == '\n' || c == '\r' ? ' ' : c;
  line_ += '\n';
  // A full disk must not stop the server; there is nowhere to complain.
  [[maybe_unused]] ssize_t written = ::write(fd_, line_.data(), line_.size());
}

}  // namespace hotkv
