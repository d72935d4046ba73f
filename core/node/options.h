// Options: every setting of a server, declared once in the table of option_table.cc.
//
// CONFIG GET, SET and REWRITE, redis.conf files, `--name value` arguments, docs and defaults all
// read this table. Names and defaults are Redis's where it has the option. A value is kept as its
// canonical text and, for numbers, as an integer, so that reading one in the command path is an
// array access.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/bytes.h"
#include "core/base/result.h"

namespace hotkv {

enum class OptionType : uint8_t { kText, kBool, kInteger, kMemory, kChoice, kOctal };

enum OptionFlag : uint8_t {
  kStartOnly = 1,        // CONFIG SET refuses it: `can't set immutable config`.
  kProtectedOption = 2,  // CONFIG SET needs enable-protected-configs.
  kSecret = 4,           // Never logged.
  kManyWords = 8,  // The value is all words of the line (bind, save, client-output-buffer-limit).
};

struct OptionSpec {
  std::string_view name;
  OptionType type;
  std::string_view standard;  // The default, canonical.
  std::string_view summary;
  uint8_t flags = 0;
  int64_t least = 0;
  int64_t greatest = INT64_MAX;
  std::string_view choices = {};  // kChoice: words separated by blanks.
  // A further check beyond type and range; answers what is wrong or "".
  std::string (*check)(Bytes value) = nullptr;
  // For a value that names only what it changes: the whole text, from the present one.
  std::string (*merge)(Bytes present, Bytes value) = nullptr;
};

std::span<const OptionSpec> option_table();
// Index in the table; -1 if unknown. Any case.
int find_option(Bytes name);

class Options {
 public:
  Options();

  // Checks and sets; the Status names the option and what is wrong. `at_start` allows kStartOnly.
  Status set(Bytes name, Bytes value, bool at_start);
  // Canonical text; "" for an unknown name.
  const std::string& text(Bytes name) const;
  const std::string& text(int index) const { return texts_[static_cast<size_t>(index)]; }
  int64_t number(int index) const { return numbers_[static_cast<size_t>(index)]; }
  int64_t number(Bytes name) const { return number(find_option(name)); }
  bool flag(Bytes name) const { return number(name) != 0; }
  // How the value looks in CONFIG GET (memory in bytes) and CONFIG REWRITE.
  bool is_standard(int index) const;
  uint64_t generation() const { return generation_; }
  // The texts of all options, to undo a CONFIG SET of several of which one failed.
  std::vector<std::string> snapshot() const { return texts_; }
  void restore(const std::vector<std::string>& texts);

  // Sets one option at start from a line of a configuration file, `name value...` with quotes.
  Status set_line(Bytes line);
  // Reads a configuration file: a line is `name value...`, `#` begins a comment.
  Status load(Bytes file_text);

 private:
  Status canonical(const OptionSpec& spec, Bytes value, std::string& text, int64_t& number) const;

  std::vector<std::string> texts_;
  std::vector<int64_t> numbers_;
  uint64_t generation_ = 0;
};

// The file's text with each option's present value put in: lines keep their place and comments; an
// option not in the file is added behind a marker unless it has its default.
std::string rewrite_config(Bytes file_text, const Options& options);

}  // namespace hotkv
