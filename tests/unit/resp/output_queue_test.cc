#include "core/resp/output_queue.h"

#include <gtest/gtest.h>

#include <string>

#include "core/base/random.h"

namespace hotkv {
namespace {

// Everything that waits, chunk by chunk, as a host would send it.
std::string drained(OutputQueue& queue) {
  std::string all;
  while (!queue.empty()) {
    const Bytes part = queue.pending();
    EXPECT_FALSE(part.empty());
    if (part.empty()) break;
    all += part;
    queue.taken(part.size());
  }
  return all;
}

TEST(OutputQueue, KeepsAPipelineInOnePiece) {
  OutputQueue queue;
  std::string wanted;
  for (int i = 0; i < 10000; i++) {
    queue.append("+OK\r\n");
    wanted += "+OK\r\n";
  }
  EXPECT_EQ(queue.pending(), wanted);
  EXPECT_LE(queue.capacity(), 2 * wanted.size());
}

TEST(OutputQueue, IsEmptyAndSmallAgainWhenAllIsTaken) {
  OutputQueue queue;
  const std::string block(100000, 'x');
  for (int i = 0; i < 50; i++) queue.append(block);
  EXPECT_EQ(queue.size(), 50 * block.size());
  EXPECT_EQ(drained(queue), std::string(50 * block.size(), 'x'));
  EXPECT_EQ(queue.capacity(), 0u);
  EXPECT_EQ(queue.pending(), "");
}

TEST(OutputQueue, HoldsNoMoreThanAChunkBeyondALongQueue) {
  OutputQueue queue;
  const std::string block(1000, 'x');
  while (queue.size() < 32 * OutputQueue::kChunkBytes) queue.append(block);
  EXPECT_LE(queue.capacity(), queue.size() + 2 * OutputQueue::kChunkBytes);
}

TEST(OutputQueue, NeverSplitsOneAppend) {
  OutputQueue queue;
  queue.append("small");
  const std::string large(3 * OutputQueue::kChunkBytes, 'L');
  queue.append(large);
  EXPECT_EQ(queue.pending(), "small");
  queue.taken(5);
  EXPECT_EQ(queue.pending(), large);
}

// A host may send any number of bytes; one less or more than a chunk holds is where one gets lost.
TEST(OutputQueue, LosesNothingAroundTheEndOfAChunk) {
  for (int off = -2; off <= 2; off++) {
    SCOPED_TRACE(off);
    OutputQueue queue;
    const std::string first(OutputQueue::kChunkBytes, 'a'), second(OutputQueue::kChunkBytes, 'b');
    queue.append(first);
    queue.append(second);
    ASSERT_EQ(queue.pending().size(), first.size());
    const auto sent = static_cast<size_t>(static_cast<int64_t>(first.size()) + off);
    queue.taken(sent);
    EXPECT_EQ(queue.size(), first.size() + second.size() - sent);
    EXPECT_EQ(drained(queue), (first + second).substr(sent));
  }
}

// The queue against a plain string, with sizes that cross chunks in every way.
TEST(OutputQueue, DoesWhatAStringWouldDo) {
  Random random(7);
  OutputQueue queue;
  std::string model;
  for (int round = 0; round < 4000; round++) {
    const auto size =
        static_cast<size_t>(random.below(round % 50 == 0 ? 2 * OutputQueue::kChunkBytes : 60000));
    switch (random.below(5)) {
      case 0:
      case 1: {
        const std::string bytes(size, static_cast<char>('a' + round % 26));
        queue.append(bytes);
        model += bytes;
        break;
      }
      case 2: {
        const size_t part = std::min(size, queue.pending().size());
        queue.taken(part);
        model.erase(0, part);
        break;
      }
      case 3: {
        const size_t kept = model.size() - std::min(size, model.size());
        const Bytes since = queue.since(kept);
        EXPECT_EQ(since, Bytes(model).substr(kept, since.size()));
        EXPECT_EQ(since.empty(), kept == model.size());
        queue.truncate(kept);
        model.resize(kept);
        break;
      }
      default: {
        if (round % 100 != 0) break;
        EXPECT_EQ(drained(queue), model);
        model.clear();
      }
    }
    ASSERT_EQ(queue.size(), model.size());
    ASSERT_EQ(queue.pending(), Bytes(model).substr(0, queue.pending().size()));
    ASSERT_EQ(queue.pending().empty(), model.empty());
  }
  EXPECT_EQ(drained(queue), model);
}

}  // namespace
}  // namespace hotkv
