#include "web/view/trace_reader.h"

#include "core/base/numbers.h"
#include "core/trace/trace.h"

namespace hotkv::view {

namespace {

struct TypeName {
  Bytes name;
  EventType type;
};
constexpr TypeName kTypes[] = {
    {"actor", EventType::kActor},
    {"link", EventType::kLink},
    {"sent", EventType::kSent},
    {"delayed", EventType::kDelayed},
    {"duplicated", EventType::kDuplicated},
    {"delivered", EventType::kDelivered},
    {"lost", EventType::kLost},
    {"fault", EventType::kFault},
    {"client-sent", EventType::kClientSent},
    {"client-reply", EventType::kClientReply},
    {"step-begun", EventType::kStepBegun},
    {"step-ended", EventType::kStepEnded},
    {"goal-reached", EventType::kGoalReached},
    {"invariant-broken", EventType::kInvariantBroken},
    {"counter", EventType::kCounter},
    {"holds", EventType::kHolds},
    {"holds-no-more", EventType::kHoldsNoMore},
    {"key-set", EventType::kKeySet},
    {"key-removed", EventType::kKeyRemoved},
    {"database-flushed", EventType::kDatabaseFlushed},
    {"server-started", EventType::kServerStarted},
    {"row", EventType::kRow},
    {"refused", EventType::kRefused},
    {"load", EventType::kLoad},
    {"done", EventType::kDone},
    {"request-lost", EventType::kRequestLost},
};

EventType type_of(Bytes name) {
  for (const TypeName& entry : kTypes) {
    if (entry.name == name) return entry.type;
  }
  return EventType::kOther;
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

// A cursor over one line; every function says whether what it wanted was there.
class LineCursor {
 public:
  explicit LineCursor(Bytes line) : rest_(line) {}
  bool take(char c) {
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool done() const { return rest_.empty(); }

  bool take_text(std::string& out) {
    out.clear();
    if (!take('"')) return false;
    while (!rest_.empty()) {
      char c = rest_.front();
      rest_.remove_prefix(1);
      if (c == '"') return true;
      if (c == '\\' && !take_escape(c)) return false;
      out += c;
    }
    return false;
  }

  // A whole number, true or false: kept as it is written.
  bool take_word(std::string& out, Field::Kind& kind) {
    size_t end = rest_.find_first_of(",}");
    if (end == Bytes::npos) return false;
    out = std::string(rest_.substr(0, end));
    rest_.remove_prefix(end);
    kind = out == "true" || out == "false" ? Field::Kind::kBool : Field::Kind::kNumber;
    if (kind == Field::Kind::kBool) return true;
    size_t digits = out.empty() || out[0] != '-' ? 0 : 1;
    return digits < out.size() && out.find_first_not_of("0123456789", digits) == std::string::npos;
  }

 private:
  bool take_escape(char& c) {
    if (rest_.empty()) return false;
    c = rest_.front();
    rest_.remove_prefix(1);
    if (c == '"' || c == '\\') return true;
    // The writer escapes single bytes only.
    if (c != 'u' || rest_.size() < 4 || rest_[0] != '0' || rest_[1] != '0') return false;
    int high = hex_digit(rest_[2]), low = hex_digit(rest_[3]);
    if (high < 0 || low < 0) return false;
    c = static_cast<char>(high * 16 + low);
    rest_.remove_prefix(4);
    return true;
  }

  Bytes rest_;
};

const Field* find(const std::vector<Field>& fields, Bytes name) {
  for (const Field& field : fields) {
    if (field.name == name) return &field;
  }
  return nullptr;
}

// The head of a line is known by name: the rest are the event's own fields.
bool place(Field field, Event& out) {
  if (field.name == "event") {
    out.name = std::move(field.value);
  } else if (field.name == "at_us") {
    if (!parse_int64(field.value, out.at.us)) return false;
  } else if (field.name == "source") {
    out.source = std::move(field.value);
  } else {
    out.fields.push_back(std::move(field));
  }
  return true;
}

}  // namespace

bool Event::has(Bytes field) const { return find(fields, field) != nullptr; }

const std::string& Event::text(Bytes field) const {
  static const std::string kNone;
  const Field* found = find(fields, field);
  return found ? found->value : kNone;
}

int64_t Event::number(Bytes field, int64_t otherwise) const {
  const Field* found = find(fields, field);
  int64_t value;
  return found && parse_int64(found->value, value) ? value : otherwise;
}

bool read_event(Bytes line, Event& out) {
  out = Event();
  LineCursor cursor(line);
  if (!cursor.take('{')) return false;
  do {
    Field field;
    if (!cursor.take_text(field.name) || !cursor.take(':')) return false;
    if (!cursor.take_text(field.value)) {
      if (!field.value.empty() || !cursor.take_word(field.value, field.kind)) return false;
    }
    if (!place(std::move(field), out)) return false;
  } while (cursor.take(','));
  if (!cursor.take('}') || !cursor.done() || out.name.empty()) return false;
  out.type = type_of(out.name);
  return true;
}

std::string write_event(const Event& event) {
  std::string body;
  trace::JsonFields fields(body);
  fields("event", event.name);
  fields("at_us", event.at.us);
  if (!event.source.empty()) fields("source", event.source);
  for (const Field& field : event.fields) {
    if (field.kind == Field::Kind::kText) {
      fields(field.name, field.value);
    } else {
      body += ",\"" + field.name + "\":" + field.value;
    }
  }
  return "{" + body.substr(1) + "}";
}

std::vector<Event> read_trace(Bytes text, size_t* refused) {
  std::vector<Event> events;
  if (refused) *refused = 0;
  while (!text.empty()) {
    size_t end = std::min(text.find('\n'), text.size());
    Bytes line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty()) continue;
    Event event;
    if (read_event(line, event)) {
      events.push_back(std::move(event));
    } else if (refused) {
      ++*refused;
    }
  }
  return events;
}

}  // namespace hotkv::view
