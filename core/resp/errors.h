// Every error text that a client may see, once, with its code word, ready for ReplyWriter::error.
//
// Clients compare these texts, so they are Redis's to the letter where Redis has them. Texts with a
// name inside are made by a function; those allocate, which an error may.
#pragma once

#include <string>

#include "core/base/bytes.h"

namespace hotkv::errors {

// ---- arguments ----
inline constexpr Bytes kSyntax = "ERR syntax error";
inline constexpr Bytes kNotInteger = "ERR value is not an integer or out of range";
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

}  // namespace hotkv::errors
