// Process: what the host asks of the operating system about itself.
#pragma once

#include <cstdint>
#include <string>

#include "core/base/result.h"

namespace hotkv {

uint64_t random_seed();                              // From the kernel; never the same on purpose.
std::string executable_path();                       // Absolute, links resolved.
std::string operating_system();                      // "Linux 6.1.0 x86_64"
std::string absolute_path(const std::string& path);  // Of an existing file; else `path` itself.

uint64_t resident_bytes();   // RSS of the process.
uint64_t cpu_us(bool user);  // CPU time of the process: user's or the system's.

// Room for `clients` connections and what the server opens besides. Answers how many clients there
// is room for, `clients` or less.
int64_t raise_open_files(int64_t clients);

void stand_still(int64_t us);  // DEBUG SLEEP: nothing happens meanwhile.

// Goes to the background: a child in a session of its own goes on, the caller ends. Standard input,
// output and error become /dev/null.
Status go_to_background();
Status write_pid_file(const std::string& path);
void remove_pid_file(const std::string& path);

}  // namespace hotkv
