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
    Bytes rest = buffer_;
    while (true) {
      pool_.clear();
      size_t taken = parser_.take_whole(rest, limits_, pool_);
      if (!taken) {
        CommandParser::State state = parser_.next(rest, limits_, pool_);
        taken = parser_.consumed();
        if (state == CommandParser::State::kError) {
          seen_.error = parser_.error();
          seen_.left = 0;
          return;
        }
        if (state == CommandParser::State::kNeedMore) {
          buffer_.erase(0, buffer_.size() - rest.size() + taken);
          seen_.left = buffer_.size();
          return;
        }
      }
      seen_.commands.emplace_back();
      for (Bytes word : pool_.part(0, pool_.size())) seen_.commands.back().emplace_back(word);
      rest.remove_prefix(taken);
    }
  }

  const Understood& seen() const { return seen_; }

 private:
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
