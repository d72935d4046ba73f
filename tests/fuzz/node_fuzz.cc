// A whole node under commands made of the command table's own words, on three links, with time
// passing: it never stops, and every byte it answers is RESP.
#include <cstdint>
#include <string>
#include <vector>

#include "core/command/command_table.h"
#include "core/node/node.h"
#include "core/node/server.h"
#include "core/resp/reply_parser.h"
#include "tests/fuzz/invariant.h"

namespace {

using hotkv::Bytes;
using hotkv::Input;
using hotkv::LinkId;

constexpr int kLinks = 3;
constexpr const char* kWords[] = {"k1",
                                  "k2",
                                  "k3",
                                  "value",
                                  "10",
                                  "-1",
                                  "0",
                                  "1",
                                  "1.5",
                                  "1e400",
                                  "nan",
                                  "inf",
                                  "",
                                  "*",
                                  "k?",
                                  "NX",
                                  "XX",
                                  "GET",
                                  "EX",
                                  "PX",
                                  "EXAT",
                                  "PXAT",
                                  "IFEQ",
                                  "KEEPTTL",
                                  "ID",
                                  "YES",
                                  "NO",
                                  "ON",
                                  "OFF",
                                  "SKIP",
                                  "ALL",
                                  "COUNT",
                                  "MATCH",
                                  "TYPE",
                                  "string",
                                  "MAXLEN",
                                  "9223372036854775807",
                                  "-9223372036854775808",
                                  "4611686018427387904",
                                  "LEN",
                                  "IDX",
                                  "REPLACE",
                                  "DB",
                                  "ASYNC",
                                  "SYNC",
                                  "IFDEQ",
                                  "LBOUND",
                                  "UBOUND",
                                  "SATURATE"};
constexpr size_t kWordCount = sizeof(kWords) / sizeof(kWords[0]);

class Choices {
 public:
  Choices(const uint8_t* data, size_t size) : data_(data), size_(size) {}
  bool empty() const { return at_ >= size_; }
  size_t below(size_t bound) { return empty() ? 0 : data_[at_++] % bound; }

 private:
  const uint8_t* data_;
  size_t size_;
  size_t at_ = 0;
};

class Harness {
 public:
  Harness() : node_(setup()) {
    now_.mono = hotkv::Time{} + hotkv::seconds(1000);
    now_.wall = hotkv::Time{} + hotkv::seconds(1800000000);
    step(Input::Kind::kStart, 0, Bytes());
    for (uint64_t link = 1; link <= kLinks; link++) accept(link);
  }

  const hotkv::CommandTable& table() { return node_.server().table; }
  bool ended() const { return ended_; }

  void send(uint64_t link, Bytes bytes) { step(Input::Kind::kBytes, link, bytes); }

  void advance(hotkv::Duration by) {
    now_.mono = now_.mono + by;
    now_.wall = now_.wall + by;
    step(Input::Kind::kTimer, 0, Bytes());
  }

 private:
  static hotkv::NodeSetup setup() {
    hotkv::NodeSetup setup;
    setup.seed = 1;
    setup.options = {{"enable-debug-command", "yes"}};
    return setup;
  }

  void accept(uint64_t link) {
    unread_[link].clear();
    step(Input::Kind::kAccepted, link, "127.0.0.1:50001 127.0.0.1:6379");
  }

  void step(Input::Kind kind, uint64_t link, Bytes bytes) {
    Input input;
    input.kind = kind;
    input.link = LinkId{link};
    input.bytes = bytes;
    hotkv::Outputs outputs;
    node_.step(input, now_, outputs);
    carry_out(outputs);
  }

  void carry_out(hotkv::Outputs& outputs) {
    if (outputs.exit) ended_ = true;
    for (LinkId link : outputs.writable) read_replies(link);
    for (hotkv::FileOp& op : outputs.files) {
      Input input;
      input.kind = Input::Kind::kFileDone;
      input.file_op = op.id;
      hotkv::Outputs after;
      node_.step(input, now_, after);
      carry_out(after);
    }
    if (outputs.listen) step(Input::Kind::kListened, 0, Bytes());
    for (const hotkv::Close& close : outputs.closes) {
      if (close.after_flush) read_replies(close.link);
      step(Input::Kind::kClosed, close.link.value, Bytes());
      if (!ended_) accept(close.link.value);
    }
    if (outputs.more_work && !ended_) step(Input::Kind::kTimer, 0, Bytes());
  }

  void read_replies(LinkId link) {
    std::string& unread = unread_[link.value];
    for (Bytes bytes = node_.pending(link); !bytes.empty(); bytes = node_.pending(link)) {
      unread.append(bytes);
      node_.taken(link, bytes.size());
    }
    while (!unread.empty()) {
      hotkv::ReplyParser parser;
      hotkv::Reply reply;
      auto state = parser.next(unread, reply);
      invariant(state != hotkv::ReplyParser::State::kError, "what a node sends is RESP");
      if (state == hotkv::ReplyParser::State::kNeedMore) return;
      unread.erase(0, parser.consumed());
    }
  }

  hotkv::Node node_;
  hotkv::Now now_;
  std::string unread_[kLinks + 1];
  bool ended_ = false;
};

std::vector<Bytes> draw_command(Choices& input, const hotkv::CommandTable& table) {
  std::vector<Bytes> words;
  const hotkv::CommandSpec& spec = *table.all()[input.below(table.all().size())];
  words.push_back(spec.name);
  if (!spec.subcommands.empty() && input.below(8) != 0) {
    words.push_back(spec.subcommands[input.below(spec.subcommands.size())].name);
    if (words.back() == "panic") words.back() = "help";  // It stops the program on purpose.
  }
  size_t count = input.below(7);
  for (size_t i = 0; i < count; i++) words.push_back(kWords[input.below(kWordCount)]);
  return words;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Harness harness;
  Choices input(data, size);
  while (!input.empty() && !harness.ended()) {
    uint64_t link = 1 + input.below(kLinks);
    switch (input.below(16)) {
      case 0: harness.advance(hotkv::milliseconds(1 << input.below(20))); break;
      case 1: {
        std::string raw;
        for (size_t left = input.below(24); left > 0; left--) {
          raw.push_back(static_cast<char>(input.below(256)));
        }
        harness.send(link, raw + "\r\n");
        break;
      }
      default: {
        std::string bytes;
        hotkv::append_command(bytes, draw_command(input, harness.table()));
        harness.send(link, bytes);
        break;
      }
    }
  }
  return 0;
}
