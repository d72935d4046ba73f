#include "core/console/completion.h"

#include <algorithm>
#include <string>
#include <vector>

#include "core/node/server.h"
#include "gtest/gtest.h"

namespace hotkv {
namespace {

using Words = std::vector<std::string>;

Words completed(Bytes line, const Words& keys = {}) { return complete(line, all_commands(), keys); }
std::string hinted(Bytes line) { return hint(line, all_commands()); }
bool has(const Words& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

TEST(Completion, OffersCommandsInTheCaseThatIsTyped) {
  EXPECT_EQ(completed("getr"), Words{"getrange"});
  EXPECT_EQ(completed("GETR"), Words{"GETRANGE"});
  EXPECT_EQ(completed("Getr"), Words{"GETRANGE"});
  EXPECT_EQ(completed("expiret"), Words{"expiretime"});
  EXPECT_TRUE(completed("nonsense").empty());
}

TEST(Completion, OffersEveryCommandOnAnEmptyLine) {
  Words words = completed("");
  EXPECT_EQ(words.size(), std::min(all_commands().all().size(), kCandidatesMax));
  EXPECT_TRUE(std::is_sorted(words.begin(), words.end()));
  EXPECT_TRUE(has(words, "LOCK") && has(words, "GET")) << "all commands";
}

TEST(Completion, OffersSubcommands) {
  EXPECT_EQ(completed("client no-t"), Words{"no-touch"});
  EXPECT_EQ(completed("CONFIG RES"), Words{"RESETSTAT"});
  Words words = completed("config ");
  EXPECT_TRUE(has(words, "GET") && has(words, "SET") && has(words, "REWRITE"));
}

// The grammar of SET [Redis documentation]: a key, a value, then options in any order.
TEST(Completion, OffersOptionWordsWhereTheGrammarHasThem) {
  Words words = completed("SET k v ");
  for (const char* option : {"NX", "XX", "GET", "EX", "PX", "EXAT", "PXAT", "KEEPTTL"}) {
    EXPECT_TRUE(has(words, option)) << option;
  }
  EXPECT_EQ(completed("set k v kee"), Words{"keepttl"});
  EXPECT_TRUE(completed("set k v ex ").empty()) << "a number is wanted";
  words = completed("SET k v NX ");
  EXPECT_FALSE(has(words, "NX") || has(words, "XX")) << "one condition is enough";
  EXPECT_TRUE(has(words, "PX"));
  EXPECT_TRUE(completed("set k ").empty()) << "a value is wanted";
}

TEST(Completion, OffersKeysWhereTheGrammarHasThem) {
  const Words keys = {"user:1", "user:2", "order"};
  EXPECT_EQ(completed("GET ", keys), (Words{"order", "user:1", "user:2"}));
  EXPECT_EQ(completed("get us", keys), (Words{"user:1", "user:2"}));
  EXPECT_EQ(completed("GET US", keys), Words{}) << "names of keys have a case";
  EXPECT_EQ(completed("MGET order us", keys), (Words{"user:1", "user:2"}));
  EXPECT_EQ(completed("RENAME order us", keys), (Words{"user:1", "user:2"}));
  EXPECT_EQ(completed("CLIENT us", keys), Words{});
  EXPECT_EQ(completed("us", keys), Words{}) << "no key stands first";
}

// A completed line must name the key, so such names come in quotes.
TEST(Completion, QuotesKeysThatAreNoSingleWord) {
  const Words keys = {"two words", "q\"q", "", "plain"};
  for (const std::string& word : completed("GET ", keys)) {
    Words words;
    ASSERT_TRUE(split_quoted("GET " + word, words)) << word;
    ASSERT_EQ(words.size(), 2u) << word;
    EXPECT_TRUE(has(keys, words[1])) << word;
  }
  EXPECT_EQ(completed("GET ", keys).size(), keys.size());
  EXPECT_EQ(completed("GET two", keys), Words{"\"two words\""});
  EXPECT_EQ(completed("GET \"tw", keys), Words{"\"two words\""});
  EXPECT_EQ(completed("GET pl", {"pl\xc3\xa4in"}), Words{"pl\xc3\xa4in"});
}

TEST(Completion, OffersEachWordOnceAndNotTooMany) {
  Words keys;
  for (size_t i = 0; i < 2 * kCandidatesMax; i++) keys.push_back("key:" + std::to_string(i / 2));
  Words words = completed("GET key:", keys);
  EXPECT_EQ(words.size(), kCandidatesMax);
  EXPECT_EQ(std::adjacent_find(words.begin(), words.end()), words.end());
}

TEST(Completion, KnowsWhereTheWordBegins) {
  EXPECT_EQ(completion_start(""), 0u);
  EXPECT_EQ(completion_start("get"), 0u);
  EXPECT_EQ(completion_start("get "), 4u);
  EXPECT_EQ(completion_start("get  us"), 5u);
  EXPECT_EQ(completion_start("get\tus"), 4u);
}

TEST(Hint, ShowsWhatIsMissing) {
  EXPECT_EQ(hinted("append"), " key value");
  EXPECT_EQ(hinted("append "), "key value");
  EXPECT_EQ(hinted("APPEND k"), " value");
  EXPECT_EQ(hinted("append k v"), "");
  EXPECT_EQ(hinted("ping"), " [message]");
  EXPECT_EQ(hinted("get \"a b\" "), "");
  EXPECT_EQ(hinted("nonsense "), "");
  EXPECT_EQ(hinted(""), "");
}

TEST(Hint, CountsTakenOptionsOff) {
  EXPECT_NE(hinted("set k v ").find("[NX | XX"), std::string::npos);
  EXPECT_EQ(hinted("set k v nx ").find("[NX | XX"), std::string::npos);
  EXPECT_NE(hinted("set k v nx ").find("KEEPTTL"), std::string::npos);
  EXPECT_EQ(hinted("client").find("key"), std::string::npos);
}

TEST(Help, TellsSyntaxAndSummary) {
  std::string text = help_text("append", all_commands());
  EXPECT_EQ(text.substr(0, text.find('\n')), "APPEND key value");
  EXPECT_NE(text.find("\n  summary: "), std::string::npos);
  EXPECT_NE(text.find("\n  since: 2.0.0\n"), std::string::npos);
  EXPECT_NE(text.find("\n  group: string\n"), std::string::npos);
  text = help_text("config rewrite", all_commands());
  EXPECT_EQ(text.substr(0, text.find('\n')), "CONFIG REWRITE");
  EXPECT_EQ(text.find("GET"), std::string::npos) << "one subcommand only";
  text = help_text("config", all_commands());
  EXPECT_NE(text.find("\nCONFIG REWRITE\n  summary: "), std::string::npos) << text;
  EXPECT_EQ(help_text("nonsense", all_commands()), "");
  EXPECT_EQ(help_text("", all_commands()), "");
}

TEST(Help, ListsTheCommandsOfAGroup) {
  std::string text = help_text("@String", all_commands());
  EXPECT_EQ(text.substr(0, text.find('\n')), "APPEND key value");
  EXPECT_NE(text.find("\nSTRLEN key\n  summary: "), std::string::npos);
  EXPECT_EQ(text.find("\nPING"), std::string::npos) << "of another group";
  EXPECT_EQ(help_text("@nonsense", all_commands()), "");
  EXPECT_EQ(help_text("@", all_commands()), "");
  Words groups = help_groups(all_commands());
  EXPECT_TRUE(has(groups, "@string") && has(groups, "@connection"));
  for (const std::string& group : groups) EXPECT_NE(help_text(group, all_commands()), "") << group;
}

TEST(Completion, OffersWhatHelpKnows) {
  EXPECT_EQ(completed("help getr"), Words{"getrange"});
  EXPECT_EQ(completed("HELP config rew"), Words{"rewrite"});
  EXPECT_EQ(completed("help @str"), Words{"@string"});
  EXPECT_EQ(completed("help get ", {"key"}), Words{}) << "help takes no keys";
}

}  // namespace
}  // namespace hotkv
