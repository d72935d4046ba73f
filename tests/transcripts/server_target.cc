#include "tests/transcripts/server_target.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace hotkv::transcripts {
namespace {

constexpr int kStartAttempts = 3;
constexpr int kStartWaitMs = 20000;
constexpr int kStopWaitMs = 10000;

using Clock = std::chrono::steady_clock;

// A server's clock cannot be set, so `@ advance` really waits; and a process that starts or ends
// says so only when it is asked again. Nothing else here waits without a descriptor.
void let_time_pass(std::chrono::microseconds time) {
  timespec rest{};
  rest.tv_sec = time.count() / 1000000;
  rest.tv_nsec = time.count() % 1000000 * 1000;
  ppoll(nullptr, 0, &rest, nullptr);
}

sockaddr_in loopback(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

// The kernel's choice; somebody else may take it before the server does, hence the attempts.
int free_port() {
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = loopback(0);
  socklen_t size = sizeof address;
  int port = 0;
  if (bind(fd, reinterpret_cast<sockaddr*>(&address), size) == 0 &&
      getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) == 0) {
    port = ntohs(address.sin_port);
  }
  ::close(fd);
  return port;
}

int connect_to(int port) {
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = loopback(port);
  if (connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
    ::close(fd);
    return -1;
  }
  int on = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
  return fd;
}

// Reads what is there after waiting at most `wait_ms`.
Received receive_from(int fd, int wait_ms, std::string* bytes) {
  pollfd poller{fd, POLLIN, 0};
  if (poll(&poller, 1, wait_ms) <= 0) return Received::kNothing;
  char buffer[65536];
  ssize_t count = recv(fd, buffer, sizeof buffer, 0);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return Received::kNothing;
  if (count <= 0) return Received::kClosed;
  bytes->append(buffer, static_cast<size_t>(count));
  return Received::kBytes;
}

std::string field_of(const std::string& text, const std::string& name) {
  size_t at = text.find("\r\n" + name + ":");
  if (at == std::string::npos) return "";
  at += name.size() + 3;
  return text.substr(at, text.find("\r\n", at) - at);
}

}  // namespace

ServerTarget::~ServerTarget() {
  close_all();
  stop();
}

Status ServerTarget::identify() {
  Status status = begin({}, false);
  if (!status.ok()) return status;
  std::string text = ask("INFO server\r\n");
  version_ = field_of(text, "redis_version");
  is_hotkv_ = !field_of(text, "hotkv_version").empty();
  if (version_.empty()) return Status::error(binary_ + ": INFO names no redis_version");
  return Status();
}

std::vector<std::string> ServerTarget::names() const {
  if (is_hotkv_) return {"server", "hotkv"};
  return {"redis"};
}

Status ServerTarget::begin(const OptionList& options, bool fresh) {
  close_all();
  bool own = fresh || !options.empty();
  if (pid_ != 0 && is_shared_ && !own) return flush();
  stop();
  options_ = options;
  is_shared_ = !own;
  return start();
}

