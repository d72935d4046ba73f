// Ctrl-C in an interactive session: gives up the line that is typed or the reply that is awaited,
// not the session.
#pragma once

namespace hotkv::cli {

void catch_interrupts();
bool take_interrupt();  // True once for every Ctrl-C since the last call.

}  // namespace hotkv::cli
