// Runs a fuzz target without libFuzzer: a bounded number of generated inputs, the same on every
// machine for one seed. Inputs are the files of a corpus folder, each also cut, spliced and
// bit-flipped, and byte strings biased towards what protocols are made of.
//
//   fuzz-<name> [--inputs N] [--seed S] [corpus-folder]
#include <dirent.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

constexpr size_t kMaxInputBytes = 4096;

class SplitMix {
 public:
  explicit SplitMix(uint64_t seed) : state_(seed) {}
  uint64_t next() {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  size_t below(size_t bound) { return bound == 0 ? 0 : static_cast<size_t>(next() % bound); }

 private:
  uint64_t state_;
};

const char* const kFragments[] = {"\r\n",       "*1\r\n",
                                  "*3\r\n",     "$3\r\n",
                                  "$-1\r\n",    "*-1\r\n",
                                  "SET",        "GET",
                                  "key",        "\"",
                                  "'",          "\\x",
                                  " ",          "\n",
                                  ":1\r\n",     "+OK\r\n",
                                  "%2\r\n",     "~1\r\n",
                                  ",1.5\r\n",   "(12\r\n",
                                  "_\r\n",      "#t\r\n",
                                  "=7\r\ntxt:", ">2\r\n",
                                  "0",          "9223372036854775807"};
constexpr size_t kFragmentCount = sizeof(kFragments) / sizeof(kFragments[0]);

std::string read_file(const std::string& path) {
  std::string content;
  FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) return content;
  char buffer[4096];
  for (size_t n = 0; (n = std::fread(buffer, 1, sizeof(buffer), file)) > 0;) {
    content.append(buffer, n);
  }
  std::fclose(file);
  return content;
}

std::vector<std::string> read_corpus(const char* folder) {
  std::vector<std::string> corpus;
  DIR* dir = opendir(folder);
  if (dir == nullptr) {
    std::fprintf(stderr, "corpus folder %s: cannot be read\n", folder);
    std::exit(2);
  }
  while (const dirent* entry = readdir(dir)) {
    if (entry->d_name[0] == '.') continue;
    corpus.push_back(read_file(std::string(folder) + "/" + entry->d_name));
  }
  closedir(dir);
  return corpus;
}

std::string invent(SplitMix& random) {
  std::string input;
  const size_t pieces = 1 + random.below(24);
  for (size_t i = 0; i < pieces; ++i) {
    if (random.below(3) != 0) {
      input += kFragments[random.below(kFragmentCount)];
    } else {
      const size_t bytes = random.below(12);
      for (size_t b = 0; b < bytes; ++b) input.push_back(static_cast<char>(random.next()));
    }
  }
  return input;
}

std::string mutate(SplitMix& random, const std::vector<std::string>& corpus) {
  std::string input = corpus[random.below(corpus.size())];
  const size_t edits = 1 + random.below(4);
  for (size_t i = 0; i < edits && !input.empty(); ++i) {
    const size_t at = random.below(input.size());
    switch (random.below(4)) {
      case 0: input[at] = static_cast<char>(input[at] ^ (1 << random.below(8))); break;
      case 1: input.resize(at); break;
      case 2: input.insert(at, kFragments[random.below(kFragmentCount)]); break;
      default: {
        const std::string& other = corpus[random.below(corpus.size())];
        input = input.substr(0, at) + other.substr(random.below(other.size() + 1));
        break;
      }
    }
  }
  if (input.size() > kMaxInputBytes) input.resize(kMaxInputBytes);
  return input;
}

void run(const std::string& input) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(input.data()), input.size());
}

}  // namespace

int main(int argc, char** argv) {
  unsigned long inputs = 20000;
  uint64_t seed = 1;
  std::vector<std::string> corpus;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--inputs") == 0 && i + 1 < argc) {
      inputs = std::strtoul(argv[++i], nullptr, 10);
    } else if (std::strcmp(argv[i], "--seed") == 0 && i + 1 < argc) {
      seed = std::strtoull(argv[++i], nullptr, 10);
    } else {
      corpus = read_corpus(argv[i]);
    }
  }
  std::printf("seed %llu, %lu inputs, %zu corpus files\n", static_cast<unsigned long long>(seed),
              inputs, corpus.size());
  for (const std::string& input : corpus) run(input);
  SplitMix random(seed);
  for (unsigned long i = 0; i < inputs; ++i) {
    const bool from_corpus = !corpus.empty() && random.below(2) == 0;
    run(from_corpus ? mutate(random, corpus) : invent(random));
  }
  std::printf("tally: 1 passed, 0 failed\n");
  return 0;
}