Status ServerTarget::start() {
  if (folder_.empty()) {
    char name[] = "/tmp/hotkv-transcripts-XXXXXX";
    if (mkdtemp(name) == nullptr) return Status::error("no temporary folder in /tmp");
    folder_ = name;
  }
  Status status;
  for (int attempt = 0; attempt < kStartAttempts; ++attempt) {
    port_ = free_port();
    std::vector<std::string> words = {binary_,        "--port",    std::to_string(port_),
                                      "--bind",       "127.0.0.1", "--dir",
                                      folder_,        "--save",    "",
                                      "--appendonly", "no",        "--enable-debug-command",
                                      "yes"};
    for (const auto& [name, value] : options_) {
      words.push_back("--" + name);
      words.push_back(value);
    }
    pid_ = fork();
    if (pid_ == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      int log = open((folder_ + "/log").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
      dup2(log, 1);
      dup2(log, 2);
      std::vector<char*> argv;
      for (std::string& word : words) argv.push_back(word.data());
      argv.push_back(nullptr);
      execvp(argv[0], argv.data());
      _exit(127);
    }
    status = wait_until_ready();
    if (status.ok()) return status;
    stop();
  }
  return status;
}

Status ServerTarget::wait_until_ready() {
  Clock::time_point limit = Clock::now() + std::chrono::milliseconds(kStartWaitMs);
  while (Clock::now() < limit) {
    if (waitpid(pid_, nullptr, WNOHANG) == pid_) {
      pid_ = 0;
      return Status::error(binary_ + " ended at its start: " + log_tail());
    }
    // Any answer will do: with a password it is NOAUTH.
    if (!ask("PING\r\n").empty()) return Status();
    let_time_pass(std::chrono::milliseconds(2));
  }
  return Status::error(binary_ + " does not answer on port " + std::to_string(port_) + ": " +
                       log_tail());
}

void ServerTarget::stop() {
  if (pid_ != 0) {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
    pid_ = 0;
  }
  if (!folder_.empty()) std::filesystem::remove_all(folder_);
  folder_.clear();
}

Status ServerTarget::flush() {
  if (ask("FLUSHALL\r\n") == "+OK\r\n") return Status();
  // The block before left it unusable (paused, stopped): the next one gets a new process.
  stop();
  return start();
}

std::string ServerTarget::ask(const std::string& request) {
  int fd = connect_to(port_);
  if (fd < 0) return "";
  std::string reply;
  if (::send(fd, request.data(), request.size(), MSG_NOSIGNAL) > 0) {
    while (reply.empty() || reply.substr(reply.size() - 2) != "\r\n") {
      if (receive_from(fd, 2000, &reply) != Received::kBytes) break;
    }
  }
  ::close(fd);
  return reply;
}

std::string ServerTarget::log_tail() const {
  std::ifstream file(folder_ + "/log");
  std::stringstream text;
  text << file.rdbuf();
  std::string all = text.str();
  return all.size() > 400 ? all.substr(all.size() - 400) : all;
}

Status ServerTarget::send(int client, const std::string& bytes) {
  auto found = sockets_.find(client);
  if (found == sockets_.end()) {
    int fd = connect_to(port_);
    if (fd < 0) return Status::error("cannot connect to port " + std::to_string(port_));
    found = sockets_.emplace(client, fd).first;
  }
  size_t sent = 0;
  while (sent < bytes.size()) {
    ssize_t count = ::send(found->second, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (count > 0) {
      sent += static_cast<size_t>(count);
    } else if (errno == EAGAIN) {
      pollfd poller{found->second, POLLOUT, 0};
      if (poll(&poller, 1, 10000) <= 0) return Status::error("the server does not read");
    } else {
      // A closed connection is what the transcript may expect: receive() reports it.
      return Status();
    }
  }
  return Status();
}

Received ServerTarget::receive(int client, int wait_ms, std::string* bytes) {
  auto found = sockets_.find(client);
  if (found == sockets_.end()) return Received::kClosed;
  return receive_from(found->second, wait_ms, bytes);
}

void ServerTarget::close(int client) {
  auto found = sockets_.find(client);
  if (found == sockets_.end()) return;
  ::close(found->second);
  sockets_.erase(found);
}

void ServerTarget::close_all() {
  for (const auto& [client, fd] : sockets_) ::close(fd);
  sockets_.clear();
}

void ServerTarget::advance(int64_t us) { let_time_pass(std::chrono::microseconds(us)); }

Status ServerTarget::restart() {
  close_all();
  kill(pid_, SIGTERM);
  Clock::time_point limit = Clock::now() + std::chrono::milliseconds(kStopWaitMs);
  while (waitpid(pid_, nullptr, WNOHANG) != pid_) {
    if (Clock::now() > limit) return Status::error(binary_ + " did not stop on SIGTERM");
    let_time_pass(std::chrono::milliseconds(2));
  }
  pid_ = 0;
  return start();
}

int64_t ServerTarget::wall_ms() const {
  auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

bool ServerTarget::take_effects(std::vector<std::vector<std::string>>*) { return false; }

}  // namespace hotkv::transcripts
