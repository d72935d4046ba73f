// hiredis against a server: it sends nothing on connect, so what it proves is the plain protocol:
// formatted and binary arguments, appended pipelines, RESP2 reply types, and errors that leave the
// connection usable.
//
// Arguments: port, port of a server with a password, the password, 'hotkv' or 'redis'.

#include <hiredis/hiredis.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

struct FreeContext {
  void operator()(redisContext* context) const { redisFree(context); }
};
struct FreeReply {
  void operator()(redisReply* reply) const { freeReplyObject(reply); }
};
using Context = std::unique_ptr<redisContext, FreeContext>;
using Reply = std::unique_ptr<redisReply, FreeReply>;

void require(bool condition, const std::string& what) {
  if (!condition) throw std::runtime_error(what);
}

Context connect_to(int port) {
  Context context(redisConnect("127.0.0.1", port));
  require(context && context->err == 0, "cannot connect to port " + std::to_string(port));
  const timeval limit{20, 0};
  redisSetTimeout(context.get(), limit);
  return context;
}

Reply send(const Context& context, const std::vector<std::string>& words) {
  std::vector<const char*> data;
  std::vector<size_t> sizes;
  for (const std::string& word : words) {
    data.push_back(word.data());
    sizes.push_back(word.size());
  }
  Reply reply(static_cast<redisReply*>(
      redisCommandArgv(context.get(), static_cast<int>(words.size()), data.data(), sizes.data())));
  require(reply != nullptr, "no reply to " + words[0] + ": " + context->errstr);
  return reply;
}

std::string text_of(const Reply& reply) {
  switch (reply->type) {
    case REDIS_REPLY_INTEGER: return ":" + std::to_string(reply->integer);
    case REDIS_REPLY_NIL: return "(nil)";
    case REDIS_REPLY_ERROR: return "-" + std::string(reply->str, reply->len);
    case REDIS_REPLY_ARRAY: return "array of " + std::to_string(reply->elements);
    default: return std::string(reply->str, reply->len);
  }
}

void expect(const Context& context, const std::vector<std::string>& words,
            const std::string& wanted) {
  const std::string got = text_of(send(context, words));
  require(got == wanted, words[0] + " answered '" + got + "', wanted '" + wanted + "'");
}

std::string all_bytes() {
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes.push_back(static_cast<char>(i));
  return bytes;
}

void strings_and_expiry(const Context& c) {
  expect(c, {"FLUSHALL"}, "OK");
  expect(c, {"SET", "s", "Hello world", "PX", "100000"}, "OK");
  expect(c, {"GET", "s"}, "Hello world");
  expect(c, {"GETRANGE", "s", "-5", "-1"}, "world");
  expect(c, {"PERSIST", "s"}, ":1");
  expect(c, {"TTL", "s"}, ":-1");
  expect(c, {"GET", "missing"}, "(nil)");
  expect(c, {"INCRBY", "n", "9223372036854775807"}, ":9223372036854775807");
  expect(c, {"INCR", "n"}, "-ERR increment or decrement would overflow");
  expect(c, {"MGET", "s", "missing", "n"}, "array of 3");
  expect(c, {"SET", "s", "v", "NX"}, "(nil)");
  Reply formatted(static_cast<redisReply*>(
      redisCommand(c.get(), "SET %s:%d %b", "f", 7, "a\0b", static_cast<size_t>(3))));
  require(formatted && text_of(formatted) == "OK", "a formatted command was not served");
  expect(c, {"GET", "f:7"}, std::string("a\0b", 3));
}

void transactions(const Context& c) {
  const Context other = connect_to(c->tcp.port);
  expect(c, {"WATCH", "w"}, "OK");
  expect(other, {"SET", "w", "1"}, "OK");
  expect(c, {"MULTI"}, "OK");
  expect(c, {"SET", "w", "mine"}, "QUEUED");
  expect(c, {"EXEC"}, "(nil)");
  expect(c, {"MULTI"}, "OK");
  expect(c, {"INCR", "w"}, "QUEUED");
  expect(c, {"GET", "w"}, "QUEUED");
  const Reply results = send(c, {"EXEC"});
  require(results->type == REDIS_REPLY_ARRAY && results->elements == 2 &&
              results->element[0]->integer == 2,
          "EXEC gave " + text_of(results));
  expect(c, {"MULTI"}, "OK");
  expect(c, {"NOSUCH"}, "-ERR unknown command 'NOSUCH', with args beginning with: ");
  expect(c, {"EXEC"}, "-EXECABORT Transaction discarded because of previous errors.");
}

