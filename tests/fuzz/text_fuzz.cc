// Words, patterns and numbers: what is written reads back, and every text has an answer.
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/bytes.h"
#include "core/base/numbers.h"
#include "tests/fuzz/invariant.h"

namespace {

using hotkv::Bytes;

void check_words(Bytes text) {
  std::string quoted;
  hotkv::append_quoted(quoted, text);
  std::vector<std::string> words;
  invariant(hotkv::split_quoted(quoted, words), "quoted text is a line of words");
  invariant(words.size() == 1 && words[0] == text, "quoted text reads back");
  hotkv::split_quoted(text, words);
}

void check_numbers(Bytes text) {
  hotkv::NumberText out;
  int64_t integer = 0;
  if (hotkv::parse_int64(text, integer)) {
    invariant(hotkv::format_int64(integer, out) == text, "an integer has one text");
  }
  uint64_t natural = 0;
  if (hotkv::parse_uint64(text, natural)) {
    invariant(hotkv::format_uint64(natural, out) == text, "a natural number has one text");
    invariant(hotkv::decimal_length(natural) == static_cast<int>(text.size()), "so many digits");
  }
  double number = 0;
  if (hotkv::parse_double(text, number)) {
    double again = 0;
    invariant(hotkv::parse_double(hotkv::format_double(number, out), again), "a double reads back");
    invariant(again == number && std::signbit(again) == std::signbit(number), "as the same double");
  }
  uint64_t size = 0;
  hotkv::parse_memory_size(text, size);
}

void check_decimals(Bytes left, Bytes right) {
  std::string sum;
  std::string swapped;
  int which = 0;
  auto status = hotkv::add_decimal(left, right, sum, which);
  if (status != hotkv::FloatSum::kOk) return;
  invariant(
      hotkv::add_decimal(right, left, swapped, which) == hotkv::FloatSum::kOk && swapped == sum,
      "addition does not care for the order");
  invariant(hotkv::is_decimal(sum), "a sum is a number");
  invariant(hotkv::compare_decimal(left, right) == -hotkv::compare_decimal(right, left),
            "comparison turns round with its operands");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Bytes text(reinterpret_cast<const char*>(data), size);
  check_words(text);
  check_numbers(text);
  size_t middle = size / 2;
  Bytes left = text.substr(0, middle);
  Bytes right = text.substr(middle);
  check_numbers(left);
  check_decimals(left, right);
  hotkv::glob_match(left, right);
  invariant(hotkv::glob_match("*", text), "a star fits everything");
  invariant(hotkv::glob_match(left, right, true) || !hotkv::glob_match(left, right),
            "what fits with case fits without");
  return 0;
}
