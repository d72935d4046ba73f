#include "native/disk.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

namespace hotkv {

namespace {

// A file descriptor that closes itself.
class File {
 public:
  explicit File(int fd) : fd_(fd) {}
  ~File() {
    if (fd_ >= 0) ::close(fd_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  int fd() const { return fd_; }
  bool close() {
    const int fd = fd_;
    fd_ = -1;
    return ::close(fd) == 0;
  }

 private:
  int fd_;
};

Status failure(const char* what, const std::string& path) {
  return Status::error(std::string("can't ") + what + " " + path + ": " + strerror(errno));
}

Status read_whole(const std::string& path, std::string& bytes) {
  File file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.fd() < 0) return errno == ENOENT ? Status() : failure("open", path);
  struct stat about;
  if (fstat(file.fd(), &about) == 0 && about.st_size > 0) {
    bytes.reserve(static_cast<size_t>(about.st_size));
  }
  char part[64 * 1024];
  while (true) {
    const ssize_t got = read(file.fd(), part, sizeof part);
    if (got == 0) return {};
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return failure("read", path);
    bytes.append(part, static_cast<size_t>(got));
  }
}

Status write_whole(int fd, const std::string& path, Bytes bytes) {
  while (!bytes.empty()) {
    const ssize_t put = write(fd, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return failure("write", path);
    bytes.remove_prefix(static_cast<size_t>(put));
  }
  if (fsync(fd) != 0) return failure("fsync", path);
  return {};
}

std::string folder_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

Status sync_folder(const std::string& folder) {
  File file(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (file.fd() < 0) return failure("open folder", folder);
  if (fsync(file.fd()) != 0) return failure("fsync folder", folder);
  return {};
}

// After a crash at any point `path` holds either the old contents or the new ones.
Status replace_whole(const std::string& path, Bytes bytes) {
  // The process id keeps two servers in one folder, a mistake, from mixing their bytes.
  const std::string temporary = path + ".tmp-" + std::to_string(getpid());
  File file(open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  if (file.fd() < 0) return failure("create", temporary);
  struct stat before;
  if (stat(path.c_str(), &before) == 0) {
    // Not being allowed to is no reason to fail: the contents are what counts.
    [[maybe_unused]] int changed = fchmod(file.fd(), before.st_mode & 07777);
  }
  Status status = write_whole(file.fd(), temporary, bytes);
  if (status.ok() && !file.close()) status = failure("close", temporary);
  if (status.ok() && rename(temporary.c_str(), path.c_str()) != 0) {
    status = failure("rename a new file over", path);
  }
  if (!status.ok()) {
    unlink(temporary.c_str());
    return status;
  }
  return sync_folder(folder_of(path));
}

}  // namespace

Disk::~Disk() {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void Disk::submit(FileOp op) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    queue_.push_back(std::move(op));
  }
  if (thread_.joinable()) {
    wake_.notify_one();
    return;
  }
  // Signals are the loop thread's: the new thread inherits a mask that blocks them all.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::thread([this] { work(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

std::vector<FileDone> Disk::take_done() {
  std::lock_guard<std::mutex> lock(mutex_);
  std::vector<FileDone> done = std::move(done_);
  done_.clear();
  return done;
}

void Disk::work() {
  std::unique_lock<std::mutex> lock(mutex_);
  while (true) {
    wake_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
    if (queue_.empty()) return;
    FileOp op = std::move(queue_.front());
    queue_.pop_front();
    lock.unlock();
    FileDone done = carry_out(op);
    lock.lock();
    done_.push_back(std::move(done));
    doorbell_.ring();
  }
}

FileDone Disk::carry_out(const FileOp& op) const {
  FileDone done;
  done.id = op.id;
  const std::string path = absolute(op.path);
  switch (op.kind) {
    case FileOp::Kind::kRead: done.status = read_whole(path, done.bytes); break;
    case FileOp::Kind::kReplace: done.status = replace_whole(path, op.bytes); break;
  }
  return done;
}

std::string Disk::absolute(const std::string& path) const {
  return !path.empty() && path[0] == '/' ? path : directory_ + "/" + path;
}

}  // namespace hotkv
