// Listeners: the TCP and unix sockets that clients connect to.
//
// `bind` is a list of addresses; a leading '-' makes one optional, `*` is every IPv4 address and
// `::*` every IPv6 address. Names are looked up. All wanted addresses must be bound, or the status
// says which could not and why.
//
// When the process runs out of descriptors, accepting rests for kRestUs: the waiting connection
// would otherwise be reported again and again.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/base/time.h"
#include "native/log.h"
#include "native/ready_set.h"

namespace hotkv {

struct Accepted {
  int fd = -1;
  std::string addresses;  // "peer local", as Input::kAccepted wants them.
};

struct TcpSetup {
  std::string bind;
  int port = 0;  // 0: no TCP.
  int backlog = 511;
  int keepalive_s = 0;  // 0: none.
};

// "127.0.0.1:50000", "[::1]:50000"; for unix sockets whose peer has no name, "?".
std::string peer_name(int fd);

class Listeners {
 public:
  static constexpr int64_t kRestUs = 100000;

  Listeners(ReadySet& ready, Log& log) : ready_(ready), log_(log) {}
  ~Listeners();
  Listeners(const Listeners&) = delete;
  Listeners& operator=(const Listeners&) = delete;

  // Replaces the TCP listeners. On failure those of before are listening again.
  Status listen_tcp(const TcpSetup& setup);
  // Takes over a socket file that nobody answers at; `permissions` 0 leaves the umask's.
  Status listen_unix(const std::string& path, unsigned permissions, int backlog);
  void set_keepalive(int seconds);

  // The next waiting connection of a listener; false when there is none. Connections beyond the
  // process's limit wait until `mono` + kRestUs.
  bool accept(uint32_t number, Time mono, Accepted& accepted);
  Time next_deadline() const { return resting_ ? rest_until_ : Time::never(); }
  void end_turn(Time mono);

  bool has_tcp() const;
  bool has_unix() const;
  void close_all();

 private:
  struct Address {
    sockaddr_storage storage{};
    socklen_t size = 0;
    bool optional = false;
    std::string text;
  };
  struct Listener {
    int fd = -1;
    std::string unix_path;  // "" for TCP.
  };

  static Status resolve(const TcpSetup& setup, std::vector<Address>& addresses);
  Status open_tcp(const TcpSetup& setup, const std::vector<Address>& addresses);
  Status add(int fd, const std::string& unix_path);
  void close_tcp();
  void watch_all(uint32_t interest);

  ReadySet& ready_;
  Log& log_;
  std::vector<Listener> listeners_;  // By number; a closed one keeps its place.
  TcpSetup tcp_;
  bool resting_ = false;
  Time rest_until_;
};

}  // namespace hotkv
