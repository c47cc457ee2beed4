// The contest must be able to fail: servers that check a path and then open it by name are
// seen to escape in it.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "tests/mcp/race/contest.h"

namespace cordon::testing {
namespace {

constexpr double kSeconds = 30;  // at most: it is over when something escaped

Duel DuelNamed(const std::string& name) {
  for (const Duel& duel : Duels()) {
    if (duel.name == name) return duel;
  }
  ADD_FAILURE() << "no duel " << name;
  return {};
}

void ExpectSeenToEscape(const std::string& name, const std::vector<std::string>& command) {
  const Duel duel = DuelNamed(name);
  Arena arena(duel);
  ASSERT_EQ(arena.problem(), "");
  std::vector<std::string> whole = command;
  whole.push_back(arena.root());
  ServedProcess server(whole, arena.home());
  StdioClient client(server);
  const Contest contest =
      Hold(arena, client, {{ReadAndWrite(duel, arena.root()), Reach::kThrough}}, kSeconds);
  std::printf("    %-24s %s\n", name.c_str(), contest.Text().c_str());
  EXPECT_EQ(contest.failure, "");
  EXPECT_GT(contest.heard.Sum().done, 0u);
  EXPECT_FALSE(contest.escapes.empty()) << "a server that is known to be broken is not caught";
}

TEST(McpRaceControl, CheckThenOpenIsSeenToEscape) {
  for (const char* name : {"race-swap-dir-link", "race-create-parent-swap", "race-swap-file-link",
                           "race-denylist-swap"}) {
    SCOPED_TRACE(name);
    ExpectSeenToEscape(name, {std::getenv("NAIVE_SERVER")});
  }
}

TEST(McpRaceControl, TheOfficialServerIsSeenToEscape) {
  const std::string packages = std::string(CORDON_SOURCE_DIR) + "/out/npm/node_modules";
  const std::string node = packages + "/node/bin/node";
  const std::string program = packages + "/@modelcontextprotocol/server-filesystem/dist/index.js";
  if (!std::filesystem::exists(node) || !std::filesystem::exists(program)) {
    GTEST_SKIP() << "not installed; scripts/install_npm.sh does";
  }
  ExpectSeenToEscape("twins", {node, program});
}

}  // namespace
}  // namespace cordon::testing
