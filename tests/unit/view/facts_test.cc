// The inspector's facts, as text: what lock.trace says at an instant, reckoned by hand from it.
#include "web/view/facts.h"

#include <gtest/gtest.h>

#include "tests/unit/view/lesson_trace.h"
#include "web/view/trace_follower.h"

namespace hotkv::view {
namespace {

FactSheet sheet_at(const std::string& trace, int64_t us, const std::string& id) {
  std::string happened;
  for (const Event& e : read_trace(trace)) {
    if (e.at.us <= us) happened += write_event(e) + "\n";
  }
  TraceFollower follower;
  follower.follow(happened);
  return follower.facts(id, {us});
}

// "kind title", then a line for each section: "section: name value, name value>item".
std::string text(const FactSheet& sheet) {
  std::string out = sheet.kind + " " + sheet.title;
  for (const FactSection& section : sheet.sections) {
    out += "\n" + section.name + ":";
    const char* comma = " ";
    for (const Fact& fact : section.facts) {
      out += comma + fact.name + " " + fact.value;
      if (!fact.item.empty()) out += ">" + fact.item;
      comma = ", ";
    }
  }
  return out;
}

std::string at(int64_t us, const std::string& id) { return text(sheet_at(lock_trace(), us, id)); }

TEST(Facts, OfANodeAreItsStateCountersKeysAndTurns) {
  EXPECT_EQ(at(30000, "n1"),
            "node n1\n"
            "state: role primary, state up, clock 0\n"
            "server: run_id 6e68, uptime 30000, lock_epoch 0\n"
            "stats: connected 0, connections 0, commands 0, errors 0, expired 0\n"
            "keyspace: keys 1, key lock:x = tok-a>n1/lock:x\n"
            "history: started 0");
  EXPECT_EQ(at(150000, "n1"),
            "node n1\n"
            "state: role primary, state down, clock 1000000\n"
            "history: started 0, clock_stepped 130000, killed 150000");
}

TEST(Facts, OfANodeCountSinceItsStart) {
  auto line = [](const char* event, const char* more) {
    return std::string("{\"event\":\"") + event + "\",\"at_us\":5,\"source\":\"n1\"," + more +
           "}\n";
  };
  std::string start = line("server-started", "\"run_id\":\"aa\",\"epoch\":3");
  std::string busy = start + line("client-connected", "\"client\":1,\"address\":\"x\"") +
                     line("client-connected", "\"client\":2,\"address\":\"y\"") +
                     line("client-closed", "\"client\":1,\"reason\":\"quit\"") +
                     line("command", "\"client\":2,\"db\":0,\"line\":\"A\",\"reply\":\"-ERR\"") +
                     line("command", "\"client\":2,\"db\":0,\"line\":\"B\",\"reply\":\"+OK\"") +
                     line("key-removed", "\"db\":0,\"key\":\"k\",\"reason\":\"expired\"");
  EXPECT_EQ(text(sheet_at(busy, 5, "n1")),
            "node n1\n"
            "state: role primary, state up, clock 0\n"
            "server: run_id aa, uptime 0, lock_epoch 3\n"
            "stats: connected 1, connections 2, commands 2, errors 1, expired 1\n"
            "keyspace: keys 0\n"
            "history: started 5");
  EXPECT_NE(text(sheet_at(busy + start, 5, "n1")).find("commands 0, errors 0"), std::string::npos);
}

TEST(Facts, OfAClientAreWhatItDoesAndThinks) {
  EXPECT_EQ(at(5000, "A"),
            "client Worker A\n"
            "state: state waiting\n"
            "lock: believes nothing\n"
            "talk: command SET lock:x tok-a NX PX 30000");
  EXPECT_EQ(at(40000, "A"),
            "client Worker A\n"
            "state: state holding\n"
            "lock: believes lock:x, token tok-a, believed_for 29961000, asked n1>n1, actually own, "
            "value tok-a>n1/lock:x\n"
            "talk: command SET lock:x tok-a NX PX 30000, reply OK");
  EXPECT_NE(at(125000, "A").find("state: state paused, paused_for 35000\n"), std::string::npos);
}

TEST(Facts, OfAClientTellWhatItBelievesFromWhatIs) {
  // The node is gone, and its keys: the client does not know.
  EXPECT_NE(at(150000, "A")
                .find("believes lock:x, token tok-a, believed_for 29851000, "
                      "asked n1>n1, actually down\n"),
            std::string::npos);
  std::string removed =
      "{\"event\":\"key-removed\",\"at_us\":150001,\"source\":\"n1\",\"db\":0,"
      "\"key\":\"lock:x\",\"reason\":\"deleted\"}\n";
  std::string set =
      "{\"event\":\"key-set\",\"at_us\":150002,\"source\":\"n1\",\"db\":0,"
      "\"key\":\"lock:x\",\"value\":\"tok-b\"}\n";
  std::string start =
      "{\"event\":\"server-started\",\"at_us\":150000,\"source\":\"n1\","
      "\"run_id\":\"aa\",\"epoch\":0}\n";
  std::string again = lock_trace() + start + removed;
  EXPECT_NE(text(sheet_at(again, 150001, "A")).find("asked n1>n1, actually free\n"),
            std::string::npos);
  EXPECT_NE(
      text(sheet_at(again + set, 150002, "A")).find("actually other, value tok-b>n1/lock:x\n"),
      std::string::npos);
}

TEST(Facts, OfAKeyThatIsThereAndOfOneThatIsGone) {
  EXPECT_EQ(at(40000, "n1/lock:x"),
            "key lock:x\n"
            "state: type string, value tok-a, ttl 29971000, node n1>n1\n"
            "owner: set_by Worker A>A, set 11000, believed_held_by Worker A>A");
  EXPECT_EQ(at(10999, "n1/lock:x"), " ");
  EXPECT_EQ(at(150000, "n1/lock:x"), "key lock:x\nstate: state gone, node n1>n1");
  std::string removed =
      "{\"event\":\"key-set\",\"at_us\":1,\"source\":\"n1\",\"db\":2,"
      "\"key\":\"k\",\"value\":\"v\",\"lock_number\":34}\n";
  EXPECT_EQ(text(sheet_at(removed, 1, "n1/2:k")),
            "key k\nstate: type string, value v, ttl never, node n1>n1, db 2\n"
            "owner: set 1, number 34");
  removed +=
      "{\"event\":\"key-removed\",\"at_us\":7,\"source\":\"n1\",\"db\":2,\"key\":\"k\","
      "\"reason\":\"expired\"}\n";
  EXPECT_EQ(text(sheet_at(removed, 9, "n1/2:k")),
            "key k\nstate: state gone, node n1>n1, removed 7, reason expired");
}

TEST(Facts, OfALinkAreItsLatencyTrafficAndCut) {
  EXPECT_EQ(at(5000, "A-n1"),
            "link A-n1\n"
            "state: state whole, end Worker A>A, end n1>n1\n"
            "latency: mean 12000, spread 3000\n"
            "traffic: sent_in_all 1, lost_in_all 0, in_flight 1, "
            "message A-n1#1  SET lock:x tok-a NX PX 30000>A-n1#1");
  EXPECT_EQ(
      at(64000, "A-n1"),
      "link A-n1\n"
      "state: state cut, cut 64000, end Worker A>A, end n1>n1\n"
      "latency: mean 12000, spread 3000\n"
      "traffic: sent_in_all 3, lost_in_all 0, in_flight 1, message A-n1#2  PTTL lock:x>A-n1#2");
  EXPECT_NE(at(100000, "A-n1").find("lost_in_all 1, in_flight 0"), std::string::npos);
}

TEST(Facts, OfAMessageFollowItToItsEnd) {
  EXPECT_EQ(at(5000, "A-n1#1"),
            "message A-n1#1\n"
            "content: kind request\n"
            "way: sent 1000, state in_flight, due 11000, arrives_in 6000, from Worker A>A, "
            "to n1>n1, link A-n1>A-n1\n"
            "wire: size 77, resp *6\r\n");
  EXPECT_EQ(at(20000, "A-n1#1"),
            "message A-n1#1\n"
            "content: kind request\n"
            "way: sent 1000, state arrived, arrived 11000, from Worker A>A, to n1>n1, "
            "link A-n1>A-n1\n"
            "cause: causes n1-A#1  OK>n1-A#1\n"
            "wire: size 77, resp *6\r\n");
  EXPECT_EQ(at(20000, "n1-A#1"),
            "message n1-A#1\n"
            "content: kind reply, reply OK\n"
            "way: sent 11000, state in_flight, due 23000, arrives_in 3000, from n1>n1, "
            "to Worker A>A, link A-n1>A-n1\n"
            "cause: caused_by A-n1#1  SET lock:x tok-a NX PX 30000>A-n1#1\n"
            "wire: size 5, resp +OK\r\n");
  EXPECT_EQ(at(999, "A-n1#1"), " ");
}

TEST(Facts, OfAMessageTellWhyItIsHeldLateOrLost) {
  EXPECT_NE(at(64000, "A-n1#2").find("way: sent 60000, state held, due 70000, from"),
            std::string::npos);
  EXPECT_NE(at(90000, "A-n1#2").find("state late, due 110000, arrives_in 20000, from"),
            std::string::npos);
  EXPECT_NE(at(120000, "A-n1#2").find("state lost, lost 100000, reason dropped, from"),
            std::string::npos);
}

TEST(Facts, OfARequestAreItsWordsAsTheEngineReadsThem) {
  std::string sent =
      "{\"event\":\"sent\",\"at_us\":1,\"message\":\"A-n1#1\",\"link\":\"A-n1\","
      "\"from\":\"A\",\"to\":\"n1\",\"kind\":\"request\",\"label\":\"GET k\","
      "\"resp\":\"*2\\u000d\\u000a$3\\u000d\\u000aGET\\u000d\\u000a$1\\u000d\\u000ak"
      "\\u000d\\u000a*1\\u000d\\u000a$4\\u000d\\u000aPING\\u000d\\u000a*2\\u000d\\u000a\","
      "\"bytes\":45,\"due_us\":9,\"cause\":\"\"}\n"
      "{\"event\":\"duplicated\",\"at_us\":1,\"message\":\"A-n1#0\","
      "\"copy\":\"A-n1#1\"}\n";
  std::string sheet = text(sheet_at(sent, 1, "A-n1#1"));
  EXPECT_NE(sheet.find("content: kind request, argv \"GET\" \"k\", argv \"PING\"\n"),
            std::string::npos)
      << sheet;
  EXPECT_NE(sheet.find("cause: copy_of A-n1#0>A-n1#0\n"), std::string::npos);
}

TEST(Facts, OfADatabaseAreItsQueriesRowsAndFence) {
  std::string trace =
      "{\"event\":\"actor\",\"at_us\":0,\"actor\":\"db\",\"kind\":\"database\",\"title\":\"db\"}\n"
      "{\"event\":\"load\",\"at_us\":1,\"actor\":\"db\",\"running\":2,\"waiting\":3}\n";
  EXPECT_EQ(text(sheet_at(trace, 1, "db")), "database db\nqueries: running 2, in_line 3");
  trace +=
      "{\"event\":\"row\",\"at_us\":2,\"actor\":\"db\",\"row\":\"report\",\"value\":\"b\","
      "\"version\":1,\"highest\":34}\n"
      "{\"event\":\"refused\",\"at_us\":3,\"actor\":\"db\",\"row\":\"report\",\"number\":33,"
      "\"highest\":34}\n";
  EXPECT_EQ(text(sheet_at(trace, 3, "db")),
            "database db\nqueries: running 2, in_line 3\nrows: row report = b, version 1\n"
            "fence: highest 34, refused 1");
}

TEST(Facts, FollowATraceThatGrows) {
  std::string trace = lock_trace();
  TraceFollower grown;
  for (size_t end = trace.find('\n'); end != std::string::npos; end = trace.find('\n', end + 1)) {
    grown.follow(Bytes(trace).substr(0, end + 1));
  }
  TraceFollower whole;
  whole.follow(trace);
  for (const char* id : {"n1", "A", "A-n1", "A-n1#1", "n1/lock:x"}) {
    EXPECT_EQ(text(grown.facts(id, {200000})), text(whole.facts(id, {200000})));
  }
  EXPECT_EQ(whole.facts("nobody", {200000}).kind, "");
}

TEST(Facts, AreJsonWithFormsAndItems) {
  FactSheet sheet{"n1/k",
                  "a\"b",
                  "key",
                  {{"state",
                    {{"ttl", "7", FactForm::kTime, ""},
                     {"node", "n1", FactForm::kTitle, "n1"},
                     {"resp", "+", FactForm::kDump, ""}}}}};
  EXPECT_EQ(facts_json(sheet),
            R"({"id":"n1/k","kind":"key","title":"a\"b","sections":[{"name":"state","facts":[)"
            R"({"name":"ttl","value":"7","form":"time"},)"
            R"({"name":"node","value":"n1","form":"title","item":"n1"},)"
            R"({"name":"resp","resp":"+","form":"dump"}]}]})");
}

}  // namespace
}  // namespace hotkv::view
