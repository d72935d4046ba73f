#include "native/command_line.h"

#include "gtest/gtest.h"

namespace hotkv {
namespace {

using Options = std::vector<std::pair<std::string, std::string>>;

CommandLine parsed(const std::vector<std::string>& words) {
  Result<CommandLine> line = parse_command_line(words);
  EXPECT_TRUE(line.ok()) << line.status().message();
  return line.value();
}

std::string refusal(const std::vector<std::string>& words) {
  return parse_command_line(words).status().message();
}

TEST(CommandLine, NothingIsAllDefaults) {
  const CommandLine line = parsed({});
  EXPECT_TRUE(line.options.empty());
  EXPECT_EQ(line.config_file, "");
}

TEST(CommandLine, FileComesFirst) {
  const CommandLine line = parsed({"/etc/hotkv.conf", "--port", "7777"});
  EXPECT_EQ(line.config_file, "/etc/hotkv.conf");
  EXPECT_EQ(line.options, (Options{{"port", "7777"}}));
  EXPECT_EQ(parsed({"-"}).config_file, "-");
}

TEST(CommandLine, AnOptionTakesTheWordsUpToTheNext) {
  const CommandLine line =
      parsed({"--bind", "127.0.0.1", "-::1", "--PORT", "0", "--appendonly", "no"});
  EXPECT_EQ(line.options,
            (Options{{"bind", "127.0.0.1 -::1"}, {"port", "0"}, {"appendonly", "no"}}));
}

TEST(CommandLine, ValuesStayWholeInConfigSyntax) {
  EXPECT_EQ(parsed({"--save", ""}).options, (Options{{"save", "\"\""}}));
  EXPECT_EQ(parsed({"--requirepass", "a \"b\""}).options,
            (Options{{"requirepass", "\"a \\\"b\\\"\""}}));
  EXPECT_EQ(parsed({"--requirepass", "x#y"}).options, (Options{{"requirepass", "\"x#y\""}}));
}

TEST(CommandLine, NameAndValueMayBeOneWord) {
  EXPECT_EQ(parsed({"--port 7000"}).options, (Options{{"port", "7000"}}));
}

TEST(CommandLine, RecordIsTheHostsOwn) {
  const CommandLine line = parsed({"--record", "run 1.rec", "--port", "1"});
  EXPECT_EQ(line.record_file, "run 1.rec");
  EXPECT_EQ(line.options, (Options{{"port", "1"}}));
  EXPECT_EQ(refusal({"--record"}), "--record takes one file");
}

TEST(CommandLine, HelpAndVersionStandAlone) {
  EXPECT_TRUE(parsed({"--help"}).help);
  EXPECT_TRUE(parsed({"-v"}).version);
}

TEST(CommandLine, RefusalsNameTheWord) {
  EXPECT_EQ(refusal({"-p", "7"}), "'-p' is no option; options begin with -- (see --help)");
  EXPECT_EQ(refusal({"a.conf", "b.conf"}), "'b.conf' stands where an option (--name) was expected");
  EXPECT_EQ(refusal({"a.conf", "--sentinel"}), "--sentinel is not available in this version");
}

}  // namespace
}  // namespace hotkv
