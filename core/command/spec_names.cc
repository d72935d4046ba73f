#include "core/command/spec_names.h"

namespace hotkv {

std::span<const NamedBit> flag_names() {
  static constexpr NamedBit kNames[] = {
      {kWrite, "write"},
      {kReadonly, "readonly"},
      {kDenyOom, "denyoom"},
      {kAdmin, "admin"},
      {kPubsub, "pubsub"},
      {kNoScript, "noscript"},
      {kBlocking, "blocking"},
      {kLoading, "loading"},
      {kStale, "stale"},
      {kSkipMonitor, "skip_monitor"},
      {kSkipSlowlog, "skip_slowlog"},
      {kFast, "fast"},
      {kNoAuth, "no_auth"},
      {kMayReplicate, "may_replicate"},
      {kNoMulti, "no_multi"},
      {kMovableKeys, "movablekeys"},
      {kAllowBusy, "allow_busy"},
  };
  return kNames;
}

std::span<const NamedBit> category_names() {
  static constexpr NamedBit kNames[] = {
      {kKeyspaceCategory, "@keyspace"},
      {kReadCategory, "@read"},
      {kWriteCategory, "@write"},
      {kSetCategory, "@set"},
      {kSortedSetCategory, "@sortedset"},
      {kListCategory, "@list"},
      {kHashCategory, "@hash"},
      {kStringCategory, "@string"},
      {kBitmapCategory, "@bitmap"},
      {kHyperLogLogCategory, "@hyperloglog"},
      {kGeoCategory, "@geo"},
      {kStreamCategory, "@stream"},
      {kPubsubCategory, "@pubsub"},
      {kAdminCategory, "@admin"},
      {kFastCategory, "@fast"},
      {kSlowCategory, "@slow"},
      {kBlockingCategory, "@blocking"},
      {kDangerousCategory, "@dangerous"},
      {kConnectionCategory, "@connection"},
      {kTransactionCategory, "@transaction"},
      {kScriptingCategory, "@scripting"},
  };
  return kNames;
}

std::span<const NamedBit> key_use_names() {
  static constexpr NamedBit kNames[] = {
      {kKeyRo, "RO"},         {kKeyRw, "RW"},         {kKeyOw, "OW"},
      {kKeyRm, "RM"},         {kKeyAccess, "access"}, {kKeyUpdate, "update"},
      {kKeyInsert, "insert"}, {kKeyDelete, "delete"}, {kKeyVariable, "variable_flags"},
  };
  return kNames;
}

Bytes arg_type_name(ArgType type) {
  switch (type) {
    case ArgType::kKey: return "key";
    case ArgType::kText: return "string";
    case ArgType::kInteger:
    case ArgType::kCount: return "integer";
    case ArgType::kDouble: return "double";
    case ArgType::kPattern: return "pattern";
    case ArgType::kUnixTime: return "unix-time";
    case ArgType::kFlag: return "pure-token";
    case ArgType::kOneOf: return "oneof";
    case ArgType::kBlock: return "block";
  }
  return "string";
}

}  // namespace hotkv
