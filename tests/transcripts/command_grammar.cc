#include "tests/transcripts/command_grammar.h"

#include <cstring>

#include "core/base/bytes.h"

namespace hotkv::transcripts {
namespace {

struct Line {
  int weight;
  Comparison comparison;
  // word | <class> | [ optional ] | ( one | of | these ) | { once to three times }
  const char* text;
};

// DBSIZE is not exact: after `SET k v PXAT 1` redis-server 7.0 still counts the expired key.
constexpr Comparison kExact = Comparison::kExact;
constexpr Comparison kUnordered = Comparison::kUnordered;
constexpr Comparison kTime = Comparison::kTime;

const Line kLines[] = {
    // Newer than redis-server 7.0: always well formed, so that translation.h can say them there.
    {12, kExact, "SET <lock> <token> [ NX ] [ <good-expiry> ]"},
    {12, kExact, "SET <lock> <token> ( IFEQ | IFNE ) <token> [ GET ] [ <good-expiry> ]"},
    {12, kExact, "DELEX <lock> [ ( IFEQ | IFNE ) <token> ]"},
    {6, kExact, "( DELIFEQ | UNLOCK ) <lock> <token>"},
    {12, Comparison::kPresence, "LOCK <lock> <token> PX ( 1000000 | 7000000 )"},
    {6, kExact, "MSETEX 1 <lock> <token> [ ( NX | XX ) ] [ <good-expiry> ]"},
    {8, kExact,
     "MSETEX 3 <lock> <token> <lock> <token> <key> <token> [ <good-expiry> ] [ ( NX | XX ) ]"},
    {24, kExact,
     "INCREX <counter> [ BYINT <step> ] [ LBOUND <lower> ] [ UBOUND <upper> ] [ SATURATE ] "
     "[ ( PERSIST | <time> [ ENX ] ) ]"},
    {8, kExact, "( INCR | DECR | DEL | GET | PERSIST ) <counter>"},
    {8, kTime, "( TTL | PTTL ) ( <counter> | <lock> )"},
    {40, kExact, "SET <key> <value> [ <expiry> ] [ <nxxx> ] [ GET ]"},
    {10, kExact, "SET <key> <value> [ GET ] [ <nxxx> ] [ <expiry> ] [ <badword> ]"},
    {25, kExact, "GET <key>"},
    {6, kExact, "SETNX <key> <value>"},
    {6, kExact, "SETEX <key> <seconds> <value>"},
    {6, kExact, "PSETEX <key> <milliseconds> <value>"},
    {6, kExact, "GETSET <key> <value>"},
    {8, kExact, "GETDEL <key>"},
    {10, kExact, "GETEX <key> [ ( <expiry> | PERSIST | <badword> ) ]"},
    {8, kExact, "MGET { <key> }"},
    {8, kExact, "MSET { <key> <value> }"},
    {6, kExact, "MSETNX { <key> <value> }"},
    {10, kExact, "( INCR | DECR ) <key>"},
    {10, kExact, "( INCRBY | DECRBY ) <key> <integer>"},
    {10, kExact, "APPEND <key> <value>"},
    {6, kExact, "STRLEN <key>"},
    {8, kExact, "( GETRANGE | SUBSTR ) <key> <index> <index>"},
    {8, kExact, "SETRANGE <key> <offset> <value>"},
    {6, kExact, "LCS <key> <key> [ ( LEN | IDX [ MINMATCHLEN <small> ] [ WITHMATCHLEN ] ) ]"},
    {8, kExact, "( DEL | UNLINK ) { <key> }"},
    {6, kExact, "( EXISTS | TOUCH ) { <key> }"},
    {4, kExact, "TYPE <key>"},
    {8, kExact, "RENAME <key> <key>"},
    {6, kExact, "RENAMENX <key> <key>"},
    {6, kExact, "COPY <key> <key> [ DB <db> ] [ REPLACE ]"},
    {5, kExact, "MOVE <key> <db>"},
    {2, Comparison::kPresence, "RANDOMKEY"},
    {4, kUnordered, "KEYS <pattern>"},
    {3, Comparison::kPresence, "DBSIZE"},
    {1, kExact, "( FLUSHDB | FLUSHALL ) [ ( ASYNC | SYNC | <badword> ) ]"},
    {2, kExact, "SWAPDB <db> <db>"},
    {5, kExact, "SELECT <db>"},
    {8, kExact, "EXPIRE <key> <seconds> [ <nxxx> ]"},
    {6, kExact, "PEXPIRE <key> <milliseconds> [ <nxxx> ]"},
    {10, kExact, "EXPIREAT <key> <unix-seconds> { <condition> }"},
    {10, kExact, "PEXPIREAT <key> <unix-milliseconds> [ <condition> ]"},
    {4, kExact, "( EXPIREAT | PEXPIREAT ) <key> <integer>"},
    {12, kTime, "( TTL | PTTL | EXPIRETIME | PEXPIRETIME ) <key>"},
    {6, kExact, "PERSIST <key>"},
    {4, kExact, "OBJECT ( REFCOUNT | FREQ | <badword> ) <missing>"},
    {12, kExact, "MULTI"},
    {12, kExact, "EXEC"},
    {3, kExact, "DISCARD"},
    {6, kExact, "WATCH { <key> }"},
    {2, kExact, "UNWATCH"},
    {2, kExact, "PING [ <value> ]"},
    {2, kExact, "ECHO <value>"},
    {1, kExact, "RESET"},
    {1, kExact, "CLIENT ( SETNAME <name> | GETNAME | <badword> )"},
    {2, kExact, "CONFIG GET ( databases | timeout | maxclients | <badword> )"},
    {2, kExact,
     "COMMAND GETKEYS ( GET <key> | SET <key> <value> | MSET <key> <value> | DEL { <key> } )"},
    {3, kExact, "<badword> { <integer> }"},
    {3, kExact, "( GET | SET | INCR | MSET | GETEX | RENAME ) { <value> }"},
};

const char* const kTokens[] = {"a", "b", "1", "01", "", "-7"};
const char* const kLocks[] = {"l1", "l2"};
const char* const kCounters[] = {"n1", "n2"};
const char* const kSteps[] = {"1", "-1", "3", "-10", "0", "1000"};
const char* const kLowers[] = {"-20", "-5", "0"};
const char* const kUppers[] = {"0", "5", "20", "1000"};
const char* const kNxxx[] = {"NX", "XX", "nx", "xX"};
const char* const kConditions[] = {"NX", "XX", "GT", "LT", "gt", "lt"};
const char* const kBadWords[] = {"FOO",     "NX",      "XX",  "GET", "EX",
                                 "KEEPTTL", "PERSIST", "IDX", "",    "LEN"};
const char* const kIntegers[] = {"0",
                                 "1",
                                 "-1",
                                 "7",
                                 "-42",
                                 "1000",
                                 "9223372036854775807",
                                 "-9223372036854775808",
                                 "9223372036854775808",
                                 "4611686018427387904",
                                 "",
                                 "abc",
                                 "1.5",
                                 " 1",
                                 "1 ",
                                 "+1",
                                 "01",
                                 "-0",
                                 "1e3"};
const char* const kSmall[] = {"0", "1", "2", "3", "-1", "100", "abc"};
const char* const kOffsets[] = {"0", "1", "3", "10", "60", "500", "-1", "536870912", "abc", ""};
const char* const kIndexes[] = {"0",
                                "1",
                                "2",
                                "5",
                                "50",
                                "-1",
                                "-2",
                                "-5",
                                "-50",
                                "100000",
                                "9223372036854775807",
                                "-9223372036854775808",
                                "abc"};
// Relative times lie so far apart that the few milliseconds between the servers cannot matter.
const char* const kSeconds[] = {
    "1000", "5000", "20000", "0", "-1", "9223372036854775807", "10000000000000000",
    "abc",  "1.5",  ""};
const char* const kMilliseconds[] = {
    "1000000", "7000000", "30000000", "0", "-1", "9223372036854775807", "abc", ""};
const char* const kUnixSeconds[] = {"99999999999", "99999999998", "88888888888",         "1",
                                    "0",           "-1",          "9223372036854775807", "abc"};
const char* const kUnixMilliseconds[] = {
    "99999999999999",     "99999999999998", "88888888888888", "1", "0", "-1", "abc",
    "9223372036854775807"};
const char* const kDatabases[] = {"0", "0", "1", "2", "2", "15", "16", "-1", "abc"};
const char* const kPatterns[] = {"*", "k*",  "[ln]?", "k?",   "k[1-3]", "k[^1]",
                                 "",  "a*b", "\\k1",  "[k]1", "*1*"};
const char* const kNames[] = {"me", "", "a b", "x\n", "worker-1"};

template <size_t N>
std::string pick(const char* const (&choices)[N], Random& random) {
  return choices[random.below(N)];
}

std::string random_value(Random& random) {
  switch (random.below(16)) {
    case 0: return "";
    case 1: return std::string("a\0b", 3);
    case 2: return std::string("\0", 1);
    case 3: return "\xff\xfe\r\n";
    case 4: return std::string(44, 'x');
    case 5: return std::string(45, 'x');
    case 6: return std::string(1 + random.below(300), 'y');
    case 7: return std::string(random.chance(1, 8) ? 70000 : 400 + random.below(1600), 'z');
    case 8: return pick(kIntegers, random);
    case 9: return std::to_string(random.between(-1000, 1000));
    case 10: return std::to_string(static_cast<int64_t>(random.next()));
    case 11: return random.hex(static_cast<int>(1 + random.below(24)));
    case 12: return "nan";
    default: {
      std::string text;
      for (uint64_t i = random.below(12); i > 0; --i) text.push_back("abc"[random.below(3)]);
      return text;
    }
  }
}

// An expiry that every server accepts.
void append_time(bool or_keepttl, Random& random, std::vector<std::string>* words) {
  static const char* const kTimes[][2] = {{"EX", "1000"},
                                          {"PX", "7000000"},
                                          {"EXAT", "99999999999"},
                                          {"PXAT", "88888888888888"},
                                          {"PXAT", "1"}};
  if (or_keepttl && random.chance(1, 5)) return words->push_back("KEEPTTL");
  const auto& time = kTimes[random.below(5)];
  words->push_back(time[0]);
  words->push_back(time[1]);
}

// Appends the words that a class stands for.
void append_class(Bytes name, Random& random, std::vector<std::string>* words) {
  const std::vector<std::string>& keys = grammar_keys();
  // The first four are counters and locks, which some scripts need to be what they are.
  if (name == "key") return words->push_back(keys[4 + random.below(keys.size() - 4)]);
  if (name == "missing") return words->push_back("missing");
  if (name == "value") return words->push_back(random_value(random));
  if (name == "integer") return words->push_back(pick(kIntegers, random));
  if (name == "token") return words->push_back(pick(kTokens, random));
  if (name == "lock") return words->push_back(pick(kLocks, random));
  if (name == "counter") return words->push_back(pick(kCounters, random));
  if (name == "step") return words->push_back(pick(kSteps, random));
  if (name == "lower") return words->push_back(pick(kLowers, random));
  if (name == "upper") return words->push_back(pick(kUppers, random));
  if (name == "time" || name == "good-expiry") return append_time(name != "time", random, words);
  if (name == "small") return words->push_back(pick(kSmall, random));
  if (name == "offset") return words->push_back(pick(kOffsets, random));
  if (name == "index") return words->push_back(pick(kIndexes, random));
  if (name == "seconds") return words->push_back(pick(kSeconds, random));
  if (name == "milliseconds") return words->push_back(pick(kMilliseconds, random));
  if (name == "unix-seconds") return words->push_back(pick(kUnixSeconds, random));
  if (name == "unix-milliseconds") return words->push_back(pick(kUnixMilliseconds, random));
  if (name == "db") return words->push_back(pick(kDatabases, random));
  if (name == "pattern") return words->push_back(pick(kPatterns, random));
  if (name == "name") return words->push_back(pick(kNames, random));
  if (name == "nxxx") return words->push_back(pick(kNxxx, random));
  if (name == "condition") return words->push_back(pick(kConditions, random));
  if (name == "badword") return words->push_back(pick(kBadWords, random));
  static const char* const kExpiries[] = {"EX", "PX", "EXAT", "PXAT", "KEEPTTL", "ex"};
  std::string expiry = pick(kExpiries, random);
  words->push_back(expiry);
  if (expiry == "EX" || expiry == "ex") words->push_back(pick(kSeconds, random));
  if (expiry == "PX") words->push_back(pick(kMilliseconds, random));
  if (expiry == "EXAT") words->push_back(pick(kUnixSeconds, random));
  if (expiry == "PXAT") words->push_back(pick(kUnixMilliseconds, random));
}

// Expands the notation of kLines. Groups nest; each ends with its own closing mark.
class Expander {
 public:
  Expander(const char* text, Random& random) : random_(random) {
    for (const char* at = text; *at != 0;) {
      const char* end = strchr(at, ' ');
      size_t length = end == nullptr ? strlen(at) : static_cast<size_t>(end - at);
      tokens_.push_back(Bytes(at, length));
      at += length + (end == nullptr ? 0 : 1);
    }
  }

