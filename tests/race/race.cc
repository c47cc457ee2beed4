#include "tests/race/race.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace cordon::testing {

using Clock = std::chrono::steady_clock;

namespace {

// Long enough for a loaded machine, far too short for anything that blocks.
constexpr double kLongestCallMs = 1000;

double MillisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

}  // namespace

double RaceSeconds() {
  const char* configured = std::getenv("CORDON_RACE_SECONDS");
  const double seconds = configured == nullptr ? 0 : std::atof(configured);
  return seconds > 0 ? seconds : 3;
}

Tally Race(const std::vector<Contested>& contested, double seconds,
           const std::function<Attempt()>& attempt) {
  Tally tally;
  Attacker attacker(contested);
  const Clock::time_point start = Clock::now();
  while (MillisecondsSince(start) < seconds * 1000) {
    const Clock::time_point before = Clock::now();
    Attempt result = attempt();
    tally.longest_ms = std::max(tally.longest_ms, MillisecondsSince(before));
    if (!result.escape.empty() && tally.escapes.size() < 5) tally.escapes.push_back(result.escape);
    if (result.done) {
      ++tally.done;
    } else {
      ++tally.refused;
      ++tally.refusals[result.refusal];
    }
  }
  attacker.Stop();
  tally.changes = attacker.changes();
  return tally;
}

std::string Tally::Text() const {
  char line[160];
  std::snprintf(line, sizeof line, "%lu done, %lu refused, %lu changes, longest call %.1f ms;",
                done, refused, changes, longest_ms);
  std::string text = line;
  for (const auto& [reason, count] : refusals) text += " " + reason + ": " + std::to_string(count);
  return text;
}

void ExpectHeld(const Tally& tally) {
  std::printf("    %s\n", tally.Text().c_str());
  for (const std::string& escape : tally.escapes) ADD_FAILURE() << "escape: " << escape;
  EXPECT_GT(tally.done, 0u) << "nothing succeeded";
  EXPECT_GT(tally.changes, 100u) << "the attacker did not get to work";
  EXPECT_LT(tally.longest_ms, kLongestCallMs);
}

Attempt FromStatus(const Status& status) {
  return status ? Attempt{true, {}, {}} : Attempt{false, {}, Describe(status.error())};
}

Attempt FromRead(const Result<std::string>& content) {
  if (!content) return {false, {}, Describe(content.error())};
  return {true, *content == "inside" ? "" : "read \"" + *content + "\"", {}};
}

}  // namespace cordon::testing
