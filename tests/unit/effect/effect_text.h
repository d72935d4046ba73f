// Effects as text: what a log got since the last look, "SELECT 0; SET k v".
#pragma once

#include <string>
#include <vector>

#include "core/effect/effect_log.h"
#include "tests/unit/resp/command_feed.h"

namespace hotkv {

// The log's bytes from `offset` to its end, however many pieces they are in.
inline std::string log_bytes(const EffectLog& log, uint64_t offset) {
  std::string all;
  while (offset + all.size() < log.end_offset()) all += log.read(offset + all.size());
  return all;
}

// Reads on from where it stopped. The bytes are taken apart by the parser of the server's clients,
// as a replica would.
class EffectReader {
 public:
  explicit EffectReader(const EffectLog& log) : log_(log) {}

  std::string next() {
    const Understood seen = understood(log_bytes(log_, offset_));
    offset_ = log_.end_offset();
    if (!seen.error.empty() || seen.left != 0) return "not whole commands: " + seen.error;
    std::string text;
    for (const auto& words : seen.commands) {
      if (!text.empty()) text += "; ";
      for (size_t i = 0; i < words.size(); i++) text += (i ? " " : "") + words[i];
    }
    return text;
  }

 private:
  const EffectLog& log_;
  uint64_t offset_ = 0;
};

}  // namespace hotkv
