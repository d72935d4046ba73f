#include "native/disk.h"

#include <poll.h>
#include <sys/stat.h>

#include "gtest/gtest.h"
#include "tests/native/folder.h"

namespace hotkv {
namespace {

FileOp read_op(uint64_t id, const std::string& path) {
  return {FileOp::Kind::kRead, FileOpId{id}, path, ""};
}
FileOp replace_op(uint64_t id, const std::string& path, const std::string& bytes) {
  return {FileOp::Kind::kReplace, FileOpId{id}, path, bytes};
}

// Submits the operations and waits for the bell until all are done.
std::vector<FileDone> carry_out(Disk& disk, std::vector<FileOp> ops) {
  const size_t wanted = ops.size();
  for (FileOp& op : ops) disk.submit(std::move(op));
  std::vector<FileDone> done;
  while (done.size() < wanted) {
    pollfd bell{disk.doorbell().fd(), POLLIN, 0};
    if (poll(&bell, 1, 30000) != 1) break;
    disk.doorbell().answer();
    for (FileDone& one : disk.take_done()) done.push_back(std::move(one));
  }
  EXPECT_EQ(done.size(), wanted);
  return done;
}

TEST(Disk, ReplacesAndReadsInOrder) {
  Folder folder;
  Disk disk(folder.path());
  const std::string binary("a\0b\xff", 4);
  const std::vector<FileDone> done =
      carry_out(disk, {replace_op(1, "x", "first"), read_op(2, "x"), replace_op(3, "x", binary),
                       read_op(4, folder / "x")});
  for (size_t i = 0; i < done.size(); i++) {
    EXPECT_EQ(done[i].id.value, i + 1);
    EXPECT_TRUE(done[i].status.ok()) << done[i].status.message();
  }
  EXPECT_EQ(done[1].bytes, "first");
  EXPECT_EQ(done[3].bytes, binary);
  EXPECT_EQ(folder.read("x"), binary);
}

TEST(Disk, LeavesNoTemporaryFileAndKeepsPermissions) {
  Folder folder;
  folder.write("x", "old");
  ASSERT_EQ(chmod((folder / "x").c_str(), 0600), 0);
  Disk disk(folder.path());
  EXPECT_TRUE(carry_out(disk, {replace_op(1, "x", "new")})[0].status.ok());
  size_t files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder.path()))
    files++;
  EXPECT_EQ(files, 1u);
  struct stat about;
  ASSERT_EQ(stat((folder / "x").c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 0777, 0600u);
}

TEST(Disk, MissingFileReadsAsNothing) {
  Folder folder;
  Disk disk(folder.path());
  const FileDone done = carry_out(disk, {read_op(1, "absent")})[0];
  EXPECT_TRUE(done.status.ok());
  EXPECT_EQ(done.bytes, "");
}

TEST(Disk, FailuresNameThePathAndTheReason) {
  Folder folder;
  std::filesystem::create_directory(folder / "d");
  Disk disk(folder.path());
  const std::vector<FileDone> done =
      carry_out(disk, {read_op(1, "d"), replace_op(2, "no/such/x", "a"), replace_op(3, "d", "a")});
  EXPECT_EQ(done[0].status.message(), "can't read " + (folder / "d") + ": Is a directory");
  EXPECT_NE(done[1].status.message().find("can't create " + (folder / "no/such/x.tmp-")),
            std::string::npos);
  EXPECT_NE(done[1].status.message().find("No such file or directory"), std::string::npos);
  EXPECT_EQ(done[2].status.message(),
            "can't rename a new file over " + (folder / "d") + ": Is a directory");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(Disk, AnErrorInTheMiddleOfReadingIsAFailure) {
  Folder folder;
  Disk disk(folder.path());
  const FileDone done = carry_out(disk, {read_op(1, "/proc/self/mem")})[0];
  EXPECT_NE(done.status.message().find("can't read /proc/self/mem: "), std::string::npos);
}

TEST(Disk, EndsOnlyWhenAllIsDone) {
  Folder folder;
  {
    Disk disk(folder.path());
    for (uint64_t i = 1; i <= 20; i++) disk.submit(replace_op(i, "x", std::to_string(i)));
  }
  EXPECT_EQ(folder.read("x"), "20");
}

}  // namespace
}  // namespace hotkv
