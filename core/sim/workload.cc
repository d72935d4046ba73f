#include "core/sim/workload.h"

#include "core/base/numbers.h"
#include "core/node/server.h"

namespace hotkv::sim {

namespace {

std::string decimal(int64_t n) {
  NumberText text;
  return std::string(format_int64(n, text));
}

// The string field `name` of a trace line, unescaped; lines are ASCII (trace.h).
std::string field(Bytes line, Bytes name) {
  std::string key = "\"" + std::string(name) + "\":\"";
  size_t at = line.find(key);
  std::string out;
  if (at == Bytes::npos) return out;
  for (at += key.size(); at < line.size() && line[at] != '"'; at++) {
    if (line[at] != '\\') {
      out += line[at];
    } else if (line[at + 1] == 'u') {
      auto digit = [&](size_t i) {
        char c = line[at + i];
        return c <= '9' ? c - '0' : c - 'a' + 10;
      };
      out += static_cast<char>(digit(4) * 16 + digit(5));
      at += 5;
    } else {
      out += line[++at];
    }
  }
  return out;
}

constexpr Duration kLivenessTime = seconds(10);

}  // namespace

Workload::Workload(uint64_t seed, int64_t run_seconds)
    : random_(seed, 7), world_(seed), seconds_(run_seconds) {
  world_.set_trace_mask(trace::bit(trace::Kind::kCommand) | trace::bit(trace::Kind::kServer) |
                        trace::bit(trace::Kind::kKeyspace));
  world_.set_observer([](void* self, Bytes line) { static_cast<Workload*>(self)->observe(line); },
                      this);
  world_.add_node("n1");
  auto clients = static_cast<int>(random_.between(1, 6));
  keys_ = static_cast<int>(random_.between(1, random_.chance(1, 4) ? 300 : 8));
  ttl_ms_max_ = random_.between(5, 5000);
  value_max_ = static_cast<size_t>(random_.chance(1, 10) ? 3000 : random_.between(1, 40));
  mix_ = static_cast<uint32_t>(random_.next()) | 1;
  faults_per_minute_ = static_cast<int>(random_.chance(1, 3) ? 0 : random_.between(1, 20));
  actors_.resize(static_cast<size_t>(clients));
  for (int i = 0; i < clients; i++) {
    world_.add_client("c" + decimal(i));
    Latency latency{microseconds(random_.between(50, 20000)), {}};
    latency.spread = microseconds(latency.mean.us / 3);
    world_.set_latency(i, 0, latency);
    actors_[static_cast<size_t>(i)].random = Random(seed, 100 + static_cast<uint64_t>(i));
  }
  world_.start_node(0);
  for (int i = 0; i < clients; i++) plan(i, milliseconds(random_.between(1, 50)));
  if (faults_per_minute_) fault_timer_ = world_.schedule(seconds(1));
}

void Workload::plan(int client, Duration delay) {
  actors_[static_cast<size_t>(client)].timer = world_.schedule(delay);
}

// The node's own account of what it executed, in its order.
void Workload::observe(Bytes line) {
  constexpr Bytes kCommand = "{\"event\":\"command\"";
  if (line.substr(0, kCommand.size()) != kCommand || !failure_.empty()) return;
  std::vector<std::string> words;
  if (!split_quoted(field(line, "line"), words) || words.empty()) return;
  judged_++;
  std::string wrong = model_.judge(words, field(line, "reply"), world_.wall().ms());
  if (!wrong.empty())
    failure_ = field(line, "line") + " at " + decimal(world_.now().us) + " us: " + wrong;
}

std::vector<std::string> Workload::draw_command(Actor& actor) {
  Random& r = actor.random;
  auto key = [&] {
    return "k" + decimal(static_cast<int64_t>(r.below(static_cast<uint64_t>(keys_))));
  };
  auto token = [&] { return "t" + decimal(static_cast<int64_t>(r.below(3))); };
  auto ttl = [&] { return decimal(r.between(1, ttl_ms_max_)); };
  auto value = [&] {
    // The trace shows 128 bytes of a word; a longer value is judged by its length and its fate.
    if (r.chance(1, 5)) return decimal(r.between(-100, 100));
    // One draw a statement: which operand of + comes first is the compiler's choice.
    std::string text = token();
    text.append(r.below(value_max_) % 100, 'v');
    return text;
  };
  while (true) {
    auto kind = static_cast<int>(r.below(20));
    if (!(mix_ >> kind & 1)) {
      if (kind != 0) continue;
    }
    switch (kind) {
      case 0: return {"GET", key()};
      case 1: return {"SET", key(), value()};
      case 2: return {"SET", key(), token(), "NX", "PX", ttl()};
      case 3: return {"DELEX", key(), "IFEQ", token()};
      case 4: return {"LOCK", key(), token(), "PX", ttl()};
      case 5: return {"UNLOCK", key(), token()};
      case 6: return {"SET", key(), token(), "IFEQ", token(), "PX", ttl()};
      case 7: return {"PEXPIRE", key(), ttl()};
      case 8: return {"PTTL", key()};
      case 9: return {"INCRBY", key(), decimal(r.between(-5, 5))};
      case 10: return {"APPEND", key(), value()};
      case 11: return {"DEL", key()};
      case 12: return {"GETDEL", key()};
      case 13: return {"PERSIST", key()};
      case 14: return {"RENAME", key(), key()};
      case 15: return {"EXISTS", key()};
      case 16: return {"DELEX", key(), "IFNE", token()};
      case 17: return {"SET", key(), value(), "XX", "KEEPTTL", "GET"};
      case 18: return {"STRLEN", key()};
      default:
        return r.chance(1, 50) ? std::vector<std::string>{"FLUSHDB"}
                               : std::vector<std::string>{"DELIFEQ", key(), token()};
    }
  }
}

void Workload::act(int client) {
  Actor& actor = actors_[static_cast<size_t>(client)];
  int in_multi_before = actor.in_multi;
  std::vector<std::string> words;
  if (!safety_) {
    words = {"PING"};
    // A transaction left open would queue the question.
    if (actor.in_multi) words = {"DISCARD"};
    actor.in_multi = 0;
  } else if (actor.in_multi > 1) {
    actor.in_multi--;
    words = draw_command(actor);
  } else if (actor.in_multi == 1) {
    actor.in_multi = 0;
    words = {"EXEC"};
  } else if ((mix_ >> 20 & 1) && actor.random.chance(1, 15)) {
    actor.in_multi = static_cast<int>(actor.random.between(2, 5));
    words = {"MULTI"};
  } else {
    words = draw_command(actor);
  }
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + word;
  actor.request = world_.send_words(client, 0, words, line);
  if (actor.request == 0) {  // It is paused, and does the same later.
    actor.in_multi = in_multi_before;
    plan(client, milliseconds(100));
  }
}

void Workload::fault() {
  auto client = static_cast<int>(random_.below(actors_.size()));
  switch (random_.below(6)) {
    case 0:
      if (world_.node_up(0)) {
        world_.kill_node(0);
        model_.lose_everything();
      }
      break;
    case 1: world_.restart_node(0); break;
    case 2: world_.pause_client(client, milliseconds(random_.between(1, 3000))); break;
    case 3: world_.cut(client, 0); break;
    case 4: world_.heal(client, 0); break;
    default: world_.disk(0).set_failure(random_.chance(1, 2) ? "No space left on device" : "");
  }
}

void Workload::take_outcomes() {
  // Faults first: the requests that they lose are outcomes of this event, too.
  for (uint64_t timer : world_.fired()) {
    if (timer != fault_timer_ || !safety_) continue;
    fault();
    fault_timer_ = world_.schedule(milliseconds(random_.between(1, 120000 / faults_per_minute_)));
  }
  for (size_t i = 0; i < actors_.size(); i++) {
    Actor& actor = actors_[i];
    int client = static_cast<int>(i);
    for (uint64_t timer : world_.fired()) {
      if (timer == actor.timer) act(client);
    }
    for (const Answer& answer : world_.answers()) {
      if (answer.request != actor.request) continue;
      actor.pings += !safety_ && answer.reply.text == "PONG";
      plan(client, milliseconds(actor.random.between(1, 60)));
    }
    for (uint64_t lost : world_.lost_requests()) {
      if (lost != actor.request) continue;
      actor.in_multi = 0;
      plan(client, milliseconds(actor.random.between(50, 500)));
    }
  }
}

std::string Workload::run() {
  Time safety_end = Time{} + seconds(seconds_);
  while (failure_.empty() && world_.advance_until(safety_end)) take_outcomes();
  if (failure_.empty()) failure_ = compare_data();
  if (failure_.empty()) failure_ = replay_effects();
  if (failure_.empty()) failure_ = check_liveness();
  return failure_;
}

std::string Workload::check_liveness() {
  safety_ = false;
  world_.disk(0).set_failure("");
  world_.restart_node(0);
  for (int i = 0; i < world_.clients(); i++) world_.heal(i, 0);
  Time end = world_.now() + kLivenessTime;
  while (failure_.empty() && world_.advance_until(end)) take_outcomes();
  if (!failure_.empty()) return failure_;
  for (size_t i = 0; i < actors_.size(); i++) {
    if (actors_[i].pings == 0) {
      return "client c" + decimal(static_cast<int64_t>(i)) +
             " got no answer after everything was healed";
    }
  }
  return {};
}

std::string Workload::compare_data() {
  if (!world_.node_up(0)) return {};
  auto expected = model_.live(world_.wall().ms());
  auto found = world_.keys(0, SIZE_MAX);
  if (found.size() != expected.size()) {
    return "the node holds " + decimal(static_cast<int64_t>(found.size())) + " keys, the model " +
           decimal(static_cast<int64_t>(expected.size()));
  }
  for (const auto& key : found) {
    auto it = expected.find(key.key);
    if (it == expected.end()) return "key " + key.key + " should be absent";
    int64_t deadline = key.ttl_ms < 0 ? INT64_MAX : world_.wall().ms() + key.ttl_ms;
    if (it->second.value != key.value)
      return "key " + key.key + " has another value than the model";
    if (it->second.deadline_ms != deadline) return "key " + key.key + " has another deadline";
    if (it->second.number != key.lock_number) return "key " + key.key + " has another lock number";
  }
  return {};
}

// Equal offset implies equal data: the log, as a replica would apply it, gives the same keys.
std::string Workload::replay_effects() {
  if (!world_.node_up(0)) return {};
  EffectLog& log = world_.node(0).server().effects;
  if (log.start_offset() != 0) return {};  // Older effects are gone; nothing to compare with.
  NodeSetup setup;
  setup.seed = 1;
  Node copy(setup);
  Outputs outputs;
  // At the time of the start: a replica never expires a key by its own clock, the log tells it.
  Now now{{}, {World::kStartWallUs}};
  copy.step({Input::Kind::kStart, {}, {}, {}, {}}, now, outputs);
  copy.step({Input::Kind::kAccepted, LinkId{1}, "127.0.0.1:1 127.0.0.1:2", {}, {}}, now, outputs);
  for (uint64_t offset = 0; offset < log.end_offset();) {
    Bytes piece = log.read(offset);
    offset += piece.size();
    copy.step({Input::Kind::kBytes, LinkId{1}, piece, {}, {}}, now, outputs);
    do {
      outputs.clear();
      copy.step({}, now, outputs);
      copy.taken(LinkId{1}, copy.pending(LinkId{1}).size());
    } while (outputs.more_work);
  }
  auto original = world_.keys(0, SIZE_MAX);
  auto replayed = World::keys_of(copy, world_.wall().ms(), SIZE_MAX);
  if (original.size() != replayed.size()) return "replayed effects give another number of keys";
  for (size_t i = 0; i < original.size(); i++) {
    if (original[i].key != replayed[i].key || original[i].value != replayed[i].value ||
        original[i].ttl_ms != replayed[i].ttl_ms) {
      return "replayed effects give another value or deadline of key " + original[i].key;
    }
  }
  return {};
}

}  // namespace hotkv::sim
