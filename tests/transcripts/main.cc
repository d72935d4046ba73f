// hotkv-transcripts: plays transcript files against a target and compares.
//
//   hotkv-transcripts --target node|server [--server PATH] [--title TEXT] [--rewrite] FILE...
//   hotkv-transcripts --target node|server [--server PATH] --against PATH
//                     (--differential SEQUENCES | --decimals PAIRS) [--seed N]
//
// Prints one line per file, a diff per failing block, and `tally: P passed, F failed` last; a test
// is one block, one sequence or one pair. --rewrite puts what the target answered in place of what
// differs: look at the diff before you keep it, and never rewrite a newer command from hotkv alone.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "tests/transcripts/differential.h"
#include "tests/transcripts/node_target.h"
#include "tests/transcripts/player.h"
#include "tests/transcripts/server_target.h"
#include "tests/transcripts/transcript.h"

namespace hotkv::transcripts {
namespace {

struct Arguments {
  std::string target = "server";
  std::string server = "redis-server";
  std::string title;  // Only blocks whose title holds this.
  bool rewrite = false;
  std::string against = "redis-server";
  uint64_t seed = 1;
  int sequences = 0;
  int pairs = 0;
  std::vector<std::string> files;
};

struct Tally {
  int passed = 0;
  int failed = 0;
  int skipped = 0;
};

[[noreturn]] void usage(const std::string& problem) {
  fprintf(stderr,
          "%s\nusage: hotkv-transcripts --target node|server [--server PATH] [--title TEXT] "
          "[--rewrite] FILE...\n       hotkv-transcripts --target node|server [--server PATH] "
          "--against PATH (--differential N | --decimals N) [--seed N]\n",
          problem.c_str());
  exit(2);
}

int number_of(const std::string& option, const char* text) {
  char* end = nullptr;
  long value = strtol(text, &end, 10);
  if (*end != 0 || value < 0 || value > 100000000) usage(option + " needs a number, not " + text);
  return static_cast<int>(value);
}

void take_option(const std::string& option, const char* value, Arguments* arguments) {
  if (option == "--target")
    arguments->target = value;
  else if (option == "--server")
    arguments->server = value;
  else if (option == "--title")
    arguments->title = value;
  else if (option == "--against")
    arguments->against = value;
  else if (option == "--seed")
    arguments->seed = static_cast<uint64_t>(number_of(option, value));
  else if (option == "--differential")
    arguments->sequences = number_of(option, value);
  else if (option == "--decimals")
    arguments->pairs = number_of(option, value);
  else
    usage("unknown option " + option);
}

Arguments read_arguments(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    std::string word = argv[i];
    if (word == "--rewrite") {
      arguments.rewrite = true;
    } else if (word.substr(0, 2) != "--") {
      arguments.files.push_back(word);
    } else {
      if (i + 1 == argc) usage(word + " needs a value");
      take_option(word, argv[++i], &arguments);
    }
  }
  bool compares = arguments.sequences > 0 || arguments.pairs > 0;
  if (compares != arguments.files.empty()) usage("name transcript files, or what to compare");
  return arguments;
}

// Compares versions like 7.0.15 and 8.4 number by number.
bool is_older(const std::string& version, const std::string& than) {
  const char* a = version.c_str();
  const char* b = than.c_str();
  while (*a != 0 || *b != 0) {
    char* a_end = nullptr;
    char* b_end = nullptr;
    long left = strtol(a, &a_end, 10);
    long right = strtol(b, &b_end, 10);
    if (left != right) return left < right;
    a = *a_end == '.' ? a_end + 1 : a_end;
    b = *b_end == '.' ? b_end + 1 : b_end;
    if (a == a_end && b == b_end) return false;
  }
  return false;
}

bool can_play(const Block& block, const Target& target) {
  if (!block.only.empty()) {
    bool named = false;
    for (const std::string& only : block.only) {
      for (const std::string& name : target.names()) named = named || only == name;
    }
    if (!named) return false;
  }
  std::string version = target.redis_version();
  bool newest = version.empty();
  if (!block.since.empty() && !newest && is_older(version, block.since)) return false;
  if (!block.before.empty() && (newest || !is_older(version, block.before))) return false;
  return true;
}

void print_lines(char sign, const std::vector<std::string>& lines, const char* mark) {
  constexpr size_t kWidthMax = 600;
  for (const std::string& line : lines) {
    bool cut = line.size() > kWidthMax;
    printf("    %c %s %s%s\n", sign, mark, line.substr(0, kWidthMax).c_str(), cut ? " (cut)" : "");
  }
}

void print_mismatch(const Transcript& transcript, const Block& block, const Mismatch& mismatch) {
  const Step& step = *mismatch.step;
  const char* mark = mismatch.of_effects ? "=" : "<";
  printf("%s:%d: %s\n      %s> %s\n", transcript.path.c_str(), step.line, block.title.c_str(),
         step.client.c_str(), step.text.c_str());
  print_lines('-', mismatch.of_effects ? step.effects : step.expected, mark);
  print_lines('+', mismatch.actual, mark);
}

// Replaces the expected lines of each mismatch by the actual ones. `mismatches` are in file order.
void rewrite_file(const Transcript& transcript, const std::vector<Mismatch>& mismatches) {
  std::ofstream file(transcript.path, std::ios::trunc);
  size_t next = 0;
  for (size_t i = 0; i < transcript.lines.size(); ++i) {
    int line = static_cast<int>(i) + 1;
    if (next == mismatches.size()) {
      file << transcript.lines[i] << "\n";
      continue;
    }
    const Mismatch& mismatch = mismatches[next];
    const Step& step = *mismatch.step;
    const std::vector<std::string>& old = mismatch.of_effects ? step.effects : step.expected;
    int first = mismatch.of_effects ? step.effects_line : step.expected_line;
    bool insert_after = old.empty() && line == step.line;
    if (!insert_after && line != first) {
      file << transcript.lines[i] << "\n";
      continue;
    }
    if (insert_after) file << transcript.lines[i] << "\n";
    std::string start =
        transcript.lines[i].substr(0, insert_after ? 0 : transcript.lines[i].find(' '));
    if (insert_after) start = "<";
    for (const std::string& text : mismatch.actual) file << start << " " << text << "\n";
    if (!insert_after) i += old.size() - 1;
    ++next;
  }
}

void play_file(const Transcript& transcript, const Arguments& arguments, Target* target,
               Tally* total) {
  Tally tally;
  std::vector<Mismatch> rewrites;
  for (const Block& block : transcript.blocks) {
    if (block.title.find(arguments.title) == std::string::npos) continue;
    if (!can_play(block, *target)) {
      ++tally.skipped;
      continue;
    }
    std::vector<Mismatch> mismatches;
    Status status = Player(target, arguments.rewrite).play(block, &mismatches);
    if (!status.ok()) {
      printf("%s:%d: %s\n      %s\n", transcript.path.c_str(), block.line, block.title.c_str(),
             status.message().c_str());
    }
    for (const Mismatch& mismatch : mismatches) print_mismatch(transcript, block, mismatch);
    rewrites.insert(rewrites.end(), mismatches.begin(), mismatches.end());
    status.ok() && mismatches.empty() ? ++tally.passed : ++tally.failed;
  }
  printf("%s: %d passed, %d failed, %d not for this target\n", transcript.path.c_str(),
         tally.passed, tally.failed, tally.skipped);
  fflush(stdout);
  if (arguments.rewrite && !rewrites.empty()) rewrite_file(transcript, rewrites);
  total->passed += tally.passed;
  total->failed += tally.failed;
  total->skipped += tally.skipped;
}

Status play_files(const Arguments& arguments, Target* target, Tally* total) {
  for (const std::string& path : arguments.files) {
    Result<Transcript> transcript = read_transcript(path);
    if (!transcript.ok()) return transcript.status();
    play_file(transcript.value(), arguments, target, total);
  }
  return Status();
}

Status compare(const Arguments& arguments, Target* target, Tally* total) {
  ServerTarget redis(arguments.against);
  Status status = redis.identify();
  if (!status.ok()) return status;
  printf("seed %llu\n", static_cast<unsigned long long>(arguments.seed));
  ServerTarget replica(arguments.against);
  std::vector<std::vector<std::string>> effects;
  bool shows_effects = target->begin({}, false).ok() && target->take_effects(&effects);
  DifferentialPlan plan;
  plan.seed = arguments.seed;
  plan.sequences = arguments.sequences;
  Result<DifferentialResult> result =
      arguments.pairs > 0
          ? compare_decimals(arguments.seed, arguments.pairs, target, &redis)
          : compare_sequences(plan, target, &redis, shows_effects ? &replica : nullptr);
  if (!result.ok()) return result.status();
  total->passed = result.value().passed;
  total->failed = result.value().failed;
  return Status();
}

int run(const Arguments& arguments) {
  Status status;
  std::unique_ptr<Target> target;
  if (arguments.target == "node") {
    target = std::make_unique<NodeTarget>();
  } else if (arguments.target == "server") {
    auto server = std::make_unique<ServerTarget>(arguments.server);
    status = server->identify();
    target = std::move(server);
  } else {
    usage("unknown target " + arguments.target);
  }
  Tally total;
  if (status.ok()) {
    status = arguments.files.empty() ? compare(arguments, target.get(), &total)
                                     : play_files(arguments, target.get(), &total);
  }
  if (!status.ok()) {
    fprintf(stderr, "%s\n", status.message().c_str());
    ++total.failed;
  }
  printf("tally: %d passed, %d failed\n", total.passed, total.failed);
  return total.failed == 0 ? 0 : 1;
}

}  // namespace
}  // namespace hotkv::transcripts

int main(int argc, char** argv) {
  return hotkv::transcripts::run(hotkv::transcripts::read_arguments(argc, argv));
}
