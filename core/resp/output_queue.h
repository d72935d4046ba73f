// OutputQueue: the bytes that wait to be sent on one link.
//
// One contiguous buffer, so that the host sends a pipeline's replies with one system call.
// Appending reuses the buffer; taking from the front only moves an offset. The buffer is given back
// when it is empty and larger than kKeepBytes, so that idle links cost nothing and busy ones never
// allocate.
//
// A client that does not read makes the queue long. Beyond kChunkBytes it goes on in a new chunk
// instead of a larger buffer: copying hundreds of megabytes would hold up every other client.
// pending() is then only the oldest chunk; a single append() is never split.
#pragma once

#include <cstring>
#include <vector>

#include "core/base/bytes.h"

namespace hotkv {

class OutputQueue {
 public:
  static constexpr size_t kKeepBytes = 64 * 1024;
  static constexpr size_t kChunkBytes = 1024 * 1024;

  OutputQueue() = default;
  ~OutputQueue();
  OutputQueue(OutputQueue&& other) noexcept;
  OutputQueue& operator=(OutputQueue&& other) noexcept;
  OutputQueue(const OutputQueue&) = delete;
  OutputQueue& operator=(const OutputQueue&) = delete;

  void append(Bytes bytes) {
    std::memcpy(grow(bytes.size()), bytes.data(), bytes.size());
    last_.end += bytes.size();
  }
  // Room for `size` bytes at the end if it is there already, else null.
  char* room(size_t size) {
    return last_.capacity - last_.end < size ? nullptr : last_.data + last_.end;
  }
  // Room for `size` bytes at the end; call commit(n <= size) after writing them.
  char* grow(size_t size) {
    if (last_.capacity - last_.end < size) reserve(size);
    return last_.data + last_.end;
  }
  void commit(size_t size) { last_.end += size; }

  // The oldest bytes, as many as lie together; empty only when the queue is.
  Bytes pending() const { return full_.empty() ? last_.bytes() : full_.front().bytes(); }
  size_t size() const { return full_bytes_ + last_.size(); }
  bool empty() const { return size() == 0; }
  void taken(size_t size);  // REQUIRES: size <= this->size()
  void release();           // Gives back the buffer of an empty queue, whatever its size.
  size_t capacity() const;
  // What was appended after the queue had `size` bytes, as far as it lies together.
  Bytes since(size_t size) const;
  // For a reply that turns out to be an error half-way: forget what was appended after `size`.
  void truncate(size_t size);

 private:
  struct Chunk {
    char* data = nullptr;
    size_t begin = 0;
    size_t end = 0;
    size_t capacity = 0;

    size_t size() const { return end - begin; }
    Bytes bytes() const { return {data + begin, end - begin}; }
  };

  void reserve(size_t more);

  Chunk last_;               // Where bytes are appended.
  std::vector<Chunk> full_;  // The chunks before it, oldest first: none but for slow readers.
  size_t full_bytes_ = 0;
};

}  // namespace hotkv
