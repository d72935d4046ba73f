// Bytes: a view of a run of bytes that somebody else owns.
//
// Keys, values, arguments and replies are bytes, never text: they may hold NUL and invalid UTF-8.
// A view is valid as long as its owner says; every function that returns one names the owner.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace hotkv {

using Bytes = std::string_view;

// Copies a view's bytes: without a call to memcpy when they are few. An empty view may have no
// address, which memcpy must not be given.
inline void copy_bytes(char* to, Bytes from) {
  if (from.size() > 32) {
    std::memcpy(to, from.data(), from.size());
  } else if (from.size() >= 8) {
    uint64_t word;
    const size_t last = from.size() - 8;
    size_t at = 0;
    do {
      std::memcpy(&word, from.data() + at, 8);
      std::memcpy(to + at, &word, 8);
      at += 8;
    } while (at < last);
    std::memcpy(&word, from.data() + last, 8);
    std::memcpy(to + last, &word, 8);
  } else {
    for (char c : from) *to++ = c;
  }
}

// Compares two words without regard to ASCII case; option and command names are such words.
bool equal_ignoring_case(Bytes a, Bytes b);

// Whether `size` bytes are equal; for keys and other short runs, where calling memcmp costs more
// than comparing.
inline bool equal_bytes(const char* a, const char* b, size_t size) {
  auto differ = [&]<class Word>(size_t at, Word) {
    Word x, y;
    std::memcpy(&x, a + at, sizeof(Word));
    std::memcpy(&y, b + at, sizeof(Word));
    return x != y;
  };
  if (size >= 8) {
    size_t last = size - 8;
    if (size <= 16) return !differ(0, uint64_t{}) && !differ(last, uint64_t{});
    for (size_t at = 0; at < last; at += 8) {
      if (differ(at, uint64_t{})) return false;
    }
    return !differ(last, uint64_t{});
  }
  if (size >= 4) return !differ(0, uint32_t{}) && !differ(size - 4, uint32_t{});
  for (size_t at = 0; at < size; at++) {
    if (a[at] != b[at]) return false;
  }
  return true;
}

// ASCII only and independent of any locale, so that native and wasm agree.
constexpr char to_lower(char c) { return (c >= 'A' && c <= 'Z') ? static_cast<char>(c + 32) : c; }
constexpr char to_upper(char c) { return (c >= 'a' && c <= 'z') ? static_cast<char>(c - 32) : c; }
std::string lower_case(Bytes text);
std::string upper_case(Bytes text);

// Glob matching of KEYS, SCAN MATCH and CONFIG GET: `*`, `?`, `[a-c]`, `[^a]`, `\x` quotes x.
// Time is O(|pattern| * |text|): a star backtracks to the last star only.
bool glob_match(Bytes pattern, Bytes text, bool ignore_case = false);

// Appends `text` in double quotes with the escapes of redis-cli (\n \r \t \a \b \\ \" \xhh).
void append_quoted(std::string& out, Bytes text);

// Splits a line into words as redis-cli and redis.conf do: blanks separate, "..." with escapes,
// '...' plain. Returns false when quotes do not balance or a closing quote is followed by a
// character other than a blank; `words` is then unspecified.
bool split_quoted(Bytes line, std::vector<std::string>& words);

}  // namespace hotkv
