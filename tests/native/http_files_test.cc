#include "native/http_files.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "gtest/gtest.h"
#include "tests/native/folder.h"

namespace hotkv {
namespace {

class HttpFilesTest : public testing::Test {
 protected:
  HttpFilesTest() {
    folder_.write("secret", "outside");
    folder_.write("site/index.html", "home");
    folder_.write("site/embed.html", "embed");
    folder_.write("site/a b.txt", "blank");
    folder_.write("site/app.js", "original");
    folder_.write("site/app.js.br", "brotli");
    folder_.write("site/app.js.gz", "gzip");
    folder_.write("site/docs/index.html", "docs");
    folder_.write("site/.hidden", "hidden");
    std::filesystem::create_symlink(folder_ / "secret", folder_ / "site/leak.txt");
    std::filesystem::create_symlink(folder_ / "site/app.js", folder_ / "site/inside.js");
  }

  std::string served(std::string_view target, std::string_view encodings = "") const {
    const HttpFile file = HttpFiles(folder_ / "site").find(target, encodings);
    if (!file.redirect.empty()) return "-> " + file.redirect;
    return file.path.empty() ? "none" : folder_.read(file.path.substr(folder_.path().size() + 1));
  }

  Folder folder_;
};

TEST_F(HttpFilesTest, FindsFilesFoldersAndCleanNames) {
  EXPECT_EQ(served("/"), "home");
  EXPECT_EQ(served("/index.html?x=/../y"), "home");
  EXPECT_EQ(served("/embed"), "embed");
  EXPECT_EQ(served("/a%20b.txt"), "blank");
  EXPECT_EQ(served("/docs/"), "docs");
  EXPECT_EQ(served("/docs"), "-> /docs/");
  EXPECT_EQ(served("/docs?a=1"), "-> /docs/?a=1");
  EXPECT_EQ(served("/inside.js"), "original");
  EXPECT_EQ(served("/absent"), "none");
}

TEST_F(HttpFilesTest, NothingOutsideTheRootCanBeNamed) {
  for (const char* target :
       {"", "secret", "/../secret", "/docs/../../secret", "/%2e%2e/secret", "/..%2fsecret",
        "/docs/..%2f..%2fsecret", "/..\\secret", "/%5c..%5csecret", "/leak.txt", "/.hidden",
        "//secret", "/docs//index.html", "/index.html%00.js", "/index.html%0", "/index.html%zz",
        "/./index.html", "http://localhost/index.html", "*"}) {
    EXPECT_EQ(served(target), "none") << target;
  }
}

TEST_F(HttpFilesTest, SendsThePrecompressedSiblingToWhoAcceptsIt) {
  EXPECT_EQ(served("/app.js", "gzip, br"), "brotli");
  EXPECT_EQ(served("/app.js", "gzip;q=0.5, br;q=0"), "gzip");
  EXPECT_EQ(served("/app.js", "gzip;q=0, br;q=0.000"), "original");
  EXPECT_EQ(served("/app.js", "brotli"), "original");
  const HttpFiles files(folder_ / "site");
  const HttpFile plain = files.find("/app.js", "");
  const HttpFile compressed = files.find("/app.js", "br");
  EXPECT_EQ(compressed.encoding, "br");
  EXPECT_EQ(compressed.size, 6u);
  EXPECT_EQ(compressed.content_type, "text/javascript; charset=utf-8");
  EXPECT_NE(plain.etag, compressed.etag);
}

TEST_F(HttpFilesTest, IgnoresASiblingThatIsOlderThanItsOriginal) {
  const timespec times[2] = {{1000, 0}, {1000, 0}};
  ASSERT_EQ(utimensat(AT_FDCWD, (folder_ / "site/app.js.br").c_str(), times, 0), 0);
  EXPECT_EQ(served("/app.js", "br"), "original");
}

TEST_F(HttpFilesTest, TheTagChangesWithTheFile) {
  const HttpFiles files(folder_ / "site");
  const std::string before = files.find("/", "").etag;
  EXPECT_EQ(files.find("/index.html", "").etag, before);
  folder_.write("site/index.html", "another home");
  EXPECT_NE(files.find("/", "").etag, before);
}

TEST(HttpFiles, ContentTypes) {
  EXPECT_EQ(content_type_of("hotkv-core.wasm"), "application/wasm");
  EXPECT_EQ(content_type_of("a.mjs"), "text/javascript; charset=utf-8");
  EXPECT_EQ(content_type_of("A.HTML"), "text/html; charset=utf-8");
  EXPECT_EQ(content_type_of("inter.woff2"), "font/woff2");
  EXPECT_EQ(content_type_of("LICENSE"), "application/octet-stream");
}

TEST(HttpFiles, HashedNames) {
  for (const char* name : {"app.3f9a1c2e.js", "index-DkdiZ1ab.css", "core.0123456789abcdef.wasm"}) {
    EXPECT_TRUE(is_hashed_name(name)) << name;
  }
  for (const char* name : {"index.html", "hotkv-core.wasm", "hotkv-core.js", "app.js",
                           "jetbrains-monospace.woff2", "v1.2.js", "12345678"}) {
    EXPECT_FALSE(is_hashed_name(name)) << name;
  }
}

// RFC 9110, sections 13.1.2 and 5.6.7: weak comparison; the example date is the RFC's.
TEST(HttpFiles, TagsAndDates) {
  EXPECT_TRUE(matches_etag("\"a\", W/\"b\"", "\"b\""));
  EXPECT_TRUE(matches_etag("*", "\"b\""));
  EXPECT_FALSE(matches_etag("\"a\", \"bc\"", "\"b\""));
  EXPECT_EQ(http_date(784111777), "Sun, 06 Nov 1994 08:49:37 GMT");
  time_t time = 0;
  EXPECT_TRUE(parse_http_date("Sun, 06 Nov 1994 08:49:37 GMT", time));
  EXPECT_EQ(time, 784111777);
  EXPECT_FALSE(parse_http_date("yesterday", time));
}

}  // namespace
}  // namespace hotkv
