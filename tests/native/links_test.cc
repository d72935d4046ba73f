// Links with a real node and real sockets; time is handed in.
#include "native/links.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

#include "gtest/gtest.h"
#include "tests/native/folder.h"

namespace hotkv {
namespace {

NodeSetup setup_with(std::vector<std::pair<std::string, std::string>> options) {
  NodeSetup setup;
  setup.seed = 1;
  setup.options = std::move(options);
  return setup;
}

// The loop of the driver, turn by turn.
class LinksTest : public testing::Test {
 protected:
  LinksTest()
      : node_(setup_with({{"client-output-pause-bytes", "1024"}})), links_(node_, ready_, log_) {
    EXPECT_TRUE(log_.open(folder_ / "log").ok());
    step({.kind = Input::Kind::kStart});
  }
  ~LinksTest() override {
    for (int fd : peers_) close(fd);
  }

  // A client's socket, connected to a new link.
  int connect() {
    int ends[2];
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends), 0);
    const LinkId link = links_.open(ends[1]);
    step({.kind = Input::Kind::kAccepted, .link = link, .bytes = "/s:0 /s:0"});
    last_ = link;
    peers_.push_back(ends[0]);
    return ends[0];
  }

  void step(const Input& input) {
    outputs_.clear();
    node_.step(input, now_, outputs_);
    for (LinkId link : outputs_.writable) links_.flush(link);
    for (const Close& request : outputs_.closes) links_.close(request);
    work_left_ |= outputs_.more_work;
    LinkId gone;
    while (links_.take_closed(gone)) {
      outputs_.clear();
      node_.step({.kind = Input::Kind::kClosed, .link = gone}, now_, outputs_);
    }
  }

  // Turns until nothing is ready any more.
  void run() {
    for (int idle = 0; idle < 2;) {
      const int count = ready_.wait(0);
      links_.begin_turn(now_.mono);
      idle = count == 0 && !work_left_ ? idle + 1 : 0;
      for (int i = 0; i < count; i++) {
        const ReadySet::Event event = ready_.event(i);
        const LinkId link{event.token.number};
        if (event.writable) links_.flush(link);
        const Bytes bytes = links_.read(link, work_left_);
        if (!bytes.empty()) {
          step({.kind = Input::Kind::kBytes, .link = link, .bytes = bytes});
          links_.settle(link);
        }
        if (event.broken) links_.handle_broken(link);
      }
      work_left_ = false;
      step({.kind = Input::Kind::kTimer});
      links_.end_turn(now_.mono, work_left_);
      step({.kind = Input::Kind::kTimer});
    }
  }

  void pass(int64_t seconds) {
    now_.mono.us += seconds * 1000000;
    now_.wall.us += seconds * 1000000;
  }

  std::string received(int fd) {
    std::string all;
    char part[4096];
    ssize_t got;
    while ((got = recv(fd, part, sizeof part, 0)) > 0) all.append(part, static_cast<size_t>(got));
    ended_ = got == 0;
    return all;
  }

  void send_all(int fd, const std::string& text) {
    ASSERT_EQ(send(fd, text.data(), text.size(), MSG_NOSIGNAL), static_cast<ssize_t>(text.size()));
  }

  Folder folder_;
  Log log_;
  Node node_;
  ReadySet ready_;
  Links links_;
  Outputs outputs_;
  Now now_{Time{1000000}, Time{1767225600000000}};
  bool work_left_ = false;
  bool ended_ = false;
  LinkId last_;
  std::vector<int> peers_;
};

TEST_F(LinksTest, ServesAndUsesNumbersAgain) {
  const int first = connect();
  EXPECT_EQ(last_.value, 1u);
  send_all(first, "PING\r\n");
  run();
  EXPECT_EQ(received(first), "+PONG\r\n");
  close(first);
  peers_.clear();
  run();
  EXPECT_EQ(links_.size(), 0u);
  connect();
  EXPECT_EQ(last_.value, 1u);
}

TEST_F(LinksTest, AnswersEverythingThatWasAskedBeforeTheEnd) {
  const int client = connect();
  std::string pipeline, expected;
  for (int i = 0; i < 5000; i++) pipeline += "PING\r\n", expected += "+PONG\r\n";
  send_all(client, pipeline);
  ASSERT_EQ(shutdown(client, SHUT_WR), 0);
  std::string replies;
  for (int turns = 0; turns < 100 && !ended_; turns++) {
    run();
    replies += received(client);
  }
  EXPECT_TRUE(ended_);
  EXPECT_EQ(replies, expected);
}

TEST_F(LinksTest, ALastReplyArrivesAlthoughMoreInputFollows) {
  const int client = connect();
  send_all(client, "QUIT\r\n" + std::string(100000, 'x'));
  run();
  EXPECT_EQ(received(client), "+OK\r\n");
  EXPECT_TRUE(ended_);
  EXPECT_EQ(links_.size(), 0u);
  EXPECT_NE(links_.next_deadline(), Time::never());  // Draining until the client ends its side.
  pass(2);
  run();
  EXPECT_EQ(links_.next_deadline(), Time::never());
}

TEST_F(LinksTest, AClientThatNeverReadsIsPausedAndThenClosed) {
  const int client = connect();
  int size = 4096;
  ASSERT_EQ(setsockopt(client, SOL_SOCKET, SO_RCVBUF, &size, sizeof size), 0);
  send_all(client, "SET k " + std::string(1000, 'v') + "\r\n");
  run();
  std::string gets;
  for (int i = 0; i < 1000; i++) gets += "GET k\r\n";
  // Writes until the server stops reading: both socket buffers are full.
  for (int full = 0; full < 3;) {
    const ssize_t sent = send(client, gets.data(), gets.size(), MSG_NOSIGNAL);
    full = sent < 0 && errno == EAGAIN ? full + 1 : 0;
    run();
  }
  EXPECT_FALSE(node_.reads(last_));
  EXPECT_LT(node_.pending(last_).size(), 4u << 20);  // The pause limit and one buffer's commands.
  pass(59);
  run();
  EXPECT_EQ(links_.size(), 1u);
  pass(2);
  run();
  EXPECT_EQ(links_.size(), 0u);
  EXPECT_NE(folder_.read("log").find("it took none of its replies for 60 s"), std::string::npos);
}

TEST_F(LinksTest, APausedClientThatReadsGoesOn) {
  const int client = connect();
  send_all(client, "SET k " + std::string(1000, 'v') + "\r\n");
  run();
  received(client);
  std::string gets;
  for (int i = 0; i < 1000; i++) gets += "GET k\r\n";
  send_all(client, gets);
  size_t bytes = 0;
  for (int turns = 0; turns < 1000; turns++) {
    run();
    bytes += received(client).size();
    pass(1);
  }
  EXPECT_EQ(bytes, 1000u * (std::string("$1000\r\n").size() + 1000 + 2));
  EXPECT_EQ(links_.size(), 1u);
}

}  // namespace
}  // namespace hotkv
