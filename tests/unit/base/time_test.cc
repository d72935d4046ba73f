#include "core/base/time.h"

#include <gtest/gtest.h>

#include "core/base/check.h"

namespace hotkv {
namespace {

enum class Alarm { kFirst, kSecond, kCount };

TEST(Time, CountsInMicroseconds) {
  EXPECT_EQ(seconds(2).us, 2000000);
  EXPECT_EQ((Time{1500} + milliseconds(2)).us, 3500);
  EXPECT_EQ((Time{3500} - Time{1500}).us, 2000);
  EXPECT_EQ((Time{1999}).ms(), 1);
  EXPECT_TRUE(Time{5} < Time::never());
}

TEST(Time, TimerTableKnowsTheNextDeadline) {
  TimerTable<Alarm> timers;
  EXPECT_EQ(timers.next(), Time::never());
  timers.set(Alarm::kFirst, {20});
  timers.set(Alarm::kSecond, {10});
  EXPECT_EQ(timers.next(), Time{10});
  EXPECT_TRUE(timers.due(Alarm::kSecond, {10}));
  EXPECT_FALSE(timers.due(Alarm::kFirst, {19}));
  timers.stop(Alarm::kSecond);
  EXPECT_EQ(timers.next(), Time{20});
}

#if GTEST_HAS_DEATH_TEST  // Not in wasm, which has no processes.
TEST(Check, StopsAfterTellingTheHook) {
  auto hook = [](const char* expression, const char*, int line) {
    std::fprintf(stderr, "hook: %s, line %s\n", expression, line > 0 ? "known" : "unknown");
  };
  EXPECT_DEATH(
      {
        set_failure_hook(hook);
        HOTKV_CHECK(1 + 1 == 3);
      },
      "hook: 1 \\+ 1 == 3, line known");
}

TEST(Check, AFailureInsideTheHookStopsToo) {
  auto hook = [](const char*, const char*, int) {
    std::fprintf(stderr, "once\n");
    HOTKV_CHECK(false);
  };
  EXPECT_DEATH(
      {
        set_failure_hook(hook);
        HOTKV_CHECK(false);
      },
      "^once\n$");
}
#endif

}  // namespace
}  // namespace hotkv
