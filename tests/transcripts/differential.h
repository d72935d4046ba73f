// Random comparison of two targets: hotkv and redis-server.
//
// Both get the same sequences of random commands (command_grammar.h) from two clients, in RESP2 or
// RESP3; every reply is compared, and at the end of a sequence all data. The first mismatch of a
// sequence is shrunk to the fewest commands that still differ and printed as a transcript.
//
// When the left target shows its effects, a third machine gets them as a replica would: it must
// accept each one and end with the same data.
#pragma once

#include <cstdint>

#include "tests/transcripts/target.h"

namespace hotkv::transcripts {

struct DifferentialPlan {
  uint64_t seed = 1;
  int sequences = 1000;
  int commands_per_sequence = 40;
  int mismatches_max = 20;  // Stop after so many.
};

struct DifferentialResult {
  int passed = 0;  // Sequences, or pairs of numbers.
  int failed = 0;
};

// `replica` may be null: then effects are not replayed.
Result<DifferentialResult> compare_sequences(const DifferentialPlan& plan, Target* left,
                                             Target* right, Target* replica);

// INCRBYFLOAT on `pairs` random pairs of numbers.
Result<DifferentialResult> compare_decimals(uint64_t seed, int pairs, Target* left, Target* right);

}  // namespace hotkv::transcripts
