// OutputQueue: the bytes that wait to be sent on one link.
//
// One contiguous buffer, so that the host sends a pipeline's replies with one system call.
// Appending reuses the buffer; taking from the front only moves an offset. The buffer is given back
// when it is empty and larger than kKeepBytes, so that idle links cost nothing and busy ones never
// allocate.
#pragma once

#include <cstring>

#include "core/base/bytes.h"

namespace hotkv {

class OutputQueue {
 public:
  static constexpr size_t kKeepBytes = 64 * 1024;

  OutputQueue() = default;
  ~OutputQueue();
  OutputQueue(OutputQueue&& other) noexcept;
  OutputQueue& operator=(OutputQueue&& other) noexcept;
  OutputQueue(const OutputQueue&) = delete;
  OutputQueue& operator=(const OutputQueue&) = delete;

  void append(Bytes bytes) {
    std::memcpy(grow(bytes.size()), bytes.data(), bytes.size());
    end_ += bytes.size();
  }
  // Room for `size` bytes at the end; call commit(n <= size) after writing them.
  char* grow(size_t size) {
    if (capacity_ - end_ < size) reserve(size);
    return data_ + end_;
  }
  void commit(size_t size) { end_ += size; }

  Bytes pending() const { return {data_ + begin_, end_ - begin_}; }
  size_t size() const { return end_ - begin_; }
  bool empty() const { return begin_ == end_; }
  void taken(size_t size);  // REQUIRES: size <= this->size()
  void release();           // Gives back the buffer of an empty queue, whatever its size.
  size_t capacity() const { return capacity_; }
  // For a reply that turns out to be an error half-way: forget what was appended after `size`.
  void truncate(size_t size) { end_ = begin_ + size; }

 private:
  void reserve(size_t more);

  char* data_ = nullptr;
  size_t begin_ = 0;
  size_t end_ = 0;
  size_t capacity_ = 0;
};

}  // namespace hotkv
