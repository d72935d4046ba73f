// A small lock lesson as the simulation writes it (lock.trace), for the tests of the view: two
// workers, one node; A takes the lock, B hears an error, A's link is cut with a message on it.
#pragma once

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "web/view/trace_reader.h"

namespace hotkv::view {

inline std::string lock_trace() {
  std::ifstream file(HOTKV_SOURCE_DIR "/tests/unit/view/lock.trace", std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline std::vector<Event> lock_events() { return read_trace(lock_trace()); }

}  // namespace hotkv::view
