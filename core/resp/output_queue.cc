#include "core/resp/output_queue.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "core/base/check.h"

namespace hotkv {

OutputQueue::~OutputQueue() {
  for (const Chunk& chunk : full_) std::free(chunk.data);
  std::free(last_.data);
}

OutputQueue::OutputQueue(OutputQueue&& other) noexcept { *this = std::move(other); }

OutputQueue& OutputQueue::operator=(OutputQueue&& other) noexcept {
  std::swap(last_, other.last_);
  std::swap(full_, other.full_);
  std::swap(full_bytes_, other.full_bytes_);
  return *this;
}

void OutputQueue::reserve(size_t more) {
  const size_t used = last_.size();
  if (last_.begin > 0 && last_.begin >= used && last_.capacity - used >= more) {
    // More has been sent than waits: linear in total.
    std::memmove(last_.data, last_.data + last_.begin, used);
    last_.begin = 0;
    last_.end = used;
    return;
  }
  Chunk next;
  if (used > 0 && used + more > kChunkBytes) {
    full_.push_back(last_);
    full_bytes_ += used;
    next.capacity = std::max(more, kChunkBytes);
  } else {
    const size_t doubled = last_.capacity < 512 ? 1024 : last_.capacity * 2;
    next.capacity = std::max(used + more, std::min(doubled, kChunkBytes));
    next.end = used;
  }
  next.data = static_cast<char*>(std::malloc(next.capacity));
  HOTKV_CHECK(next.data != nullptr);
  if (next.end > 0) std::memcpy(next.data, last_.data + last_.begin, used);
  if (full_.empty() || full_.back().data != last_.data) std::free(last_.data);
  last_ = next;
}

void OutputQueue::taken(size_t size) {
  HOTKV_CHECK(size <= this->size());
  while (!full_.empty() && size > 0) {
    Chunk& oldest = full_.front();
    const size_t part = std::min(size, oldest.size());
    oldest.begin += part;
    full_bytes_ -= part;
    size -= part;
    if (oldest.size() > 0) return;
    std::free(oldest.data);
    full_.erase(full_.begin());
    if (full_.empty()) full_ = {};
  }
  last_.begin += size;
  if (last_.begin < last_.end) return;
  last_.begin = last_.end = 0;
  if (empty() && last_.capacity > kKeepBytes) release();
}

void OutputQueue::release() {
  HOTKV_CHECK(empty());
  std::free(last_.data);
  last_ = {};
}

size_t OutputQueue::capacity() const {
  size_t sum = last_.capacity;
  for (const Chunk& chunk : full_) sum += chunk.capacity;
  return sum;
}

Bytes OutputQueue::since(size_t size) const {
  if (size >= full_bytes_) return last_.bytes().substr(std::min(size - full_bytes_, last_.size()));
  for (const Chunk& chunk : full_) {
    if (size < chunk.size()) return chunk.bytes().substr(size);
    size -= chunk.size();
  }
  return {};
}

void OutputQueue::truncate(size_t size) {
  while (size < full_bytes_) {
    std::free(last_.data);
    last_ = full_.back();
    full_.pop_back();
    full_bytes_ -= last_.size();
  }
  last_.end = last_.begin + (size - full_bytes_);
}

}  // namespace hotkv
