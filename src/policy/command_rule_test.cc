#include "policy/command_rule.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "policy/config.h"
#include "policy/settings.h"

namespace cordon::policy {
namespace {

Result<Config> Parse(std::string_view text, ConfigScope scope = ConfigScope::kOperator) {
  return ParseConfig(text, "c.toml", scope);
}

TEST(CommandRuleTest, IsReadWhole) {
  const Result<Config> config = Parse(R"([[command]]
action = "deny"
program = "git"
arguments = ["push", "--force*"]
host = "*.example.org"
writes = "~/x/**"
risk = "medium"
reason = "why"
[[command]]
action = "allow"
risk = "low"
)");
  ASSERT_TRUE(config) << config.error().detail;
  ASSERT_EQ(config->commands.size(), 2U);
  const CommandRule& rule = config->commands[0];
  EXPECT_EQ(rule.action, CommandAction::kDeny);
  EXPECT_EQ(rule.program, "git");
  EXPECT_EQ(rule.arguments, (std::vector<std::string>{"push", "--force*"}));
  EXPECT_EQ(rule.host, "*.example.org");
  EXPECT_EQ(rule.writes, "~/x/**");
  EXPECT_EQ(rule.risk, Risk::kMedium);
  EXPECT_EQ(rule.reason, "why");
  EXPECT_EQ(rule.origin, "c.toml:1");
  EXPECT_EQ(rule.name(), "command:git push --force* host=*.example.org writes=~/x/** risk=medium");
  EXPECT_EQ(config->commands[1].name(), "command:risk=low");
}

TEST(CommandRuleTest, WhatMeansNothingIsAMistake) {
  struct Mistake {
    std::string_view text, says;
  };
  for (const Mistake& mistake : std::vector<Mistake>{
           {"program = \"git\"", "c.toml:1:1: this \"[[command]]\" has no \"action\""},
           {"action = \"deny\"", "c.toml:2:10: \"action\": it would cover every command"},
           {"action = \"block\"\nprogram = \"a\"", "c.toml:2:10: \"block\" is not a value"},
           {"action = \"deny\"\narguments = [\"a\"]", "c.toml:3:13: \"arguments\": whose they are"},
           {"action = \"deny\"\nprogram = \"a\"\narguments = []", "is empty"},
           {"action = \"deny\"\nprogram = \"[a\"", "c.toml:3:11: \"program\": "},
           {"action = \"deny\"\nhost = \"a b\"", "c.toml:3:8: \"host\": "},
           {"action = \"deny\"\nhost = \"*\"", "c.toml:3:8: \"host\": "},
           {"action = \"deny\"\nwrites = \"a/\"", "c.toml:3:10: \"writes\": "},
           {"action = \"deny\"\nrisk = \"severe\"", "c.toml:3:8: \"severe\" is not a value"},
           {"action = \"allow\"\nhost = \"a.example\"", "c.toml:3:8: \"host\": what may connect"},
           {"action = \"deny\"\nprogramm = \"a\"", "did you mean \"program\"?"},
       }) {
    const Result<Config> config = Parse("[[command]]\n" + std::string(mistake.text));
    ASSERT_FALSE(config) << mistake.text;
    EXPECT_NE(config.error().detail.find(mistake.says), std::string::npos) << mistake.text << "\n"
                                                                           << config.error().detail;
  }
}

TEST(CommandRuleTest, AWorkspaceDeniesAndAsksAndNeverAllows) {
  Settings settings;
  for (const char* action : {"deny", "ask"}) {
    const std::string text =
        "[[command]]\nprogram = \"a\"\naction = \"" + std::string(action) + "\"";
    const Result<Config> own = Parse(text, ConfigScope::kWorkspace);
    ASSERT_TRUE(own) << own.error().detail;
    EXPECT_TRUE(Narrow(settings, *own));
  }
  EXPECT_EQ(settings.commands.size(), 2U);
  const std::string_view allowing = "[[command]]\nprogram = \"a\"\naction = \"allow\"";
  EXPECT_FALSE(Parse(allowing, ConfigScope::kWorkspace));
  const Result<Config> config = Parse(allowing);
  ASSERT_TRUE(config);
  EXPECT_FALSE(Narrow(settings, *config));
  EXPECT_EQ(settings.commands.size(), 2U);
}

}  // namespace
}  // namespace cordon::policy
