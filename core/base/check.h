// HOTKV_CHECK: our own invariants, checked in every build.
//
// A failed check is a fault in HotKV, never a client's or a disk's doing. It prints the expression,
// hands over to the failure hook (the flight recorder prints its last events) and stops.
#pragma once

namespace hotkv {

// Called once before the process stops; set by the host. It may print, it must not return to work.
using FailureHook = void (*)(const char* expression, const char* file, int line);
void set_failure_hook(FailureHook hook);

[[noreturn]] void check_failed(const char* expression, const char* file, int line);

}  // namespace hotkv

#define HOTKV_CHECK(expression)                  \
  (__builtin_expect(!!(expression), 1) ? (void)0 \
                                       : ::hotkv::check_failed(#expression, __FILE__, __LINE__))
