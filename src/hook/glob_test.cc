#include "hook/glob.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "policy/pattern.h"

namespace cordon::hook {
namespace {

policy::DenyRule Rule(std::string pattern, std::vector<std::string> except = {}) {
  policy::DenyRule rule;
  rule.pattern = std::move(pattern);
  rule.except = std::move(except);
  return rule;
}

TEST(MayMeet, WhereSomeNameMatchesBoth) {
  for (const auto& [glob, rule] : {std::pair{".e*", ".env"},
                                   {".env", ".env"},
                                   {".ENV", ".env"},
                                   {".*", ".env.*"},
                                   {".en?", ".env"},
                                   {".[a-z]nv", ".env"},
                                   {"*", "*.pem"},
                                   {"a*", "*.pem"},
                                   {"a*b*", "*.pem"},
                                   {"*y.pem", "*.pem"},
                                   {"\\.env", ".env"},
                                   {"@(.env|x)", ".env"},
                                   {"[.]env", ".env"}}) {
    EXPECT_TRUE(MayMeet(glob, rule)) << glob << " and " << rule;
  }
}

TEST(MayMeet, WhereABracketIsOdd) {
  for (const char* glob : {"[[:punct:]]env", "[!]a]env", "[]a.]env", "[^]]env"}) {
    EXPECT_TRUE(MayMeet(glob, ".env")) << glob;
  }
}

TEST(MayMeet, ADotWhereWildcardsMatchIt) {
  for (const char* glob : {"*", "?env", "*env", "*e*"}) {
    EXPECT_FALSE(MayMeet(glob, ".env")) << glob;
    EXPECT_TRUE(MayMeet(glob, ".env", Dots::kMatched)) << glob;
  }
  EXPECT_FALSE(MayMeet("*.c", ".env", Dots::kMatched));
}

TEST(Alternatives, AreWhatBracesStandFor) {
  using ::testing::UnorderedElementsAre;
  EXPECT_THAT(*Alternatives("a/{b,c/d}.x"), UnorderedElementsAre("a/b.x", "a/c/d.x"));
  EXPECT_THAT(*Alternatives("{a,{b,c}}"), UnorderedElementsAre("a", "b", "c"));
  EXPECT_THAT(*Alternatives("{.env}"), UnorderedElementsAre("{.env}", ".env"));
  EXPECT_THAT(*Alternatives("\\.e\\nv\\*"), UnorderedElementsAre(".env\\*"));
  EXPECT_THAT(*Alternatives("{a"), UnorderedElementsAre("{a"));
  std::string many;
  for (int i = 0; i < 20; ++i) many += "{a,b}";
  EXPECT_FALSE(Alternatives(many));
}

TEST(MayMeet, NotWhereNoneDoes) {
  for (const auto& [glob, rule] : {std::pair{"*.c", "*.pem"},
                                   {"*", ".env"},
                                   {"?env", ".env"},
                                   {"*env", ".env"},
                                   {".e*x", ".env"},
                                   {"a", "b"},
                                   {"", "b"},
                                   {".env?", ".env"}}) {
    EXPECT_FALSE(MayMeet(glob, rule)) << glob << " and " << rule;
  }
}

// Held against every name of a small alphabet: a match of both is never missed.
TEST(MayMeet, MissesNothing) {
  const std::vector<std::string> patterns{"a", "b",  "*",  "a*",  "*b", "a*b",
                                          "?", "?a", "a?", "*a*", "ab", "[ab]b"};
  const auto matches = [](const std::string& pattern, const std::string& name) {
    return policy::NamePattern::Compile(pattern)->Matches(name);
  };
  std::vector<std::string> names{"a", "b"};
  for (std::size_t i = 0; names[i].size() < 4; ++i) {
    for (const char c : {'a', 'b'}) names.push_back(names[i] + c);
  }
  int met = 0;
  for (const std::string& one : patterns) {
    for (const std::string& other : patterns) {
      for (const std::string& name : names) {
        if (!matches(one, name) || !matches(other, name)) continue;
        ++met;
        EXPECT_TRUE(MayMeet(one, other)) << one << " and " << other << " match " << name;
      }
    }
  }
  EXPECT_GT(met, 100);
}

TEST(MayName, ANameAnywhere) {
  EXPECT_TRUE(MayName("src/*/.env", Rule(".env")));
  EXPECT_TRUE(MayName("src/.e*/x", Rule(".env")));
  EXPECT_FALSE(MayName("src/**/*.c", Rule(".env")));
  EXPECT_TRUE(MayName("**/.env.*", Rule(".env.*", {".env.example"})));
  EXPECT_FALSE(MayName("*/.env.example", Rule(".env.*", {".env.example"})));
}

TEST(MayName, APathBelowTheRoot) {
  EXPECT_TRUE(MayName("config/p*/x", Rule("config/prod")));
  EXPECT_TRUE(MayName("*/prod/x", Rule("config/prod/**")));
  EXPECT_FALSE(MayName("*/prod", Rule("config/prod/**")));
  EXPECT_TRUE(MayName("**/x", Rule("config/prod")));
  EXPECT_FALSE(MayName("config/t*", Rule("config/prod")));
  EXPECT_TRUE(MayName("**/prod", Rule("config/prod")));
  EXPECT_TRUE(MayName("a/**/s*.json", Rule("**/.x/set.json")));
  EXPECT_TRUE(MayName("a/.x/*", Rule("**/.x/set.json")));
  EXPECT_FALSE(MayName("a/**/*.o", Rule("**/.x/set.json")));
  EXPECT_FALSE(MayName("a/*", Rule("**/.x/set.json")));
  EXPECT_FALSE(MayName("*", Rule("config/prod")));
}

TEST(FixedPart, IsTheDirectoryBeforeTheFirstWildcard) {
  EXPECT_EQ(FixedPart("a/b/*.c"), "a/b");
  EXPECT_EQ(FixedPart("a/b*/c"), "a");
  EXPECT_EQ(FixedPart("*"), "");
  EXPECT_EQ(FixedPart("/*"), "/");
  EXPECT_EQ(FixedPart("a/b"), "a/b");
}

}  // namespace
}  // namespace cordon::hook
