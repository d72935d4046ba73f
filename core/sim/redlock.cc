// Redlock: one lock on N independent nodes. All are asked at the same time; the lock is held when a
// majority granted it and time is left: validity = ttl - elapsed - drift. If not, all nodes are
// unlocked, those that refused too. A node that does not answer within `timeout` counts as no.
//   do=acquire (the default) or do=release
#include <algorithm>

#include "core/base/numbers.h"
#include "core/sim/recipe.h"

namespace hotkv::sim {

namespace {

constexpr int64_t kMsMax = 1000 * 60 * 60;
constexpr int64_t kDriftFixedMs = 2;  // And one percent of the ttl.

std::string decimal(int64_t n) {
  NumberText text;
  return std::string(format_int64(n, text));
}

class Redlock : public Recipe {
 public:
  Redlock(const RecipeArguments& arguments, std::string& error) {
    ArgumentReader reader(arguments);
    key_ = reader.text("key");
    token_ = reader.text("token");
    action_ = reader.text("do", "acquire");
    ttl_ms_ = reader.number("ttl", 1, kMsMax);
    timeout_ms_ = reader.number("timeout", 1, kMsMax, 50);
    error = reader.error();
    if (error.empty() && action_ != "acquire" && action_ != "release") {
      error = "knows do=acquire and do=release, not do=" + action_;
    }
  }

  void begin(RecipeHost& host) override {
    begun_at_ = host.now();
    if (action_ == "acquire") {
      ask_all(host, State::kAcquire, {"SET", key_, token_, "NX", "PX", decimal(ttl_ms_)});
    } else {
      release(host);
    }
  }

  void answer(RecipeHost& host, uint64_t request, const Reply* reply) override {
    auto open = std::find(open_.begin(), open_.end(), request);
    if (done() || open == open_.end()) return;  // Too late.
    open_.erase(open);
    const bool granted = reply && reply->type == Reply::Type::kSimple;
    const bool released = reply && reply->type == Reply::Type::kInteger && reply->integer == 1;
    yes_ += state_ == State::kAcquire ? granted : released;
    if (open_.empty()) conclude(host);
  }

  void wake(RecipeHost& host, uint64_t timer) override {
    if (timer == timer_ && !done()) conclude(host);
  }

 private:
  enum class State : uint8_t { kAcquire, kUnlock, kRelease };

  void ask_all(RecipeHost& host, State state, const std::vector<std::string>& words) {
    state_ = state;
    yes_ = 0;
    open_.clear();
    const std::vector<int> nodes = host.key_nodes();
    all_ = static_cast<int>(nodes.size());
    for (int node : nodes) {
      if (uint64_t request = host.send(node, words)) open_.push_back(request);
    }
    timer_ = host.sleep(milliseconds(timeout_ms_));
  }
  void release(RecipeHost& host) {
    host.give_up(key_);
    ask_all(host, State::kRelease, {"DELEX", key_, "IFEQ", token_});
  }

  void conclude(RecipeHost& host) {
    timer_ = 0;
    const std::string count = decimal(yes_) + " of " + decimal(all_);
    if (state_ == State::kRelease) return finish("released on " + count);
    if (state_ == State::kUnlock) return finish(refusal_);
    const int64_t elapsed_ms = (host.now() - begun_at_).ms();
    const int64_t validity_ms = ttl_ms_ - elapsed_ms - ttl_ms_ / 100 - kDriftFixedMs;
    if (yes_ > all_ / 2 && validity_ms > 0) {
      host.believe(key_, token_, host.now() + milliseconds(validity_ms));
      return finish("acquired on " + count + ", valid for " + decimal(validity_ms) + " ms");
    }
    refusal_ =
        yes_ > all_ / 2 ? "refused: " + count + ", but no time is left" : "refused: " + count;
    ask_all(host, State::kUnlock, {"DELEX", key_, "IFEQ", token_});
  }

  std::string key_, token_, action_, refusal_;
  int64_t ttl_ms_, timeout_ms_;
  State state_ = State::kAcquire;
  Time begun_at_;
  std::vector<uint64_t> open_;  // Requests whose answers are awaited.
  uint64_t timer_ = 0;
  int yes_ = 0, all_ = 0;
};

}  // namespace

std::unique_ptr<Recipe> make_redlock(const RecipeArguments& arguments, std::string& error) {
  return std::make_unique<Redlock>(arguments, error);
}

}  // namespace hotkv::sim
