#include <vector>

#include "core/command/call.h"
#include "core/command/strings.h"

namespace hotkv {

namespace {

constexpr Arg kLcsArgs[] = {key("key1"),
                            key("key2"),
                            flag("len", "LEN").maybe(),
                            flag("idx", "IDX").maybe(),
                            integer("min-match-len").after("MINMATCHLEN").maybe(),
                            flag("withmatchlen", "WITHMATCHLEN").maybe()};

// Longest common subsequence by dynamic programming: at(i, j) is its length for the first i bytes
// of one string and the first j of the other.
class LcsTable {
 public:
  LcsTable(Bytes a, Bytes b) : width_(b.size() + 1), cells_((a.size() + 1) * width_) {
    for (size_t i = 1; i <= a.size(); i++) {
      const uint32_t* above = &cells_[(i - 1) * width_];
      uint32_t* row = &cells_[i * width_];
      for (size_t j = 1; j <= b.size(); j++) {
        row[j] = a[i - 1] == b[j - 1] ? above[j - 1] + 1 : std::max(above[j], row[j - 1]);
      }
    }
  }
  uint32_t at(size_t i, size_t j) const { return cells_[i * width_ + j]; }

  // Whether the table takes at most `limit` bytes.
  static bool fits(Bytes a, Bytes b, int64_t limit) {
    uint64_t cells;
    return !__builtin_mul_overflow(uint64_t{a.size()} + 1, uint64_t{b.size()} + 1, &cells) &&
           cells <= static_cast<uint64_t>(limit) / sizeof(uint32_t);
  }

 private:
  size_t width_;
  std::vector<uint32_t> cells_;
};

// A run of equal bytes: where it begins in both strings, and its length.
struct Match {
  size_t a, b, size;
};

// Walks back from the end; runs come last first. On a tie it steps back in the second string.
std::vector<Match> find_matches(const LcsTable& table, Bytes a, Bytes b) {
  std::vector<Match> matches;
  size_t i = a.size(), j = b.size();
  bool in_run = false;
  while (i > 0 && j > 0) {
    if (a[i - 1] == b[j - 1]) {
      i--, j--;
      if (in_run) {
        matches.back() = {i, j, matches.back().size + 1};
      } else {
        matches.push_back({i, j, 1});
      }
      in_run = true;
      continue;
    }
    in_run = false;
    if (table.at(i - 1, j) > table.at(i, j - 1)) {
      i--;
    } else {
      j--;
    }
  }
  return matches;
}

void reply_range(Call& call, size_t first, size_t size) {
  call.reply.array(2);
  call.reply.integer(static_cast<int64_t>(first));
  call.reply.integer(static_cast<int64_t>(first + size - 1));
}

void reply_matches(Call& call, const std::vector<Match>& matches, int64_t least, bool with_size) {
  auto wanted = [&](const Match& m) { return static_cast<int64_t>(m.size) >= least; };
  int64_t count = 0;
  for (const Match& m : matches) count += wanted(m);
  call.reply.bulk("matches");
  call.reply.array(count);
  for (const Match& m : matches) {
    if (!wanted(m)) continue;
    call.reply.array(with_size ? 3 : 2);
    reply_range(call, m.a, m.size);
    reply_range(call, m.b, m.size);
    if (with_size) call.reply.integer(static_cast<int64_t>(m.size));
  }
}

void reply_text(Call& call, const std::vector<Match>& matches, Bytes a) {
  std::string text;
  for (auto m = matches.rbegin(); m != matches.rend(); ++m) text += a.substr(m->a, m->size);
  call.reply.bulk(text);
}

// The keys are looked at before the options, as Redis does.
void lcs(Call& call) {
  const Entry* entries[2] = {call.txn.find(call.argument(1)), call.txn.find(call.argument(2))};
  NumberText texts[2];
  Bytes values[2];
  for (int i = 0; i < 2; i++) {
    if (!entries[i]) continue;
    if (entries[i]->type() != Type::kString) {
      call.reply.error(errors::kLcsType);
      return;
    }
    values[i] = entries[i]->string(texts[i]);
  }
  Parsed parsed;
  if (!call.parse(parsed)) return;
  bool idx = parsed.has(leaf(kLcsArgs, "IDX")), len = parsed.has(leaf(kLcsArgs, "LEN"));
  if (idx && len) {
    call.reply.error(errors::kLcsLenAndIdx);
    return;
  }
  if (!LcsTable::fits(values[0], values[1], call.settings.max_bulk_bytes)) {
    call.reply.error(errors::kLcsMemory);
    return;
  }
  LcsTable table(values[0], values[1]);
  auto length = static_cast<int64_t>(table.at(values[0].size(), values[1].size()));
  if (len) {
    call.reply.integer(length);
    return;
  }
  std::vector<Match> matches = find_matches(table, values[0], values[1]);
  if (!idx) {
    reply_text(call, matches, values[0]);
    return;
  }
  call.reply.map(2);
  reply_matches(call, matches, parsed.integer(leaf(kLcsArgs, "MINMATCHLEN")),
                parsed.has(leaf(kLcsArgs, "WITHMATCHLEN")));
  call.reply.bulk("len");
  call.reply.integer(length);
}

constexpr CommandSpec kCommands[] = {
    {.name = "lcs",
     .summary = "Returns the longest subsequence that two strings have in common.",
     .since = "7.0.0",
     .group = "string",
     .complexity = "O(N*M) for strings of N and M bytes",
     .arity = -3,
     .flags = kReadonly,
     .categories = kStringCategory,
     .keys = {1, 2, 1, kKeyRo | kKeyAccess},
     .grammar = kLcsArgs,
     .handler = lcs},
};
static_assert(arities_match(kCommands));

}  // namespace

std::span<const CommandSpec> lcs_commands() { return kCommands; }

}  // namespace hotkv
