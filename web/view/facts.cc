#include "web/view/facts.h"

#include "core/trace/trace.h"
#include "web/view/fact_writer.h"

namespace hotkv::view {

namespace {

using trace::JsonFields;

const char* name_of(FactForm form) {
  switch (form) {
    case FactForm::kText: return "text";
    case FactForm::kTitle: return "title";
    case FactForm::kWord: return "word";
    case FactForm::kTime: return "time";
    case FactForm::kCount: return "count";
    case FactForm::kBytes: return "bytes";
    case FactForm::kDump: return "dump";
  }
  return "";
}

template <class Item, class Json>
std::string array(const std::vector<Item>& list, Json json) {
  std::string out;
  for (const Item& item : list) out += (out.empty() ? "" : ",") + json(item);
  return "[" + out + "]";
}

std::string fact_json(const Fact& fact) {
  std::string body;
  JsonFields fields(body);
  fields("name", fact.name);
  // The page leaves a field of this name as bytes.
  fields(fact.form == FactForm::kDump ? "resp" : "value", fact.value);
  fields("form", name_of(fact.form));
  if (!fact.item.empty()) fields("item", fact.item);
  return "{" + body.substr(1) + "}";
}

std::string section_json(const FactSection& section) {
  std::string body;
  JsonFields fields(body);
  fields("name", section.name);
  return "{" + body.substr(1) + ",\"facts\":" + array(section.facts, fact_json) + "}";
}

}  // namespace

void FactWriter::begin(const char* kind, std::string title) {
  sheet_.kind = kind;
  sheet_.title = std::move(title);
}

void FactWriter::section(const char* name) {
  end();
  sheet_.sections.push_back({name, {}});
}

void FactWriter::end() {
  if (!sheet_.sections.empty() && sheet_.sections.back().facts.empty()) sheet_.sections.pop_back();
}

void FactWriter::add(Fact fact) { sheet_.sections.back().facts.push_back(std::move(fact)); }

void FactWriter::text(const char* name, const std::string& value, const std::string& item) {
  if (!value.empty()) add({name, value, FactForm::kText, item});
}

void FactWriter::word(const char* name, const std::string& value) {
  add({name, value, FactForm::kWord, {}});
}

void FactWriter::time(const char* name, int64_t us) {
  add({name, std::to_string(us), FactForm::kTime, {}});
}

void FactWriter::count(const char* name, int64_t number) {
  add({name, std::to_string(number), FactForm::kCount, {}});
}

void FactWriter::bytes(const char* name, int64_t number) {
  add({name, std::to_string(number), FactForm::kBytes, {}});
}

void FactWriter::dump(const char* name, const std::string& value) {
  if (!value.empty()) add({name, value, FactForm::kDump, {}});
}

void FactWriter::actor(const char* name, const std::string& id) {
  if (id.empty()) return;
  const Participant* p = frame_.participant(id);
  add({name, p ? p->title : id, FactForm::kTitle, id});
}

FactSheet facts_of(std::span<const Event> happened, const SceneFrame& frame,
                   const std::string& id) {
  FactSheet sheet;
  sheet.id = id;
  FactWriter out(sheet, happened, frame);
  bool found = write_participant(out, id) || write_link(out, id) || write_message(out, id) ||
               write_key(out, id);
  if (found) out.end();
  return sheet;
}

std::string facts_json(const FactSheet& sheet) {
  std::string body;
  JsonFields fields(body);
  fields("id", sheet.id);
  fields("kind", sheet.kind);
  fields("title", sheet.title);
  return "{" + body.substr(1) + ",\"sections\":" + array(sheet.sections, section_json) + "}";
}

}  // namespace hotkv::view
