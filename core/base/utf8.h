// Whether bytes are text. Keys and values never need to be; what travels in a link does.
#pragma once

#include "core/base/bytes.h"

namespace hotkv {

// UTF-8 as RFC 3629 has it: no overlong forms, no surrogates, nothing above U+10FFFF.
bool is_utf8(Bytes text);

}  // namespace hotkv
