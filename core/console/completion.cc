#include "core/console/completion.h"

#include <algorithm>

#include "core/command/arguments.h"

namespace hotkv {

namespace {

// Words of a line that may be unfinished: blanks separate, quotes need not close.
std::vector<std::string> loose_words(Bytes line, bool& ends_in_blank) {
  std::vector<std::string> words;
  // What separates words for split_quoted, so that an unfinished word is never one that it skips.
  constexpr Bytes kBlanks(" \t\n\r\v\f\0", 7);
  ends_in_blank = line.empty() || kBlanks.find(line.back()) != Bytes::npos;
  if (split_quoted(line, words)) return words;
  words.clear();
  size_t at = 0;
  while (at < line.size()) {
    size_t end = std::min(line.find(' ', at), line.size());
    if (end > at) words.emplace_back(line.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

struct Target {
  const CommandSpec* spec = nullptr;       // The command or, when `sub`, the subcommand.
  const CommandSpec* container = nullptr;  // Set for a subcommand.
  size_t words = 1;                        // Words that name it.
};

Target find_target(const std::vector<std::string>& words, const CommandTable& table) {
  Target t;
  if (words.empty()) return t;
  t.spec = table.find(words[0]);
  if (t.spec && words.size() > 1 && !t.spec->subcommands.empty()) {
    if (const CommandSpec* sub = table.find_subcommand(*t.spec, words[1])) {
      t = {sub, t.spec, 2};
    }
  }
  return t;
}

bool names_token(const Arg& arg, Bytes word) {
  if (!arg.token.empty()) return equal_ignoring_case(arg.token, word);
  for (const Arg& part : arg.of) {
    if (names_token(part, word)) return true;
  }
  return false;
}

// How many words an argument takes once; alternatives take those of the one that `word` names.
int width(const Arg& arg, Bytes word) {
  int n = arg.token.empty() || arg.type == ArgType::kFlag ? 0 : 1;
  if (arg.is_leaf()) return n + 1;
  if (arg.type == ArgType::kOneOf) {
    for (const Arg& part : arg.of) {
      if (names_token(part, word)) return n + width(part, word);
    }
    return n + 1;
  }
  for (const Arg& part : arg.of) n += width(part, word);
  return n;
}

// Which top-level arguments are still open after `typed` words, and which one comes next if it
// needs a value rather than a new option word.
struct Progress {
  std::vector<const Arg*> open;
  const Arg* inside = nullptr;
};

Progress progress_of(std::span<const Arg> grammar, std::span<const std::string> typed) {
  Progress p;
  for (const Arg& arg : grammar) p.open.push_back(&arg);
  for (size_t i = 0; i < typed.size();) {
    auto found = std::find_if(p.open.begin(), p.open.end(), [&](const Arg* a) {
      return (a->is_optional || !a->token.empty()) && names_token(*a, typed[i]);
    });
    if (found == p.open.end()) {
      found = std::find_if(p.open.begin(), p.open.end(),
                           [](const Arg* a) { return !a->is_optional || a->token.empty(); });
      if (found == p.open.end()) break;
    }
    const Arg* arg = *found;
    auto words = static_cast<size_t>(width(*arg, typed[i]));
    if (i + words > typed.size()) {
      p.inside = arg;
      return p;
    }
    i += words;
    if (!arg->is_multiple) p.open.erase(found);
  }
  return p;
}

void collect_tokens(const Arg& arg, std::vector<std::string>& tokens) {
  if (!arg.token.empty()) {
    tokens.emplace_back(arg.token);
    return;
  }
  for (const Arg& part : arg.of) collect_tokens(part, tokens);
}

bool has_key(const Arg& arg) {
  if (arg.type == ArgType::kKey) return true;
  return std::any_of(arg.of.begin(), arg.of.end(), [](const Arg& part) { return has_key(part); });
}

bool begins_with(Bytes text, Bytes prefix) {
  return text.size() >= prefix.size() && equal_ignoring_case(text.substr(0, prefix.size()), prefix);
}

// A key's name as it has to be typed: in quotes where it would else be no single word.
std::string as_word(const std::string& key) {
  bool plain = !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
    return static_cast<unsigned char>(c) > ' ' && c != '"' && c != '\'' && c != 0x7f;
  });
  if (plain) return key;
  std::string quoted;
  append_quoted(quoted, key);
  return quoted;
}

// A table word in the case in which the user has begun to type it.
std::string in_case_of(Bytes word, Bytes typed) {
  bool lower = !typed.empty() && typed[0] >= 'a' && typed[0] <= 'z';
  return lower ? lower_case(word) : upper_case(word);
}

std::string full_name(const Target& t) {
  std::string name = t.container ? upper_case(t.container->name) + " " : "";
  return name + upper_case(t.spec->name);
}

std::string full_syntax(const Target& t) {
  std::string synopsis = print_synopsis(t.spec->grammar);
  return full_name(t) + (synopsis.empty() ? "" : " " + synopsis) + "\n";
}

std::string brief_help(const Target& t) {
  return full_syntax(t) + "  summary: " + std::string(t.spec->summary) + "\n";
}

std::string group_help(Bytes group, const CommandTable& table) {
  std::vector<const CommandSpec*> specs;
  for (const CommandSpec* spec : table.all()) {
    if (spec->group == group) specs.push_back(spec);
  }
  std::sort(specs.begin(), specs.end(),
            [](const CommandSpec* a, const CommandSpec* b) { return a->name < b->name; });
  std::string out;
  for (const CommandSpec* spec : specs) out += brief_help({spec, nullptr, 1});
  return out;
}

// Names of keys and option words that may come after `words`.
void offer_arguments(const Target& t, const std::vector<std::string>& words,
                     const std::vector<std::string>& keys, const std::string& prefix,
                     std::vector<std::string>& found) {
  std::span<const std::string> typed(words);
  Progress p = progress_of(t.spec->grammar, typed.subspan(t.words));
  bool wants_key = p.inside ? has_key(*p.inside) : !p.open.empty() && has_key(*p.open[0]);
  for (const std::string& key : keys) {
    if (!wants_key) break;
    std::string word = as_word(key);
    bool fits = Bytes(key).substr(0, prefix.size()) == prefix ||
                Bytes(word).substr(0, prefix.size()) == prefix;
    if (fits) found.push_back(word);
  }
  for (const Arg* arg : p.open) {
    if (p.inside || (wants_key && arg == p.open[0])) break;
    std::vector<std::string> tokens;
    collect_tokens(*arg, tokens);
    for (const std::string& token : tokens) {
      if (begins_with(token, prefix)) found.push_back(in_case_of(token, prefix));
    }
    if (!arg->is_optional) break;
  }
}

bool asks_for_help(const std::vector<std::string>& words) {
  return !words.empty() && (equal_ignoring_case(words[0], "help") || words[0] == "?");
}

}  // namespace

size_t completion_start(Bytes line) {
  size_t blank = line.find_last_of(" \t");
  return blank == Bytes::npos ? 0 : blank + 1;
}

std::vector<std::string> complete(Bytes line, const CommandTable& table,
                                  const std::vector<std::string>& keys) {
  bool blank;
  std::vector<std::string> words = loose_words(line, blank);
  std::string prefix;
  if (!blank && !words.empty()) {
    prefix = words.back();
    words.pop_back();
  }
  std::vector<std::string> found;
  auto offer = [&](Bytes word) {
    if (begins_with(word, prefix)) found.push_back(in_case_of(word, prefix));
  };
  const bool helps = asks_for_help(words);
  if (helps) {
    words.erase(words.begin());
    if (words.empty()) {
      for (const std::string& group : help_groups(table)) {
        if (begins_with(group, prefix)) found.push_back(group);
      }
    }
  }
  if (words.empty()) {
    for (const CommandSpec* spec : table.all()) offer(spec->name);
  } else if (Target t = find_target(words, table); t.spec) {
    if (!t.container && words.size() == 1) {
      for (const CommandSpec& sub : t.spec->subcommands) offer(sub.name);
    }
    if (!helps) offer_arguments(t, words, keys, prefix, found);
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  if (found.size() > kCandidatesMax) found.resize(kCandidatesMax);
  return found;
}

std::string hint(Bytes line, const CommandTable& table) {
  bool blank;
  std::vector<std::string> words = loose_words(line, blank);
  Target t = find_target(words, table);
  if (!t.spec) return {};
  std::string rest;
  if (!t.container && !t.spec->subcommands.empty() && words.size() == 1 &&
      t.spec->grammar.empty()) {
    rest = "subcommand";
  } else {
    std::span<const std::string> typed(words);
    Progress p = progress_of(t.spec->grammar, typed.subspan(std::min(t.words, typed.size())));
    // A word that is still being typed may yet become anything: say nothing inside it.
    for (const Arg* arg : p.open) {
      if (arg == p.inside) continue;
      std::string part = print_synopsis({arg, 1});
      rest += (rest.empty() ? "" : " ") + part;
    }
  }
  if (rest.empty()) return {};
  return (blank ? "" : " ") + rest;
}

std::vector<std::string> help_groups(const CommandTable& table) {
  std::vector<std::string> groups;
  for (const CommandSpec* spec : table.all()) groups.push_back("@" + std::string(spec->group));
  std::sort(groups.begin(), groups.end());
  groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
  return groups;
}

std::string help_text(Bytes name, const CommandTable& table) {
  if (!name.empty() && name[0] == '@') return group_help(lower_case(name.substr(1)), table);
  bool blank;
  Target t = find_target(loose_words(name, blank), table);
  if (!t.spec) return {};
  std::string out = full_syntax(t);
  out += "  summary: " + std::string(t.spec->summary) + "\n";
  out += "  since: " + std::string(t.spec->since) + "\n";
  out += "  group: " + std::string(t.spec->group) + "\n";
  if (t.container) return out;
  for (const CommandSpec& sub : t.spec->subcommands) out += brief_help({&sub, t.spec, 2});
  return out;
}

}  // namespace hotkv
