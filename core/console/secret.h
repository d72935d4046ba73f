// Which typed lines hold a password: they belong into no history.
//
// Known by their words: AUTH (also HELLO ... AUTH), ACL as the command, and the options whose
// values are passwords. In a line whose quotes do not close such a word counts anywhere. Names of
// keys are not told apart: better a line too few in the history than a password too many.
#pragma once

#include "core/base/bytes.h"

namespace hotkv {

bool holds_secret(Bytes line);

}  // namespace hotkv
