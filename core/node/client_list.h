// CLIENT LIST and CLIENT KILL: what connections see and do of each other.
//
// Both choose connections by id and type; "normal" is the only class of this version.
#pragma once

#include "core/command/call.h"
#include "core/command/spec.h"

namespace hotkv {

inline constexpr Arg kClientTypes[] = {flag("normal", "NORMAL"), flag("master", "MASTER"),
                                       flag("replica", "REPLICA"), flag("pubsub", "PUBSUB")};
inline constexpr Arg kClientIds[] = {integer("client-id").many()};
inline constexpr Arg kClientListArgs[] = {one_of("client-type", kClientTypes).after("TYPE").maybe(),
                                          block("client-ids", kClientIds).after("ID").maybe()};

inline constexpr Arg kSkipMe[] = {flag("yes", "YES"), flag("no", "NO")};
inline constexpr Arg kKillFilters[] = {
    integer("client-id").after("ID"),  one_of("client-type", kClientTypes).after("TYPE"),
    text("username").after("USER"),    text("addr").after("ADDR"),
    text("laddr").after("LADDR"),      one_of("skipme", kSkipMe).after("SKIPME"),
    integer("maxage").after("MAXAGE"),
};
inline constexpr Arg kKillForms[] = {text("ip:port"), one_of("new-format", kKillFilters).many()};
inline constexpr Arg kClientKillArgs[] = {one_of("filter", kKillForms)};

void client_list(Call& call);
void client_kill(Call& call);

}  // namespace hotkv
