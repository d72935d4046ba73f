#include "core/node/recording.h"

#include "gtest/gtest.h"

namespace hotkv {
namespace {

NodeSetup sample_setup() {
  NodeSetup setup;
  setup.seed = 0x123456789abcdef0u;
  setup.process_id = 42;
  setup.config_text = "hz 10\n";
  setup.options = {{"port", "0"}, {"requirepass", "\"a b\""}};
  return setup;
}

// The varint examples are those of the LEB128 article and of the protocol buffers' encoding guide
// (150 is 96 01); 18 bytes of name come before.
TEST(Recording, NumbersAreVarints) {
  RecordingWriter writer;
  NodeSetup setup;
  setup.seed = 150;
  writer.setup(setup);
  EXPECT_EQ(writer.bytes, std::string("HOTKV-RECORDING 1\n\x96\x01\0\0\0\0\0\0", 26));
}

TEST(Recording, ReadsBackWhatWasWritten) {
  RecordingWriter writer;
  writer.setup(sample_setup());
  const Now start{Time{5000}, Time{1767225600000000}};
  writer.input({.kind = Input::Kind::kStart}, start);
  writer.input({.kind = Input::Kind::kAccepted, .link = {7}, .bytes = "p l"}, start);
  const Now later{Time{5300}, Time{1767225599000000}};  // The wall clock was set back.
  writer.input({.kind = Input::Kind::kBytes, .link = {7}, .bytes = Bytes("a\0b", 3)}, later);
  writer.taken(LinkId{7}, 300);
  writer.input({.kind = Input::Kind::kFileDone,
                .bytes = "x",
                .file_op = {3},
                .status = Status::error("no space")},
               later);
  writer.input({.kind = Input::Kind::kListened, .status = Status::error("in use")}, later);
  writer.input({.kind = Input::Kind::kClosed, .link = {7}}, later);

  RecordingReader reader;
  ASSERT_TRUE(reader.open(writer.bytes).ok());
  EXPECT_EQ(reader.setup().seed, 0x123456789abcdef0u);
  EXPECT_EQ(reader.setup().process_id, 42);
  EXPECT_EQ(reader.setup().config_text, "hz 10\n");
  EXPECT_EQ(reader.setup().options, sample_setup().options);
  Recorded record;
  ASSERT_TRUE(reader.next(record));
  EXPECT_EQ(record.input.kind, Input::Kind::kStart);
  EXPECT_EQ(record.now.mono, start.mono);
  EXPECT_EQ(record.now.wall, start.wall);
  ASSERT_TRUE(reader.next(record));
  EXPECT_EQ(record.input.bytes, "p l");
  ASSERT_TRUE(reader.next(record));
  EXPECT_EQ(record.input.bytes, Bytes("a\0b", 3));
  EXPECT_EQ(record.now.mono, later.mono);
  EXPECT_EQ(record.now.wall, later.wall);
  ASSERT_TRUE(reader.next(record));
  EXPECT_FALSE(record.is_input);
  EXPECT_EQ(record.link.value, 7u);
  EXPECT_EQ(record.size, 300u);
  ASSERT_TRUE(reader.next(record));
  EXPECT_EQ(record.input.file_op.value, 3u);
  EXPECT_EQ(record.input.status.message(), "no space");
  EXPECT_EQ(record.input.bytes, "x");
  ASSERT_TRUE(reader.next(record));
  EXPECT_EQ(record.input.kind, Input::Kind::kListened);
  EXPECT_EQ(record.input.status.message(), "in use");
  ASSERT_TRUE(reader.next(record));
  EXPECT_EQ(record.input.kind, Input::Kind::kClosed);
  EXPECT_FALSE(reader.next(record));
  EXPECT_FALSE(reader.damaged());
}

// Whatever is cut off, what comes before is carried out and nothing breaks.
TEST(Recording, AnyBeginningCanBeReplayed) {
  RecordingWriter writer;
  writer.setup(sample_setup());
  const size_t setup_size = writer.bytes.size();
  const Now now{Time{5000}, Time{1767225600000000}};
  writer.input({.kind = Input::Kind::kStart}, now);
  writer.input({.kind = Input::Kind::kAccepted, .link = {1}, .bytes = "/s:0 /s:0"}, now);
  writer.input({.kind = Input::Kind::kBytes, .link = {1}, .bytes = "AUTH \"a b\"\r\nSET k v\r\n"},
               now);
  writer.taken(LinkId{1}, 10);
  uint64_t digest = 0;
  for (size_t size = 0; size <= writer.bytes.size(); size++) {
    Replay replay;
    const std::string part = writer.bytes.substr(0, size);
    ASSERT_EQ(replay.open(part).ok(), size >= setup_size) << size;
    if (size < setup_size) continue;
    replay.run();
    digest = replay.node().data_digest();
  }
  NodeSetup empty;
  empty.seed = sample_setup().seed;
  EXPECT_NE(digest, Node(empty).data_digest());
}

TEST(Recording, RefusesAbsurdNumbersAndOtherFiles) {
  RecordingReader reader;
  EXPECT_FALSE(reader.open("REDIS0010").ok());
  RecordingWriter writer;
  writer.setup(NodeSetup());
  writer.input({.kind = Input::Kind::kClosed, .link = {uint64_t{1} << 40}}, Now());
  Replay replay;
  ASSERT_TRUE(replay.open(writer.bytes).ok());
  replay.run();
  EXPECT_TRUE(replay.damaged());
  EXPECT_EQ(replay.inputs(), 0u);
}

}  // namespace
}  // namespace hotkv
