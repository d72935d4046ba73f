// Trace: typed events of what the machine did, for the flight recorder, checkers and the picture.
//
// An event is a plain struct with a name, a kind and fields(visitor). Emitting costs one branch
// when its kind is not in the mask; a kept event becomes one line of JSON, the canonical form: the
// digest of a run is a hash chain over those lines, equal natively and in wasm.
//
// The flight recorder keeps the last kFlightLines lines of any mask and is printed when a
// HOTKV_CHECK fails.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/bytes.h"
#include "core/base/time.h"

namespace hotkv::trace {

// One bit of the mask each. The numbers may change: they are never stored.
enum class Kind : uint8_t {
  kClient,    // Clients come, go, change state.
  kCommand,   // A command was executed; a reply was written.
  kKeyspace,  // Keys are set, removed, expire.
  kServer,    // Start, stop, options, errors.
  kNetwork,   // Simulation: links, bytes in flight.
  kActor,     // Simulation: scripted clients, faults, lesson steps, checkers.
};
constexpr uint32_t bit(Kind kind) { return 1u << static_cast<int>(kind); }
constexpr uint32_t kAll = 0xffffffffu;
constexpr Bytes kind_name(Kind kind) {
  constexpr Bytes kNames[] = {"client", "command", "keyspace", "server", "network", "actor"};
  return kNames[static_cast<int>(kind)];
}

// The event types of a header, for those who need all of them (the reference).
template <class... Events>
struct EventList {};

// Appends "name":value pairs of an event's fields to a JSON line. Bytes are escaped to ASCII: a
// byte outside printable ASCII becomes \u00xx, so that any bytes survive as a string.
class JsonFields {
 public:
  explicit JsonFields(std::string& line) : line_(line) {}
  void operator()(Bytes name, Bytes value);
  void operator()(Bytes name, const std::string& value) { (*this)(name, Bytes(value)); }
  void operator()(Bytes name, const char* value) { (*this)(name, Bytes(value)); }
  void operator()(Bytes name, int64_t value);
  void operator()(Bytes name, uint64_t value);
  void operator()(Bytes name, int value) { (*this)(name, static_cast<int64_t>(value)); }
  void operator()(Bytes name, bool value);

 private:
  std::string& line_;
};

// Receives each kept line (without newline) as it is emitted.
using Sink = void (*)(void* context, Bytes line);

class Trace {
 public:
  static constexpr size_t kFlightLines = 64;

  bool wants(Kind kind) const { return (mask_ & bit(kind)) != 0; }
  uint32_t mask() const { return mask_; }
  void set_mask(uint32_t mask) { mask_ = mask; }
  void set_sink(Sink sink, void* context) {
    sink_ = sink;
    sink_context_ = context;
  }
  // Set at the start of each step, so that events carry the step's time and the machine's name.
  void set_now(Time mono) { now_ = mono; }
  void set_source(Bytes name) { source_ = std::string(name); }

  template <class Event>
  void emit(const Event& event) {
    if (__builtin_expect(wants(Event::kKind), 0)) write(event);
  }

  uint64_t events() const { return events_; }
  uint64_t digest() const { return digest_; }
  std::vector<std::string> flight() const;  // Oldest first.

 private:
  template <class Event>
  void write(const Event& event) {
    begin(Event::kName);
    JsonFields fields(line_);
    event.fields(fields);
    finish();
  }
  void begin(Bytes name);
  void finish();

  uint32_t mask_ = 0;
  Sink sink_ = nullptr;
  void* sink_context_ = nullptr;
  Time now_;
  std::string source_;
  std::string line_;
  uint64_t events_ = 0;
  uint64_t digest_ = 0;
  std::vector<std::string> flight_;
  size_t flight_next_ = 0;
};

}  // namespace hotkv::trace
