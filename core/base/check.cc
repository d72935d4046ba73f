#include "core/base/check.h"

#include <cstdlib>

namespace hotkv {

namespace {
FailureHook failure_hook = nullptr;
}

void set_failure_hook(FailureHook hook) { failure_hook = hook; }

void check_failed(const char* expression, const char* file, int line) {
  FailureHook hook = failure_hook;
  failure_hook = nullptr;  // A check that fails inside the hook stops at once.
  if (hook) hook(expression, file, line);
  std::abort();
}

}  // namespace hotkv
