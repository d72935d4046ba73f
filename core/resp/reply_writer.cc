#include "core/resp/reply_writer.h"

#include "core/base/numbers.h"

namespace hotkv {

namespace {

constexpr size_t kHeaderMax = 24;  // type, sign, 20 digits, CR LF

inline char* write_header(char* out, char type, int64_t n) {
  *out++ = type;
  auto magnitude = static_cast<uint64_t>(n);
  if (n < 0) {
    *out++ = '-';
    magnitude = 0 - magnitude;
  }
  out = write_decimal(out, magnitude);
  std::memcpy(out, "\r\n", 2);
  return out + 2;
}

}  // namespace

void ReplyWriter::header(char type, int64_t n) {
  if (muted_) return;
  char* out = queue_.grow(kHeaderMax);
  queue_.commit(static_cast<size_t>(write_header(out, type, n) - out));
}

void ReplyWriter::simple(Bytes text) {
  if (muted_) return;
  char* out = queue_.grow(text.size() + 3);
  out[0] = '+';
  copy_bytes(out + 1, text);
  std::memcpy(out + 1 + text.size(), "\r\n", 2);
  queue_.commit(text.size() + 3);
}

void ReplyWriter::error(Bytes text) {
  errors_++;
  if (muted_) return;
  // An argument that is quoted at the end of a text may bring line ends of its own.
  while (!text.empty() && (text.back() == '\r' || text.back() == '\n')) text.remove_suffix(1);
  char* out = queue_.grow(text.size() + 3);
  out[0] = '-';
  for (size_t i = 0; i < text.size(); i++) {
    out[1 + i] = text[i] == '\r' || text[i] == '\n' ? ' ' : text[i];
  }
  std::memcpy(out + 1 + text.size(), "\r\n", 2);
  queue_.commit(text.size() + 3);
}

void ReplyWriter::integer(int64_t value) { header(':', value); }

void ReplyWriter::long_bulk(Bytes bytes) {
  if (muted_) return;
  char* out = queue_.grow(kHeaderMax + bytes.size() + 2);
  char* at = out;
  *at++ = '$';
  at = write_line_end(write_decimal(at, bytes.size()));
  copy_bytes(at, bytes);
  at = write_line_end(at + bytes.size());
  queue_.commit(static_cast<size_t>(at - out));
}

void ReplyWriter::bulk_integer(int64_t value) {
  NumberText text;
  bulk(format_int64(value, text));
}

void ReplyWriter::number(double value) {
  NumberText text;
  Bytes digits = format_double(value, text);
  if (protocol_ == Protocol::kResp2) return bulk(digits);
  literal(",");
  literal(digits);
  literal("\r\n");
}

void ReplyWriter::boolean(bool value) {
  if (protocol_ == Protocol::kResp2) return integer(value);
  literal(value ? "#t\r\n" : "#f\r\n");
}

void ReplyWriter::null() { literal(protocol_ == Protocol::kResp2 ? "$-1\r\n" : "_\r\n"); }
void ReplyWriter::null_array() { literal(protocol_ == Protocol::kResp2 ? "*-1\r\n" : "_\r\n"); }

void ReplyWriter::verbatim(Bytes format, Bytes text) {
  if (protocol_ == Protocol::kResp2) return bulk(text);
  header('=', static_cast<int64_t>(text.size()) + 4);
  literal(format);
  literal(":");
  literal(text);
  literal("\r\n");
}

void ReplyWriter::array(int64_t elements) { header('*', elements); }

void ReplyWriter::map(int64_t pairs) {
  protocol_ == Protocol::kResp2 ? header('*', pairs * 2) : header('%', pairs);
}

void ReplyWriter::set(int64_t elements) {
  header(protocol_ == Protocol::kResp2 ? '*' : '~', elements);
}

void ReplyWriter::push(int64_t elements) {
  header(protocol_ == Protocol::kResp2 ? '*' : '>', elements);
}

void ReplyWriter::raw(Bytes resp) { literal(resp); }

}  // namespace hotkv
