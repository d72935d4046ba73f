// invariant(): what must hold for every input of a fuzzer. Unlike assert it is there in every
// build, and unlike HOTKV_CHECK it is the test's, not the program's.
#pragma once

#include <cstdio>
#include <cstdlib>

inline void invariant(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "broken: %s\n", what);
  std::abort();
}
