#include "web/view/tempo.h"

#include <algorithm>
#include <cmath>

namespace hotkv::view {

namespace {

// Tuned for reading: a step of lesson 1 (a request, a reply, a pause) takes about 2.5 s.
constexpr double kPerLog = 0.4;
constexpr double kLeastS = 0.25;
constexpr double kMostS = 1.6;

double reading_s(Duration gap) {
  return std::clamp(kPerLog * std::log1p(double(gap.us) / 1000), kLeastS, kMostS);
}

}  // namespace

Tempo::Tempo(const std::vector<Event>& events) {
  for (const Event& event : events) {
    if (!instants_.empty() && event.at <= instants_.back()) continue;
    double before = seconds_.empty() ? 0 : seconds_.back();
    double gap = instants_.empty() ? 0 : reading_s(event.at - instants_.back());
    instants_.push_back(event.at);
    seconds_.push_back(before + gap);
  }
}

double Tempo::seconds_at(Time at) const {
  if (instants_.empty() || at <= instants_.front()) return 0;
  if (at >= instants_.back()) return seconds_.back();
  auto next = std::upper_bound(instants_.begin(), instants_.end(), at);
  auto i = static_cast<size_t>(next - instants_.begin());
  double part = double((at - instants_[i - 1]).us) / double((instants_[i] - instants_[i - 1]).us);
  return seconds_[i - 1] + part * (seconds_[i] - seconds_[i - 1]);
}

Time Tempo::time_at(double seconds) const {
  if (instants_.empty()) return {};
  if (seconds <= 0) return instants_.front();
  if (seconds >= seconds_.back()) return instants_.back();
  auto next = std::upper_bound(seconds_.begin(), seconds_.end(), seconds);
  auto i = static_cast<size_t>(next - seconds_.begin());
  double part = (seconds - seconds_[i - 1]) / (seconds_[i] - seconds_[i - 1]);
  int64_t gap_us = (instants_[i] - instants_[i - 1]).us;
  return instants_[i - 1] + microseconds(std::llround(part * double(gap_us)));
}

std::vector<Tempo::Tear> Tempo::tears() const {
  std::vector<Tear> found;
  for (size_t i = 1; i < instants_.size(); i++) {
    if ((instants_[i] - instants_[i - 1]).us > kTearUs) {
      found.push_back({instants_[i - 1], instants_[i]});
    }
  }
  return found;
}

}  // namespace hotkv::view
