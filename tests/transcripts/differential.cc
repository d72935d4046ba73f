#include "tests/transcripts/differential.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "tests/transcripts/command_grammar.h"
#include "tests/transcripts/notation.h"
#include "tests/transcripts/translation.h"

namespace hotkv::transcripts {
namespace {

constexpr int kReplyWaitMs = 10000;
// Wall clocks differ by the time between two servers; deadlines are compared this closely.
constexpr int64_t kSecondsApartMax = 10;
constexpr int64_t kMillisecondsApartMax = 10000;

struct SentCommand {
  int client = 1;
  RandomCommand command;
};

using Sequence = std::vector<SentCommand>;

// One side of the comparison: sends a command, reads its one reply.
class Side {
 public:
  explicit Side(Target* target) : target_(target) {}

  Status begin() {
    bytes_.clear();
    return target_->begin({}, false);
  }

  Target* target() { return target_; }

  Status ask(const SentCommand& sent, Reply* reply) {
    Status status = target_->send(sent.client, command_bytes(sent.command.words));
    if (!status.ok()) return status;
    std::string& bytes = bytes_[sent.client];
    while (true) {
      ReplyParser parser;
      ReplyParser::State state = ReplyParser::State::kNeedMore;
      if (!bytes.empty()) state = parser.next(bytes, *reply);
      if (state == ReplyParser::State::kError)
        return Status::error("broken reply: " + parser.error());
      if (state == ReplyParser::State::kReply) {
        bytes.erase(0, parser.consumed());
        return Status();
      }
      Received received = target_->receive(sent.client, kReplyWaitMs, &bytes);
      if (received == Received::kClosed) return Status::error("the connection was closed");
      if (received == Received::kNothing) return Status::error("no reply");
    }
  }

 private:
  Target* target_;
  std::map<int, std::string> bytes_;
};

bool is_time_equal(int64_t a, int64_t b) {
  int64_t apart = a > b ? a - b : b - a;
  bool in_ms = std::min(a, b) > 200000 && std::min(a, b) != 0;
  return apart <= kSecondsApartMax || (in_ms && apart <= kMillisecondsApartMax);
}

bool is_equal(const Reply& a, const Reply& b, Comparison comparison) {
  if (a.type != b.type || a.elements.size() != b.elements.size()) return false;
  if (comparison == Comparison::kPresence) return true;
  if (a.type == Reply::Type::kInteger && comparison == Comparison::kTime) {
    return is_time_equal(a.integer, b.integer);
  }
  if (a.text != b.text || a.integer != b.integer) return false;
  for (size_t i = 0; i < a.elements.size(); ++i) {
    if (!is_equal(a.elements[i], b.elements[i], comparison)) return false;
  }
  return true;
}

struct Difference {
  size_t at = 0;  // Index in the sequence; its size means: of the data after it.
  std::string what;
};

std::string text_of(const Reply& reply) {
  std::string text;
  for (const std::string& line : reply_lines(reply)) text += (text.empty() ? "" : "\n  ") + line;
  return text;
}

std::string both(const Reply& left, const Reply& right) {
  return "  left:\n  " + text_of(left) + "\n  right:\n  " + text_of(right) + "\n";
}

SentCommand command_of(int client, std::vector<std::string> words, Comparison comparison) {
  return {client, {std::move(words), comparison}};
}

// Compares replies; knows which commands an EXEC answers for, each compared in its own way.
class ReplyComparison {
 public:
  bool is_same(const SentCommand& sent, Reply* a, Reply* b) {
    std::string name = upper_case(sent.command.words[0]);
    if (name == "HELLO") return true;
    std::vector<Comparison>& queued = queued_[sent.client];
    if (a->type == Reply::Type::kSimple && a->text == "QUEUED") {
      queued.push_back(sent.command.comparison);
      return is_equal(*a, *b, Comparison::kExact);
    }
    bool is_exec = name == "EXEC" && a->type == Reply::Type::kArray &&
                   a->elements.size() == queued.size() && b->elements.size() == queued.size();
    bool same = true;
    if (is_exec) {
      for (size_t i = 0; i < queued.size() && same; ++i) {
        same = is_same_as(&a->elements[i], &b->elements[i], queued[i]);
      }
    } else {
      same = is_same_as(a, b, sent.command.comparison);
    }
    if (name == "EXEC" || name == "DISCARD" || name == "RESET") queued.clear();
    return same;
  }

