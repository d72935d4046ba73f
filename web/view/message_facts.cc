// What is known of a message, in flight or not: it is read from its own events, so that one that
// has arrived can still be looked at.
#include "core/resp/command_parser.h"
#include "web/view/fact_writer.h"

namespace hotkv::view {

namespace {

struct Story {
  const Event* sent = nullptr;
  const Event* end = nullptr;  // Delivered or lost.
  int64_t due_us = 0;
  bool late = false;
  std::string copy_of;
  std::vector<const Event*> children;  // `sent` events that its delivery caused.
};

Story story_of(std::span<const Event> happened, const std::string& id) {
  Story story;
  for (const Event& e : happened) {
    bool own = e.text("message") == id;
    if (e.type == EventType::kSent) {
      if (own) story.sent = &e, story.due_us = e.number("due_us");
      if (e.text("cause") == id) story.children.push_back(&e);
    } else if (e.type == EventType::kDelayed && own) {
      story.due_us = e.number("due_us");
      story.late = true;
    } else if (e.type == EventType::kDuplicated && e.text("copy") == id) {
      story.copy_of = e.text("message");
    } else if ((e.type == EventType::kDelivered || e.type == EventType::kLost) && own) {
      story.end = &e;
    }
  }
  return story;
}

const Event* sent_of(std::span<const Event> happened, const std::string& id) {
  for (const Event& e : happened) {
    if (e.type == EventType::kSent && e.text("message") == id) return &e;
  }
  return nullptr;
}

void write_relative(FactWriter& out, const char* name, const std::string& id, const Event* sent) {
  out.text(name, sent ? id + "  " + sent->text("label") : id, id);
}

// The words of each command in the bytes, as the engine's own parser takes them apart.
void write_arguments(FactWriter& out, const std::string& resp) {
  CommandParser parser;
  ArgumentPool pool;
  for (Bytes rest = resp;; rest.remove_prefix(parser.consumed())) {
    pool.clear();
    if (parser.next(rest, {}, pool) != CommandParser::State::kCommand) return;
    std::string words;
    for (Bytes word : pool.part(0, pool.size())) {
      if (!words.empty()) words += ' ';
      append_quoted(words, word);
    }
    out.text("argv", words);
  }
}

void write_way(FactWriter& out, const Story& story) {
  const Event& sent = *story.sent;
  out.section("way");
  out.time("sent", sent.at.us);
  if (!story.end) {
    const SceneLink* link = out.frame().link_between(sent.text("from"), sent.text("to"));
    bool held = link && link->cut;
    out.word("state", held ? "held" : story.late ? "late" : "in_flight");
    out.time("due", story.due_us);
    if (!held) out.time("arrives_in", std::max<int64_t>(0, story.due_us - out.frame().at.us));
  } else if (story.end->type == EventType::kDelivered) {
    out.word("state", "arrived");
    out.time("arrived", story.end->at.us);
  } else {
    out.word("state", "lost");
    out.time("lost", story.end->at.us);
    out.text("reason", story.end->text("reason"));
  }
  out.actor("from", sent.text("from"));
  out.actor("to", sent.text("to"));
  out.text("link", sent.text("link"), sent.text("link"));
}

}  // namespace

bool write_message(FactWriter& out, const std::string& id) {
  Story story = story_of(out.happened(), id);
  if (!story.sent) return false;
  const Event& sent = *story.sent;
  const std::string& resp = sent.text("resp");
  out.begin("message", id);
  out.section("content");
  out.word("kind", sent.text("kind"));
  if (sent.text("kind") == "request") {
    write_arguments(out, resp);
  } else {
    out.text("reply", sent.text("label"));
  }
  write_way(out, story);
  out.section("cause");
  if (!story.copy_of.empty()) {
    write_relative(out, "copy_of", story.copy_of, sent_of(out.happened(), story.copy_of));
  }
  const std::string& cause = sent.text("cause");
  if (!cause.empty()) write_relative(out, "caused_by", cause, sent_of(out.happened(), cause));
  for (const Event* child : story.children) {
    write_relative(out, "causes", child->text("message"), child);
  }
  out.section("wire");
  out.bytes("size", sent.number("bytes"));
  out.dump("resp", resp);
  return true;
}

}  // namespace hotkv::view
