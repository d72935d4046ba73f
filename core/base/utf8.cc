#include "core/base/utf8.h"

namespace hotkv {

namespace {

// Bytes after this first one; -1: no character begins so.
int followers(unsigned char first) {
  if (first < 0x80) return 0;
  if (first >= 0xc2 && first <= 0xdf) return 1;
  if (first >= 0xe0 && first <= 0xef) return 2;
  return first >= 0xf0 && first <= 0xf4 ? 3 : -1;
}

// The second byte tells overlong forms, surrogates and what lies above U+10FFFF.
bool fits_second(unsigned char first, unsigned char second) {
  const unsigned char low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
  const unsigned char high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
  return second >= low && second <= high;
}

}  // namespace

bool is_utf8(Bytes text) {
  for (size_t i = 0; i < text.size(); i++) {
    const auto first = static_cast<unsigned char>(text[i]);
    const int more = followers(first);
    if (more < 0 || static_cast<size_t>(more) >= text.size() - i) return false;
    for (int n = 1; n <= more; n++) {
      const auto next = static_cast<unsigned char>(text[++i]);
      if (n == 1 ? !fits_second(first, next) : next < 0x80 || next > 0xbf) return false;
    }
  }
  return true;
}

}  // namespace hotkv
