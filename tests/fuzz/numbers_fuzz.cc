// Any text as a number, a pattern and a quoted line: no crash, and what is read is written back.
#include <algorithm>
#include <string>
#include <vector>

#include "core/base/numbers.h"
#include "tests/fuzz/pieces.h"

namespace {

using namespace hotkv;

void check_integers(Bytes text) {
  NumberText room;
  int64_t number;
  uint64_t natural;
  if (parse_int64(text, number)) HOTKV_CHECK(format_int64(number, room) == text);
  if (parse_uint64(text, natural)) {
    HOTKV_CHECK(format_uint64(natural, room) == text);
    HOTKV_CHECK(static_cast<size_t>(decimal_length(natural)) == text.size());
  }
  parse_memory_size(text, natural);
}

void check_floats(Bytes left, Bytes right) {
  NumberText room;
  double value, back;
  if (parse_double(left, value)) {
    HOTKV_CHECK(parse_double(format_double(value, room), back) && back == value);
  }
  // A wide number reads every text that a double reads, and addition has no order.
  HOTKV_CHECK(!parse_double(left, value) || value - value != 0 || left.size() > 5119 ||
              is_decimal(left));
  std::string sum, swapped;
  int which;
  FloatSum outcome = add_decimal(left, right, sum, which);
  HOTKV_CHECK(add_decimal(right, left, swapped, which) == outcome);
  if (outcome != FloatSum::kOk) return;
  HOTKV_CHECK(sum == swapped);
  HOTKV_CHECK(compare_decimal(left, right) == -compare_decimal(right, left));
  HOTKV_CHECK(compare_decimal(left, left) == 0);
  HOTKV_CHECK(canonical_decimal(canonical_decimal(left)) == canonical_decimal(left));
  HOTKV_CHECK(canonical_decimal(negate_decimal(negate_decimal(left))) == canonical_decimal(left));
}

void check_words(Bytes pattern, Bytes text) {
  glob_match(pattern, text);
  glob_match(pattern, text, true);
  std::string literal;
  for (char c : text) literal += {'\\', c};
  HOTKV_CHECK(glob_match(literal, text));
  std::vector<std::string> words, again;
  if (!split_quoted(text, words)) return;
  std::string line;
  for (const std::string& word : words) {
    append_quoted(line, word);
    line += ' ';
  }
  HOTKV_CHECK(split_quoted(line, again) && again == words);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Bytes input(reinterpret_cast<const char*>(data), size);
  size_t middle = std::min(input.find(' '), size / 2);
  Bytes left = input.substr(0, middle), right = input.substr(std::min(size, middle + 1));
  check_integers(input);
  check_floats(left, right);
  check_words(left, right);
  return 0;
}
