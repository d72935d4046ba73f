// Metrics: every number a server reports, declared once: INFO and Prometheus read the same table.
//
// An INFO field has Redis's name where Redis has the field. A metric with a `prometheus` name is
// also exposed as `hotkv_<name>`; counters end in _total.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace hotkv {

class Server;

enum class MetricKind : uint8_t { kCounter, kGauge, kText };

struct MetricSpec {
  std::string_view section;  // INFO section: "Server", "Clients" ...
  std::string_view field;    // INFO field
  MetricKind kind;
  std::string_view prometheus;  // Name without prefix; "" = INFO only.
  std::string_view summary;
  std::string (*read)(const Server& server);
};

std::span<const MetricSpec> metric_table();

}  // namespace hotkv
