// Status and Result: how the world's failures travel (a full disk, a corrupt file).
//
// Client errors are replies (resp/errors.h); our own faults are HOTKV_CHECK. A Status is OK or a
// sentence that an operator understands. [[nodiscard]]: a failure may be handled, never dropped.
#pragma once

#include <string>
#include <utility>

namespace hotkv {

class [[nodiscard]] Status {
 public:
  Status() = default;  // OK
  static Status error(std::string message) {
    Status s;
    s.message_ = std::move(message);
    if (s.message_.empty()) s.message_ = "unknown error";
    return s;
  }
  bool ok() const { return message_.empty(); }
  const std::string& message() const { return message_; }

 private:
  std::string message_;  // Empty is OK: the common case allocates nothing.
};

// A value or the reason why there is none. REQUIRES: ok() before value().
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}          // NOLINT: implicit by design
  Result(Status status) : status_(std::move(status)) {}  // NOLINT
  bool ok() const { return status_.ok(); }
  const Status& status() const { return status_; }
  T& value() { return value_; }
  const T& value() const { return value_; }

 private:
  T value_{};
  Status status_;
};

}  // namespace hotkv
