// InputLog: what a visitor did to a lesson, as the text that the page's links carry in `x`.
//
//   0.try.late ~ 14.A.exec.n1.DEL+lock:x ~ 20.drop.A-n1.3 ~ 31.pause.A.5000    (without blanks)
//
// Each input names the event after which it is given, so a run with inputs is again a pure function
// of (scenario, seed, parameters, log). This is the only reader of that text: the page asks the
// engine, hotkv-sim reads with the same function; web/link.js is the only writer.
// Limits: 5,000 inputs, 64 KB a command line; both are texts (UTF-8). Whoever reads a log decides
// what becomes of one with faults: hotkv-sim refuses it, the page leaves out what is unreadable. An
// input that changes nothing where it comes is passed over.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/sim/lesson.h"

namespace hotkv::sim {

struct LessonInput {
  uint64_t at = 0;         // Events.
  std::string action;      // try, exec, or an action of Lesson::act.
  std::string id;          // Of the what-if, the client that says the line, or whom it is done to.
  std::string node, line;  // exec only.
  std::optional<int64_t> ms;
};

struct InputLog {
  static constexpr size_t kInputsMax = 5000, kLineMax = 65536;

  std::vector<LessonInput> inputs;  // Those that can be read, by their events.
  std::vector<std::string> faults;  // A sentence for each other one: which, and what is wrong.
};

InputLog read_input_log(Bytes text);

// Runs a lesson with its inputs. The lesson and the inputs must outlive it.
class LessonReplay {
 public:
  // Gives what is due at the lesson's present event.
  LessonReplay(Lesson& lesson, const std::vector<LessonInput>& inputs);

  bool advance();  // One event and what is due after it; false at the end.

 private:
  void give_due();

  Lesson& lesson_;
  const std::vector<LessonInput>& inputs_;
  size_t next_ = 0;
};

}  // namespace hotkv::sim
