// Recording: everything that went into one node, in order, so that a run can be had again.
//
// A node is a function of its setup and its inputs with their times; this is their written form,
// made by `hotkv-server --record FILE` and read by `hotkv-sim --replay FILE`. It holds what clients
// sent, passwords included: treat it like the data.
//
//   "HOTKVREC" version(u8)
//   seed(u64) config-file(text) config-text(text) options(u32) then name(text) value(text) each
//   inputs: kind(u8) mono_us(i64) wall_us(i64) link(u64) file-op(u64) bytes(text) status(text)
//
// Integers are little-endian; a text is a u32 length and bytes. Written to disk: never change a field
// without a new version.
#pragma once

#include <string>

#include "core/base/io.h"
#include "core/node/node.h"

namespace hotkv::sim {

void append_recording_header(std::string& out, const NodeSetup& setup);
void append_recorded_input(std::string& out, const Input& input, Now now);

class RecordingReader {
 public:
  explicit RecordingReader(Bytes text) : rest_(text) {}
  Status read_header(NodeSetup& setup);
  // False at the end. A file that ends inside an input (the process was killed) ends there, too.
  // `input.bytes` is a view into the text.
  bool next(Input& input, Now& now);

 private:
  bool number(int bytes, uint64_t& value);
  bool text(Bytes& value);
  Bytes rest_;
};

}  // namespace hotkv::sim
