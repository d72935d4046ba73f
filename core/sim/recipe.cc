#include "core/sim/recipe.h"

#include "core/base/numbers.h"

namespace hotkv::sim {

void ArgumentReader::fail(const std::string& why) {
  if (error_.empty()) error_ = why;
}

std::string ArgumentReader::text(const char* name) {
  auto found = left_.find(name);
  if (found == left_.end()) {
    fail(std::string("needs ") + name + "=");
    return {};
  }
  std::string value = found->second;
  left_.erase(found);
  return value;
}

std::string ArgumentReader::text(const char* name, const char* otherwise) {
  return left_.count(name) ? text(name) : otherwise;
}

int64_t ArgumentReader::number(const char* name, int64_t low, int64_t high) {
  const std::string value = text(name);
  int64_t n = low;
  if (!error_.empty()) return low;
  if (!parse_int64(value, n) || n < low || n > high) {
    NumberText from, to;
    fail(std::string(name) + "=" + value + " is not a number from " +
         std::string(format_int64(low, from)) + " to " + std::string(format_int64(high, to)));
    return low;
  }
  return n;
}

int64_t ArgumentReader::number(const char* name, int64_t low, int64_t high, int64_t otherwise) {
  return left_.count(name) ? number(name, low, high) : otherwise;
}

std::string ArgumentReader::error() const {
  if (error_.empty() && !left_.empty()) return "does not know " + left_.begin()->first + "=";
  return error_;
}

Result<std::unique_ptr<Recipe>> make_recipe(Bytes name, const RecipeArguments& arguments) {
  std::string error;
  std::unique_ptr<Recipe> made;
  if (name == "cache-aside") {
    made = make_cache_aside(arguments, error);
  } else if (name == "redlock") {
    made = make_redlock(arguments, error);
  } else {
    return Status::error("there is no recipe '" + std::string(name) + "'");
  }
  if (!error.empty()) return Status::error(std::string(name) + " " + error);
  return made;
}

}  // namespace hotkv::sim