 private:
  static bool is_same_as(Reply* a, Reply* b, Comparison comparison) {
    if (comparison == Comparison::kUnordered) {
      sort_unordered(a);
      sort_unordered(b);
    }
    return is_equal(*a, *b, comparison);
  }

  std::map<int, std::vector<Comparison>> queued_;
};

constexpr int kReader = 9;  // The client that reads the data at the end.

class Comparer {
 public:
  // `replica` gets the effects of `left` as a real replica would; null when there is none.
  Comparer(Side* left, Side* right, Side* replica)
      : left_(left), right_(right), replica_(replica) {}

  // Runs a sequence on fresh data of all sides. No difference: `difference->what` is empty.
  Status run(const Sequence& sequence, Difference* difference) {
    Status status = left_->begin();
    if (status.ok()) status = right_->begin();
    if (status.ok() && replica_ != nullptr) status = replica_->begin();
    if (!status.ok()) return status;
    left_->target()->set_wall_ms(right_->target()->wall_ms());
    difference->what.clear();
    ReplyComparison comparison;
    for (size_t i = 0; i < sequence.size() && difference->what.empty(); ++i) {
      difference->at = i;
      difference->what = compare(sequence[i], right_, &comparison);
      if (replica_ != nullptr && difference->what.empty()) difference->what = replicate();
    }
    if (!difference->what.empty()) return Status();
    difference->at = sequence.size();
    difference->what = compare_data(right_);
    if (replica_ != nullptr && difference->what.empty()) {
      difference->what = compare_data(replica_);
      if (!difference->what.empty())
        difference->what = "  as replayed from effects:\n" + difference->what;
    }
    return Status();
  }

  int effects_replayed() const { return effects_replayed_; }

 private:
  std::string compare(const SentCommand& sent, Side* other, ReplyComparison* comparison) {
    Reply a;
    Reply b;
    Status left_status = left_->ask(sent, &a);
    SentCommand same = sent;
    same.command.words = translate(sent.command.words);
    Status other_status = other->ask(same, &b);
    if (!left_status.ok() || !other_status.ok()) {
      return "  left: " + left_status.message() + "\n  right: " + other_status.message() + "\n";
    }
    return comparison->is_same(sent, &a, &b) ? "" : both(a, b);
  }

  // Sends what the last command wrote to the effect log; a replica must accept all of it.
  std::string replicate() {
    std::vector<std::vector<std::string>> effects;
    left_->target()->take_effects(&effects);
    effects_replayed_ += static_cast<int>(effects.size());
    for (const auto& words : effects) {
      Reply reply;
      Status status = replica_->ask(command_of(1, words, Comparison::kExact), &reply);
      bool refused = reply.type == Reply::Type::kError;
      if (status.ok() && !refused) continue;
      std::string line;
      for (const std::string& word : words) line += " " + quoted_if_needed(word);
      return "  effect" + line + "\n  refused: " + reply.text + status.message() + "\n";
    }
    return "";
  }

  std::string compare_data(Side* other) {
    for (const char* db : {"0", "1", "2", "15"}) {
      Sequence reads = {command_of(kReader, {"SELECT", db}, Comparison::kExact),
                        command_of(kReader, {"KEYS", "*"}, Comparison::kUnordered)};
      for (const std::string& key : grammar_keys()) {
        reads.push_back(command_of(kReader, {"GET", key}, Comparison::kExact));
        reads.push_back(command_of(kReader, {"PTTL", key}, Comparison::kTime));
      }
      ReplyComparison comparison;
      for (const SentCommand& read : reads) {
        std::string what = compare(read, other, &comparison);
        if (what.empty()) continue;
        std::string line = "  data differ: db " + std::string(db);
        for (const std::string& word : read.command.words) line += " " + quoted_if_needed(word);
        return line + "\n" + what;
      }
    }
    return "";
  }

