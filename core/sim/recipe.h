// Recipe: a program that a scripted client runs, where one command is not enough: cache-aside with
// its three cures of a stampede, and Redlock. Each is a small state machine: it sends, sleeps and
// is told what came back; it knows no world, so a test can play the host.
//
// In a lesson: "A runs redlock key={key} token={token_a} ttl={ttl}"; an unknown or missing argument
// is an error that names it.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/base/time.h"
#include "core/resp/reply_parser.h"

namespace hotkv::sim {

// What a recipe may do to the world.
class RecipeHost {
 public:
  virtual ~RecipeHost() = default;
  // The number identifies the answer. 0: could not be sent; no answer comes.
  virtual uint64_t send(int node, const std::vector<std::string>& words) = 0;
  virtual uint64_t sleep(Duration length) = 0;  // The number identifies the waking.
  virtual Time now() const = 0;
  virtual int64_t draw(int64_t low, int64_t high) = 0;  // Of the client's own random stream.
  virtual std::vector<int> key_nodes() const = 0;       // Those that hold keys, in order.
  virtual int database() const = 0;                     // -1 = none
  virtual void believe(const std::string& key, const std::string& token, Time until) = 0;
  virtual void give_up(const std::string& key) = 0;
};

using RecipeArguments = std::map<std::string, std::string>;

class Recipe {
 public:
  virtual ~Recipe() = default;
  virtual void begin(RecipeHost& host) = 0;
  // Null: the link broke before the reply.
  virtual void answer(RecipeHost& host, uint64_t request, const Reply* reply) = 0;
  virtual void wake(RecipeHost& host, uint64_t timer) = 0;

  bool done() const { return !outcome_.empty(); }
  const std::string& outcome() const { return outcome_; }  // A short sentence once done.

 protected:
  void finish(std::string outcome) { outcome_ = std::move(outcome); }

 private:
  std::string outcome_;
};

Result<std::unique_ptr<Recipe>> make_recipe(Bytes name, const RecipeArguments& arguments);

// The recipes, each in its own file.
std::unique_ptr<Recipe> make_cache_aside(const RecipeArguments& arguments, std::string& error);
std::unique_ptr<Recipe> make_redlock(const RecipeArguments& arguments, std::string& error);

// Takes arguments by name; what is missing, malformed or left over becomes an error.
class ArgumentReader {
 public:
  explicit ArgumentReader(const RecipeArguments& arguments) : left_(arguments) {}
  std::string text(const char* name);  // Required.
  std::string text(const char* name, const char* otherwise);
  int64_t number(const char* name, int64_t low, int64_t high);  // Required.
  int64_t number(const char* name, int64_t low, int64_t high, int64_t otherwise);
  // "" or what is wrong, once all were taken.
  std::string error() const;

 private:
  void fail(const std::string& why);

  RecipeArguments left_;
  std::string error_;
};

}  // namespace hotkv::sim
