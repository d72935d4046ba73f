// Cuts the input of a fuzz target into pieces: its first byte says how.
#pragma once

#include "core/base/bytes.h"
#include "core/base/check.h"
#include "core/base/random.h"

namespace hotkv {

class Pieces {
 public:
  Pieces(const uint8_t* data, size_t size)
      : random_(size > 0 ? data[0] : 0),
        rest_(reinterpret_cast<const char*>(data) + (size > 0), size > 0 ? size - 1 : 0),
        piece_max_(1 + random_.below(64)) {}

  Bytes all() const { return rest_; }  // What next() has not returned yet.
  uint64_t draw(uint64_t bound) { return random_.below(bound); }
  Bytes next() {
    Bytes piece = rest_.substr(0, 1 + random_.below(piece_max_));
    rest_.remove_prefix(piece.size());
    return piece;
  }

 private:
  Random random_;
  Bytes rest_;
  uint64_t piece_max_;
};

}  // namespace hotkv
