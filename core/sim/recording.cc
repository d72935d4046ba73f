#include "core/sim/recording.h"

namespace hotkv::sim {

namespace {

constexpr Bytes kMagic = "HOTKVREC";
constexpr uint8_t kVersion = 1;

void append_number(std::string& out, int bytes, uint64_t value) {
  for (int i = 0; i < bytes; i++) out += static_cast<char>(value >> (8 * i));
}

void append_text(std::string& out, Bytes text) {
  append_number(out, 4, text.size());
  out += text;
}

}  // namespace

void append_recording_header(std::string& out, const NodeSetup& setup) {
  out += kMagic;
  out += static_cast<char>(kVersion);
  append_number(out, 8, setup.seed);
  append_text(out, setup.config_file);
  append_text(out, setup.config_text);
  append_number(out, 4, setup.options.size());
  for (const auto& [name, value] : setup.options) {
    append_text(out, name);
    append_text(out, value);
  }
}

void append_recorded_input(std::string& out, const Input& input, Now now) {
  out += static_cast<char>(input.kind);
  append_number(out, 8, static_cast<uint64_t>(now.mono.us));
  append_number(out, 8, static_cast<uint64_t>(now.wall.us));
  append_number(out, 8, input.link.value);
  append_number(out, 8, input.file_op.value);
  append_text(out, input.bytes);
  append_text(out, input.status.message());
}

bool RecordingReader::number(int bytes, uint64_t& value) {
  if (rest_.size() < static_cast<size_t>(bytes)) return false;
  value = 0;
  for (int i = 0; i < bytes; i++) {
    value |= static_cast<uint64_t>(static_cast<unsigned char>(rest_[static_cast<size_t>(i)])) << (8 * i);
  }
  rest_.remove_prefix(static_cast<size_t>(bytes));
  return true;
}

bool RecordingReader::text(Bytes& value) {
  uint64_t size;
  if (!number(4, size) || rest_.size() < size) return false;
  value = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return true;
}

Status RecordingReader::read_header(NodeSetup& setup) {
  if (rest_.substr(0, kMagic.size()) != kMagic) return Status::error("this is no HotKV recording");
  rest_.remove_prefix(kMagic.size());
  uint64_t version, options;
  Bytes file, config;
  if (!number(1, version) || version != kVersion) {
    return Status::error("the recording has another version than this program");
  }
  if (!number(8, setup.seed) || !text(file) || !text(config) || !number(4, options)) {
    return Status::error("the recording ends inside its header");
  }
  setup.config_file = std::string(file);
  setup.config_text = std::string(config);
  for (uint64_t i = 0; i < options; i++) {
    Bytes name, value;
    if (!text(name) || !text(value)) return Status::error("the recording ends inside its header");
    setup.options.emplace_back(name, value);
  }
  return {};
}

bool RecordingReader::next(Input& input, Now& now) {
  uint64_t kind, mono, wall, link, file_op;
  Bytes status;
  if (!number(1, kind) || kind > static_cast<uint64_t>(Input::Kind::kStop) || !number(8, mono) ||
      !number(8, wall) || !number(8, link) || !number(8, file_op) || !text(input.bytes) ||
      !text(status)) {
    return false;
  }
  input.kind = static_cast<Input::Kind>(kind);
  input.link = LinkId{link};
  input.file_op = FileOpId{file_op};
  input.status = status.empty() ? Status() : Status::error(std::string(status));
  now = {{static_cast<int64_t>(mono)}, {static_cast<int64_t>(wall)}};
  return true;
}

}  // namespace hotkv::sim
