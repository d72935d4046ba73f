#include "core/node/recording.h"

#include <algorithm>

namespace hotkv {

namespace {

constexpr Bytes kMagic = "HOTKV-RECORDING 1\n";
constexpr uint8_t kTakenRecord = 16;
// Links are dense small numbers; a damaged file must not make the node keep room for absurd ones.
constexpr uint64_t kLinksMax = uint64_t{1} << 21;

void append_number(std::string& out, uint64_t value) {
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  out += static_cast<char>(value);
}

void append_text(std::string& out, Bytes text) {
  append_number(out, text.size());
  out += text;
}

// Small differences of either sign become small numbers.
void append_difference(std::string& out, int64_t value) {
  append_number(out, (static_cast<uint64_t>(value) << 1) ^ static_cast<uint64_t>(value >> 63));
}

}  // namespace

void RecordingWriter::setup(const NodeSetup& setup) {
  bytes += kMagic;
  append_number(bytes, setup.seed);
  append_number(bytes, static_cast<uint64_t>(setup.process_id));
  append_text(bytes, setup.config_file);
  append_text(bytes, setup.config_text);
  append_text(bytes, setup.executable);
  append_text(bytes, setup.operating_system);
  append_number(bytes, setup.options.size());
  for (const auto& [name, value] : setup.options) {
    append_text(bytes, name);
    append_text(bytes, value);
  }
}

void RecordingWriter::input(const Input& input, Now now) {
  bytes += static_cast<char>(input.kind);
  append_difference(bytes, now.mono.us - last_.mono.us);
  append_difference(bytes, (now.wall - now.mono).us - (last_.wall - last_.mono).us);
  last_ = now;
  switch (input.kind) {
    case Input::Kind::kAccepted:
    case Input::Kind::kBytes:
      append_number(bytes, input.link.value);
      append_text(bytes, input.bytes);
      break;
    case Input::Kind::kConnected:
      append_number(bytes, input.link.value);
      append_text(bytes, input.status.message());
      break;
    case Input::Kind::kClosed: append_number(bytes, input.link.value); break;
    case Input::Kind::kFileDone:
      append_number(bytes, input.file_op.value);
      append_text(bytes, input.status.message());
      append_text(bytes, input.bytes);
      break;
    case Input::Kind::kListened: append_text(bytes, input.status.message()); break;
    case Input::Kind::kStart:
    case Input::Kind::kTimer:
    case Input::Kind::kStop: break;
  }
}

void RecordingWriter::taken(LinkId link, size_t size) {
  bytes += static_cast<char>(kTakenRecord);
  append_number(bytes, link.value);
  append_number(bytes, size);
}

Status RecordingReader::open(Bytes recording) {
  rest_ = recording;
  if (recording.substr(0, kMagic.size()) != kMagic) {
    return Status::error("this is no recording of a HotKV server (or of another version)");
  }
  rest_.remove_prefix(kMagic.size());
  uint64_t process_id = 0;
  uint64_t options = 0;
  bool whole = number(setup_.seed) && number(process_id) && text(setup_.config_file) &&
               text(setup_.config_text) && text(setup_.executable) &&
               text(setup_.operating_system) && number(options);
  setup_.process_id = static_cast<int64_t>(process_id);
  for (uint64_t i = 0; whole && i < options; i++) {
    std::string name, value;
    whole = text(name) && text(value);
    if (whole) setup_.options.emplace_back(std::move(name), std::move(value));
  }
  return whole ? Status() : Status::error("the recording ends inside the server's setup");
}

bool RecordingReader::next(Recorded& record) {
  if (rest_.empty() || damaged_) return false;
  record = Recorded{};
  damaged_ = !fields(record);
  return !damaged_;
}

bool RecordingReader::fields(Recorded& record) {
  const uint8_t kind = static_cast<uint8_t>(rest_[0]);
  rest_.remove_prefix(1);
  if (kind == kTakenRecord) {
    uint64_t size = 0;
    const bool whole = link(record.link) && number(size);
    record.size = static_cast<size_t>(size);
    return whole;
  }
  if (kind > static_cast<uint8_t>(Input::Kind::kListened)) return false;
  Time offset{last_.wall.us - last_.mono.us};
  if (!time(last_.mono) || !time(offset)) return false;
  last_.wall = Time{last_.mono.us + offset.us};
  record.is_input = true;
  record.now = last_;
  Input& input = record.input;
  input.kind = static_cast<Input::Kind>(kind);
  std::string message;
  bool whole = true;
  switch (input.kind) {
    case Input::Kind::kAccepted:
    case Input::Kind::kBytes: whole = link(input.link) && text(input.bytes); break;
    case Input::Kind::kConnected: whole = link(input.link) && text(message); break;
    case Input::Kind::kClosed: whole = link(input.link); break;
    case Input::Kind::kFileDone:
      whole = number(input.file_op.value) && text(message) && text(input.bytes);
      break;
    case Input::Kind::kListened: whole = text(message); break;
    case Input::Kind::kStart:
    case Input::Kind::kTimer:
    case Input::Kind::kStop: break;
  }
  if (!message.empty()) input.status = Status::error(message);
  return whole;
}

bool RecordingReader::number(uint64_t& value) {
  value = 0;
  for (int shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
    const uint8_t byte = static_cast<uint8_t>(rest_[0]);
    rest_.remove_prefix(1);
    value |= static_cast<uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) return true;
  }
  return false;
}

bool RecordingReader::link(LinkId& value) {
  return number(value.value) && value.value != 0 && value.value < kLinksMax;
}

bool RecordingReader::text(Bytes& value) {
  uint64_t size = 0;
  if (!number(size) || size > rest_.size()) return false;
  value = rest_.substr(0, static_cast<size_t>(size));
  rest_.remove_prefix(static_cast<size_t>(size));
  return true;
}

bool RecordingReader::text(std::string& value) {
  Bytes view;
  if (!text(view)) return false;
  value = std::string(view);
  return true;
}

// Adds the difference that comes next.
bool RecordingReader::time(Time& value) {
  uint64_t zigzag = 0;
  if (!number(zigzag)) return false;
  // Sums wrap instead of overflowing: a damaged file may hold any number.
  const uint64_t difference = (zigzag >> 1) ^ (0 - (zigzag & 1));
  value.us = static_cast<int64_t>(static_cast<uint64_t>(value.us) + difference);
  return true;
}

Status Replay::open(Bytes recording) {
  Status status = reader_.open(recording);
  if (!status.ok()) return status;
  node_ = std::make_unique<Node>(reader_.setup());
  return node_->setup_status();
}

void Replay::run() {
  Outputs outputs;
  Recorded record;
  while (reader_.next(record)) {
    if (!record.is_input) {
      node_->taken(record.link, std::min(record.size, node_->pending(record.link).size()));
      continue;
    }
    // A damaged file must not make time go back, which a node does not allow.
    backwards_ = inputs_ > 0 && record.now.mono < last_.mono;
    if (backwards_) return;
    if (inputs_++ == 0) first_ = record.now;
    last_ = record.now;
    outputs.clear();
    node_->step(record.input, record.now, outputs);
  }
}

}  // namespace hotkv
