// Connection: a blocking link of hotkv-cli to a server.
#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/resp/reply_parser.h"

namespace hotkv::cli {

struct Address {
  std::string host = "127.0.0.1";
  int port = 6379;
  std::string socket_path;  // Not empty: a unix socket instead.

  bool is_standard() const { return socket_path.empty() && host == "127.0.0.1" && port == 6379; }
  std::string text() const;
};

class Connection {
 public:
  Connection() = default;
  ~Connection() { close(); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  Status open(const Address& address);
  void close();
  bool is_open() const { return socket_ >= 0; }
  // The server has ended the connection while nothing was asked of it.
  bool is_dead() const;
  Status send(const std::vector<Bytes>& words);
  // Waits for one reply. Ctrl-C ends the wait, and with it the connection: the late reply would be
  // taken for that of the next command.
  Status receive(Reply& reply);

 private:
  Status fill();  // Waits for more bytes.

  int socket_ = -1;
  ReplyParser parser_;
  std::string input_;
  size_t input_begin_ = 0;
};

}  // namespace hotkv::cli