void scanning(const Context& c) {
  expect(c, {"FLUSHALL"}, "OK");
  std::vector<std::string> fill{"MSET"};
  for (int i = 0; i < 3000; ++i) {
    fill.push_back("scan:" + std::to_string(i));
    fill.push_back("v");
  }
  expect(c, fill, "OK");
  std::vector<bool> seen(3000, false);
  std::string cursor = "0";
  do {
    const Reply page = send(c, {"SCAN", cursor, "COUNT", "50", "MATCH", "scan:*"});
    require(page->type == REDIS_REPLY_ARRAY && page->elements == 2, "SCAN gave " + text_of(page));
    cursor.assign(page->element[0]->str, page->element[0]->len);
    const redisReply* names = page->element[1];
    for (size_t i = 0; i < names->elements; ++i) {
      seen.at(static_cast<size_t>(std::atoi(names->element[i]->str + 5))) = true;
    }
  } while (cursor != "0");
  for (size_t i = 0; i < seen.size(); ++i)
    require(seen[i], "SCAN missed scan:" + std::to_string(i));
}

void pipeline(const Context& c) {
  constexpr int kCommands = 100000;
  expect(c, {"DEL", "counter"}, ":0");
  for (int i = 0; i < kCommands; ++i) redisAppendCommand(c.get(), "INCR counter");
  for (int i = 1; i <= kCommands; ++i) {
    void* raw = nullptr;
    require(redisGetReply(c.get(), &raw) == REDIS_OK, "reply " + std::to_string(i) + " is missing");
    const Reply reply(static_cast<redisReply*>(raw));
    require(reply->integer == i, "reply " + std::to_string(i) + " is " + text_of(reply));
  }
}

void binary_and_large(const Context& c) {
  const std::string bytes = all_bytes();
  std::string large;
  for (int i = 0; i < 4096; ++i) large += bytes;
  expect(c, {"SET", bytes, bytes}, "OK");
  expect(c, {"GET", bytes}, bytes);
  expect(c, {"SET", "large", large}, "OK");
  require(text_of(send(c, {"GET", "large"})) == large, "a value of 1 MiB came back changed");
  expect(c, {"SET", "", ""}, "OK");
  expect(c, {"STRLEN", ""}, ":0");
}

void session(const Context& c, int guarded_port, const std::string& password) {
  expect(c, {"CLIENT", "SETNAME", "hiredis"}, "OK");
  expect(c, {"CLIENT", "GETNAME"}, "hiredis");
  expect(c, {"SELECT", "7"}, "OK");
  expect(c, {"SET", "only-in-7", "v"}, "OK");
  expect(c, {"SELECT", "0"}, "OK");
  expect(c, {"EXISTS", "only-in-7"}, ":0");
  expect(c, {"SELECT", "x"}, "-ERR value is not an integer or out of range");
  const Context guarded = connect_to(guarded_port);
  expect(guarded, {"GET", "k"}, "-NOAUTH Authentication required.");
  expect(guarded, {"AUTH", "wrong"},
         "-WRONGPASS invalid username-password pair or user is disabled.");
  expect(guarded, {"AUTH", password}, "OK");
  expect(guarded, {"SET", "k", "v"}, "OK");
}

void lock(const Context& c, bool is_hotkv) {
  expect(c, {"DEL", "lock"}, ":0");
  expect(c, {"SET", "lock", "A", "NX", "PX", "30000"}, "OK");
  expect(c, {"SET", "lock", "B", "NX", "PX", "30000"}, "(nil)");
  if (!is_hotkv) return;
  expect(c, {"SET", "lock", "B", "IFEQ", "B", "PX", "60000"}, "(nil)");
  expect(c, {"SET", "lock", "A", "IFEQ", "A", "PX", "60000"}, "OK");
  expect(c, {"DELEX", "lock", "IFEQ", "B"}, ":0");
  expect(c, {"DELEX", "lock", "IFEQ", "A"}, ":1");
  const Reply first = send(c, {"LOCK", "l", "A", "PX", "30000"});
  require(first->type == REDIS_REPLY_INTEGER && first->integer > 0,
          "LOCK answered " + text_of(first));
  expect(c, {"LOCK", "l", "B", "PX", "30000"}, "(nil)");
  expect(c, {"UNLOCK", "l", "B"}, ":0");
  expect(c, {"UNLOCK", "l", "A"}, ":1");
  const Reply second = send(c, {"LOCK", "l", "B", "PX", "30000"});
  require(second->integer > first->integer, "the fencing number did not grow");
}

void check(const char* what, const std::function<void()>& body) {
  try {
    body();
    std::printf("ok %s\n", what);
  } catch (const std::exception& error) {
    std::printf("not ok %s: %s\n", what, error.what());
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fprintf(stderr, "usage: %s PORT GUARDED_PORT PASSWORD hotkv|redis\n", argv[0]);
    return 2;
  }
  const int guarded_port = std::atoi(argv[2]);
  const std::string password = argv[3];
  const bool is_hotkv = std::string(argv[4]) == "hotkv";
  Context c = connect_to(std::atoi(argv[1]));
  check("strings and expiry", [&] { strings_and_expiry(c); });
  check("MULTI, WATCH and their errors", [&] { transactions(c); });
  check("SCAN visits every key", [&] { scanning(c); });
  check("a pipeline of 100,000", [&] { pipeline(c); });
  check("binary and large values", [&] { binary_and_large(c); });
  check("SELECT, AUTH, CLIENT SETNAME", [&] { session(c, guarded_port, password); });
  check("lock", [&] { lock(c, is_hotkv); });
  return 0;
}
