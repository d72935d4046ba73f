// What redis-server 7.0 must be told so that it does what a newer command says.
//
// DELEX, SET IFEQ, MSETEX, INCREX and their kin do not exist there; a short script that says the
// same in older commands is the second opinion on HotKV's implementation.
#pragma once

#include <string>
#include <vector>

namespace hotkv::transcripts {

// The words for redis-server 7.0: an EVAL for a newer command, else the words themselves.
// REQUIRES: the words of a newer command are well formed (they come from our own grammar).
std::vector<std::string> translate(const std::vector<std::string>& words);

}  // namespace hotkv::transcripts
