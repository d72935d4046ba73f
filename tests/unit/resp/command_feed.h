// Feeds a byte stream to a command parser in pieces, as a node gets it from a link: what it
// understood, whatever the pieces.
#pragma once

#include <string>
#include <vector>

#include "core/resp/command_parser.h"

namespace hotkv {

struct Understood {
  std::vector<std::vector<std::string>> commands;
  std::string error;  // Of the first violation, which ends the stream.
  size_t left = 0;    // Bytes that belong to no command yet.

  friend bool operator==(const Understood& a, const Understood& b) {
    return a.commands == b.commands && a.error == b.error && a.left == b.left;
  }
};

class CommandFeed {
 public:
  explicit CommandFeed(const ParserLimits& limits = {}) : limits_(limits) {}

  // The buffer moves with every piece, so that a view that is kept too long is found by a
  // sanitizer.
  void add(Bytes piece) {
    if (!seen_.error.empty()) return;
    buffer_ = std::string(buffer_) + std::string(piece);
    size_t at = 0;
    while (true) {
      pool_.clear();
      ParsedCommand commands[kBatch];
      size_t n = parser_.take_whole(buffer_, at, limits_, pool_, commands);
      for (size_t i = 0; i < n; i++) {
        keep(pool_.part(commands[i].first_argument, commands[i].argument_count));
      }
      if (n > 0) continue;
      CommandParser::State state = parser_.next(Bytes(buffer_).substr(at), limits_, pool_);
      if (state == CommandParser::State::kError) {
        seen_.error = parser_.error();
        seen_.left = 0;
        return;
      }
      at += parser_.consumed();
      if (state == CommandParser::State::kNeedMore) {
        buffer_.erase(0, at);
        seen_.left = buffer_.size();
        return;
      }
      keep(pool_.part(0, pool_.size()));
    }
  }

  const Understood& seen() const { return seen_; }

 private:
  static constexpr size_t kBatch = 5;

  void keep(std::span<const Bytes> words) {
    seen_.commands.emplace_back(words.begin(), words.end());
  }

  ParserLimits limits_;
  CommandParser parser_;
  ArgumentPool pool_;
  std::string buffer_;
  Understood seen_;
};

inline Understood understood(Bytes stream, const ParserLimits& limits = {}) {
  CommandFeed feed(limits);
  feed.add(stream);
  return feed.seen();
}

}  // namespace hotkv
