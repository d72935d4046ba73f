// Law: a step is bounded. A pipeline longer than the bound, or a flood of expired keys, is worked
// off in several steps, each of which asks for more_work.
#include <gtest/gtest.h>

#include "core/node/server.h"
#include "tests/bench/node_pipe.h"

namespace hotkv {
namespace {

TEST(BoundedStep, RunsAtMostItsCommands) {
  NodePipe pipe;
  constexpr int kCommands = Node::kCommandsPerStep * 3 + 5;
  std::string bytes;
  for (int i = 0; i < kCommands; i++) append_command(bytes, {"PING"});
  uint64_t before = pipe.node().server().counts.commands;
  constexpr size_t kPong = 7;  // "+PONG\r\n"
  size_t replied = pipe.step(Input::Kind::kBytes, bytes);
  EXPECT_LE(replied / kPong, static_cast<size_t>(Node::kCommandsPerStep));
  int steps = 1;
  while (pipe.wants_more()) {
    size_t more = pipe.continue_work();
    EXPECT_LE(more / kPong, static_cast<size_t>(Node::kCommandsPerStep));
    replied += more;
    steps++;
  }
  EXPECT_EQ(replied / kPong, static_cast<size_t>(kCommands));
  EXPECT_GE(steps, 4);
  EXPECT_EQ(pipe.node().server().counts.commands - before, static_cast<uint64_t>(kCommands));
}

TEST(BoundedStep, RemovesAtMostItsExpiredKeys) {
  NodePipe pipe;
  constexpr int kKeys = 20000;
  for (int i = 0; i < kKeys; i++) {
    std::string bytes, key = bench_key(i);
    append_command(bytes, {"SET", key, "v", "PX", "1"});
    pipe.feed(bytes);
  }
  // Decided in upkeep.cc; here as a ceiling that a slice must stay under.
  constexpr size_t kRemovalsPerStepMax = 1024;
  const Keyspace& keyspace = pipe.node().server().keyspace;
  size_t before = keyspace.keys();
  pipe.upkeep();
  EXPECT_LE(before - keyspace.keys(), kRemovalsPerStepMax);
  while (pipe.wants_more()) {
    before = keyspace.keys();
    pipe.continue_work();
    EXPECT_LE(before - keyspace.keys(), kRemovalsPerStepMax);
  }
  // CASES EXP-10: while most are expired the scan goes on, so an idle node is soon rid of them.
  for (int i = 0; i < 50 && keyspace.keys() > 0; i++) {
    pipe.upkeep();
    while (pipe.wants_more()) pipe.continue_work();
  }
  EXPECT_EQ(keyspace.keys(), 0u);
}

}  // namespace
}  // namespace hotkv
