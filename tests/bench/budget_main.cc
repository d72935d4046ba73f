// Runs one command many times through a node, for counting instructions from outside (callgrind).
//
//   hotkv-budget get|set KEYS N      N pipelines of 16 commands over so many keys
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tests/bench/node_pipe.h"

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fputs("usage: hotkv-budget get|set KEYS PIPELINES\n", stderr);
    return 2;
  }
  constexpr int kPipeline = 16;
  const int keys = std::atoi(argv[2]), variants = keys / kPipeline;
  bool set = std::strcmp(argv[1], "set") == 0;
  hotkv::NodePipe pipe;
  std::vector<std::string> pipelines(static_cast<size_t>(variants));
  for (int i = 0; i < keys; i++) {
    std::string key = hotkv::bench_key(i), load;
    hotkv::append_command(load, {"SET", key, "value-of-16-byte"});
    pipe.feed(load);
    std::string& bytes = pipelines[static_cast<size_t>(i / kPipeline % variants)];
    if (set) {
      hotkv::append_command(bytes, {"SET", key, "another-16-bytes"});
    } else {
      hotkv::append_command(bytes, {"GET", key});
    }
  }
  size_t replied = 0;
  int64_t rounds = std::atoll(argv[3]);
  for (int64_t i = 0; i < rounds; i++) {
    replied += pipe.feed(pipelines[static_cast<size_t>(i) % pipelines.size()]);
  }
  std::printf("%zu reply bytes\n", replied);
  return 0;
}
