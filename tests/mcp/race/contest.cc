#include "tests/mcp/race/contest.h"

#include <cstdio>

namespace cordon::testing {

using Clock = std::chrono::steady_clock;

namespace {

// Writing over a name can cost it the link: short rounds bring it back.
constexpr std::chrono::milliseconds kRound{200};

void PlayRound(Arena& arena, Client& client, const std::vector<Request>& plan, Contest& contest) {
  Attacker attacker(arena.contested());
  contest.failure = client.Talk(plan, Clock::now() + kRound, contest.heard);
  attacker.Stop();
  contest.changes += attacker.changes();
}

}  // namespace

Contest Hold(Arena& arena, Client& client, const std::vector<Plan>& plans, double seconds) {
  Contest contest;
  contest.failure = client.Connect();
  const Moment end = Clock::now() + std::chrono::milliseconds(static_cast<long>(seconds * 1000));
  while (contest.failure.empty() && contest.escapes.empty() && Clock::now() < end) {
    const Plan& plan = plans[contest.rounds % plans.size()];
    PlayRound(arena, client, plan.requests, contest);
    ++contest.rounds;
    if (arena.IsIntact()) ++contest.intact;
    if (std::string damage = arena.Damage(); !damage.empty()) contest.escapes.push_back(damage);
    if (std::string left = arena.Leftover(contest.heard.left_aside); !left.empty()) {
      contest.escapes.push_back(left);
    }
    arena.Restore();
    if (!arena.problem().empty()) contest.failure = "not put back: " + arena.problem();
    contest.escapes.insert(contest.escapes.end(), contest.heard.leaks.begin(),
                           contest.heard.leaks.end());
  }
  if (std::string kept = arena.Kept(); !kept.empty()) contest.escapes.push_back(kept);
  return contest;
}

std::string Contest::Text() const {
  const Counts sum = heard.Sum();
  char line[200];
  std::snprintf(line, sizeof line,
                "%lu tries, %lu done, %lu refused, %lu swaps, intact after %u of %u rounds, "
                "longest %.0f ms, %zu escapes",
                sum.done + sum.refused, sum.done, sum.refused, changes, intact, rounds,
                heard.longest_ms, escapes.size());
  return line;
}

}  // namespace cordon::testing
