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
