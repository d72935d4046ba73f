// Distinct integer types for things that must not be mixed up.
//
// An Id is a number with a name: two of different names neither compare nor convert. Zero is
// "none".
#pragma once

#include <cstdint>

namespace hotkv {

template <class Tag>
struct Id {
  uint64_t value = 0;
  explicit operator bool() const { return value != 0; }
  friend bool operator==(Id a, Id b) { return a.value == b.value; }
  friend bool operator!=(Id a, Id b) { return a.value != b.value; }
  friend bool operator<(Id a, Id b) { return a.value < b.value; }
};

// A byte stream between a machine and one peer. The host chooses the numbers: small and dense, so
// that a machine may keep its sessions in an array; a number may be used again after its close.
using LinkId = Id<struct LinkTag>;
// A client connection as users see it (CLIENT ID): never used twice in one run of a node.
using ClientId = Id<struct ClientTag>;
// A request to the disk that is answered by Input::Kind::kFileDone.
using FileOpId = Id<struct FileOpTag>;

}  // namespace hotkv
