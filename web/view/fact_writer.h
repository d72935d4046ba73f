// FactWriter: puts facts into a sheet, section by section; what is empty is left out.
#pragma once

#include "web/view/facts.h"

namespace hotkv::view {

class FactWriter {
 public:
  FactWriter(FactSheet& sheet, std::span<const Event> happened, const SceneFrame& frame)
      : sheet_(sheet), happened_(happened), frame_(frame) {}

  const SceneFrame& frame() const { return frame_; }
  std::span<const Event> happened() const { return happened_; }

  void begin(const char* kind, std::string title);
  void section(const char* name);  // One without facts is dropped by the next, or by end().
  void end();
  void text(const char* name, const std::string& value, const std::string& item = {});
  void word(const char* name, const std::string& value);
  void time(const char* name, int64_t us);
  void count(const char* name, int64_t number);
  void bytes(const char* name, int64_t number);
  void dump(const char* name, const std::string& value);
  void actor(const char* name, const std::string& id);  // Nothing where the id is empty.

 private:
  void add(Fact fact);

  FactSheet& sheet_;
  std::span<const Event> happened_;
  const SceneFrame& frame_;
};

// Each answers false where there is no such thing.
bool write_message(FactWriter& out, const std::string& id);
bool write_participant(FactWriter& out, const std::string& id);
bool write_key(FactWriter& out, const std::string& id);
bool write_link(FactWriter& out, const std::string& id);

}  // namespace hotkv::view