  std::vector<std::string> expand() {
    std::vector<std::string> words;
    expand_until(tokens_.size(), true, &words);
    return words;
  }

 private:
  // The index of the mark that closes the group opened at `open`.
  size_t closing(size_t open) const {
    int depth = 0;
    for (size_t i = open;; ++i) {
      if (tokens_[i] == "[" || tokens_[i] == "(" || tokens_[i] == "{") ++depth;
      if (tokens_[i] == "]" || tokens_[i] == ")" || tokens_[i] == "}") --depth;
      if (depth == 0) return i;
    }
  }

  void expand_until(size_t end, bool keep, std::vector<std::string>* words) {
    std::vector<std::string> ignored;
    std::vector<std::string>* out = keep ? words : &ignored;
    while (at_ < end) {
      Bytes token = tokens_[at_];
      if (token == "[") {
        size_t close = closing(at_++);
        expand_until(close, keep && random_.chance(1, 2), out);
        at_ = close + 1;
      } else if (token == "{") {
        size_t open = at_;
        size_t close = closing(open);
        for (uint64_t i = 1 + random_.below(3); i > 0; --i) {
          at_ = open + 1;
          expand_until(close, keep, out);
        }
        at_ = close + 1;
      } else if (token == "(") {
        expand_choice(keep, out);
      } else {
        if (token[0] == '<')
          append_class(token.substr(1, token.size() - 2), random_, out);
        else
          out->push_back(std::string(token));
        ++at_;
      }
    }
  }

