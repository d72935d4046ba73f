// ReplyWriter: writes replies of one link in its protocol version, straight into the link's queue.
//
// Every reply is written once. A handler calls exactly one top-level function (or one header
// followed by that many elements); RESP2 falls back as Redis does: a map is a flat array of twice
// the length, a set or push an array, a double a bulk, a boolean an integer, a null `$-1` or `*-1`.
// After CLIENT REPLY OFF or SKIP the writer is muted and drops everything.
#pragma once

#include "core/base/bytes.h"
#include "core/base/numbers.h"
#include "core/resp/output_queue.h"

namespace hotkv {

enum class Protocol : uint8_t { kResp2 = 2, kResp3 = 3 };

class ReplyWriter {
 public:
  ReplyWriter(OutputQueue& queue, Protocol protocol) : queue_(queue), protocol_(protocol) {}

  Protocol protocol() const { return protocol_; }
  void set_protocol(Protocol protocol) { protocol_ = protocol; }
  void set_muted(bool muted) { muted_ = muted; }
  bool muted() const { return muted_; }

  void ok() { literal("+OK\r\n"); }
  void simple(Bytes text);  // +text; REQUIRES: no CR or LF in text.
  void error(Bytes text);   // -text with its code word, as in errors.h; CR and LF become blanks.
  void integer(int64_t value);  // :n
  void bulk(Bytes bytes) {      // $n
    constexpr size_t kShortMax = 32;
    char* out = muted_ ? nullptr : queue_.room(kShortMax + 8);
    if (!out || bytes.size() > kShortMax) return long_bulk(bytes);
    char* at = out;
    *at++ = '$';
    at = write_line_end(write_short_decimal(at, bytes.size()));
    copy_bytes(at, bytes);
    queue_.commit(static_cast<size_t>(write_line_end(at + bytes.size()) - out));
  }
  void bulk_integer(int64_t value);         // $n with decimal text
  void number(double value);                // RESP3 `,`; RESP2 bulk
  void boolean(bool value);                 // RESP3 `#t`; RESP2 :1
  void null();                              // RESP3 `_`; RESP2 `$-1`
  void null_array();                        // RESP3 `_`; RESP2 `*-1`
  void verbatim(Bytes format, Bytes text);  // RESP3 `=txt:`; RESP2 bulk. REQUIRES: format.size()==3
  void array(int64_t elements);
  void map(int64_t pairs);
  void set(int64_t elements);
  void push(int64_t elements);
  void raw(Bytes resp);  // Bytes that are RESP already (EXEC elements, tests).

  uint64_t errors_written() const { return errors_; }  // For INFO's total_error_replies.

 private:
  static char* write_line_end(char* out) {
    std::memcpy(out, "\r\n", 2);
    return out + 2;
  }
  void long_bulk(Bytes bytes);
  void literal(Bytes resp) {
    if (!muted_) queue_.append(resp);
  }
  void header(char type, int64_t n);

  OutputQueue& queue_;
  Protocol protocol_;
  bool muted_ = false;
  uint64_t errors_ = 0;
};

}  // namespace hotkv
