#include "native/listeners.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "core/base/bytes.h"

namespace hotkv {

namespace {

std::string address_text(const sockaddr_storage& address) {
  char host[INET6_ADDRSTRLEN] = "?";
  if (address.ss_family == AF_INET) {
    const auto& v4 = reinterpret_cast<const sockaddr_in&>(address);
    inet_ntop(AF_INET, &v4.sin_addr, host, sizeof host);
    return std::string(host) + ":" + std::to_string(ntohs(v4.sin_port));
  }
  if (address.ss_family == AF_INET6) {
    const auto& v6 = reinterpret_cast<const sockaddr_in6&>(address);
    inet_ntop(AF_INET6, &v6.sin6_addr, host, sizeof host);
    return "[" + std::string(host) + "]:" + std::to_string(ntohs(v6.sin6_port));
  }
  return host;
}

std::string local_name(int fd) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) != 0) return "?";
  return address_text(address);
}

void set_number(int fd, int level, int name, int value) {
  setsockopt(fd, level, name, &value, sizeof value);
}

// Accepted sockets inherit these from their listener, so that accepting costs one call.
void set_keepalive_of(int fd, int seconds) {
  set_number(fd, SOL_SOCKET, SO_KEEPALIVE, seconds > 0);
  if (seconds <= 0) return;
  constexpr int kProbes = 3;
  set_number(fd, IPPROTO_TCP, TCP_KEEPIDLE, seconds);
  set_number(fd, IPPROTO_TCP, TCP_KEEPINTVL, std::max(1, seconds / kProbes));
  set_number(fd, IPPROTO_TCP, TCP_KEEPCNT, kProbes);
}

Status unix_failure(const std::string& path, const std::string& reason) {
  return Status::error("Failed listening on unix socket " + path + ": " + reason);
}

// Removes the socket file of a server that is gone; leaves anything else alone.
Status clear_unix_path(const std::string& path, const sockaddr_un& address) {
  struct stat about;
  if (lstat(path.c_str(), &about) != 0) return {};
  if (!S_ISSOCK(about.st_mode)) return unix_failure(path, "another kind of file is in the way");
  const int probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (probe < 0) return unix_failure(path, strerror(errno));
  const bool alive =
      connect(probe, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  close(probe);
  if (alive) return unix_failure(path, "another server answers there");
  if (unlink(path.c_str()) != 0) {
    return unix_failure(path, std::string("can't remove the old socket: ") + strerror(errno));
  }
  return {};
}

}  // namespace

std::string peer_name(int fd) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (getpeername(fd, reinterpret_cast<sockaddr*>(&address), &size) != 0) return "?";
  return address_text(address);
}

Listeners::~Listeners() { close_all(); }

Status Listeners::listen_tcp(const TcpSetup& setup) {
  std::vector<Address> addresses;
  Status status = resolve(setup, addresses);
  if (!status.ok()) return status;
  const TcpSetup before = tcp_;
  const bool had_tcp = has_tcp();
  close_tcp();
  status = open_tcp(setup, addresses);
  if (status.ok()) {
    tcp_ = setup;
    return {};
  }
  close_tcp();
  if (!had_tcp) return status;
  std::vector<Address> old_addresses;
  Status restored = resolve(before, old_addresses);
  if (restored.ok()) restored = open_tcp(before, old_addresses);
  if (!restored.ok()) log_.warning(restored.message());
  return status;
}

Status Listeners::resolve(const TcpSetup& setup, std::vector<Address>& addresses) {
  if (setup.port == 0) return {};
  std::vector<std::string> words;
  if (!split_quoted(setup.bind, words)) return Status::error("bind: unbalanced quotes");
  if (words.empty()) words = {"*", "-::*"};
  for (const std::string& word : words) {
    const bool optional = word[0] == '-';
    std::string host = optional ? word.substr(1) : word;
    if (host == "*") host = "0.0.0.0";
    if (host == "::*") host = "::";
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV | AI_NUMERICHOST;
    addrinfo* found = nullptr;
    const std::string port = std::to_string(setup.port);
    int error = getaddrinfo(host.c_str(), port.c_str(), &hints, &found);
    if (error == EAI_NONAME) {
      hints.ai_flags &= ~AI_NUMERICHOST;
      error = getaddrinfo(host.c_str(), port.c_str(), &hints, &found);
    }
    if (error != 0) {
      if (optional) continue;
      return Status::error("Failed listening on port " + port + ": bind address '" + host +
                           "': " + gai_strerror(error));
    }
    for (const addrinfo* a = found; a; a = a->ai_next) {
      Address address;
      std::memcpy(&address.storage, a->ai_addr, a->ai_addrlen);
      address.size = a->ai_addrlen;
      address.optional = optional;
      address.text = host;
      addresses.push_back(address);
    }
    freeaddrinfo(found);
  }
  return {};
}

