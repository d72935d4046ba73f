#include "native/process.h"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "core/base/check.h"

namespace hotkv {

uint64_t random_seed() {
  uint64_t seed = 0;
  HOTKV_CHECK(getrandom(&seed, sizeof seed, 0) == sizeof seed);
  return seed;
}

std::string executable_path() {
  char path[PATH_MAX];
  const ssize_t size = readlink("/proc/self/exe", path, sizeof path);
  return size > 0 ? std::string(path, static_cast<size_t>(size)) : std::string();
}

std::string operating_system() {
  utsname name;
  if (uname(&name) != 0) return "unknown";
  return std::string(name.sysname) + " " + name.release + " " + name.machine;
}

std::string absolute_path(const std::string& path) {
  char* resolved = realpath(path.c_str(), nullptr);
  if (!resolved) return path;
  std::string absolute = resolved;
  free(resolved);
  return absolute;
}

uint64_t resident_bytes() {
  const int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  char text[128];
  const ssize_t size = read(fd, text, sizeof text - 1);
  close(fd);
  if (size <= 0) return 0;
  text[size] = '\0';
  const char* second = strchr(text, ' ');
  if (!second) return 0;
  return strtoull(second, nullptr, 10) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

uint64_t cpu_us(bool user) {
  rusage usage;
  if (getrusage(RUSAGE_SELF, &usage) != 0) return 0;
  const timeval& t = user ? usage.ru_utime : usage.ru_stime;
  return static_cast<uint64_t>(t.tv_sec) * 1000000 + static_cast<uint64_t>(t.tv_usec);
}

int64_t raise_open_files(int64_t clients) {
  constexpr int64_t kReserve = 32;  // Listeners, log, disk, HTTP's first connections.
  rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return clients;
  const rlim_t wanted = static_cast<rlim_t>(clients + kReserve);
  if (limit.rlim_cur >= wanted) return clients;
  rlimit raised = limit;
  raised.rlim_cur = wanted;
  raised.rlim_max = std::max(limit.rlim_max, wanted);
  if (setrlimit(RLIMIT_NOFILE, &raised) == 0) return clients;
  raised.rlim_max = limit.rlim_max;  // Not privileged: as far as the hard limit goes.
  raised.rlim_cur = std::min(wanted, limit.rlim_max);
  if (setrlimit(RLIMIT_NOFILE, &raised) != 0) raised = limit;
  return std::clamp<int64_t>(static_cast<int64_t>(raised.rlim_cur) - kReserve, 0, clients);
}

void stand_still(int64_t us) {
  timespec left{us / 1000000, us % 1000000 * 1000};
  while (nanosleep(&left, &left) != 0 && errno == EINTR) {
  }
}

Status go_to_background() {
  const pid_t child = fork();
  if (child < 0) return Status::error(std::string("daemonize: fork failed: ") + strerror(errno));
  if (child > 0) _exit(0);
  setsid();
  const int nowhere = open("/dev/null", O_RDWR);
  if (nowhere < 0) return Status::error("daemonize: can't open /dev/null");
  for (int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nowhere, fd);
  if (nowhere > STDERR_FILENO) close(nowhere);
  return {};
}

Status write_pid_file(const std::string& path) {
  const std::string text = std::to_string(getpid()) + "\n";
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (fd < 0) return Status::error("pidfile " + path + " can't be written: " + strerror(errno));
  const bool written = write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  close(fd);
  return written ? Status() : Status::error("pidfile " + path + " can't be written");
}

void remove_pid_file(const std::string& path) { unlink(path.c_str()); }

}  // namespace hotkv
