// What this server calls itself.
#pragma once

#include <string_view>

namespace hotkv {

// Clients gate features on redis_version (SPEC: Server), so it names the Redis release whose
// commands are spoken here.
constexpr std::string_view kRedisVersion = "8.4.0";
constexpr std::string_view kHotkvVersion = "0.1.0";

}  // namespace hotkv
