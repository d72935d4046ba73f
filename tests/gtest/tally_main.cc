// main of every GoogleTest program: runs the tests and ends with the line that scripts/test adds
// up. A skipped test counts as failed, because no gate may be skipped.
#include <cstdio>

#include "gtest/gtest.h"

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const int status = RUN_ALL_TESTS();
  const testing::UnitTest& all = *testing::UnitTest::GetInstance();
  const int failed = all.failed_test_count() + all.skipped_test_count();
  std::printf("tally: %d passed, %d failed\n", all.successful_test_count(), failed);
  return status != 0 || failed != 0 ? 1 : 0;
}
