#include "core/sim/model.h"

#include "core/base/numbers.h"

namespace hotkv::sim {

namespace {

std::string integer(int64_t n) {
  NumberText text;
  return ":" + std::string(format_int64(n, text)) + "\r\n";
}

std::string bulk(const std::string& value) {
  NumberText text;
  return "$" + std::string(format_uint64(value.size(), text)) + "\r\n" + value + "\r\n";
}

constexpr const char* kOk = "+OK\r\n";
constexpr const char* kNull = "$-1\r\n";
constexpr const char* kNotInteger = "-ERR value is not an integer or out of range\r\n";

int64_t number_of(const std::string& text) {
  int64_t n = 0;
  return parse_int64(text, n) ? n : 0;
}

}  // namespace

Model::Key* Model::find(const std::string& key) {
  auto found = keys_.find(key);
  if (found == keys_.end()) return nullptr;
  if (found->second.deadline_ms > now_ms_) return &found->second;
  keys_.erase(found);
  return nullptr;
}

std::map<std::string, Model::Key> Model::live(int64_t wall_ms) const {
  std::map<std::string, Key> out;
  for (const auto& [key, value] : keys_) {
    if (value.deadline_ms > wall_ms) out.emplace(key, value);
  }
  return out;
}

std::string Model::set(const std::vector<std::string>& words) {
  const std::string& key = words[1];
  Key* old = find(key);
  Key made{words[2], INT64_MAX, 0};
  bool allowed = true, get = false;
  for (size_t i = 3; i < words.size(); i++) {
    if (words[i] == "NX") allowed = !old;
    if (words[i] == "XX") allowed = old;
    if (words[i] == "GET") get = true;
    if (words[i] == "KEEPTTL" && old) made.deadline_ms = old->deadline_ms;
    if (words[i] == "PX") made.deadline_ms = now_ms_ + number_of(words[++i]);
    if (words[i] == "IFEQ") {
      allowed = old && old->value == words[++i];
      // The owner's renewal keeps its number; handing over to another token does not.
      if (allowed && old->value == words[2]) made.number = old->number;
    }
  }
  std::string before = old ? bulk(old->value) : kNull;
  if (allowed) keys_[key] = made;
  if (get) return before;
  return allowed ? kOk : kNull;
}

std::string Model::lock(const std::vector<std::string>& words, Bytes reply, std::string& wrong) {
  // With a failing disk the node refuses rather than grant a number that may come again.
  if (reply.substr(0, 26) == "-ERR LOCK is not available") return std::string(reply);
  Key* old = find(words[1]);
  if (old && old->value != words[2]) return kNull;
  int64_t deadline_ms = now_ms_ + number_of(words[4]);
  int64_t number = 0;
  if (reply.size() < 4 || !parse_int64(reply.substr(1, reply.size() - 3), number)) {
    return "a fencing number";
  }
  auto granted = static_cast<uint64_t>(number);
  if (old && old->number) {
    if (granted != old->number) wrong = "a holder's number changed";
    old->deadline_ms = deadline_ms;
  } else {
    if (granted <= greatest_number_) wrong = "the fencing number did not grow";
    keys_[words[1]] = {words[2], deadline_ms, granted};
  }
  if (granted > greatest_number_) greatest_number_ = granted;
  return std::string(reply);
}

std::string Model::delete_if(const std::string& key, Bytes condition, const std::string& operand) {
  Key* old = find(key);
  bool equal = old && old->value == operand;
  if (!old || (condition == "IFEQ" ? !equal : equal)) return integer(0);
  keys_.erase(key);
  return integer(1);
}

std::string Model::add(const std::string& key, int64_t delta) {
  Key* old = find(key);
  int64_t value = 0;
  if (old && !parse_int64(old->value, value)) return kNotInteger;
  int64_t sum;
  if (__builtin_add_overflow(value, delta, &sum)) {
    return "-ERR increment or decrement would overflow\r\n";
  }
  NumberText text;
  keys_[key] = {std::string(format_int64(sum, text)), old ? old->deadline_ms : INT64_MAX, 0};
  return integer(sum);
}

std::string Model::judge(const std::vector<std::string>& words, Bytes reply, int64_t wall_ms) {
  now_ms_ = wall_ms;
  const std::string name = upper_case(words[0]);
  std::string expected, wrong;
  Key* key = words.size() > 1 ? find(words[1]) : nullptr;
  if (name == "PING")
    expected = "+PONG\r\n";
  else if (name == "SET")
    expected = set(words);
  else if (name == "GET")
    expected = key ? bulk(key->value) : kNull;
  else if (name == "LOCK")
    expected = lock(words, reply, wrong);
  else if (name == "UNLOCK" || name == "DELIFEQ")
    expected = delete_if(words[1], "IFEQ", words[2]);
  else if (name == "DELEX")
    expected = delete_if(words[1], words[2], words[3]);
  else if (name == "DEL")
    expected = integer(keys_.erase(words[1]) && key);
  else if (name == "EXISTS")
    expected = integer(key != nullptr);
  else if (name == "INCRBY")
    expected = add(words[1], number_of(words[2]));
  else if (name == "STRLEN")
    expected = integer(key ? static_cast<int64_t>(key->value.size()) : 0);
  else if (name == "APPEND") {
    Key& made = keys_[words[1]];
    made.value += words[2];
    made.number = 0;
    expected = integer(static_cast<int64_t>(made.value.size()));
  } else if (name == "PEXPIRE") {
    int64_t ms = number_of(words[2]);
    if (key) key->deadline_ms = now_ms_ + ms;
    expected = integer(key != nullptr);
  } else if (name == "PERSIST") {
    expected = integer(key && key->deadline_ms != INT64_MAX);
    if (key) key->deadline_ms = INT64_MAX;
  } else if (name == "PTTL") {
    expected = integer(!key ? -2 : key->deadline_ms == INT64_MAX ? -1 : key->deadline_ms - now_ms_);
  } else if (name == "GETDEL") {
    expected = key ? bulk(key->value) : kNull;
    keys_.erase(words[1]);
  } else if (name == "RENAME") {
    expected = key ? kOk : "-ERR no such key\r\n";
    if (key) {
      Key moved = *key;
      keys_.erase(words[1]);
      keys_[words[2]] = moved;
    }
  } else if (name == "DBSIZE" || name == "MULTI" || name == "EXEC" || name == "WATCH" ||
             name == "SCAN" || name == "DISCARD") {
    return {};
  } else if (name == "FLUSHDB") {
    expected = kOk;
    keys_.clear();
  } else {
    return "the workload sent a command that the model does not know: " + name;
  }
  if (!wrong.empty()) return wrong;
  if (expected.substr(0, reply.size()) == reply && (reply.size() >= 256 || expected == reply))
    return {};
  return "expected " + expected + "got " + std::string(reply);
}

}  // namespace hotkv::sim
