#include "core/console/secret.h"

#include "gtest/gtest.h"

namespace hotkv {
namespace {

TEST(Secret, KnowsLinesWithPasswords) {
  for (const char* line :
       {"AUTH pass", "auth default pass", "  Auth pass", "HELLO 3 AUTH default pass", "5 auth pass",
        "CONFIG SET requirepass pass", "config set timeout 1 RequirePass pass",
        "CONFIG SET masterauth pass", "ACL SETUSER u >pass", "acl whoami",
        "MIGRATE h 1 k 0 10 AUTH2 u pass", "\"AUTH\" pass", "\"a\\x75th\" pass"}) {
    EXPECT_TRUE(holds_secret(line)) << line;
  }
}

TEST(Secret, DoubtsLinesWhoseQuotesDoNotClose) {
  EXPECT_TRUE(holds_secret("AUTH \"pass"));
  EXPECT_TRUE(holds_secret("CONFIG SET requirepass 'pass"));
  EXPECT_TRUE(holds_secret("SET author \"x"));
  EXPECT_FALSE(holds_secret("SET k \"open"));
}

TEST(Secret, LetsOtherLinesPass) {
  for (const char* line : {"", "   ", "PING", "SET author x", "GET authority", "SET k acl",
                           "CONFIG GET *", "CONFIG SET timeout 5"}) {
    EXPECT_FALSE(holds_secret(line)) << line;
  }
}

}  // namespace
}  // namespace hotkv
