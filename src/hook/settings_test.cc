#include "hook/settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace cordon::hook {
namespace {

using ::testing::HasSubstr;

constexpr Agent kAgents[] = {Agent::kClaude, Agent::kCodex, Agent::kGemini, Agent::kCursor};

Installation Of(Agent agent) { return {agent, "/usr/bin/cordon", {"--root", "/a b"}}; }

std::string Installed(Agent agent, const std::string& text) {
  const Result<Wanted> wanted = Install(Of(agent), {text, Present::Directory::kThere});
  EXPECT_TRUE(wanted) << text;
  return wanted ? wanted->text.value_or("") : "";
}

TEST(Settings, HaveTheEntryInTheFormOfTheAgent) {
  EXPECT_EQ(Installed(Agent::kCodex, "{}"), R"({
  "hooks": {
    "PreToolUse": [
      {
        "matcher": ".*",
        "hooks": [
          {
            "type": "command",
            "command": "/usr/bin/cordon hook --agent codex --root '/a b' --made hooks",
            "timeout": 30
          }
        ]
      }
    ]
  }
})");
  const std::string claude = Installed(Agent::kClaude, "{}");
  EXPECT_THAT(claude, HasSubstr(R"("onFailure": "block")"));
  EXPECT_THAT(claude, HasSubstr(R"("/a b",)"));
  EXPECT_THAT(Installed(Agent::kGemini, "{}"), HasSubstr(R"("timeout": 30000)"));
  EXPECT_THAT(Installed(Agent::kCursor, "{}"), HasSubstr(R"("failClosed": true)"));
}

TEST(Settings, ComeBackAsTheyWere) {
  for (const Agent agent : kAgents) {
    for (const std::string text :
         {"{}", "{}\n", "{\n  \"hooks\": {}\n}\n",
          "{\n   \"a\": 1.50,\n   \"b\": [\n      -2e+3,\n      0.1234567890123456789\n   ]\n}\n",
          "{\n  \"a\": 123456789012345678901234567890,\n  \"b\": \"1\\\"2\"\n}\n",
          "{\n  \"hooks\": {\n    \"PreToolUse\": []\n  },\n  \"a\": []\n}"}) {
      const std::string with = Installed(agent, text);
      EXPECT_NE(with, text);
      EXPECT_EQ(Installed(agent, with), with) << "twice is once";
      const Result<Wanted> without = Uninstall(agent, {with, Present::Directory::kThere});
      ASSERT_TRUE(without);
      EXPECT_EQ(without->text, text) << AgentName(agent);
    }
  }
}

TEST(Settings, ThatWereMadeAreRemoved) {
  for (const Agent agent : kAgents) {
    for (const Present::Directory directory :
         {Present::Directory::kThere, Present::Directory::kMissing}) {
      const Result<Wanted> with = Install(Of(agent), {std::nullopt, directory});
      ASSERT_TRUE(with && with->text);
      const Result<Wanted> without = Uninstall(agent, {with->text, Present::Directory::kThere});
      ASSERT_TRUE(without);
      EXPECT_FALSE(without->text);
      EXPECT_EQ(without->directory, directory);
    }
  }
}

TEST(Settings, OfOthersAreNotTaken) {
  for (const std::string command :
       {"/opt/other hook --agent codex x", "cordon hook --agent claude x", "cordon audit",
        "echo cordon hook --agent codexx", "/cordon.d/run hook --agent codex x"}) {
    const std::string text =
        R"({"hooks":{"PreToolUse":[{"matcher":".*","hooks":[{"command":")" + command + R"("}]}]}})";
    const Result<Wanted> without = Uninstall(Agent::kCodex, {text, Present::Directory::kThere});
    ASSERT_TRUE(without);
    EXPECT_EQ(without->text, text) << command;
  }
}

TEST(Settings, ThatCannotBeKeptAreRefused) {
  for (const std::string text :
       {"", "{// x\n}", "[]", "{\"hooks\":1}", "{\"a\":1,}", "{\"hooks\":{\"PreToolUse\":{}}}",
        "{1:2}", "{\"a\":\"x\",\"a\":\"x\"}", "{\"a\":1,\"a\":2}", "{\"a\":01}",
        "{\"a\":\"\\u0001number x\"}"}) {
    EXPECT_FALSE(Install(Of(Agent::kClaude), {text, Present::Directory::kThere})) << text;
  }
}

}  // namespace
}  // namespace cordon::hook
