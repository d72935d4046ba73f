#include "core/command/command_table.h"

#include <algorithm>
#include <set>

#include "core/base/random.h"
#include "core/node/server.h"
#include "gtest/gtest.h"

namespace hotkv {
namespace {

std::string any_case(Bytes name, Random& random) {
  std::string word(name);
  for (char& c : word) c = random.chance(1, 2) ? to_upper(c) : c;
  return word;
}

TEST(CommandTable, FindsEveryNameInAnyCase) {
  Random random(1);
  for (const CommandSpec* spec : all_commands().all()) {
    EXPECT_EQ(all_commands().find(spec->name), spec) << spec->name;
    EXPECT_EQ(all_commands().find(any_case(spec->name, random)), spec) << spec->name;
    for (const CommandSpec& sub : spec->subcommands) {
      EXPECT_EQ(all_commands().find_subcommand(*spec, any_case(sub.name, random)), &sub);
    }
  }
}

// The bit that tells letter cases apart also tells '-' from CR and '@' from '`': such words must
// not pass for a name. Nor may prefixes, longer words, or words of the same letters.
TEST(CommandTable, RefusesWhatIsNoName) {
  for (const CommandSpec* spec : all_commands().all()) {
    std::string name(spec->name);
    for (size_t i = 0; i < name.size(); i++) {
      for (int bit = 0; bit < 8; bit++) {
        std::string damaged = name;
        damaged[i] = static_cast<char>(damaged[i] ^ (1 << bit));
        if (lower_case(damaged) == name) continue;
        const CommandSpec* found = all_commands().find(damaged);
        EXPECT_TRUE(!found || found->name == lower_case(damaged)) << damaged;
      }
    }
    for (const std::string& other : {name + "x", name.substr(1), name + std::string(1, '\0')}) {
      const CommandSpec* found = all_commands().find(other);
      EXPECT_TRUE(!found || found->name == other) << other;
    }
  }
  EXPECT_EQ(all_commands().find(""), nullptr);
  EXPECT_EQ(all_commands().find(std::string(100000, 'g')), nullptr);
}

TEST(CommandTable, NumbersEverySpecOnce) {
  std::set<int> ids;
  size_t count = 0;
  for (const CommandSpec* spec : all_commands().all()) {
    ids.insert(spec->id);
    count++;
    for (const CommandSpec& sub : spec->subcommands) {
      ids.insert(sub.id);
      count++;
    }
  }
  EXPECT_EQ(ids.size(), count);
  EXPECT_EQ(static_cast<size_t>(all_commands().ids()), count);
  EXPECT_LT(*ids.rbegin(), all_commands().ids());
}

TEST(CommandTable, IsSortedByName) {
  auto all = all_commands().all();
  EXPECT_TRUE(
      std::is_sorted(all.begin(), all.end(),
                     [](const CommandSpec* a, const CommandSpec* b) { return a->name < b->name; }));
}

TEST(CommandTable, AddsTheCategoriesThatFollowFromFlags) {
  const CommandSpec* get = all_commands().find("get");
  EXPECT_EQ(get->categories, uint32_t{kReadCategory | kStringCategory | kFastCategory});
  const CommandSpec* mset = all_commands().find("mset");
  EXPECT_EQ(mset->categories, uint32_t{kWriteCategory | kStringCategory | kSlowCategory});
}

// What a reference without gaps needs of every command.
TEST(CommandTable, EveryCommandIsDescribed) {
  auto described = [](const CommandSpec& spec) {
    return !spec.summary.empty() && spec.summary.back() == '.' && !spec.since.empty() &&
           !spec.group.empty() && !spec.complexity.empty();
  };
  for (const CommandSpec* spec : all_commands().all()) {
    EXPECT_TRUE(described(*spec)) << spec->name;
    for (const CommandSpec& sub : spec->subcommands) {
      EXPECT_TRUE(described(sub)) << spec->name << " " << sub.name;
    }
  }
}

}  // namespace
}  // namespace hotkv
