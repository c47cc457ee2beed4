#include "cli/learned_policy.h"

#include <gtest/gtest.h>

#include "policy/config.h"

namespace cordon::cli {
namespace {

TEST(LearnedPolicy, IsReadByCordonAndGrantsOnlyReading) {
  guard::CommandOutcome outcome;
  outcome.refused = {
      {Operation::kRead, "/srv/a \"b\"/x", "outside", "cat", 2},
      {Operation::kRead, "/srv/a \"b\"/y", "consent", "cat", 2},
      {Operation::kWrite, "/srv/w/x", "outside", "tee", 2},
      {Operation::kRead, "/w/.env", "deny:.env", "cat\n", 2},
  };
  outcome.connections = {{"example.com", 443, "", "allow", guard::Connection::Decision::kRefused}};
  const std::string text = LearnedPolicy(outcome, "/w");
  const auto config = policy::ParseConfig(text, "learned.toml", policy::ConfigScope::kOperator);
  ASSERT_TRUE(config) << config.error().detail << text;
  EXPECT_EQ(config->roots, std::vector<std::string>{"/w"});
  EXPECT_EQ(config->read_only_roots, std::vector<std::string>{"/srv/a \"b\""});
  EXPECT_NE(text.find("# write of"), std::string::npos);
  EXPECT_NE(text.find("rule deny:.env"), std::string::npos);
  EXPECT_NE(text.find("--net allow:example.com:443"), std::string::npos);
}

}  // namespace
}  // namespace cordon::cli
