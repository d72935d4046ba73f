#include "core/sim/database.h"

#include <algorithm>

#include "core/base/numbers.h"
#include "core/resp/output_queue.h"
#include "core/resp/reply_writer.h"
#include "core/sim/events.h"

namespace hotkv::sim {

namespace {

// One reply as bytes.
template <class Write>
std::string reply_of(Write write) {
  OutputQueue queue;
  ReplyWriter writer(queue, Protocol::kResp2);
  write(writer);
  return std::string(queue.pending());
}

std::string error_reply(const std::string& text) {
  return reply_of([&](ReplyWriter& w) { w.error(text); });
}

std::string decimal(uint64_t n) {
  NumberText text;
  return std::string(format_uint64(n, text));
}

bool is_read(const std::vector<std::string>& words) {
  return words.size() == 2 && equal_ignoring_case(words[0], "READ");
}

}  // namespace

Database::Database(std::string name, Duration latency, int workers, trace::Trace& trace)
    : name_(std::move(name)),
      latency_(latency),
      workers_(static_cast<size_t>(workers)),
      trace_(trace) {}

void Database::tell_load() {
  trace_.emit(trace::DatabaseLoad{name_, static_cast<int64_t>(running_.size()),
                                  static_cast<int64_t>(waiting_.size())});
}

bool Database::begin_next() {
  if (waiting_.empty() || running_.size() >= workers_) return false;
  running_.push_back(std::move(waiting_.front()));
  waiting_.pop_front();
  return true;
}

int Database::take(LinkId link, Bytes bytes) {
  std::string& input = input_[link.value];
  input += bytes;
  int begun = 0;
  while (!input.empty()) {
    CommandParser parser;
    ArgumentPool pool;
    if (parser.next(input, {}, pool) != CommandParser::State::kCommand) break;
    std::span<const Bytes> words = pool.part(0, pool.size());
    waiting_.push_back({link, std::vector<std::string>(words.begin(), words.end())});
    input.erase(0, parser.consumed());
    begun += begin_next();
  }
  tell_load();
  return begun;
}

Database::Done Database::finish() {
  Query query = std::move(running_.front());
  running_.pop_front();
  Done done{query.link, execute(query.words), begin_next()};
  tell_load();
  return done;
}

void Database::forget(LinkId link) {
  input_.erase(link.value);
  auto drop = [&](Query& q) {
    if (q.link == link) q.link = LinkId{};
  };
  std::for_each(running_.begin(), running_.end(), drop);
  std::for_each(waiting_.begin(), waiting_.end(), drop);
}

std::string Database::execute(const std::vector<std::string>& words) {
  if (is_read(words)) {
    auto row = rows_.find(words[1]);
    return reply_of(
        [&](ReplyWriter& w) { row == rows_.end() ? w.null() : w.bulk(row->second.value); });
  }
  bool writes = words.size() >= 3 && equal_ignoring_case(words[0], "WRITE");
  if (writes) return write(words);
  return error_reply("ERR this is the database: READ row, or WRITE row value [FENCE number]");
}

std::string Database::write(const std::vector<std::string>& words) {
  uint64_t number = 0;
  bool fenced = words.size() == 5 && equal_ignoring_case(words[3], "FENCE");
  if (words.size() != 3 && !fenced) {
    return error_reply("ERR WRITE takes a row, a value and, if any, FENCE number");
  }
  if (fenced && (!parse_uint64(words[4], number) || number == 0)) {
    return error_reply("ERR FENCE: '" + words[4] + "' is not a number above 0");
  }
  Row& row = rows_[words[1]];
  if (fenced && number < row.highest) {
    trace_.emit(trace::WriteRefused{name_, words[1], number, row.highest});
    return error_reply("FENCED " + decimal(number) + " is older than " + decimal(row.highest));
  }
  accepted_older_ = accepted_older_ || (row.highest > 0 && !fenced);
  if (fenced) row.highest = number;
  row.value = words[2];
  trace_.emit(trace::RowWritten{name_, words[1], Bytes(row.value).substr(0, 64), ++row.version,
                                row.highest});
  return reply_of([](ReplyWriter& w) { w.ok(); });
}

int Database::most_readers() const {
  std::map<std::string, int> readers;
  int most = 0;
  for (const std::deque<Query>* queries : {&running_, &waiting_}) {
    for (const Query& q : *queries) {
      if (is_read(q.words)) most = std::max(most, ++readers[q.words[1]]);
    }
  }
  return most;
}

}  // namespace hotkv::sim
