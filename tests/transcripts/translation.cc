#include "tests/transcripts/translation.h"

#include "core/base/bytes.h"

namespace hotkv::transcripts {
namespace {

using Words = std::vector<std::string>;

// ARGV: condition, its value, 1 when there is a condition. Missing keys are never removed.
const char kDelex[] = R"(
local held = redis.call('get', KEYS[1])
if not held then return 0 end
if ARGV[1] == 'IFEQ' and held ~= ARGV[2] then return 0 end
if ARGV[1] == 'IFNE' and held == ARGV[2] then return 0 end
return redis.call('del', KEYS[1]))";

// ARGV: token, milliseconds. The number itself is HotKV's own.
const char kLock[] = R"(
local held = redis.call('get', KEYS[1])
if held and held ~= ARGV[1] then return false end
if held then redis.call('pexpire', KEYS[1], ARGV[2]) end
if not held then redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2]) end
return 1)";

// ARGV: value, condition, its value, 1 for GET, then the expiry words.
const char kSetIf[] = R"(
local held = redis.call('get', KEYS[1])
local sets = ARGV[2] == 'IFNE'
if held then sets = (held == ARGV[3]) == (ARGV[2] == 'IFEQ') end
local reply = false
if sets then reply = redis.call('set', KEYS[1], ARGV[1], unpack(ARGV, 5)) end
if ARGV[4] == '1' then return held end
return reply)";

// ARGV: the values, then NX, XX or nothing, then the expiry words.
const char kMsetex[] = R"(
local condition = ARGV[#KEYS + 1]
for i = 1, #KEYS do
  local exists = redis.call('exists', KEYS[i])
  if condition == 'NX' and exists == 1 then return 0 end
  if condition == 'XX' and exists == 0 then return 0 end
end
for i = 1, #KEYS do redis.call('set', KEYS[i], ARGV[i], unpack(ARGV, #KEYS + 2)) end
return 1)";

// ARGV: step, lower bound, upper bound (may be empty), 1 for SATURATE, 1 for ENX, expiry, its
// value.
const char kIncrex[] = R"(
local now = tonumber(redis.call('get', KEYS[1]) or '0')
local lower = ARGV[2] == '' and -1e15 or tonumber(ARGV[2])
local upper = ARGV[3] == '' and 1e15 or tonumber(ARGV[3])
local sum = now + tonumber(ARGV[1])
if (sum < lower or sum > upper) and ARGV[4] == '' then return {now, 0} end
sum = math.min(math.max(sum, lower), upper)
local timed = redis.call('pttl', KEYS[1]) >= 0
redis.call('set', KEYS[1], string.format('%.0f', sum), 'KEEPTTL')
if ARGV[6] == 'PERSIST' then redis.call('persist', KEYS[1]) end
if not (timed and ARGV[5] == '1') then
  if ARGV[6] == 'EX' then redis.call('expire', KEYS[1], ARGV[7]) end
  if ARGV[6] == 'PX' then redis.call('pexpire', KEYS[1], ARGV[7]) end
  if ARGV[6] == 'EXAT' then redis.call('expireat', KEYS[1], ARGV[7]) end
  if ARGV[6] == 'PXAT' then redis.call('pexpireat', KEYS[1], ARGV[7]) end
end
return {sum, sum - now})";

bool is_expiry(const std::string& word) {
  return word == "EX" || word == "PX" || word == "EXAT" || word == "PXAT";
}

Words evaluation(const char* script, const Words& keys, const Words& arguments) {
  Words words = {"EVAL", script, std::to_string(keys.size())};
  words.insert(words.end(), keys.begin(), keys.end());
  words.insert(words.end(), arguments.begin(), arguments.end());
  return words;
}

Words translate_delex(const Words& words, size_t condition_at) {
  if (words.size() <= condition_at) return {"DEL", words[1]};
  return evaluation(kDelex, {words[1]}, {words[condition_at], words[condition_at + 1]});
}

Words translate_set(const Words& words) {
  Words arguments = {words[2], "", "", ""};
  for (size_t i = 3; i < words.size(); ++i) {
    if (words[i] == "IFEQ" || words[i] == "IFNE") {
      arguments[1] = words[i];
      arguments[2] = words[++i];
    } else if (words[i] == "GET") {
      arguments[3] = "1";
    } else {
      arguments.push_back(words[i]);
    }
  }
  return arguments[1].empty() ? words : evaluation(kSetIf, {words[1]}, arguments);
}

Words translate_msetex(const Words& words) {
  size_t count = static_cast<size_t>(words[1][0] - '0');
  Words keys;
  Words arguments;
  for (size_t i = 0; i < count; ++i) {
    keys.push_back(words[2 + 2 * i]);
    arguments.push_back(words[3 + 2 * i]);
  }
  Words expiry;
  std::string condition;
  for (size_t i = 2 + 2 * count; i < words.size(); ++i) {
    if (words[i] == "NX" || words[i] == "XX") {
      condition = words[i];
    } else {
      expiry.push_back(words[i]);
    }
  }
  arguments.push_back(condition);
  arguments.insert(arguments.end(), expiry.begin(), expiry.end());
  return evaluation(kMsetex, keys, arguments);
}

Words translate_increx(const Words& words) {
  Words arguments = {"1", "", "", "", "", "", ""};
  for (size_t i = 2; i < words.size(); ++i) {
    if (words[i] == "BYINT")
      arguments[0] = words[++i];
    else if (words[i] == "LBOUND")
      arguments[1] = words[++i];
    else if (words[i] == "UBOUND")
      arguments[2] = words[++i];
    else if (words[i] == "SATURATE")
      arguments[3] = "1";
    else if (words[i] == "ENX")
      arguments[4] = "1";
    else if (words[i] == "PERSIST")
      arguments[5] = words[i];
    else if (is_expiry(words[i])) {
      arguments[5] = words[i];
      arguments[6] = words[++i];
    }
  }
  return evaluation(kIncrex, {words[1]}, arguments);
}

}  // namespace

std::vector<std::string> translate(const std::vector<std::string>& words) {
  const std::string& name = words[0];
  if (name == "DELEX") return translate_delex(words, 2);
  if (name == "DELIFEQ" || name == "UNLOCK") {
    return evaluation(kDelex, {words[1]}, {"IFEQ", words[2]});
  }
  if (name == "LOCK") return evaluation(kLock, {words[1]}, {words[2], words[4]});
  if (name == "SET" && words.size() > 3) return translate_set(words);
  if (name == "MSETEX") return translate_msetex(words);
  if (name == "INCREX") return translate_increx(words);
  return words;
}

}  // namespace hotkv::transcripts