  Side* left_;
  Side* right_;
  Side* replica_;
  int effects_replayed_ = 0;
};

// Leaves out ever smaller runs of commands as long as a difference remains.
Status shrink(Sequence* sequence, Difference* difference, Comparer* comparer) {
  if (difference->at < sequence->size()) sequence->resize(difference->at + 1);
  for (size_t run = std::max<size_t>(1, sequence->size() / 2); run > 0; run /= 2) {
    bool shrunk = true;
    while (shrunk) {
      shrunk = false;
      for (size_t start = 0; start + run <= sequence->size();) {
        Sequence shorter(sequence->begin(), sequence->begin() + static_cast<long>(start));
        shorter.insert(shorter.end(), sequence->begin() + static_cast<long>(start + run),
                       sequence->end());
        Difference found;
        Status status = comparer->run(shorter, &found);
        if (!status.ok()) return status;
        if (found.what.empty()) {
          start += run;
          continue;
        }
        *sequence = shorter;
        *difference = found;
        shrunk = true;
      }
    }
  }
  return Status();
}

void print_difference(uint64_t seed, int number, const Sequence& sequence,
                      const Difference& found) {
  printf("# sequence %d of seed %llu\n", number, static_cast<unsigned long long>(seed));
  for (const SentCommand& sent : sequence) {
    std::string line = sent.client == 1 ? "A>" : "B>";
    for (const std::string& word : sent.command.words) line += " " + quoted_if_needed(word);
    printf("%s\n", line.c_str());
  }
  printf("%s\n", found.what.c_str());
  fflush(stdout);
}

Sequence draw_sequence(Random& random, int length) {
  Sequence sequence;
  for (int client : {1, 2}) {
    if (random.chance(1, 2)) {
      sequence.push_back(command_of(client, {"HELLO", "3"}, Comparison::kExact));
    }
  }
  for (int i = 0; i < length; ++i) {
    sequence.push_back({random.chance(1, 4) ? 2 : 1, random_command(random)});
  }
  return sequence;
}

}  // namespace

Result<DifferentialResult> compare_sequences(const DifferentialPlan& plan, Target* left_target,
                                             Target* right_target, Target* replica_target) {
  Side left(left_target);
  Side right(right_target);
  Side replica(replica_target);
  Comparer comparer(&left, &right, replica_target == nullptr ? nullptr : &replica);
  DifferentialResult result;
  for (int number = 0; number < plan.sequences && result.failed < plan.mismatches_max; ++number) {
    Random random(plan.seed, static_cast<uint64_t>(number));
    Sequence sequence = draw_sequence(random, plan.commands_per_sequence);
    Difference difference;
    Status status = comparer.run(sequence, &difference);
    if (!status.ok()) return status;
    if (difference.what.empty()) {
      ++result.passed;
      continue;
    }
    ++result.failed;
    status = shrink(&sequence, &difference, &comparer);
    if (!status.ok()) return status;
    print_difference(plan.seed, number, sequence, difference);
  }
  if (replica_target != nullptr) printf("%d effects replayed\n", comparer.effects_replayed());
  return result;
}

Result<DifferentialResult> compare_decimals(uint64_t seed, int pairs, Target* left_target,
                                            Target* right_target) {
  constexpr int kPrintMax = 20;
  Side left(left_target);
  Side right(right_target);
  Status status = left.begin();
  if (status.ok()) status = right.begin();
  DifferentialResult result;
  Random random(seed);
  for (int i = 0; i < pairs && status.ok(); ++i) {
    std::string a = random_decimal(random);
    std::string b = random_decimal(random);
    Reply replies[2];
    Side* sides[] = {&left, &right};
    for (int side = 0; side < 2 && status.ok(); ++side) {
      status = sides[side]->ask(command_of(1, {"SET", "n", a}, Comparison::kExact), &replies[side]);
      if (!status.ok()) break;
      status = sides[side]->ask(command_of(1, {"INCRBYFLOAT", "n", b}, Comparison::kExact),
                                &replies[side]);
    }
    if (!status.ok()) break;
    bool equal = is_equal(replies[0], replies[1], Comparison::kExact);
    equal ? ++result.passed : ++result.failed;
    if (!equal && result.failed <= kPrintMax) {
      printf("INCRBYFLOAT %s by %s\n%s", a.c_str(), b.c_str(),
             both(replies[0], replies[1]).c_str());
    }
  }
  if (!status.ok()) return status;
  return result;
}

}  // namespace hotkv::transcripts
