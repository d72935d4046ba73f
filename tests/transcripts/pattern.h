// Expected lines with volatile parts, and the variables that tie replies to later commands.
//
//   pattern  = literal text and marks
//   mark     = '{*}'                    any text
//            | '{' sum '}'              exactly this number, or the text of a captured variable
//            | '{' sum '..' sum '}'     a decimal integer in this closed range
//            | '{' name ':' ... '}'     as after the colon ('*' or a range), kept as a variable
//   sum      = (number | name) { ('+' | '-') number }
// Built-in names: now_ms and now_s, the target's wall clock at the moment of use.
// Braces that hold none of these are literal text.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace hotkv::transcripts {

using Variables = std::map<std::string, std::string>;

// True when `text` fits `pattern`; captures are added to `variables` only then.
bool matches(std::string_view pattern, std::string_view text, Variables* variables);

// Replaces the marks of one command word that name a known variable or sum.
std::string substitute(std::string_view word, const Variables& variables);

}  // namespace hotkv::transcripts
