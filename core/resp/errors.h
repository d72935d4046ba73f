// Every error text that a client may see, once, with its code word, ready for ReplyWriter::error.
//
// Clients compare these texts, so they are Redis's to the letter where Redis has them. Texts with a
// name inside are made by a function; those allocate, which an error may.
#pragma once

#include <span>
#include <string>

#include "core/base/bytes.h"

namespace hotkv::errors {

// ---- arguments ----
inline constexpr Bytes kSyntax = "ERR syntax error";
inline constexpr Bytes kNotInteger = "ERR value is not an integer or out of range";
inline constexpr Bytes kNotInt32 =
    "ERR value is out of range, value must between -2147483648 and 2147483647";
inline constexpr Bytes kNotFloat = "ERR value is not a valid float";
inline constexpr Bytes kOutOfRange = "ERR value is out of range";
inline constexpr Bytes kCountNotPositive = "ERR numkeys should be greater than 0";
inline constexpr Bytes kCountTooLarge = "ERR Number of keys can't be greater than number of args";
inline constexpr Bytes kInvalidCursor = "ERR invalid cursor";
inline constexpr Bytes kDatabaseRange = "ERR DB index is out of range";
inline constexpr Bytes kFirstDatabase = "ERR invalid first DB index";
inline constexpr Bytes kSecondDatabase = "ERR invalid second DB index";

// `command` is the name in lower case, "container|subcommand" for a subcommand.
inline std::string wrong_arity(Bytes command) {
  return "ERR wrong number of arguments for '" + std::string(command) + "' command";
}
inline std::string invalid_expire(Bytes command) {
  return "ERR invalid expire time in '" + std::string(command) + "' command";
}
inline std::string unsupported_option(Bytes option) {
  return "ERR Unsupported option " + std::string(option);
}

// ---- data ----
inline constexpr Bytes kWrongType =
    "WRONGTYPE Operation against a key holding the wrong kind of value";
inline constexpr Bytes kNoSuchKey = "ERR no such key";
inline constexpr Bytes kSameObject = "ERR source and destination objects are the same";
inline constexpr Bytes kOverflow = "ERR increment or decrement would overflow";
inline constexpr Bytes kDecrementOverflow = "ERR decrement would overflow";
inline constexpr Bytes kNotFinite = "ERR increment would produce NaN or Infinity";
inline constexpr Bytes kOffsetRange = "ERR offset is out of range";
inline constexpr Bytes kStringTooLong =
    "ERR string exceeds maximum allowed size (proto-max-bulk-len)";
inline constexpr Bytes kExpireNxConflict =
    "ERR NX and XX, GT or LT options at the same time are not compatible";
inline constexpr Bytes kExpireGtLtConflict =
    "ERR GT and LT options at the same time are not compatible";
inline constexpr Bytes kDigestLength = "ERR must be exactly 16 hexadecimal characters";
inline constexpr Bytes kDelexType = "ERR Key should be of string type if conditions are specified";
inline constexpr Bytes kDelexCondition = "ERR Invalid condition. Use IFEQ, IFNE, IFDEQ, or IFDNE";
inline constexpr Bytes kLcsType = "ERR The specified keys must contain string values";
inline constexpr Bytes kLcsLenAndIdx =
    "ERR If you want both the length and indexes, please just use IDX.";
inline constexpr Bytes kLcsMemory =
    "ERR Insufficient memory, transient memory for LCS exceeds proto-max-bulk-len";
inline constexpr Bytes kBoundsOrder = "ERR LBOUND can't be greater than UBOUND";
inline constexpr Bytes kEnxAlone = "ERR ENX needs one of EX, PX, EXAT or PXAT";
inline constexpr Bytes kLfuSelected =
    "ERR An LFU maxmemory policy is selected, idle time not tracked. Please note that when "
    "switching between policies at runtime LRU and LFU data will take some time to adjust.";
inline constexpr Bytes kLfuNotSelected =
    "ERR An LFU maxmemory policy is not selected, access frequency not tracked. Please note that "
    "when switching between policies at runtime LRU and LFU data will take some time to adjust.";

// A number granted now could be granted again after a crash (SPEC: Locks).
inline std::string lock_unavailable(Bytes why) {
  return "ERR LOCK is not available, its epoch cannot be made durable: " + std::string(why);
}

// ---- connection and dispatch ----
inline constexpr Bytes kNoAuth = "NOAUTH Authentication required.";
inline constexpr Bytes kWrongPass = "WRONGPASS invalid username-password pair or user is disabled.";
inline constexpr Bytes kNoProto = "NOPROTO unsupported protocol version";
inline constexpr Bytes kHelloNotInteger = "ERR Protocol version is not an integer or out of range";
inline constexpr Bytes kHelloNoAuth =
    "NOAUTH HELLO must be called with the client already authenticated, otherwise the HELLO "
    "<proto> "
    "AUTH <user> <pass> option can be used to authenticate the client and select the RESP protocol "
    "version at the same time";
inline constexpr Bytes kClientName =
    "ERR Client names cannot contain spaces, newlines or special characters.";
inline constexpr Bytes kNotInMulti = "ERR Command not allowed inside a transaction";
inline constexpr Bytes kExecAbort = "EXECABORT Transaction discarded because of previous errors.";
inline constexpr Bytes kDebugRefused =
    "ERR DEBUG command not allowed. If the enable-debug-command option is set to \"local\", you "
    "can "
    "run it from a local connection, otherwise you need to set this option in the configuration "
    "file, and then restart the server.";

// What is shown of a client's own word: up to a NUL, as Redis does, and not a megabyte of it.
inline Bytes shown(Bytes word, size_t most) {
  return word.substr(0, most).substr(0, word.find('\0'));
}

// Names what the client sent.
inline std::string unknown_command(std::span<const Bytes> arguments) {
  constexpr size_t kShownMax = 128;
  std::string text = "ERR unknown command '" + std::string(shown(arguments[0], kShownMax)) +
                     "', with args beginning with: ";
  size_t length = 0;
  for (size_t i = 1; i < arguments.size() && length < kShownMax; i++) {
    Bytes word = shown(arguments[i], kShownMax - length);
    text += "'" + std::string(word) + "' ";
    length += word.size() + 3;
  }
  return text;
}
// `container` is upper case, as it stands in the advice.
inline std::string unknown_subcommand(Bytes word, Bytes container) {
  return "ERR unknown subcommand '" + std::string(shown(word, 128)) + "'. Try " +
         std::string(container) + " HELP.";
}

}  // namespace hotkv::errors
