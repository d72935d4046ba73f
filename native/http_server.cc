#include "native/http_server.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/file_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/write.hpp>

namespace hotkv {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using boost::system::error_code;
using tcp = asio::ip::tcp;

namespace {

constexpr auto kNoThrow = asio::as_tuple(asio::use_awaitable);
constexpr char kPlainText[] = "text/plain; charset=utf-8";
constexpr char kPrometheusText[] = "text/plain; version=0.0.4; charset=utf-8";

std::string_view view(beast::string_view text) { return {text.data(), text.size()}; }

std::string_view path_of(std::string_view target) {
  return target.substr(0, target.find_first_of("?#"));
}

// Scripts and styles come from this server alone and none are inline; WebAssembly may be compiled.
void set_policy(http::fields& fields, std::string_view path) {
  const bool embeddable = path == "/embed.html" || path == "/embed";
  std::string policy =
      "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' data:; "
      "object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors ";
  policy += embeddable ? "*" : "'none'";
  fields.set("Content-Security-Policy", policy);
  fields.set("X-Content-Type-Options", "nosniff");
  fields.set("Referrer-Policy", "no-referrer");
  // Everything served here is public, and a player is loaded from other origins: by a page that
  // embeds the element, and by a sandboxed frame, whose origin is none.
  fields.set("Access-Control-Allow-Origin", "*");
  fields.set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()");
  if (!embeddable) fields.set("Cross-Origin-Opener-Policy", "same-origin");
}

template <class Body>
void set_common(http::response<Body>& response, unsigned version, bool keep_alive,
                std::string_view path) {
  response.version(version);
  response.keep_alive(keep_alive);
  response.set(http::field::server, "HotKV");
  response.set(http::field::date, http_date(time(nullptr)));
  set_policy(response, path);
}

// What came was no HTTP, in contrast to a connection that ended or was too slow.
bool is_malformed(error_code error) {
  return error.category() == http::make_error_code(http::error::bad_method).category() &&
         error != http::error::end_of_stream && error != http::error::partial_message;
}

bool is_unchanged(const http::fields& request, const HttpFile& file) {
  const auto none_match = request.find(http::field::if_none_match);
  if (none_match != request.end()) return matches_etag(view(none_match->value()), file.etag);
  const auto since = request.find(http::field::if_modified_since);
  time_t time = 0;
  return since != request.end() && parse_http_date(std::string(view(since->value())), time) &&
         file.modified <= time;
}

// The host of a Host header without its port; "[::1]:80" -> "::1".
std::string_view host_name(std::string_view host) {
  if (!host.empty() && host[0] == '[') {
    const size_t end = host.find(']');
    return end == std::string_view::npos ? host : host.substr(1, end - 1);
  }
  return host.substr(0, host.rfind(':'));
}

}  // namespace

HttpServer::HttpServer(asio::io_context& context, const Node& node, Log& log,
                       const HttpSetup& setup)
    : context_(context), node_(node), log_(log), setup_(setup), files_(setup.root) {}

Status HttpServer::listen() {
  const std::string where = "Failed listening on http-port " + std::to_string(setup_.port) + " (" +
                            setup_.address + "): ";
  error_code error;
  const asio::ip::address address = asio::ip::make_address(setup_.address, error);
  if (error) return Status::error(where + "http-bind is no IP address");
  const tcp::endpoint endpoint(address, static_cast<uint16_t>(setup_.port));
  tcp::acceptor acceptor(context_);
  acceptor.open(endpoint.protocol(), error);
  if (!error) acceptor.set_option(tcp::acceptor::reuse_address(true), error);
  if (!error) acceptor.bind(endpoint, error);
  if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
  if (error) return Status::error(where + error.message());
  if (files_.root().empty()) {
    log_.warning("http-root " + setup_.root +
                 " is no folder: there is no page, only /healthz and /metrics");
  }
  asio::co_spawn(context_, accept_all(std::move(acceptor)), asio::detached);
  return {};
}

std::string HttpServer::address() const {
  const bool six = setup_.address.find(':') != std::string::npos;
  const std::string host = six ? "[" + setup_.address + "]" : setup_.address;
  return "http://" + host + ":" + std::to_string(setup_.port) + "/";
}

asio::awaitable<void> HttpServer::accept_all(tcp::acceptor acceptor) {
  asio::steady_timer rest(context_);
  while (true) {
    auto [error, socket] = co_await acceptor.async_accept(kNoThrow);
    if (error == asio::error::operation_aborted) co_return;
    if (error) {
      log_.warning("Can't accept an HTTP connection: " + error.message());
      rest.expires_after(std::chrono::milliseconds(100));
      co_await rest.async_wait(kNoThrow);
      continue;
    }
    if (connections_ >= kConnections) continue;  // The socket closes: too many.
    asio::co_spawn(context_, serve(beast::tcp_stream(std::move(socket))), asio::detached);
  }
}

asio::awaitable<void> HttpServer::serve(beast::tcp_stream stream) {
  struct Counted {
    int& count;
    explicit Counted(int& counted) : count(counted) { count++; }
    ~Counted() { count--; }
  } counted(connections_);
  error_code ignored;
  stream.socket().set_option(tcp::no_delay(true), ignored);
  beast::flat_buffer buffer(kHeaderBytes * 2);
  std::chrono::milliseconds wait = setup_.times.request;
  for (bool more = true; more;) {
    http::request_parser<http::empty_body> parser;
    parser.header_limit(kHeaderBytes);
    stream.expires_after(wait);
    wait = setup_.times.idle;
    auto [error, size] = co_await http::async_read_header(stream, buffer, parser, kNoThrow);
    const bool parsed = !error;
    if (!parsed && !is_malformed(error)) break;
    stream.expires_after(setup_.times.response);
    Request& request = parser.get();
    // A body is never read, so the connection can't go on behind one.
    const bool has_body = parsed && (parser.content_length().value_or(0) > 0 || parser.chunked());
    more = parsed && !has_body && request.keep_alive();
    Answer response = parsed ? answer(request, more) : answer_malformed(error);
    auto [write_error, written] =
        co_await beast::async_write(stream, std::move(response), kNoThrow);
    if (write_error) break;
  }
  stream.socket().shutdown(tcp::socket::shutdown_send, ignored);
}

HttpServer::Answer HttpServer::answer_malformed(error_code error) const {
  const bool too_large =
      error == http::error::header_limit || error == http::error::buffer_overflow;
  return answer_text(
      Request(http::verb::get, "/", 11), false,
      too_large ? http::status::request_header_fields_too_large : http::status::bad_request,
      kPlainText, "This is no HTTP request that HotKV understands.\n");
}

HttpServer::Answer HttpServer::answer(const Request& request, bool keep_alive) const {
  const auto host = request.find(http::field::host);
  const bool has_host = host != request.end();
  if ((!has_host && request.version() >= 11) || (has_host && !is_own_host(view(host->value())))) {
    return answer_text(request, keep_alive,
                       has_host ? http::status::misdirected_request : http::status::bad_request,
                       kPlainText,
                       "This server does not answer to that host name. Names beyond localhost are "
                       "allowed by the option http-allowed-hosts.\n");
  }
  if (request.method() != http::verb::get && request.method() != http::verb::head) {
    return answer_text(request, keep_alive, http::status::method_not_allowed, kPlainText,
                       "Only GET and HEAD.\n");
  }
  const std::string_view target = view(request.target());
  const std::string_view path = path_of(target);
  if (path == "/healthz") {
    return node_.ready() ? answer_text(request, keep_alive, http::status::ok, kPlainText, "ok\n")
                         : answer_text(request, keep_alive, http::status::service_unavailable,
                                       kPlainText, "starting\n");
  }
  if (path == "/metrics") {
    return answer_text(request, keep_alive, http::status::ok, kPrometheusText,
                       node_.metrics_text());
  }
  const std::string_view encodings = view(request[http::field::accept_encoding]);
  const HttpFile file = files_.find(target, encodings);
  if (!file.path.empty() || !file.redirect.empty())
    return answer_file(request, keep_alive, file, http::status::ok);
  const HttpFile page = files_.not_found_page(encodings);
  if (!page.path.empty()) return answer_file(request, keep_alive, page, http::status::not_found);
  return answer_text(request, keep_alive, http::status::not_found, kPlainText,
                     "There is nothing here.\n");
}

HttpServer::Answer HttpServer::answer_file(const Request& request, bool keep_alive,
                                           const HttpFile& file, http::status status) const {
  const std::string_view path = path_of(view(request.target()));
  http::response<http::empty_body> bare(status, request.version());
  set_common(bare, request.version(), keep_alive, path);
  if (!file.redirect.empty()) {
    bare.result(http::status::permanent_redirect);
    bare.set(http::field::location, file.redirect);
    bare.content_length(0);
    return bare;
  }
  bare.set(http::field::etag, file.etag);
  bare.set(http::field::last_modified, file.last_modified);
  bare.set(http::field::cache_control,
           beast::string_view(file.cache_control.data(), file.cache_control.size()));
  bare.set(http::field::vary, "Accept-Encoding");
  if (status == http::status::ok && is_unchanged(request, file)) {
    bare.result(http::status::not_modified);
    return bare;
  }
  bare.set(http::field::content_type,
           beast::string_view(file.content_type.data(), file.content_type.size()));
  if (!file.encoding.empty()) {
    bare.set(http::field::content_encoding,
             beast::string_view(file.encoding.data(), file.encoding.size()));
  }
  if (request.method() == http::verb::head) {
    bare.content_length(file.size);
    return bare;
  }
  http::file_body::value_type body;
  error_code error;
  body.open(file.path.c_str(), beast::file_mode::scan, error);
  if (error) {
    log_.warning("Can't open " + file.path + ": " + error.message());
    return answer_text(request, keep_alive, http::status::internal_server_error, kPlainText,
                       "The file can't be read.\n");
  }
  http::response<http::file_body> full(std::move(bare.base()), std::move(body));
  full.prepare_payload();
  return full;
}

HttpServer::Answer HttpServer::answer_text(const Request& request, bool keep_alive,
                                           http::status status, std::string_view type,
                                           std::string text) const {
  http::response<http::string_body> response(status, request.version());
  set_common(response, request.version(), keep_alive, path_of(view(request.target())));
  response.set(http::field::content_type, beast::string_view(type.data(), type.size()));
  response.set(http::field::cache_control, "no-store");
  if (status == http::status::method_not_allowed) response.set(http::field::allow, "GET, HEAD");
  response.content_length(text.size());
  if (request.method() != http::verb::head) response.body() = std::move(text);
  return response;
}

bool HttpServer::is_own_host(std::string_view host) const {
  const std::string name(host_name(host));
  error_code error;
  asio::ip::make_address(name, error);
  if (!error || equal_ignoring_case(name, "localhost")) return true;  // Addresses can't be rebound.
  for (const std::string& allowed : setup_.allowed_hosts) {
    if (allowed == "*" || equal_ignoring_case(allowed, name)) return true;
  }
  return false;
}

}  // namespace hotkv
