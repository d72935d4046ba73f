#include <cstdio>
#include <fstream>
#include <iterator>

#include "core/node/recording.h"
#include "native/tools/sim/commands.h"

namespace hotkv {

int run_replay(const SimArguments& arguments) {
  std::ifstream file(arguments.replay, std::ios::binary);
  if (!file) {
    std::fprintf(stderr, "hotkv-sim: cannot read %s\n", arguments.replay.c_str());
    return 2;
  }
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  Replay replay;
  Status status = replay.open(text);
  if (!status.ok()) {
    std::fprintf(stderr, "hotkv-sim: %s: %s\n", arguments.replay.c_str(), status.message().c_str());
    return 2;
  }
  Node& node = replay.node();
  node.trace().set_mask(trace::kAll);
  if (arguments.trace) {
    node.trace().set_sink(
        [](void*, Bytes line) {
          std::fwrite(line.data(), 1, line.size(), stdout);
          std::fputc('\n', stdout);
        },
        nullptr);
  }
  replay.run();
  if (replay.damaged()) {
    std::fprintf(stderr, "hotkv-sim: %s: the end can't be read; this is what comes before\n",
                 arguments.replay.c_str());
  }
  if (!arguments.trace) {
    std::printf("%llu inputs, %llu events, trace digest %016llx, data digest %016llx\n",
                (unsigned long long)replay.inputs(), (unsigned long long)node.trace().events(),
                (unsigned long long)node.trace().digest(), (unsigned long long)node.data_digest());
  }
  return 0;
}

}  // namespace hotkv
