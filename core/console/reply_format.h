// Replies as text for people: the rendering of hotkv-cli and of the page's console.
//
// Byte for byte redis-cli's, so that what a lesson shows is what a reader sees at home: kTerminal
// is its output on a terminal, kRaw the one into a pipe, kJson that of --json.
#pragma once

#include <string>

#include "core/resp/reply_parser.h"

namespace hotkv {

enum class ReplyStyle : uint8_t { kTerminal, kRaw, kJson };

// The whole text with its last newline, as redis-cli prints it.
std::string format_reply(const Reply& reply, ReplyStyle style);

}  // namespace hotkv
