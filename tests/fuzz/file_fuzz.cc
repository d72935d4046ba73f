// The files a machine is given: configuration, scenario, recording. Corrupt input is an error,
// never a stop, and a configuration that was read and written again says the same.
#include <cstdint>
#include <string>

#include "core/node/options.h"
#include "core/node/recording.h"
#include "core/sim/scenario.h"
#include "tests/fuzz/invariant.h"

namespace {

using hotkv::Bytes;

void check_configuration(Bytes text) {
  hotkv::Options options;
  if (!options.load(text).ok()) return;
  std::string written = hotkv::rewrite_config(text, options);
  hotkv::Options again;
  invariant(again.load(written).ok(), "a rewritten configuration loads");
  invariant(again.snapshot() == options.snapshot(), "and says the same");
}

void check_recording(Bytes text) {
  hotkv::RecordingReader reader;
  std::string recording("HOTKV-RECORDING 1\n");
  recording.append(text);
  if (!reader.open(recording).ok()) return;
  hotkv::Recorded record;
  while (reader.next(record)) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  Bytes text(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % 4) {
    case 0: check_configuration(text); break;
    case 1: check_recording(text); break;
    default: {
      // A corpus file is read as it is; the first byte is its own.
      Bytes all(reinterpret_cast<const char*>(data), size);
      auto scenario = hotkv::sim::parse_scenario(all);
      if (scenario.ok()) {
        invariant(hotkv::sim::parse_scenario(hotkv::sim::strip_expectations(all)).ok(),
                  "a scenario without its expectations is a scenario");
      }
      break;
    }
  }
  return 0;
}
