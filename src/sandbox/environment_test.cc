#include "sandbox/environment.h"

#include <gmock/gmock.h>

namespace cordon::sandbox {
namespace {

using testing::ElementsAre;

TEST(CommandEnvironment, SecretsAndSocketsStayOutside) {
  const auto environment = CommandEnvironment(
      {"PATH=/bin", "AWS_SECRET_ACCESS_KEY=x", "SSH_AUTH_SOCK=/s", "LD_PRELOAD=/l", "LC_ALL=C",
       "GITHUB_TOKEN=t", "BASH_ENV=/b", "NODE_OPTIONS=-r x", "HOME=/h"},
      {});
  ASSERT_TRUE(environment);
  EXPECT_THAT(*environment, ElementsAre("HOME=/h", "LC_ALL=C", "PATH=/bin", "TMPDIR=/tmp"));
}

TEST(CommandEnvironment, WhatIsWantedPasses) {
  const auto environment = CommandEnvironment({"A=1", "B=2"}, {"A", "B=3", "C", "TMPDIR=/w"});
  ASSERT_TRUE(environment);
  EXPECT_THAT(*environment, ElementsAre("A=1", "B=3", "TMPDIR=/w"));
}

TEST(CommandEnvironment, WhatIsNoNameIsRefused) {
  EXPECT_FALSE(CommandEnvironment({}, {"=x"}));
  EXPECT_FALSE(CommandEnvironment({}, {""}));
  EXPECT_FALSE(CommandEnvironment({}, {"A B=x"}));
  EXPECT_FALSE(CommandEnvironment({}, {std::string("A=\0", 3)}));
}

}  // namespace
}  // namespace cordon::sandbox
