// hotkv-server: reads the command line, builds a Node and hands it to the Driver.
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/check.h"
#include "core/node/node.h"
#include "core/node/options.h"
#include "native/clock.h"
#include "native/command_line.h"
#include "native/driver.h"
#include "native/log.h"
#include "native/process.h"
#include "native/signals.h"

namespace hotkv {
namespace {

// For print_flight alone, which is called without a context.
Node* failing_node = nullptr;
Log* failing_log = nullptr;

// Our own fault: log what the node did last, for the report.
void print_flight(const char* expression, const char* file, int line) {
  Log& log = *failing_log;
  log.warning("HotKV stops by a fault of its own: " + std::string(file) + ":" +
              std::to_string(line) + ": " + expression + " does not hold");
  log.warning("Please report it with the lines below, the last events, oldest first");
  for (const std::string& event : failing_node->trace().flight()) log.warning(event);
}

Status read_text(const std::string& path, std::string& text) {
  std::FILE* file = path == "-" ? stdin : std::fopen(path.c_str(), "rb");
  if (!file) return Status::error("can't open config file " + path + ": " + strerror(errno));
  char part[4096];
  size_t got;
  while ((got = std::fread(part, 1, sizeof part, file)) > 0) text.append(part, got);
  const bool failed = std::ferror(file) != 0;
  if (file != stdin) std::fclose(file);
  return failed ? Status::error("can't read config file " + path) : Status();
}

// The background must be reached before the process id is handed to the node.
bool wants_background(const NodeSetup& setup) {
  Options options;
  Status status = options.load(setup.config_text);
  for (const auto& [name, value] : setup.options) {
    if (status.ok()) status = options.load(name + " " + value);
  }
  return status.ok() && options.flag("daemonize");  // What is wrong is said by the node.
}

int fail(const Status& status) {
  std::fprintf(stderr, "hotkv-server: %s\n", status.message().c_str());
  return 1;
}

int serve(const CommandLine& line) {
  Clock clock;
  // The shell's folder counts for it, not the server's `dir`.
  const std::string record_file =
      line.record_file.empty() ? "" : std::filesystem::absolute(line.record_file).string();
  NodeSetup setup;
  setup.options = line.options;
  if (!line.config_file.empty()) {
    Status status = read_text(line.config_file, setup.config_text);
    if (!status.ok()) return fail(status);
    if (line.config_file != "-") setup.config_file = absolute_path(line.config_file);
  }
  if (wants_background(setup)) {
    Status status = go_to_background();
    if (!status.ok()) return fail(status);
  }
  setup.seed = random_seed();
  setup.executable = executable_path();
  setup.operating_system = operating_system();
  setup.process_id = getpid();
  setup.ticks_us = Clock::read_ticks;
  setup.ticks_context = &clock;
  setup.resident_bytes = [](void*) { return resident_bytes(); };
  setup.cpu_us = [](void*, bool user) { return cpu_us(user); };

  Node node(setup);
  if (!node.setup_status().ok()) return fail(node.setup_status());

  const std::string directory = node.option("dir");
  if (chdir(directory.c_str()) != 0) {
    return fail(Status::error("can't change to dir " + directory + ": " + strerror(errno)));
  }
  Log log;
  Status status = log.open(node.option("logfile"));
  if (!status.ok()) return fail(status);
  log.set_level(node.option("loglevel"));
  // Rare events only, so that recording them costs nothing that counts.
  node.trace().set_mask(trace::bit(trace::Kind::kServer) | trace::bit(trace::Kind::kClient));
  failing_node = &node;
  failing_log = &log;
  set_failure_hook(print_flight);
  log.notice("HotKV " HOTKV_VERSION " starts");
  log.notice("PID: " + std::to_string(getpid()));

  Signals signals;
  Driver driver(node, clock, log, signals, absolute_path("."));
  status = driver.listen();
  if (!status.ok()) {
    log.warning(status.message());
    return 1;
  }
  if (!record_file.empty()) {
    status = driver.record(record_file, setup);
    if (!status.ok()) return fail(status);
  }
  const std::string pid_file = node.option("pidfile");
  if (!pid_file.empty()) {
    status = write_pid_file(pid_file);
    if (!status.ok()) log.warning(status.message());
  }
  const int code = driver.run();
  set_failure_hook(nullptr);  // What it names ends with this function.
  if (!pid_file.empty()) remove_pid_file(pid_file);
  return code;
}

}  // namespace
}  // namespace hotkv

int main(int argc, char** argv) {
  hotkv::Result<hotkv::CommandLine> line =
      hotkv::parse_command_line(std::vector<std::string>(argv + 1, argv + argc));
  if (!line.ok()) return hotkv::fail(line.status());
  if (line.value().help) {
    std::fputs(hotkv::kUsage, stdout);
    return 0;
  }
  if (line.value().version) {
    std::puts("hotkv-server " HOTKV_VERSION);
    return 0;
  }
  return hotkv::serve(line.value());
}
