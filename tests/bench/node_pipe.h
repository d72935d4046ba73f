// NodePipe: a node with one client and no host: commands go in, replies are dropped. For laws and
// instruction counts, where sockets would only add noise.
#pragma once

#include <string>

#include "core/node/node.h"
#include "core/resp/reply_parser.h"

namespace hotkv {

class NodePipe {
 public:
  NodePipe() : node_(setup()) {
    step(Input::Kind::kStart, {});
    settle();
    step(Input::Kind::kAccepted, "127.0.0.1:50000 127.0.0.1:6379");
  }

  // Feeds bytes of whole commands and lets the node finish with them; answers how many bytes it
  // replied.
  size_t feed(Bytes commands) {
    size_t replied = step(Input::Kind::kBytes, commands);
    while (outputs_.more_work) replied += step(Input::Kind::kTimer, {});
    return replied;
  }
  Node& node() { return node_; }
  // The step at its next deadline: upkeep.
  void upkeep() {
    now_.mono = now_.mono + milliseconds(100);
    now_.wall = now_.wall + milliseconds(100);
    step(Input::Kind::kTimer, {});
  }
  bool wants_more() const { return outputs_.more_work; }
  size_t continue_work() { return step(Input::Kind::kTimer, {}); }
  size_t step(Input::Kind kind, Bytes bytes) {
    outputs_.clear();
    Input input;
    input.kind = kind;
    input.link = LinkId{1};
    input.bytes = bytes;
    node_.step(input, now_, outputs_);
    size_t replied = 0;
    for (Bytes waits; !(waits = node_.pending(LinkId{1})).empty();) {
      replied += waits.size();
      node_.taken(LinkId{1}, waits.size());
    }
    return replied;
  }

 private:
  static NodeSetup setup() {
    NodeSetup setup;
    setup.seed = 1;
    return setup;
  }
  // Answers file operations until the lock epoch is durable.
  void settle() {
    while (!outputs_.files.empty()) {
      FileOpId id = outputs_.files[0].id;
      outputs_.clear();
      Input done;
      done.kind = Input::Kind::kFileDone;
      done.file_op = id;
      node_.step(done, now_, outputs_);
    }
  }

  Node node_;
  Now now_{{1000000}, {1767225600000000}};
  Outputs outputs_;
};

// "key:0000000042": 16 bytes, like the names of the benchmark.
inline std::string bench_key(int64_t n) {
  std::string digits = std::to_string(n);
  return "key:" + std::string(12 - digits.size(), '0') + digits;
}

}  // namespace hotkv
