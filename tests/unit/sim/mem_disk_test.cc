#include "core/sim/mem_disk.h"

#include <gtest/gtest.h>

#include <string>

namespace hotkv::sim {
namespace {

FileOp replace(const std::string& path, const std::string& bytes) {
  return {FileOp::Kind::kReplace, FileOpId{1}, path, bytes};
}

FileOp read(const std::string& path) { return {FileOp::Kind::kRead, FileOpId{2}, path, {}}; }

TEST(MemDisk, ReadsWhatWasWritten) {
  MemDisk disk;
  std::string bytes;
  EXPECT_TRUE(disk.complete(replace("a", std::string("1\0\n", 3)), bytes).ok());
  EXPECT_TRUE(disk.complete(replace("b", "2"), bytes).ok());
  EXPECT_TRUE(disk.complete(replace("b", ""), bytes).ok());
  EXPECT_TRUE(disk.complete(read("a"), bytes).ok());
  EXPECT_EQ(bytes, std::string("1\0\n", 3));
  EXPECT_TRUE(disk.complete(read("b"), bytes).ok());
  EXPECT_EQ(bytes, "");
  EXPECT_EQ(disk.files().size(), 2u);
}

TEST(MemDisk, AMissingFileIsAReadOfNoBytes) {
  MemDisk disk;
  std::string bytes = "left over";
  EXPECT_TRUE(disk.complete(read("absent"), bytes).ok());
  EXPECT_EQ(bytes, "");
  EXPECT_TRUE(disk.files().empty());
}

TEST(MemDisk, AnIllDiskNamesTheFileAndChangesNothing) {
  MemDisk disk;
  std::string bytes;
  EXPECT_TRUE(disk.complete(replace("a", "old"), bytes).ok());
  disk.set_failure("No space left on device");
  Status status = disk.complete(replace("a", "new"), bytes);
  EXPECT_EQ(status.message(), "a: No space left on device");
  EXPECT_FALSE(disk.complete(read("a"), bytes).ok());
  EXPECT_EQ(disk.files().at("a"), "old");
  disk.set_failure("");
  EXPECT_TRUE(disk.complete(read("a"), bytes).ok());
  EXPECT_EQ(bytes, "old");
}

}  // namespace
}  // namespace hotkv::sim
