// HttpServer: the page, /healthz and /metrics over HTTP/1.1 (Boost.Beast), on the loop thread.
//
// GET and HEAD of the files of one folder (http_files.h), of `/healthz` (200 "ok" once the node is
// ready, else 503) and of `/metrics` (Prometheus text). No request has a body. Every response
// carries the security headers; only /embed.html may be framed by other sites.
//
// A browser must ask for a name that is ours: localhost, an address, or one of the allowed names.
// Otherwise a foreign page could read this server through a name of its own (DNS rebinding).
//
// Limits: kHeaderBytes of header and kConnections at once; times of a connection are HttpTimes. A
// connection that exceeds one of those is closed without an answer.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/message_generator.hpp>
#include <boost/beast/http/string_body.hpp>
#include <chrono>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/node/node.h"
#include "native/http_files.h"
#include "native/log.h"

namespace hotkv {

struct HttpTimes {
  std::chrono::milliseconds request{10000};    // From connecting to the end of the first request.
  std::chrono::milliseconds idle{60000};       // From an answer to the end of the next request.
  std::chrono::milliseconds response{120000};  // To take the whole answer.
};

struct HttpSetup {
  std::string address;  // "127.0.0.1", "::1", "0.0.0.0"
  int port = 0;
  std::string root;
  std::vector<std::string> allowed_hosts;  // Names beyond localhost; "*" = any.
  HttpTimes times;
};

class HttpServer {
 public:
  static constexpr uint32_t kHeaderBytes = 16 * 1024;
  static constexpr int kConnections = 512;

  HttpServer(boost::asio::io_context& context, const Node& node, Log& log, const HttpSetup& setup);

  Status listen();
  std::string address() const;  // "http://127.0.0.1:8080/"
  int connections() const { return connections_; }

 private:
  using Request = boost::beast::http::request<boost::beast::http::empty_body>;
  using Answer = boost::beast::http::message_generator;

  boost::asio::awaitable<void> accept_all(boost::asio::ip::tcp::acceptor acceptor);
  boost::asio::awaitable<void> serve(boost::beast::tcp_stream stream);
  Answer answer(const Request& request, bool keep_alive) const;
  Answer answer_malformed(boost::system::error_code error) const;
  Answer answer_file(const Request& request, bool keep_alive, const HttpFile& file,
                     boost::beast::http::status status) const;
  Answer answer_text(const Request& request, bool keep_alive, boost::beast::http::status status,
                     std::string_view type, std::string text) const;
  bool is_own_host(std::string_view host) const;

  boost::asio::io_context&
      context_;  // Its coroutines own all sockets and may outlive us no longer.
  const Node& node_;
  Log& log_;
  HttpSetup setup_;
  HttpFiles files_;
  int connections_ = 0;
};

}  // namespace hotkv
