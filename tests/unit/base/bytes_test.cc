#include "core/base/bytes.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/base/random.h"

namespace hotkv {
namespace {

TEST(Bytes, EqualIgnoringCaseFoldsAsciiOnly) {
  EXPECT_TRUE(equal_ignoring_case("", ""));
  EXPECT_TRUE(equal_ignoring_case("GeTeX", "getEX"));
  EXPECT_FALSE(equal_ignoring_case("get", "gets"));
  EXPECT_FALSE(equal_ignoring_case("@", "`"));  // 0x20 apart, but no letters.
  EXPECT_FALSE(equal_ignoring_case("\xc4", "\xe4"));
  EXPECT_EQ(lower_case("aZ[\xc4"), "az[\xc4");
  EXPECT_EQ(upper_case("aZ{\xe4"), "AZ{\xe4");
}

// Every length with words, a half word and single bytes; every place of a difference.
TEST(Bytes, EqualBytesAgreesWithMemcmp) {
  for (size_t size = 0; size <= 40; size++) {
    std::string a(size, 'x');
    for (size_t i = 0; i < size; i++) a[i] = static_cast<char>(i * 7 + 1);
    std::string b = a;
    EXPECT_TRUE(equal_bytes(a.data(), b.data(), size)) << size;
    for (size_t i = 0; i < size; i++) {
      b = a;
      b[i] = static_cast<char>(b[i] ^ 0x80);
      EXPECT_FALSE(equal_bytes(a.data(), b.data(), size)) << size << " at " << i;
    }
  }
}

TEST(Bytes, CopyBytesCopiesEveryLengthAndNoMore) {
  copy_bytes(nullptr, Bytes());
  for (size_t size = 0; size <= 100; size++) {
    std::string from(size, '\0'), to(size + 2, '#');
    for (size_t i = 0; i < size; i++) from[i] = static_cast<char>(i + 1);
    copy_bytes(to.data() + 1, from);
    EXPECT_EQ(to, "#" + from + "#") << size;
  }
}

// What redis-server 7.0.15 answered to `KEYS pattern` with one key of that name.
struct GlobCase {
  Bytes pattern, text;
  bool matches;
};
const GlobCase kGlobCases[] = {
    {"", "", true},
    {"*", "", true},
    {"**", "abc", true},
    {"a", "", false},
    {"h?llo", "hello", true},
    {"h?llo", "hllo", false},
    {"h[ae]llo", "hallo", true},
    {"h[ae]llo", "hillo", false},
    {"h[^e]llo", "hello", false},
    {"h[^e]llo", "hxllo", true},
    {"h[a-c]llo", "hbllo", true},
    {"h[c-a]llo", "hbllo", true},
    {"\\*", "*", true},
    {"\\*", "a", false},
    {"a\\", "a\\", true},
    {"a\\", "a", false},
    {"[]", "a", false},
    {"[]", "[]", false},
    {"[]]", "]", false},
    {"[", "[", false},
    {"[", "a", false},
    {"[a", "a", true},
    {"[a", "[a", false},
    {"[^", "x", true},
    {"[^]", "x", true},
    {"[^]]", "x]", true},
    {"[a-", "a", true},
    {"[a-", "-", true},
    {"[a-]", "-", false},
    {"[a-]", "a", true},
    {"[a-]x]", "b", false},
    {"[-a]", "-", true},
    {"[-a]", "a", true},
    {"[\\]]", "]", true},
    {"[\\a-c]", "b", false},
    {"[\\a-c]", "-", true},
    {"[a\\-c]", "b", false},
    {"[a\\-c]", "-", true},
    {"[\\", "\\", true},
    {"[\\", "a", false},
    {"[a\\", "a", true},
    {"*a*b*c", "xxaxxbxxc", true},
    {"*a*b*c", "xxaxxbxxd", false},
    {"a*", "b", false},
    {"*?", "", false},
    {"?", "", false},
    {"*[a]", "ba", true},
    {"a**b", "ab", true},
    {"*\\", "x\\", true},
    {"[^a-c]x", "dx", true},
    {"[^a-c]x", "bx", false},
    {"[\377]", "\377", true},
    {"[\200-\377]", "\303", true},
    {Bytes("\0*", 2), Bytes("\0abc", 4), true},
    {"[!a]", "!", true},
    {"[^^]", "^", false},
    {"[^^]", "a", true},
    {"[*]", "*", true},
    {"[*]", "a", false},
    {"[?]", "a", false},
    {"\\[a]", "[a]", true},
    {"A", "a", false},
};

TEST(Bytes, GlobMatchesAsRedisDoes) {
  for (const GlobCase& c : kGlobCases) {
    EXPECT_EQ(glob_match(c.pattern, c.text), c.matches) << c.pattern << " on " << c.text;
  }
}

TEST(Bytes, GlobIgnoresCaseWhenAsked) {
  EXPECT_TRUE(glob_match("MaxM*", "maxmemory", true));
  EXPECT_TRUE(glob_match("[A-C]x", "bX", true));
  EXPECT_FALSE(glob_match("MaxM*", "maxmemory", false));
}

// A star that went back to every earlier star would take years for this.
TEST(Bytes, GlobTakesNoExponentialTime) {
  std::string pattern, text(5000, 'a');
  for (int i = 0; i < 500; i++) pattern += "*a";
  EXPECT_FALSE(glob_match(pattern + "*b", text));
  EXPECT_TRUE(glob_match(pattern + "*", text));
}

// As redis-cli 7.0.15 shows a bulk reply on a terminal.
TEST(Bytes, AppendQuotedWritesTheEscapesOfRedisCli) {
  std::string out;
  append_quoted(out, Bytes("a\"b\\\n\r\t\a\b\0\x1f\x7f\xff\v'", 15));
  EXPECT_EQ(out, R"("a\"b\\\n\r\t\a\b\x00\x1f\x7f\xff\x0b'")");
}

// Whatever is quoted is read back.
TEST(Bytes, SplitQuotedUndoesAppendQuoted) {
  Random random(7);
  for (int i = 0; i < 2000; i++) {
    std::string word;
    for (uint64_t n = random.below(20); n > 0; n--) word += static_cast<char>(random.next());
    std::string line;
    append_quoted(line, word);
    std::vector<std::string> words;
    ASSERT_TRUE(split_quoted(line, words));
    EXPECT_EQ(words, std::vector<std::string>{word});
  }
}

// What redis-server 7.0.15 made of these lines as inline commands.
TEST(Bytes, SplitQuotedReadsLinesAsRedisDoes) {
  struct Case {
    Bytes line;
    std::vector<std::string> words;
  };
  const Case cases[] = {
      {"", {}},
      {" \t ", {}},
      {"  ECHO\ta  ", {"ECHO", "a"}},
      {R"(E "")", {"E", ""}},
      {"E ''", {"E", ""}},
      {R"(E "a b")", {"E", "a b"}},
      {R"(E "\x41\n\t\"\\\q")", {"E", "A\n\t\"\\q"}},
      {R"(E 'a\'b\n')", {"E", "a'b\\n"}},
      {R"(E a"b c")", {"E", "ab c"}},
      {R"(E "\x4")", {"E", "x4"}},
      {R"(E "\xzz")", {"E", "xzz"}},
      {R"(E a\x41)", {"E", "a\\x41"}},
      {R"(E a\)", {"E", "a\\"}},
      {"E \"a\"\tb", {"E", "a", "b"}},
      {"E a\vb", {"E", "a\vb"}},
      {"E a\fb", {"E", "a\fb"}},
      {"E \va", {"E", "a"}},
      {"E \"a\"\vb", {"E", "a", "b"}},
      {"E a'b'", {"E", "ab"}},
      {R"(E "a'b")", {"E", "a'b"}},
      {R"(E 'a"b')", {"E", "a\"b"}},
      {R"(E "\a\b\r")", {"E", "\a\b\r"}},
      {R"(E "\xfF")", {"E", "\xff"}},
      {R"(E "\x00")", {"E", std::string(1, '\0')}},
  };
  for (const Case& c : cases) {
    std::vector<std::string> words;
    EXPECT_TRUE(split_quoted(c.line, words)) << c.line;
    EXPECT_EQ(words, c.words) << c.line;
  }
  for (Bytes broken : {R"(E "a"b)", R"(E "a)", "E 'a", R"(E "a\)", R"(E 'a'b)", R"(")"}) {
    std::vector<std::string> words;
    EXPECT_FALSE(split_quoted(broken, words)) << broken;
  }
}

}  // namespace
}  // namespace hotkv
