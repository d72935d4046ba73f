// Keyspace: the numbered databases of a node.
//
// Only Txn changes them; readers that are not commands (INFO, the expiry scan, checkers) may look.
#pragma once

#include <utility>
#include <vector>

#include "core/data/table.h"

namespace hotkv {

class Keyspace {
 public:
  Keyspace(int databases, uint64_t hash_seed) {
    tables_.reserve(static_cast<size_t>(databases));
    for (int i = 0; i < databases; i++) tables_.emplace_back(hash_seed);
  }
  int databases() const { return static_cast<int>(tables_.size()); }
  Table& table(int db) { return tables_[static_cast<size_t>(db)]; }
  const Table& table(int db) const { return tables_[static_cast<size_t>(db)]; }
  void swap(int a, int b) { std::swap(table(a), table(b)); }
  size_t keys() const {
    size_t n = 0;
    for (const Table& t : tables_) n += t.size();
    return n;
  }

 private:
  std::vector<Table> tables_;
};

}  // namespace hotkv
