// Recording: every input of a node with its time, so that a run can be carried out again elsewhere.
//
// A node is a function of its setup and its inputs, and of how much of its replies the host has
// sent (back-pressure). `hotkv-server --record FILE` writes them; a replay feeds them to a new
// node, which then holds the same data. A recording contains all that clients sent, passwords
// included.
//
// Format: "HOTKV-RECORDING 1\n", the setup, then records up to the end. Numbers are LEB128 varints
// (7 bits a byte, least first), times are zigzag differences in microseconds to the record before,
// text is a length and its bytes.
//
//   setup    seed process_id config_file config_text executable operating_system n (name value)*n
//   input    kind(0..8) mono wall-mono fields;  kind is Input::Kind
//            kAccepted kBytes: link bytes   kConnected: link message   kClosed: link
//            kFileDone: file_op message bytes   kListened: message   others: none
//            (message "" = success)
//   taken    16 link size
//
// A file that ends inside a record, as after a crash, is read up to the record before.
#pragma once

#include <memory>
#include <string>

#include "core/base/io.h"
#include "core/node/node.h"

namespace hotkv {

class RecordingWriter {
 public:
  // Appended to by the calls below; the host writes it out and clears it.
  std::string bytes;

  void setup(const NodeSetup& setup);  // First of all.
  void input(const Input& input, Now now);
  void taken(LinkId link, size_t size);

 private:
  Now last_;
};

struct Recorded {
  bool is_input = false;
  Input input;  // is_input; its views are into the recording.
  Now now;
  LinkId link;  // Otherwise `size` bytes of the link's replies were sent.
  size_t size = 0;
};

class RecordingReader {
 public:
  // `recording` must outlive the reader. The status tells what is wrong with the beginning.
  Status open(Bytes recording);
  const NodeSetup& setup() const { return setup_; }
  bool next(Recorded& record);  // False at the end, or where the rest can't be read.
  bool damaged() const { return damaged_; }

 private:
  bool number(uint64_t& value);
  bool link(LinkId& value);
  bool text(Bytes& value);
  bool text(std::string& value);
  bool time(Time& value);
  bool fields(Recorded& record);

  Bytes rest_;
  NodeSetup setup_;
  Now last_;
  bool damaged_ = false;
};

// A node that carries out a recording.
class Replay {
 public:
  // The status says why there is nothing to carry out. `recording` must outlive this.
  Status open(Bytes recording);
  Node& node() { return *node_; }  // After open(): for its trace and its data.
  void run();

  uint64_t inputs() const { return inputs_; }
  Duration time() const { return last_.mono - first_.mono; }        // From first to last input.
  bool damaged() const { return reader_.damaged() || backwards_; }  // The end could not be read.

 private:
  RecordingReader reader_;
  std::unique_ptr<Node> node_;
  uint64_t inputs_ = 0;
  Now first_, last_;
  bool backwards_ = false;
};

}  // namespace hotkv
