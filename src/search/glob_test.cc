#include "search/glob.h"

#include <gtest/gtest.h>

#include <chrono>

namespace cordon::search {
namespace {

bool Matches(std::string_view pattern, std::string_view path) {
  const Result<Glob> glob = Glob::Compile(pattern);
  EXPECT_TRUE(glob.has_value()) << pattern << ": " << (glob ? "" : glob.error().detail);
  return glob && glob->Matches(path);
}

TEST(Globs, Match) {
  const std::pair<const char*, const char*> cases[] = {
      {"a", "a"},
      {"*", "a"},
      {"*", ""},
      {"a*c", "abbc"},
      {"a*c", "ac"},
      {"?", "x"},
      {"[a-c]x", "bx"},
      {"[!a-c]x", "dx"},
      {"[^a-c]x", "dx"},
      {"[]]", "]"},
      {"[a-]", "-"},
      {"[-a]", "-"},
      {"\\*", "*"},
      {"\\a", "a"},
      {"{a,b}", "b"},
      {"{a,b}c", "ac"},
      {"x{a,{b,c}d}", "xcd"},
      {"{a*,b}z", "aaz"},
      {"a,b", "a,b"},
      {"**", "a/b/c"},
      {"**/c", "a/b/c"},
      {"**/c", "c"},
      {"a/**", "a/b/c"},
      {"a/**/c", "a/c"},
      {"a/**/c", "a/x/y/c"},
      {"**/*.rs", "a/b.rs"},
      {"**/b/**", "a/b/c"},
      {"a**c", "abc"},
      {"**a", "ba"},
      {"**/**/a", "x/a"},
      {"a/**/**/b", "a/b"},
      {"src/*.{h,cc}", "src/a.cc"},
      {"{**/a,b}", "x/y/a"},
      {"{a,}b", "ab"},
      {"*.*", "a.b.c"},
      {".*", ".x"},
      {"*", ".x"},
      {"a?c",
       "a\xFF"
       "c"},
  };
  for (const auto& [pattern, path] : cases)
    EXPECT_TRUE(Matches(pattern, path)) << pattern << " " << path;
}

TEST(Globs, DoNotMatch) {
  const std::pair<const char*, const char*> cases[] = {
      {"a", "b"},        {"a", "x/a"},        {"*", "a/b"},   {"?", "/"},     {"a?c", "a/c"},
      {"[!b]", "/"},     {"a/*", "a/b/c"},    {"a/**", "a"},  {"**/c", "xc"}, {"a/**/c", "ac"},
      {"a/**/c", "axc"}, {"a**c", "a/c"},     {"{a,b}", "c"}, {"{a,}b", "b"}, {"[a-c]", "d"},
      {"*.rs", "a.rsx"}, {"**/a/b", "a/c/b"}, {"[[]", "]"},
  };
  for (const auto& [pattern, path] : cases)
    EXPECT_FALSE(Matches(pattern, path)) << pattern << " " << path;
}

// Patterns of more than 64 steps are matched another way.
TEST(Globs, MatchTheSameHoweverLong) {
  const std::string never(80, 'z');
  const std::pair<const char*, const char*> cases[] = {
      {"**/*.py[co]", "a/b.pyc"}, {"**/*.py[co]", "b.pyo"},
      {"**/*.py[co]", "b.py"},    {"**/*.py[co]", "b.pyc/d"},
      {"**/build-*", "x/build-"}, {"**/build-*", "build-a/b"},
      {"**/{a,b?}", "x/y/bc"},    {"**/{a,b?}", "bc/d"},
      {"**/{a,b/c}", "x/b/c"},    {"**/{a,b/c}", "b/d/c"},
      {"a*/**/c", "ab/c"},        {"a*/**/c", "ab/x/y/c"},
      {"a*/**/c", "b/c"},         {"*", "a/b"},
      {"a/**", "a/b/c"},
  };
  for (const auto& [pattern, path] : cases) {
    const std::string longer = "{" + std::string(pattern) + "," + never + "}";
    EXPECT_EQ(Matches(pattern, path), Matches(longer, path)) << pattern << " " << path;
    const std::string_view directory = std::string_view(path).substr(0, 1);
    const Result<Glob> few = Glob::Compile(pattern);
    const Result<Glob> many = Glob::Compile(longer);
    ASSERT_TRUE(few && many) << pattern;
    EXPECT_EQ(few->MayMatchBelow(directory), many->MayMatchBelow(directory)) << pattern;
  }
  EXPECT_TRUE(Matches("**/*.py[co]", "a/b.pyc"));
  EXPECT_FALSE(Matches("**/*.py[co]", "b.pyc/d"));
  EXPECT_TRUE(Matches("**/{a,b/c}", "x/b/c"));
}

TEST(Globs, RefuseWhatIsNoPattern) {
  for (const char* pattern : {"[", "[a", "{a", "a}", "[c-a]", "\\", "{a,{b}"}) {
    EXPECT_FALSE(Glob::Compile(pattern).has_value()) << pattern;
  }
  EXPECT_FALSE(Glob::Compile(std::string(Glob::kLongest + 1, 'a')).has_value());
  EXPECT_FALSE(Glob::Compile(std::string(100, '{') + std::string(100, '}')).has_value());
}

TEST(Globs, KnowWhereNothingCanMatch) {
  const auto may = [](const char* pattern, const char* directory) {
    return Glob::Compile(pattern)->MayMatchBelow(directory);
  };
  EXPECT_TRUE(may("**/*.ts", "a/b"));
  EXPECT_TRUE(may("src/**/*.ts", "src/x"));
  EXPECT_FALSE(may("src/**/*.ts", "lib"));
  EXPECT_FALSE(may("*.ts", "src"));
  EXPECT_TRUE(may("*/*.ts", "src"));
  EXPECT_FALSE(may("*/*.ts", "src/a"));
  EXPECT_TRUE(may("{a,b}/c", "b"));
  EXPECT_FALSE(may("{a,b}/c", "c"));
  EXPECT_TRUE(may("a/**", "a"));
}

// What makes a matcher that tries every way take for ever; no fixed end gives it away.
TEST(Globs, TakeTheirTimeInProportion) {
  std::string stars;
  for (int i = 0; i < 500; ++i) stars += "*a";
  std::string braces;
  for (int i = 0; i < 300; ++i) braces += "{a,b,*}";
  std::string deep;
  for (int i = 0; i < 300; ++i) deep += "**/a/";
  const std::string name(4000, 'a');
  const auto since = std::chrono::steady_clock::now();
  EXPECT_FALSE(Matches(stars + "b*", name));
  EXPECT_FALSE(Matches(braces + "x*", name));
  std::string path;
  for (int i = 0; i < 1000; ++i) path += "a/";
  EXPECT_FALSE(Matches(deep + "b*", path + "c"));
  EXPECT_LT(std::chrono::steady_clock::now() - since, std::chrono::seconds(5));
}

}  // namespace
}  // namespace cordon::search
