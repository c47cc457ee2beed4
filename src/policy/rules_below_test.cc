#include "policy/rules_below.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace cordon::policy {
namespace {

std::vector<std::string> Patterns(const std::string& pattern, const std::string& way,
                                  std::vector<std::string> except = {}) {
  DenyRule rule;
  rule.pattern = pattern;
  rule.except = std::move(except);
  std::vector<std::string> patterns;
  for (const DenyRule& below : RulesBelow(std::vector<DenyRule>{rule}, way)) {
    patterns.push_back(below.pattern);
  }
  return patterns;
}

using List = std::vector<std::string>;

TEST(RulesBelow, AnAnchoredRuleIsSaidFromFurtherDown) {
  EXPECT_EQ(Patterns("vendor/secret.key", "vendor"), List{"/secret.key"});
  EXPECT_EQ(Patterns("/a/b/c", "a/b"), List{"/c"});
  EXPECT_EQ(Patterns("a/*/c", "a/x"), List{"/c"});
  EXPECT_EQ(Patterns("sub/**", "sub"), List{"/**"});
}

TEST(RulesBelow, WhatCoversThePlaceCoversEverything) {
  EXPECT_EQ(Patterns("/a", "a/b"), List{"*"});
  EXPECT_EQ(Patterns("a/**", "a/b"), List{"*"});
  EXPECT_EQ(Patterns("vendor", "x/vendor/y"), List{"*"});
  EXPECT_EQ(Patterns("a/b", "A/B"), List{"*"});  // where case does not count it is the same
}

TEST(RulesBelow, AnExceptionFreesThePlaceItNames) {
  EXPECT_EQ(Patterns("/.env.*", ".env.sample", {".env.sample"}), List{});
  EXPECT_EQ(Patterns(".env.*", ".env.sample", {".env.sample"}), List{".env.*"});
}

TEST(RulesBelow, WhatLiesElsewhereIsGone) {
  EXPECT_EQ(Patterns("x/y", "a"), List{});
  EXPECT_EQ(Patterns("a/b/c", "a/x"), List{});
}

TEST(RulesBelow, AnyDepthGoesOn) {
  EXPECT_EQ(Patterns("**/a/b", "x/a"), (List{"/**/a/b", "/a/b", "/b"}));
}

TEST(RulesBelow, NamesThatHoldAnywhereStay) { EXPECT_EQ(Patterns(".env", "a/b"), List{".env"}); }

// The definition itself, on random rules, ways and paths.
TEST(RulesBelow, DenyBelowWhatTheyDenyFromAbove) {
  std::mt19937 random(5);
  const auto pick = [&](const List& of) {
    return of[std::uniform_int_distribution<std::size_t>(0, of.size() - 1)(random)];
  };
  const List elements{"a", "b", "*", "?", "**", "a*"};
  const List names{"a", "b", "ab"};
  const auto join = [&](const List& of, int most) {
    std::string text;
    const int count = std::uniform_int_distribution<int>(1, most)(random);
    for (int i = 0; i < count; ++i) text += (i > 0 ? "/" : "") + pick(of);
    return text;
  };
  int denied = 0;
  for (int round = 0; round < 20000; ++round) {
    DenyRule rule;
    rule.pattern = join(elements, 4);
    if (std::uniform_int_distribution<int>(0, 1)(random) == 0) rule.pattern = "/" + rule.pattern;
    Result<DenyList> above = DenyList::Compile({rule});
    if (!above) continue;
    const std::string way = join(names, 2);
    const std::string path = join(names, 3);
    Result<DenyList> below = DenyList::Compile(RulesBelow(std::vector<DenyRule>{rule}, way));
    ASSERT_TRUE(below);
    const bool from_above = above->Check(way + "/" + path, Operation::kRead).denied.has_value();
    const bool from_below = below->Check(path, Operation::kRead).denied.has_value();
    ASSERT_EQ(from_above, from_below) << rule.pattern << " at " << way << " for " << path;
    denied += from_above ? 1 : 0;
  }
  EXPECT_GT(denied, 1000);
}

}  // namespace
}  // namespace cordon::policy
