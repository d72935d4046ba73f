#include "core/console/secret.h"

#include <algorithm>
#include <string>
#include <vector>

namespace hotkv {

namespace {

constexpr Bytes kSigns[] = {"auth", "auth2", "requirepass", "masterauth", "primaryauth"};

template <class Predicate>
bool any_sign(Predicate predicate) {
  return std::any_of(std::begin(kSigns), std::end(kSigns), predicate);
}

}  // namespace

bool holds_secret(Bytes line) {
  std::vector<std::string> words;
  if (!split_quoted(line, words)) {
    std::string lower = lower_case(line);
    return any_sign([&](Bytes sign) { return lower.find(sign) != std::string::npos; });
  }
  if (!words.empty() && equal_ignoring_case(words[0], "acl")) return true;
  return std::any_of(words.begin(), words.end(), [](const std::string& word) {
    return any_sign([&](Bytes sign) { return equal_ignoring_case(word, sign); });
  });
}

}  // namespace hotkv
