// EX, PX, EXAT and PXAT: the words that give a key a deadline, for SET, GETEX, MSETEX, INCREX, LOCK
// and, as arithmetic only, the EXPIRE family.
//
// A deadline is an absolute Unix time in milliseconds. What a client asks for must lie in (0,
// kDeadlineMax] after the conversion; EXPIRE alone takes times that have passed.
#pragma once

#include "core/command/call.h"
#include "core/command/spec.h"

namespace hotkv {

inline constexpr Arg kEx = integer("seconds").after("EX");
inline constexpr Arg kPx = integer("milliseconds").after("PX");
inline constexpr Arg kExAt = unix_time("unix-time-seconds").after("EXAT");
inline constexpr Arg kPxAt = unix_time("unix-time-milliseconds").after("PXAT");

// INT64_MAX itself means "no deadline" in an entry.
constexpr int64_t kDeadlineMax = kNoDeadline - 1;

// The unit and origin of a time that a client sends.
struct TimeForm {
  bool is_seconds;
  bool is_relative;
};

// False when the conversion leaves the range of int64. The result may lie in the past.
bool to_deadline(int64_t value, TimeForm form, int64_t wall_ms, int64_t& deadline_ms);

// The same for a time that must be positive; a bad one is answered with the error, false returned.
bool positive_deadline(Call& call, int64_t value, TimeForm form, int64_t& deadline_ms);
// The deadline asked for by the four words, whose leaves follow each other from `leaf_ex` on;
// `deadline_ms` stays when none was given. On a bad time the error is written, false returned.
bool read_deadline(Call& call, const Parsed& parsed, int leaf_ex, int64_t& deadline_ms);
// The deadline of a bare argument that is relative and positive, such as SETEX's.
bool read_relative_deadline(Call& call, int i, bool is_seconds, int64_t& deadline_ms);

}  // namespace hotkv
