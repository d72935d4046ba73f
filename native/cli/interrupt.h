// Signals of an interactive session.
//
// Ctrl-C gives up the line that is typed or the reply that is awaited, not the session. A screen
// that has changed (another size; the program goes on behind Ctrl-Z) is drawn anew.
#pragma once

namespace hotkv::cli {

void catch_interrupts();
// Each is true once for all signals of its kind since the last call.
bool take_interrupt();
bool take_screen_change();
// Waits until there is something to read; false when one of these signals came, also if that was
// before the call and has not been taken yet.
bool wait_readable(int fd);

}  // namespace hotkv::cli
