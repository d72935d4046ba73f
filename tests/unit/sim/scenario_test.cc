#include "core/sim/scenario.h"

#include <gtest/gtest.h>

#include <string>

namespace hotkv::sim {
namespace {

constexpr const char* kHead =
    "lesson lock version 3 seed 7\n"
    "world node n1 clients A \"Worker A\", B \"Worker B\"\n";

std::string error_of(const std::string& line) {
  Result<Scenario> parsed = parse_scenario(kHead + line + "\n");
  return parsed.ok() ? "" : parsed.status().message();
}

Scenario parsed(const std::string& lines) {
  Result<Scenario> result = parse_scenario(kHead + lines + "\n");
  EXPECT_TRUE(result.ok()) << result.status().message();
  return result.value();
}

TEST(Scenario, SaysWhoIsThere) {
  const Scenario s = parsed("link A-n1 12ms±3ms link B-n1 14ms");
  EXPECT_EQ(s.id, "lock");
  EXPECT_EQ(s.version, 3u);
  EXPECT_EQ(s.seed, 7u);
  ASSERT_EQ(s.nodes.size(), 1u);
  EXPECT_EQ(s.nodes[0], "n1");
  ASSERT_EQ(s.clients.size(), 2u);
  EXPECT_EQ(s.clients[1].id, "B");
  EXPECT_EQ(s.clients[1].name, "Worker B");
  ASSERT_EQ(s.links.size(), 2u);
  EXPECT_EQ(s.links[0].latency.mean, milliseconds(12));
  EXPECT_EQ(s.links[0].latency.spread, milliseconds(3));
  EXPECT_EQ(s.links[1].client, "B");
  EXPECT_EQ(s.links[1].latency.spread, Duration{});
}

TEST(Scenario, HasParametersCountersAndInvariants) {
  const Scenario s = parsed(
      "# a comment\n\n"
      "param key=lock:x ttl=30000\n"
      "count acquire = commands SET+NX by A until first OK\n"
      "count release = commands DELEX|EVAL by A in step release\n"
      "invariant mutex: at most one holds it");
  ASSERT_EQ(s.params.size(), 2u);
  EXPECT_EQ(s.params[1].first, "ttl");
  EXPECT_EQ(s.params[1].second, "30000");
  ASSERT_EQ(s.counters.size(), 2u);
  EXPECT_EQ(s.counters[0].patterns, (std::vector<std::vector<std::string>>{{"SET", "NX"}}));
  EXPECT_EQ(s.counters[0].client, "A");
  EXPECT_TRUE(s.counters[0].until_first_ok);
  EXPECT_EQ(s.counters[1].patterns.size(), 2u);
  EXPECT_EQ(s.counters[1].step, "release");
  ASSERT_EQ(s.invariants.size(), 1u);
  EXPECT_EQ(s.invariants[0].text, "at most one holds it");
}

TEST(Scenario, HasStepsTriesAndGoals) {
  const Scenario s = parsed(
      "step take A> SET {key} tok NX   until reply A expect OK\n"
      "step look B> GET {key} until reply B\n"
      "try late after take: wait {ttl}ms; B> GET k; pause A 50ms; cut A-n1; heal A-n1; kill n1; "
      "restart n1\n"
      "try alone: A> PING\n"
      "goal won when reply B of SET = OK and A not released\n"
      "goal seen when reply B of GET = \"tok\"");
  ASSERT_EQ(s.steps.size(), 2u);
  EXPECT_EQ(s.steps[0].actions[0].target, "A");
  EXPECT_EQ(s.steps[0].actions[0].line, "SET {key} tok NX");
  EXPECT_EQ(s.steps[0].expect, "OK");
  EXPECT_EQ(s.steps[1].expect, "");
  using Kind = Scenario::Action::Kind;
  ASSERT_EQ(s.tries.size(), 2u);
  EXPECT_EQ(s.tries[0].after, "take");
  const auto& actions = s.tries[0].actions;
  ASSERT_EQ(actions.size(), 7u);
  const Kind kinds[] = {Kind::kWait, Kind::kCommand, Kind::kPause,  Kind::kCut,
                        Kind::kHeal, Kind::kKill,    Kind::kRestart};
  for (size_t i = 0; i < 7; i++) EXPECT_EQ(actions[i].kind, kinds[i]) << i;
  EXPECT_EQ(actions[0].ms, "{ttl}");
  EXPECT_EQ(actions[1].line, "GET k");
  EXPECT_EQ(actions[2].ms, "50");
  EXPECT_EQ(actions[3].target, "A");
  EXPECT_EQ(actions[3].second, "n1");
  EXPECT_EQ(s.tries[1].after, "");
  ASSERT_EQ(s.goals.size(), 2u);
  EXPECT_EQ(s.goals[0].reply, "OK");
  EXPECT_EQ(s.goals[0].not_released, "A");
  EXPECT_EQ(s.goals[1].reply, "\"tok\"");
  EXPECT_EQ(s.goals[1].not_released, "");
}

// A line that does not fit is an error that names the line, here the third, and the word.
TEST(Scenario, AnErrorNamesLineAndWord) {
  const struct {
    const char* line;
    const char* word;
  } cases[] = {
      {"frobnicate it", "frobnicate"},
      {"link A-n1 12", "'ms'"},
      {"link A", "'-'"},
      {"param key", "'='"},
      {"count x commands GET", "'='"},
      {"invariant mutex at most one", "':'"},
      {"step take A SET k v until reply A", "'>'"},
      {"step take A> SET k v", "until reply"},
      {"step take A> SET k v until reply B", "its own client"},
      {"try x: explode n1", "explode"},
      {"try x: wait 5", "'5'"},
      {"try x: cut n1", "no link"},
      {"goal g when reply B of SET = OK and A not dead", "not released"},
      {"goal g when invariant mutex holds", "breaks"},
      {"lesson other version x seed 1", "'x' is not a version"},
  };
  for (const auto& c : cases) {
    const std::string message = error_of(c.line);
    EXPECT_EQ(message.substr(0, 8), "line 3: ") << c.line << " -> " << message;
    EXPECT_NE(message.find(c.word), std::string::npos) << c.line << " -> " << message;
  }
}

TEST(Scenario, HasDatabasesCrowdsAndRecipes) {
  Result<Scenario> result = parse_scenario(
      "lesson l version 1 seed 1\n"
      "world node n1 node n2 database db latency 80ms workers 2 clients W \"Warm\", C \"Client\" x "
      "3\n"
      "link *-n1 2ms link C*-db 3ms±1ms\n"
      "invariant one-query from many: one at a time\n"
      "step one W@db> WRITE r v; W runs cache-aside key=k ttl=10 until done W expect hit\n"
      "step many clock n2 -50ms; C* runs cache-aside key=k ttl=10 until done C*\n"
      "step rest wait 10ms\n");
  ASSERT_TRUE(result.ok()) << result.status().message();
  const Scenario& s = result.value();
  EXPECT_EQ(s.nodes, (std::vector<std::string>{"n1", "n2"}));
  ASSERT_EQ(s.databases.size(), 1u);
  EXPECT_EQ(s.databases[0].latency, milliseconds(80));
  EXPECT_EQ(s.databases[0].workers, 2);
  ASSERT_EQ(s.clients.size(), 4u);
  EXPECT_EQ(s.clients[3].id, "C3");
  EXPECT_EQ(s.clients[3].name, "Client 3");
  EXPECT_EQ(s.links[1].client, "C*");
  EXPECT_EQ(s.invariants[0].from, "many");
  ASSERT_EQ(s.steps[0].actions.size(), 2u);
  EXPECT_EQ(s.steps[0].actions[0].second, "db");
  EXPECT_EQ(s.steps[0].actions[0].line, "WRITE r v");
  EXPECT_EQ(s.steps[0].actions[1].kind, Scenario::Action::Kind::kRun);
  EXPECT_EQ(s.steps[0].actions[1].line, "cache-aside key=k ttl=10");
  EXPECT_EQ(s.steps[0].expect, "hit");
  EXPECT_EQ(s.steps[1].actions[0].kind, Scenario::Action::Kind::kClock);
  EXPECT_EQ(s.steps[1].actions[0].ms, "-50");
  EXPECT_EQ(s.steps[2].actions[0].kind, Scenario::Action::Kind::kWait);
}

TEST(Scenario, IdsMustNameSomething) {
  EXPECT_NE(error_of("step take A@n9> PING until reply A").find("'n9'"), std::string::npos);
  EXPECT_NE(error_of("invariant mutex from never: text").find("'never'"), std::string::npos);
  EXPECT_NE(error_of("step take A runs redlock key until done A").find("'key'"), std::string::npos);
  EXPECT_NE(error_of("step take A runs redlock until reply A").find("recipe"), std::string::npos);
  EXPECT_NE(error_of("link C-n1 12ms").find("C-n1"), std::string::npos);
  EXPECT_NE(error_of("step take C> PING until reply C").find("take"), std::string::npos);
  EXPECT_NE(error_of("try x after nothing: A> PING").find("nothing"), std::string::npos);
  EXPECT_NE(error_of("try x: kill Z").find("'Z'"), std::string::npos);
  EXPECT_NE(error_of("goal g when invariant never breaks").find("'never'"), std::string::npos);
  EXPECT_FALSE(parse_scenario("").ok());
  EXPECT_FALSE(parse_scenario("lesson lock version 1 seed 1\n").ok());
}

TEST(Scenario, WhatIsShippedHasNoExpectations) {
  const std::string text =
      "# Why.\n"
      "lesson l version 1 seed 1\n"
      "world node n1 clients A \"A\"\n"
      "\n"
      "  step one A> PING   until reply A expect PONG\n"
      "step two A> ECHO x until reply A\n";
  const std::string stripped = strip_expectations(text);
  EXPECT_EQ(stripped,
            "lesson l version 1 seed 1\n"
            "world node n1 clients A \"A\"\n"
            "step one A> PING   until reply A\n"
            "step two A> ECHO x until reply A\n");
  ASSERT_TRUE(parse_scenario(stripped).ok());
  EXPECT_EQ(parse_scenario(stripped).value().steps[0].expect, "");
}

}  // namespace
}  // namespace hotkv::sim
