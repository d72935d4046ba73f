#include "core/command/call.h"

#include "core/base/numbers.h"

namespace hotkv {

bool Call::parse(Parsed& parsed) {
  ParseOutcome outcome = parse_arguments(spec->grammar, arguments, parsed, first);
  switch (outcome.error) {
    case ParseError::kNone: return true;
    case ParseError::kSyntax: reply.error(errors::kSyntax); break;
    case ParseError::kArity: reply.error(errors::wrong_arity(spec->name)); break;
    case ParseError::kNotInteger: reply.error(errors::kNotInteger); break;
    case ParseError::kNotFloat: reply.error(errors::kNotFloat); break;
    case ParseError::kCountRange: {
      int64_t value = 0;
      bool positive = parse_int64(argument(outcome.at), value) && value > 0;
      reply.error(positive ? errors::kCountTooLarge : errors::kCountNotPositive);
      break;
    }
  }
  return false;
}

bool Call::parse_integer(int i, int64_t& value) {
  if (parse_int64(argument(i), value)) return true;
  reply.error(errors::kNotInteger);
  return false;
}

bool Call::peek_string(Bytes key, const Entry*& entry) {
  entry = txn.peek(key);
  if (!entry || entry->type() == Type::kString) return true;
  reply.error(errors::kWrongType);
  return false;
}

}  // namespace hotkv
