#include <cstdio>
#include <fstream>
#include <iterator>

#include "core/sim/recording.h"
#include "native/tools/sim/commands.h"

namespace hotkv {

int run_replay(const SimArguments& arguments) {
  std::ifstream file(arguments.replay, std::ios::binary);
  if (!file) {
    std::fprintf(stderr, "hotkv-sim: cannot read %s\n", arguments.replay.c_str());
    return 2;
  }
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  sim::RecordingReader reader(text);
  NodeSetup setup;
  Status status = reader.read_header(setup);
  if (!status.ok()) {
    std::fprintf(stderr, "hotkv-sim: %s: %s\n", arguments.replay.c_str(), status.message().c_str());
    return 2;
  }
  Node node(setup);
  if (!node.setup_status().ok()) {
    std::fprintf(stderr, "hotkv-sim: %s\n", node.setup_status().message().c_str());
    return 2;
  }
  node.trace().set_mask(trace::kAll);
  if (arguments.trace) {
    node.trace().set_sink(
        [](void*, Bytes line) {
          std::fwrite(line.data(), 1, line.size(), stdout);
          std::fputc('\n', stdout);
        },
        nullptr);
  }
  Input input;
  Now now;
  Outputs outputs;
  unsigned long long inputs = 0;
  while (reader.next(input, now)) {
    outputs.clear();
    node.step(input, now, outputs);
    // A real host sends what waits; here it is only taken, so that the node goes on as it did.
    for (LinkId link : outputs.writable) node.taken(link, node.pending(link).size());
    inputs++;
  }
  if (!arguments.trace) {
    std::printf("%llu inputs, %llu events, trace digest %016llx, data digest %016llx\n", inputs,
                (unsigned long long)node.trace().events(),
                (unsigned long long)node.trace().digest(),
                (unsigned long long)node.data_digest());
  }
  return 0;
}

}  // namespace hotkv
