// HttpServer with real sockets and short times: who dawdles is dropped, others are served.
#include "native/http_server.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <functional>
#include <memory>

#include "gtest/gtest.h"
#include "tests/native/folder.h"

namespace hotkv {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kShort{150};
constexpr milliseconds kLong{60000};  // Never over in a test.
constexpr size_t kLargeBytes = 32 << 20;

sockaddr_in address_of(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

int free_port() {
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = address_of(0);
  socklen_t size = sizeof address;
  EXPECT_EQ(bind(fd, reinterpret_cast<sockaddr*>(&address), size), 0);
  EXPECT_EQ(getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size), 0);
  close(fd);
  return ntohs(address.sin_port);
}

class Visitor {
 public:
  explicit Visitor(int port) : fd_(socket(AF_INET, SOCK_STREAM, 0)) {
    const sockaddr_in address = address_of(port);
    EXPECT_EQ(connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    fcntl(fd_, F_SETFL, O_NONBLOCK);
  }
  ~Visitor() { close(fd_); }
  Visitor(const Visitor&) = delete;
  Visitor& operator=(const Visitor&) = delete;

  void send(const std::string& text) {
    EXPECT_EQ(::send(fd_, text.data(), text.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(text.size()));
  }
  // Takes what has come.
  void read() {
    char buffer[65536];
    ssize_t size;
    while ((size = recv(fd_, buffer, sizeof buffer, 0)) > 0) {
      text_.append(buffer, static_cast<size_t>(size));
    }
    ended_ = ended_ || size == 0 || (errno != EAGAIN && errno != EINTR);
  }
  const std::string& text() const { return text_; }
  bool ended() const { return ended_; }

 private:
  int fd_;
  std::string text_;
  bool ended_ = false;
};

class HttpServerTest : public testing::Test {
 protected:
  void start(HttpTimes times) {
    // The coroutines of a server of before use it, so they go first.
    context_ = std::make_unique<boost::asio::io_context>();
    folder_.write("site/index.html", "home");
    port_ = free_port();
    HttpSetup setup;
    setup.address = "127.0.0.1";
    setup.port = port_;
    setup.root = folder_ / "site";
    setup.times = times;
    EXPECT_TRUE(log_.open(folder_ / "log").ok());
    server_ = std::make_unique<HttpServer>(*context_, node_, log_, setup);
    const Status status = server_->listen();
    ASSERT_TRUE(status.ok()) << status.message();
  }
  void write_large_file() { folder_.write("site/large.bin", std::string(kLargeBytes, 'x')); }
  ~HttpServerTest() override { context_.reset(); }

  // Runs the server until `done` holds; false when that takes too long.
  bool run_until(const std::function<bool()>& done) {
    const auto end = Clock::now() + std::chrono::seconds(30);
    while (!done()) {
      if (Clock::now() > end) return false;
      context_->run_one_for(milliseconds(10));
    }
    return true;
  }
  bool is_dropped_after(milliseconds time, Clock::time_point begin) {
    return run_until([&] { return server_->connections() == 0; }) && Clock::now() - begin >= time;
  }
  void expect_others_are_served() {
    const int before = server_->connections();
    Visitor other(port_);
    other.send("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    EXPECT_TRUE(run_until([&] {
      other.read();
      return other.ended();
    }));
    EXPECT_EQ(other.text().substr(0, 15), "HTTP/1.1 200 OK");
    EXPECT_TRUE(run_until([&] { return server_->connections() == before; }));
  }

  static NodeSetup node_setup() {
    NodeSetup setup;
    setup.seed = 1;
    return setup;
  }

  Folder folder_;
  Log log_;
  Node node_{node_setup()};
  std::unique_ptr<HttpServer> server_;
  std::unique_ptr<boost::asio::io_context> context_;
  int port_ = 0;
};

TEST_F(HttpServerTest, DropsWhoSendsNothingOrHalfARequest) {
  for (const char* part : {"", "GET / HT", "GET / HTTP/1.1\r\nHost: localhost\r\nX: y"}) {
    SCOPED_TRACE(part);
    start({.request = kLong, .idle = kLong, .response = kLong});
    Visitor patient(port_);
    patient.send(part);
    ASSERT_TRUE(run_until([&] { return server_->connections() == 1; }));
    expect_others_are_served();
    EXPECT_EQ(server_->connections(), 1) << "dropped before its time";

    start({.request = kShort, .idle = kLong, .response = kLong});
    const auto begin = Clock::now();
    Visitor slow(port_);
    slow.send(part);
    ASSERT_TRUE(run_until([&] { return server_->connections() == 1; }));
    EXPECT_TRUE(is_dropped_after(kShort, begin));
    EXPECT_TRUE(run_until([&] {
      slow.read();
      return slow.ended();
    }));
    EXPECT_EQ(slow.text(), "") << "a half request is not answered";
  }
}

// Each byte in time does not add up to time for the whole.
TEST_F(HttpServerTest, DropsWhoSendsDropByDrop) {
  start({.request = kShort, .idle = kLong, .response = kLong});
  const auto begin = Clock::now();
  Visitor slow(port_);
  slow.send("GET / HTTP/1.1\r\nHost: localhost\r\nX: ");
  ASSERT_TRUE(run_until([&] { return server_->connections() == 1; }));
  auto next = begin;
  EXPECT_TRUE(run_until([&] {
    if (server_->connections() > 0 && Clock::now() >= next) {
      slow.send("y");
      next = Clock::now() + milliseconds(20);
    }
    return server_->connections() == 0;
  }));
  EXPECT_GE(Clock::now() - begin, kShort);
}

TEST_F(HttpServerTest, DropsWhoNeverReads) {
  write_large_file();
  start({.request = kLong, .idle = kLong, .response = kShort});
  const auto begin = Clock::now();
  Visitor deaf(port_);
  deaf.send("GET /large.bin HTTP/1.1\r\nHost: localhost\r\n\r\n");
  ASSERT_TRUE(run_until([&] { return server_->connections() == 1; }));
  EXPECT_TRUE(is_dropped_after(kShort, begin));
  EXPECT_TRUE(run_until([&] {
    deaf.read();
    return deaf.ended();
  }));
  EXPECT_LT(deaf.text().size(), kLargeBytes) << "the answer did not fit into the sockets' buffers";
  expect_others_are_served();
}

TEST_F(HttpServerTest, DropsWhoAsksNothingMore) {
  start({.request = kLong, .idle = kShort, .response = kLong});
  Visitor idle(port_);
  const auto begin = Clock::now();
  idle.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  ASSERT_TRUE(run_until([&] { return server_->connections() == 1; }));
  EXPECT_TRUE(is_dropped_after(kShort, begin));
  EXPECT_TRUE(run_until([&] {
    idle.read();
    return idle.ended();
  }));
  EXPECT_EQ(idle.text().substr(0, 15), "HTTP/1.1 200 OK");
}

// While one never reads, others are served.
TEST_F(HttpServerTest, ServesOthersWhileOneNeverReads) {
  write_large_file();
  start({.request = kLong, .idle = kLong, .response = kLong});
  Visitor deaf(port_);
  deaf.send("GET /large.bin HTTP/1.1\r\nHost: localhost\r\n\r\n");
  ASSERT_TRUE(run_until([&] { return server_->connections() == 1; }));
  for (int i = 0; i < 3; i++) expect_others_are_served();
  EXPECT_EQ(server_->connections(), 1) << "dropped before its time";
}

}  // namespace
}  // namespace hotkv
