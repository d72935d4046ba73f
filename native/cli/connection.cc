#include "native/cli/connection.h"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "native/cli/interrupt.h"

namespace hotkv::cli {

namespace {

Status failure(const Address& address, const char* why) {
  return Status::error("Could not connect to HotKV at " + address.text() + ": " + why);
}

Status open_unix(const Address& address, int& out) {
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  if (address.socket_path.size() >= sizeof(name.sun_path)) {
    return failure(address, "the path is too long for a unix socket");
  }
  std::memcpy(name.sun_path, address.socket_path.data(), address.socket_path.size());
  int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd >= 0 && ::connect(fd, reinterpret_cast<sockaddr*>(&name), sizeof(name)) == 0) {
    out = fd;
    return {};
  }
  int error = errno;
  if (fd >= 0) ::close(fd);
  return failure(address, std::strerror(error));
}

Status open_tcp(const Address& address, int& out) {
  addrinfo wanted{}, *found = nullptr;
  wanted.ai_family = AF_UNSPEC;
  wanted.ai_socktype = SOCK_STREAM;
  int code =
      ::getaddrinfo(address.host.c_str(), std::to_string(address.port).c_str(), &wanted, &found);
  if (code != 0) return failure(address, ::gai_strerror(code));
  int error = ECONNREFUSED;
  for (addrinfo* a = found; a && out < 0; a = a->ai_next) {
    int fd = ::socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC, a->ai_protocol);
    if (fd < 0) continue;
    if (::connect(fd, a->ai_addr, a->ai_addrlen) == 0) {
      int yes = 1;
      ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
      out = fd;
    } else {
      error = errno;
      ::close(fd);
    }
  }
  ::freeaddrinfo(found);
  return out >= 0 ? Status() : failure(address, std::strerror(error));
}

}  // namespace

std::string Address::text() const {
  if (!socket_path.empty()) return socket_path;
  bool v6 = host.find(':') != std::string::npos;
  return (v6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

Status Connection::open(const Address& address) {
  close();
  return address.socket_path.empty() ? open_tcp(address, socket_) : open_unix(address, socket_);
}

void Connection::close() {
  if (socket_ >= 0) ::close(socket_);
  socket_ = -1;
  input_.clear();
  input_begin_ = 0;
  parser_ = ReplyParser();
}

bool Connection::is_dead() const {
  char byte;
  ssize_t n = ::recv(socket_, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  return n == 0 || (n < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR);
}

Status Connection::send(const std::vector<Bytes>& words) {
  std::string bytes;
  append_command(bytes, words);
  size_t sent = 0;
  while (sent < bytes.size()) {
    ssize_t n = ::send(socket_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (n > 0) {
      sent += static_cast<size_t>(n);
    } else if (errno != EINTR) {
      std::string why = std::strerror(errno);
      close();
      return Status::error("Server closed the connection: " + why);
    }
  }
  return {};
}

Status Connection::fill() {
  char buffer[64 * 1024];
  while (true) {
    const bool signalled = !wait_readable(socket_);
    if (signalled && take_interrupt()) {
      close();
      return Status::error("Interrupted: the connection is closed; the command may have been done");
    }
    if (signalled) {
      take_screen_change();  // The next prompt is drawn for the new size anyway.
      continue;
    }
    ssize_t n = ::recv(socket_, buffer, sizeof(buffer), 0);
    if (n > 0) {
      input_.append(buffer, static_cast<size_t>(n));
      return {};
    }
    if (n < 0 && errno == EINTR) continue;
    std::string why = n == 0 ? "Server closed the connection" : std::strerror(errno);
    close();
    return Status::error(why);
  }
}

Status Connection::receive(Reply& reply) {
  while (true) {
    auto state = parser_.next(Bytes(input_).substr(input_begin_), reply);
    if (state == ReplyParser::State::kError) {
      Status status = Status::error("The server does not speak RESP: " + parser_.error());
      close();
      return status;
    }
    if (state == ReplyParser::State::kReply) {
      input_begin_ += parser_.consumed();
      if (input_begin_ == input_.size()) {
        input_.clear();
        input_begin_ = 0;
      }
      return {};
    }
    Status status = fill();
    if (!status.ok()) return status;
  }
}

}  // namespace hotkv::cli