  void expand_choice(bool keep, std::vector<std::string>* out) {
    size_t close = closing(at_);
    std::vector<size_t> starts = {at_ + 1};
    int depth = 0;
    for (size_t i = at_ + 1; i < close; ++i) {
      if (tokens_[i] == "[" || tokens_[i] == "(" || tokens_[i] == "{") ++depth;
      if (tokens_[i] == "]" || tokens_[i] == ")" || tokens_[i] == "}") --depth;
      if (depth == 0 && tokens_[i] == "|") starts.push_back(i + 1);
    }
    size_t chosen = random_.below(starts.size());
    at_ = starts[chosen];
    expand_until(chosen + 1 < starts.size() ? starts[chosen + 1] - 1 : close, keep, out);
    at_ = close + 1;
  }

  Random& random_;
  std::vector<Bytes> tokens_;
  size_t at_ = 0;
};

}  // namespace

const std::vector<std::string>& grammar_keys() {
  static const std::vector<std::string> keys = {"l1",
                                                "l2",
                                                "n1",
                                                "n2",
                                                "k1",
                                                "k2",
                                                "k3",
                                                "k4",
                                                "",
                                                std::string("k\0z", 3),
                                                std::string(100, 'k'),
                                                "k\xff"};
  return keys;
}

RandomCommand random_command(Random& random) {
  int total = 0;
  for (const Line& line : kLines) total += line.weight;
  int64_t drawn = random.between(0, total - 1);
  for (const Line& line : kLines) {
    drawn -= line.weight;
    if (drawn < 0) return {Expander(line.text, random).expand(), line.comparison};
  }
  return {};
}

std::string random_decimal(Random& random) {
  std::string text = random.chance(1, 3) ? "-" : "";
  uint64_t whole_digits = random.below(random.chance(1, 8) ? 18 : 7);
  text += whole_digits == 0 ? "0" : std::to_string(1 + random.below(9));
  for (uint64_t i = 1; i < whole_digits; ++i) text.push_back("0123456789"[random.below(10)]);
  if (random.chance(3, 4)) {
    text.push_back('.');
    for (uint64_t i = 1 + random.below(random.chance(1, 8) ? 17 : 6); i > 0; --i) {
      text.push_back("0123456789"[random.below(10)]);
    }
  }
  if (random.chance(1, 8)) text += "e" + std::to_string(random.between(-10, 10));
  return text;
}

}  // namespace hotkv::transcripts
