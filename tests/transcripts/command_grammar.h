// Random command lines for the comparison with redis-server.
//
// The grammar is a table of lines in a small notation (command_grammar.cc); it covers the commands
// that both servers know. Values are awkward on purpose: empty, huge, binary, almost numbers.
#pragma once

#include <string>
#include <vector>

#include "core/base/random.h"

namespace hotkv::transcripts {

// How the replies of two servers to the same command are compared.
enum class Comparison {
  kExact,
  kUnordered,  // Lists of strings may come in any order.
  kTime,       // Integers may differ by the time that passes between the two servers.
  kPresence,   // Only the type of the reply: RANDOMKEY, DBSIZE.
};

struct RandomCommand {
  std::vector<std::string> words;
  Comparison comparison = Comparison::kExact;
};

// Draws one command.
RandomCommand random_command(Random& random);

// All key names that the grammar uses.
const std::vector<std::string>& grammar_keys();

// A number as text for INCRBYFLOAT: integers, decimals, exponents, of many magnitudes.
std::string random_decimal(Random& random);

}  // namespace hotkv::transcripts
