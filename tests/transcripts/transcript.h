// A transcript file, parsed: blocks of steps with what is expected after each. Grammar: README.md.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"

namespace hotkv::transcripts {

struct Step {
  enum class Kind {
    kCommand,  // > words: one command, as an array of bulk strings.
    kRaw,      // @ raw words: these bytes, joined.
    kReplies,  // NAME< ...: only replies that are still due.
    kAdvance,  // @ advance 99ms
    kRestart,  // @ restart: orderly stop, then a start with the same data folder and options.
    kClose,    // @ close: the client goes away.
  };
  Kind kind = Kind::kCommand;
  int line = 0;  // From 1.
  std::string client;
  std::string text;
  int64_t advance_us = 0;
  // Expected lines are contiguous in the file: rewriting replaces them as one.
  int expected_line = 0;  // Of the first expected line; 0 = none.
  std::vector<std::string> expected;
  bool has_effects = false;
  int effects_line = 0;
  std::vector<std::string> effects;
};

struct Block {
  std::string title;
  int line = 0;
  std::vector<std::string> only;  // Names of targets; empty = all.
  std::string since;              // Redis version "8.4"; empty = any.
  std::string before;
  bool fresh = false;                                        // Needs a machine of its own.
  std::vector<std::pair<std::string, std::string>> options;  // @ config name value
  std::vector<Step> steps;
};

struct Transcript {
  std::string path;
  std::vector<std::string> lines;
  std::vector<Block> blocks;
};

// Reads and parses a file; an error names file and line.
Result<Transcript> read_transcript(const std::string& path);

}  // namespace hotkv::transcripts