Status Listeners::open_tcp(const TcpSetup& setup, const std::vector<Address>& addresses) {
  if (setup.port == 0) return {};
  const std::string port = std::to_string(setup.port);
  for (const Address& address : addresses) {
    const int fd = socket(address.storage.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd >= 0) {
      set_number(fd, SOL_SOCKET, SO_REUSEADDR, 1);
      set_number(fd, IPPROTO_TCP, TCP_NODELAY, 1);
      if (address.storage.ss_family == AF_INET6) set_number(fd, IPPROTO_IPV6, IPV6_V6ONLY, 1);
      set_keepalive_of(fd, setup.keepalive_s);
    }
    if (fd < 0 ||
        bind(fd, reinterpret_cast<const sockaddr*>(&address.storage), address.size) != 0 ||
        listen(fd, setup.backlog) != 0) {
      const int error = errno;
      if (fd >= 0) close(fd);
      const bool absent = error == EADDRNOTAVAIL || error == EAFNOSUPPORT;
      if (address.optional && absent) continue;
      return Status::error("Failed listening on port " + port + " (" + address.text +
                           "): " + strerror(error));
    }
    Status status = add(fd, "");
    if (!status.ok()) return status;
  }
  if (!has_tcp()) {
    return Status::error("Failed listening on port " + port + ": no address of bind '" +
                         setup.bind + "' exists on this machine");
  }
  return {};
}

Status Listeners::listen_unix(const std::string& path, unsigned permissions, int backlog) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) return unix_failure(path, "the path is too long");
  std::memcpy(address.sun_path, path.data(), path.size());
  Status status = clear_unix_path(path, address);
  if (!status.ok()) return status;
  const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0 || bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      (permissions != 0 && chmod(path.c_str(), permissions) != 0) || listen(fd, backlog) != 0) {
    status = unix_failure(path, strerror(errno));
    if (fd >= 0) close(fd);
    return status;
  }
  return add(fd, path);
}

void Listeners::set_keepalive(int seconds) {
  tcp_.keepalive_s = seconds;
  for (const Listener& listener : listeners_) {
    if (listener.fd >= 0 && listener.unix_path.empty()) set_keepalive_of(listener.fd, seconds);
  }
}

Status Listeners::add(int fd, const std::string& unix_path) {
  // Numbers are not used again, so that a late event names no other listener.
  const uint32_t number = static_cast<uint32_t>(listeners_.size());
  listeners_.push_back({fd, unix_path});
  if (ready_.add(fd, ReadySet::kRead, {ReadySet::Source::kListener, number})) return {};
  return Status::error(std::string("Failed listening: can't watch the socket: ") + strerror(errno));
}

bool Listeners::accept(uint32_t number, Time mono, Accepted& accepted) {
  const Listener& listener = listeners_[number];
  if (listener.fd < 0 || resting_) return false;
  sockaddr_storage peer{};
  socklen_t size = sizeof peer;
  accepted.fd =
      accept4(listener.fd, reinterpret_cast<sockaddr*>(&peer), &size, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (accepted.fd < 0) {
    // EAGAIN: none waits. ECONNABORTED and its kin: that one is gone; the next is reported again.
    if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
      log_.warning(std::string("Can't accept a client: ") + strerror(errno));
      resting_ = true;
      rest_until_ = mono + microseconds(kRestUs);
      watch_all(ReadySet::kNothing);
    }
    return false;
  }
  accepted.addresses = listener.unix_path.empty()
                           ? address_text(peer) + " " + local_name(accepted.fd)
                           : listener.unix_path + ":0 " + listener.unix_path + ":0";
  return true;
}

void Listeners::end_turn(Time mono) {
  if (!resting_ || mono < rest_until_) return;
  resting_ = false;
  watch_all(ReadySet::kRead);
}

bool Listeners::has_tcp() const {
  return std::any_of(listeners_.begin(), listeners_.end(), [](const Listener& listener) {
    return listener.fd >= 0 && listener.unix_path.empty();
  });
}

bool Listeners::has_unix() const {
  return std::any_of(listeners_.begin(), listeners_.end(), [](const Listener& listener) {
    return listener.fd >= 0 && !listener.unix_path.empty();
  });
}

void Listeners::close_tcp() {
  for (Listener& listener : listeners_) {
    if (listener.fd < 0 || !listener.unix_path.empty()) continue;
    close(listener.fd);
    listener.fd = -1;
  }
}

void Listeners::close_all() {
  close_tcp();
  for (Listener& listener : listeners_) {
    if (listener.fd < 0) continue;
    close(listener.fd);
    listener.fd = -1;
    unlink(listener.unix_path.c_str());
  }
}

void Listeners::watch_all(uint32_t interest) {
  for (uint32_t i = 0; i < listeners_.size(); i++) {
    if (listeners_[i].fd < 0) continue;
    ready_.change(listeners_[i].fd, interest, {ReadySet::Source::kListener, i});
  }
}

}  // namespace hotkv
