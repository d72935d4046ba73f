#include "core/resp/output_queue.h"

#include <cstdlib>
#include <utility>

#include "core/base/check.h"

namespace hotkv {

OutputQueue::~OutputQueue() { std::free(data_); }

OutputQueue::OutputQueue(OutputQueue&& other) noexcept { *this = std::move(other); }

OutputQueue& OutputQueue::operator=(OutputQueue&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(begin_, other.begin_);
  std::swap(end_, other.end_);
  std::swap(capacity_, other.capacity_);
  return *this;
}

void OutputQueue::reserve(size_t more) {
  size_t used = size();
  if (begin_ > 0 && begin_ >= used && capacity_ - used >= more) {
    std::memmove(data_, data_ + begin_, used);  // More has been sent than waits: linear in total.
  } else {
    size_t wanted = used + more;
    size_t grown = capacity_ < 512 ? 1024 : capacity_ * 2;
    capacity_ = wanted > grown ? wanted : grown;
    char* bigger = static_cast<char*>(std::malloc(capacity_));
    HOTKV_CHECK(bigger != nullptr);
    if (used) std::memcpy(bigger, data_ + begin_, used);
    std::free(data_);
    data_ = bigger;
  }
  begin_ = 0;
  end_ = used;
}

void OutputQueue::taken(size_t size) {
  HOTKV_CHECK(size <= this->size());
  begin_ += size;
  if (begin_ < end_) return;
  begin_ = end_ = 0;
  if (capacity_ > kKeepBytes) release();
}

void OutputQueue::release() {
  HOTKV_CHECK(empty());
  std::free(data_);
  data_ = nullptr;
  begin_ = end_ = capacity_ = 0;
}

}  // namespace hotkv
