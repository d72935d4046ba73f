#include "core/node/client_list.h"

#include <map>

#include "core/base/numbers.h"
#include "core/node/server.h"

namespace hotkv {

namespace {

// "normal" is the only class of this version; 0 = known but empty, -1 = unknown.
int client_class(Bytes word) {
  if (equal_ignoring_case(word, "normal")) return 1;
  for (Bytes known : {"master", "slave", "replica", "pubsub"}) {
    if (equal_ignoring_case(word, known)) return 0;
  }
  return -1;
}

struct KillFilter {
  Bytes address, local_address;
  int64_t id = 0;
  int64_t max_age_seconds = 0;
  int type = 1;
  bool skip_self = true;
  bool user_exists = true;

  bool matches(const Session& s, const Session& self, Time now) const {
    if (!address.empty() && s.address != address) return false;
    if (!local_address.empty() && s.local_address != local_address) return false;
    if (id && static_cast<int64_t>(s.id.value) != id) return false;
    if (type == 0 || s.closing) return false;
    if (max_age_seconds && (now - s.connected_at).us / 1000000 < max_age_seconds) return false;
    return !(skip_self && &s == &self);
  }
};

// One `option value` pair of CLIENT KILL; false when the error reply is written.
bool read_kill_option(Call& call, Bytes option, Bytes value, KillFilter& filter) {
  if (equal_ignoring_case(option, "id")) {
    if (parse_int64(value, filter.id) && filter.id > 0) return true;
    call.reply.error("ERR client-id should be greater than 0");
  } else if (equal_ignoring_case(option, "maxage")) {
    if (parse_int64(value, filter.max_age_seconds) && filter.max_age_seconds > 0) return true;
    call.reply.error("ERR maxage is not an integer or out of range");
  } else if (equal_ignoring_case(option, "type")) {
    filter.type = client_class(value);
    if (filter.type >= 0) return true;
    call.reply.error("ERR Unknown client type '" + std::string(value) + "'");
  } else if (equal_ignoring_case(option, "addr")) {
    filter.address = value;
    return true;
  } else if (equal_ignoring_case(option, "laddr")) {
    filter.local_address = value;
    return true;
  } else if (equal_ignoring_case(option, "user")) {
    if (value == "default") return true;
    call.reply.error("ERR No such user '" + std::string(value) + "'");
  } else if (equal_ignoring_case(option, "skipme") && equal_ignoring_case(value, "yes")) {
    filter.skip_self = true;
    return true;
  } else if (equal_ignoring_case(option, "skipme") && equal_ignoring_case(value, "no")) {
    filter.skip_self = false;
    return true;
  } else {
    call.reply.error(errors::kSyntax);
  }
  return false;
}

}  // namespace

void client_list(Call& call) {
  bool all = true;
  std::vector<int64_t> ids;
  if (call.count() == 4 && equal_ignoring_case(call.argument(2), "type")) {
    int type = client_class(call.argument(3));
    if (type < 0) {
      return call.reply.error("ERR Unknown client type '" + std::string(call.argument(3)) + "'");
    }
    all = type == 1;
  } else if (call.count() > 3 && equal_ignoring_case(call.argument(2), "id")) {
    all = false;
    for (int i = 3; i < call.count(); i++) {
      int64_t id;
      if (!parse_int64(call.argument(i), id)) return call.reply.error("ERR Invalid client ID");
      ids.push_back(id);
    }
  } else if (call.count() != 2) {
    return call.reply.error(errors::kSyntax);
  }
  // Links are numbered anew when they are free; clients are shown in the order they came.
  std::map<int64_t, const Session*> present;
  call.server.visit_sessions([&](Session& s) {
    if (!s.closing) present[static_cast<int64_t>(s.id.value)] = &s;
  });
  std::string lines;
  if (all) {
    for (const auto& entry : present) lines += call.server.describe(*entry.second) + "\n";
  }
  for (int64_t id : ids) {
    auto found = present.find(id);
    if (found != present.end()) lines += call.server.describe(*found->second) + "\n";
  }
  call.reply.verbatim("txt", lines);
}

void client_kill(Call& call) {
  KillFilter filter;
  bool old_form = call.count() == 3;
  if (old_form) {
    filter.address = call.argument(2);
    filter.skip_self = false;
  } else if (call.count() % 2 != 0) {
    return call.reply.error(errors::kSyntax);
  }
  for (int i = 2; !old_form && i + 1 < call.count(); i += 2) {
    if (!read_kill_option(call, call.argument(i), call.argument(i + 1), filter)) return;
  }
  int64_t killed = 0;
  bool self = false;
  call.server.visit_sessions([&](Session& s) {
    if (!filter.matches(s, call.session, call.server.now.mono)) return;
    killed++;
    if (&s == &call.session) {
      self = true;  // After its reply.
    } else {
      call.server.close_session(s, "CLIENT KILL", false);
    }
  });
  if (old_form && killed == 0) {
    call.reply.error("ERR No such client");
  } else if (old_form) {
    call.reply.ok();
  } else {
    call.reply.integer(killed);
  }
  if (self) call.server.close_session(call.session, "CLIENT KILL", true);
}

}  // namespace hotkv
