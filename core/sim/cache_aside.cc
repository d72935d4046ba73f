// Cache-aside: read the cache; on a miss read the database and fill the cache. Three cures of the
// stampede that follows when a hot entry expires:
//   mode=plain   none: everybody who misses asks the database
//   mode=lock    who gets lock:<key> asks; the others look into the cache again after `wait`
//   mode=stale   as lock, but the others are served the last value, kept ten times as long
// jitter=N makes the time to live differ by up to N percent, so that keys do not expire together.
#include "core/base/numbers.h"
#include "core/sim/recipe.h"

namespace hotkv::sim {

namespace {

constexpr int64_t kMsMax = 1000 * 60 * 60 * 24;
constexpr int kStaleTimes = 10;
constexpr int64_t kLockMs = 3000;
constexpr int kTriesMax = 100;

std::string decimal(int64_t n) {
  NumberText text;
  return std::string(format_int64(n, text));
}

class CacheAside : public Recipe {
 public:
  CacheAside(const RecipeArguments& arguments, std::string& error) {
    ArgumentReader reader(arguments);
    key_ = reader.text("key");
    row_ = reader.text("row", key_.c_str());
    mode_ = reader.text("mode", "plain");
    ttl_ms_ = reader.number("ttl", 1, kMsMax);
    wait_ms_ = reader.number("wait", 1, kMsMax, 50);
    jitter_ = reader.number("jitter", 0, 100, 0);
    token_ = reader.text("token", "me");
    error = reader.error();
    if (error.empty() && mode_ != "plain" && mode_ != "lock" && mode_ != "stale") {
      error = "knows mode=plain, lock and stale, not mode=" + mode_;
    }
  }

  void begin(RecipeHost& host) override { ask(host, State::kCache, {"GET", key_}); }

  void answer(RecipeHost& host, uint64_t request, const Reply* reply) override {
    if (done() || request != request_) return;
    if (!reply) return finish("failed: the link broke");
    const bool found = reply->type == Reply::Type::kBulk;
    switch (state_) {
      case State::kCache:
        if (found) return finish(tries_ ? "served from the cache after waiting" : "hit");
        return missed(host);
      case State::kLock:
        if (reply->type == Reply::Type::kSimple) return query(host);
        if (mode_ == "stale") return ask(host, State::kStale, {"GET", stale_key()});
        return wait(host);
      case State::kStale:
        if (found) return finish("served the stale value");
        return wait(host);
      case State::kQuery:
        if (!found) return finish("failed: the database has no such row");
        value_ = reply->text;
        return fill(host);
      case State::kFill:
        if (mode_ == "plain") return finish("asked the database");
        if (mode_ == "stale") {
          return ask(host, State::kKeep,
                     {"SET", stale_key(), value_, "PX", decimal(ttl_ms_ * kStaleTimes)});
        }
        [[fallthrough]];
      case State::kKeep: return ask(host, State::kRelease, {"DELEX", lock_key(), "IFEQ", token_});
      case State::kRelease: return finish("asked the database, once for all");
    }
  }

  void wake(RecipeHost& host, uint64_t timer) override {
    if (timer == timer_ && !done()) ask(host, State::kCache, {"GET", key_});
  }

 private:
  enum class State : uint8_t { kCache, kLock, kStale, kQuery, kFill, kKeep, kRelease };

  std::string lock_key() const { return "lock:" + key_; }
  std::string stale_key() const { return key_ + ":stale"; }

  void ask(RecipeHost& host, State state, const std::vector<std::string>& words) {
    state_ = state;
    const int node = state == State::kQuery ? host.database() : host.key_nodes()[0];
    request_ = host.send(node, words);
    if (request_ == 0) finish("failed: nobody to ask");
  }
  void missed(RecipeHost& host) {
    if (mode_ == "plain") return query(host);
    ask(host, State::kLock, {"SET", lock_key(), token_, "NX", "PX", decimal(kLockMs)});
  }
  void query(RecipeHost& host) { ask(host, State::kQuery, {"READ", row_}); }
  void fill(RecipeHost& host) {
    const int64_t spread = ttl_ms_ * jitter_ / 100;
    const int64_t ms = ttl_ms_ + (spread ? host.draw(-spread, spread) : 0);
    ask(host, State::kFill, {"SET", key_, value_, "PX", decimal(ms < 1 ? 1 : ms)});
  }
  void wait(RecipeHost& host) {
    if (++tries_ > kTriesMax) return finish("failed: waited too long");
    timer_ = host.sleep(milliseconds(wait_ms_));
  }

  std::string key_, row_, mode_, token_, value_;
  int64_t ttl_ms_, wait_ms_, jitter_;
  State state_ = State::kCache;
  uint64_t request_ = 0, timer_ = 0;
  int tries_ = 0;
};

}  // namespace

std::unique_ptr<Recipe> make_cache_aside(const RecipeArguments& arguments, std::string& error) {
  return std::make_unique<CacheAside>(arguments, error);
}

}  // namespace hotkv::sim
