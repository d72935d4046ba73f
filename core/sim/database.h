// Database: the slow store behind the cache, and the shared resource behind a lock: rows with
// versions, a bounded number of queries at once, and a check of fencing numbers.
//
// It speaks RESP over the world's links:
//   READ row                   the value, or null
//   WRITE row value            OK; whoever comes last wins
//   WRITE row value FENCE n    OK, and n is remembered; an error when a greater number was seen
// A query takes `latency`; `workers` of them run at once and the others wait in line, which is how
// a stampede melts a database. It never crashes: what happens to it is not what our lessons are
// about.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "core/base/ids.h"
#include "core/base/time.h"
#include "core/resp/command_parser.h"
#include "core/trace/trace.h"

namespace hotkv::sim {

class Database {
 public:
  Database(std::string name, Duration latency, int workers, trace::Trace& trace);

  // Takes bytes of a client and begins what can begin; answers how many queries became running,
  // each of which ends a latency later: the caller calls finish() then.
  int take(LinkId link, Bytes bytes);
  struct Done {
    LinkId link;
    std::string reply;
    bool began_another;  // A query that waited runs now, and ends a latency later.
  };
  Done finish();             // REQUIRES: a query is running. The oldest ends.
  void forget(LinkId link);  // The client is gone: its queries run on and answer nobody.

  Duration latency() const { return latency_; }
  // The greatest number of reads of one row that are running or waiting.
  int most_readers() const;
  // A row has accepted a write without a number, or with a smaller one than it had seen.
  bool accepted_older() const { return accepted_older_; }

 private:
  struct Query {
    LinkId link;
    std::vector<std::string> words;
  };
  struct Row {
    std::string value;
    uint64_t version = 0;
    uint64_t highest = 0;  // Fencing number seen; 0 = none.
  };

  std::string execute(const std::vector<std::string>& words);
  std::string write(const std::vector<std::string>& words);
  bool begin_next();
  void tell_load();

  std::string name_;
  Duration latency_;
  size_t workers_;
  trace::Trace& trace_;
  std::map<std::string, Row> rows_;
  std::map<uint64_t, std::string> input_;  // By link: bytes of a command that is not whole yet.
  std::deque<Query> running_, waiting_;
  bool accepted_older_ = false;
};

}  // namespace hotkv::sim
