// The races of the corpus through `cordon mcp`, while a client reads and writes: nothing
// outside is told, made, changed or removed, and nothing is left behind.
#include "tests/race/race.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>

#include "tests/mcp/race/contest.h"

namespace cordon::testing {
namespace {

constexpr const char* kToken = "0123456789abcdef0123456789abcdef";

std::vector<std::string> ServerFor(const Arena& arena) {
  const char* binary = std::getenv("CORDON_BINARY");
  return {binary == nullptr ? "" : binary, "mcp", "--profile", "strict", arena.root()};
}

// Three rounds behind the names, one in which they are moved and removed too.
std::vector<Plan> PlansFor(const Duel& duel, const std::string& root) {
  const std::vector<Request> through = EveryWay(duel, root, Reach::kThrough);
  return {{through, Reach::kThrough},
          {through, Reach::kThrough},
          {through, Reach::kThrough},
          {EveryWay(duel, root, Reach::kAlso), Reach::kAlso}};
}

void ExpectHeld(const std::string& name, const Contest& contest) {
  std::printf("    %-24s %s\n", name.c_str(), contest.Text().c_str());
  EXPECT_EQ(contest.failure, "");
  for (const std::string& escape : contest.escapes) ADD_FAILURE() << "escape: " << escape;
  EXPECT_GT(contest.heard.Sum().done, 0u) << "nothing succeeded";
  EXPECT_GT(contest.heard.Sum().refused, 0u) << "nothing was ever in the way";
  EXPECT_GT(contest.changes, 100u) << "the attacker did not get to work";
  EXPECT_GT(contest.intact, 0u) << "the link was gone at the end of every round";
}

void AddTo(std::map<std::string, Counts>& all, const Heard& heard) {
  for (const auto& [name, counts] : heard.by_name) {
    all[name].done += counts.done;
    all[name].refused += counts.refused;
  }
}

void ExpectEverythingWasDone(const std::map<std::string, Counts>& all) {
  EXPECT_GE(all.size(), 17u);
  for (const auto& [name, counts] : all) {
    std::printf("    %-24s %lu done, %lu refused\n", name.c_str(), counts.done, counts.refused);
    EXPECT_GT(counts.done, 0u) << name;
  }
}

TEST(McpRace, NothingEscapesOverStdio) {
  std::map<std::string, Counts> all;
  for (const Duel& duel : Duels()) {
    SCOPED_TRACE(duel.name);
    Arena arena(duel);
    ASSERT_EQ(arena.problem(), "");
    ServedProcess server(ServerFor(arena), arena.home());
    StdioClient client(server);
    const Contest contest = Hold(arena, client, PlansFor(duel, arena.root()), RaceSeconds());
    ExpectHeld(duel.name, contest);
    EXPECT_EQ(server.End(), 0);
    AddTo(all, contest.heard);
  }
  ExpectEverythingWasDone(all);
}

TEST(McpRace, NothingEscapesOverHttp) {
  std::map<std::string, Counts> all;
  for (const Duel& duel : Duels()) {
    SCOPED_TRACE(duel.name);
    Arena arena(duel);
    ASSERT_EQ(arena.problem(), "");
    const std::string token_file = arena.home() + "/token";
    std::ofstream(token_file) << kToken << '\n';
    std::vector<std::string> command = ServerFor(arena);
    command.insert(command.end(), {"--http", "127.0.0.1:0", "--token-file", token_file});
    ServedProcess server(command, arena.home());
    HttpClient client(server.FirstLine(), kToken);
    const Contest contest = Hold(arena, client, PlansFor(duel, arena.root()), RaceSeconds() / 2);
    ExpectHeld(duel.name, contest);
    EXPECT_EQ(server.End(SIGTERM), 0);
    AddTo(all, contest.heard);
  }
  ExpectEverythingWasDone(all);
}

TEST(McpRace, NoCaseOfTheCorpusIsLost) { EXPECT_EQ(Duels().size(), 7u + 5u); }

}  // namespace
}  // namespace cordon::testing
