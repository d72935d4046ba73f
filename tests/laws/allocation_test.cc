// Law: in steady state a GET, and a SET that overwrites a value of equal size, allocate nothing.
//
// The linker sends every malloc of this program here (--wrap), and operator new goes the same way.
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

#include "tests/bench/node_pipe.h"

namespace {
uint64_t allocations = 0;
}

extern "C" {
void* __real_malloc(size_t size);
void* __real_realloc(void* p, size_t size);
void* __real_aligned_alloc(size_t alignment, size_t size);
void* __wrap_malloc(size_t size) {
  allocations++;
  return __real_malloc(size);
}
void* __wrap_realloc(void* p, size_t size) {
  allocations++;
  return __real_realloc(p, size);
}
void* __wrap_aligned_alloc(size_t alignment, size_t size) {
  allocations++;
  return __real_aligned_alloc(alignment, size);
}
}

void* operator new(size_t size) { return __wrap_malloc(size); }
void* operator new[](size_t size) { return __wrap_malloc(size); }
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, size_t) noexcept { std::free(p); }
void operator delete[](void* p, size_t) noexcept { std::free(p); }

namespace hotkv {
namespace {

constexpr int kKeys = 1000;
constexpr int kPipeline = 16;

std::string pipeline_of(const std::vector<std::string>& words_behind_key, const char* name,
                        int round) {
  std::string bytes;
  for (int i = 0; i < kPipeline; i++) {
    std::string key = bench_key((round * kPipeline + i) % kKeys);
    std::vector<Bytes> words = {name, key};
    for (const std::string& word : words_behind_key) words.emplace_back(word);
    append_command(bytes, words);
  }
  return bytes;
}

// Allocations of `rounds` pipelines after enough of them to warm every buffer up.
uint64_t allocations_of(const char* name, const std::vector<std::string>& words) {
  NodePipe pipe;
  for (int i = 0; i < kKeys; i++) {
    std::string bytes, key = bench_key(i);
    append_command(bytes, {"SET", key, "value-of-16-byte"});
    pipe.feed(bytes);
  }
  std::vector<std::string> pipelines;
  for (int i = 0; i < 200; i++) pipelines.push_back(pipeline_of(words, name, i));
  for (const std::string& p : pipelines) pipe.feed(p);
  uint64_t before = allocations;
  for (const std::string& p : pipelines) pipe.feed(p);
  return allocations - before;
}

TEST(Allocation, GetAllocatesNothing) { EXPECT_EQ(allocations_of("GET", {}), 0u); }

TEST(Allocation, OverwritingSetOfEqualSizeAllocatesNothing) {
  EXPECT_EQ(allocations_of("SET", {"another-16-bytes"}), 0u);
}

TEST(Allocation, TheCounterCounts) {
  // A test that cannot fail would be decoration: new keys do allocate.
  NodePipe pipe;
  uint64_t before = allocations;
  std::string bytes;
  append_command(bytes, {"SET", "fresh", "value"});
  pipe.feed(bytes);
  EXPECT_GT(allocations, before);
}

}  // namespace
}  // namespace hotkv
