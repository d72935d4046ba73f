// A running lesson as JSON text for the page. Plain functions of the lesson; no state.
#pragma once

#include <string>

#include "core/sim/input_log.h"
#include "core/sim/lesson.h"

namespace hotkv::web {

std::string lesson_json(const sim::Scenario& scenario);
std::string position_json(sim::Lesson& lesson);
std::string state_json(sim::Lesson& lesson);
std::string transcript_json(const sim::Lesson& lesson);
std::string reply_json(const sim::TranscriptLine& line);
std::string step_ends_json(const sim::Lesson& lesson);
std::string inputs_json(const std::vector<sim::LessonInput>& inputs);
std::string words_json(const std::vector<std::string>& words);
std::string error_json(const std::string& sentence);

}  // namespace hotkv::web
