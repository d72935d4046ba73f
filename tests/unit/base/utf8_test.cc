#include "core/base/utf8.h"

#include <gtest/gtest.h>

namespace hotkv {
namespace {

// RFC 3629, sections 3, 4 and 10: the ends of each range are text, what lies beyond is not.
TEST(Utf8, TakesTheEndsOfEachRange) {
  for (Bytes text :
       {"", "a", "\x7f", "\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xee\x80\x80",
        "\xef\xbf\xbf", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf", "ș 锁 \xf0\x9f\x94\x92!"}) {
    EXPECT_TRUE(is_utf8(text)) << text;
  }
  EXPECT_TRUE(is_utf8(Bytes("a\0b", 3)));
}

TEST(Utf8, RefusesWhatIsNoText) {
  for (Bytes text :
       {"\x80", "\xbf", "\xc0\x80", "\xc1\xbf", "\xe0\x9f\xbf", "\xed\xa0\x80", "\xed\xbf\xbf",
        "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xfe", "\xff", "a\xc2",
        "\xc2"
        "a",
        "\xe9\x94",
        "\xe9\x94"
        "a",
        "\xf0\x9f\x94", "\xf0\x9f\x94\xc0",
        "\xe9"
        "a\x81"}) {
    EXPECT_FALSE(is_utf8(text)) << text;
  }
}

}  // namespace
}  // namespace hotkv
