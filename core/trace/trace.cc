#include "core/trace/trace.h"

#include "core/base/numbers.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace hotkv::trace {

namespace {

void append_escaped(std::string& out, Bytes text) {
  static constexpr char kHex[] = "0123456789abcdef";
  for (char ch : text) {
    auto c = static_cast<unsigned char>(ch);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += ch;
    } else if (c < 0x20 || c > 0x7e) {
      out += "\\u00";
      out += kHex[c >> 4];
      out += kHex[c & 15];
    } else {
      out += ch;
    }
  }
}

}  // namespace

void JsonFields::operator()(Bytes name, Bytes value) {
  line_ += ",\"";
  line_ += name;
  line_ += "\":\"";
  append_escaped(line_, value);
  line_ += '"';
}

void JsonFields::operator()(Bytes name, int64_t value) {
  NumberText text;
  line_ += ",\"";
  line_ += name;
  line_ += "\":";
  line_ += format_int64(value, text);
}

void JsonFields::operator()(Bytes name, uint64_t value) {
  NumberText text;
  line_ += ",\"";
  line_ += name;
  line_ += "\":";
  line_ += format_uint64(value, text);
}

void JsonFields::operator()(Bytes name, bool value) {
  line_ += ",\"";
  line_ += name;
  line_ += value ? "\":true" : "\":false";
}

void Trace::begin(Bytes name) {
  line_.assign("{\"event\":\"");
  line_ += name;
  line_ += '"';
  JsonFields fields(line_);
  fields("at_us", now_.us);
  if (!source_.empty()) fields("source", Bytes(source_));
}

void Trace::finish() {
  line_ += '}';
  events_++;
  digest_ = XXH3_64bits_withSeed(line_.data(), line_.size(), digest_);
  if (flight_.size() < kFlightLines) {
    flight_.push_back(line_);
  } else {
    flight_[flight_next_] = line_;
    flight_next_ = (flight_next_ + 1) % kFlightLines;
  }
  if (sink_) sink_(sink_context_, line_);
}

std::vector<std::string> Trace::flight() const {
  std::vector<std::string> lines(flight_.begin() + static_cast<std::ptrdiff_t>(flight_next_),
                                 flight_.end());
  lines.insert(lines.end(), flight_.begin(),
               flight_.begin() + static_cast<std::ptrdiff_t>(flight_next_));
  return lines;
}

}  // namespace hotkv::trace
