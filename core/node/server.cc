// Construction and start of a node's insides.
#include "core/node/server.h"

#include "core/command/families.h"
#include "core/trace/events.h"

namespace hotkv {

const int Server::kRequirepass = find_option("requirepass");
const int Server::kMaxClients = find_option("maxclients");
const int Server::kTimeout = find_option("timeout");
const int Server::kOutputPause = find_option("client-output-pause-bytes");
const int Server::kQueryLimit = find_option("client-query-buffer-limit");

namespace {

// Options as the node starts with them: the file first, then the words of the command line.
Options start_options(const NodeSetup& setup, Status& status) {
  Options options;
  status = options.load(setup.config_text);
  if (!status.ok()) {
    status = Status::error("configuration file " + setup.config_file + ", " + status.message());
    return options;
  }
  for (const auto& [name, value] : setup.options) {
    Status one = options.set_line(name + ' ' + value);
    if (!one.ok()) {
      status = Status::error("option --" + name + ": " + one.message());
      return options;
    }
  }
  return options;
}

}  // namespace

const CommandTable& all_commands() {
  static const CommandTable* table = [] {
    std::vector<std::span<const CommandSpec>> families = data_families();
    for (auto family : {transaction_commands(), connection_commands(), client_commands(),
                        command_commands(), config_commands(), server_commands()}) {
      families.push_back(family);
    }
    return new CommandTable(families);
  }();
  return *table;
}

Server::Server(const NodeSetup& node_setup)
    : setup(node_setup),
      options(start_options(node_setup, setup_status)),
      table(all_commands()),
      random(setup.seed),
      run_id(Random(setup.seed, 1).hex(40)),
      keyspace(static_cast<int>(options.number("databases")), Random(setup.seed, 2).next()),
      effects(static_cast<size_t>(options.number("repl-backlog-size"))),
      txn(keyspace, effects, watches, trace),
      command_counts(static_cast<size_t>(table.ids())) {
  options_changed();
}

void Server::start() {
  started = true;
  started_at = now.mono;
  trace.emit(trace::ServerStarted{run_id, 0});
  epoch.start(next_file_op(), *outputs);
}

}  // namespace hotkv
