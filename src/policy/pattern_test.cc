#include "policy/pattern.h"

#include <gtest/gtest.h>

#include <chrono>
#include <random>
#include <string>
#include <vector>

namespace cordon::policy {
namespace {

using path::NameRules;

NamePattern Make(std::string_view text) {
  Result<NamePattern> pattern = NamePattern::Compile(text);
  EXPECT_TRUE(pattern) << text << ": " << pattern.error().detail;
  return std::move(*pattern);
}

TEST(NamePatternTest, Matches) {
  struct Case {
    std::string_view pattern;
    std::string_view name;
    bool matches;
  };
  for (const Case& c : std::vector<Case>{
           {"a", "a", true},
           {"a", "A", false},
           {"a", "ab", false},
           {"*", "", true},
           {"*", ".hidden", true},
           {"a*", "a", true},
           {"*a", "ba", true},
           {"*a", "ab", false},
           {"a*b*c", "a--b--c", true},
           {"a*b*c", "a--c--b", false},
           {"**a**", "bab", true},
           {"?", "\u00e9", true},
           {"?", "\xc3", true},
           {"??", "\u00e9", false},
           {"?", "", false},
           {"[a-c]x", "bx", true},
           {"[a-c]x", "dx", false},
           {"[!a-c]x", "dx", true},
           {"[^a-c]x", "ax", false},
           {"[]]", "]", true},
           {"[!]]", "]", false},
           {"[a-]", "-", true},
           {"[\\]a]", "]", true},
           {"[\u00e0-\u00ef]", "\u00e9", true},
           {"\\*", "*", true},
           {"\\*", "a", false},
           {"\\a", "a", true},
           {"*\xa9", "\u00e9", false},  // a byte of a character is not that byte alone
           {"*\xa9", "x\xa9", true},
       }) {
    EXPECT_EQ(Make(c.pattern).Matches(c.name), c.matches) << c.pattern << " " << c.name;
  }
}

TEST(NamePatternTest, MayAlias) {
  constexpr NameRules kFolding = NameRules::kAll;
  struct Case {
    std::string_view pattern;
    std::string_view name;
    NameRules rules;
  };
  for (const Case& c : std::vector<Case>{
           {"stra\u00dfe", "STRASSE", kFolding},
           {"?.key", "SS.key", kFolding},  // one character may fold into two
           {"?.key", "sx.key", NameRules::kExact},
           {"[a-c].key", "B.KEY", kFolding},
           {"[a-c].key", "D.KEY", NameRules::kExact},
           {"[!a].key", "A.key", kFolding},
           {"caf\u00e9", "cafe\u0301", kFolding},
           {"e*", "\u00c9cole", kFolding},
           {"a:b", "a", NameRules::kNtfs},  // a stream of it
           {"a.", "a", NameRules::kNtfs},
           {"a.*", "a", NameRules::kExact},
           {"secret-plan.txt", "SECRET~1.TXT", NameRules::kNtfs},
           {"*.json", "SERVIC~1.JSO", NameRules::kNtfs},
       }) {
    KeyedName name(c.name);
    const NamePattern pattern = Make(c.pattern);
    const NameLook look = LookOf(c.name);
    EXPECT_EQ(pattern.MayAlias(name, look, {}), c.rules) << c.pattern << " " << c.name;
    EXPECT_TRUE(pattern.WorthAliasing(c.name, look) || c.rules == NameRules::kExact) << c.name;
  }
}

// What the quick ways rely on.
TEST(NamePatternTest, AnAsciiNameHasOneKeyItsLowerCase) {
  std::string name;
  std::string lower;
  for (char c = 0x20; c < 0x7F; ++c) {
    if (c == '~' || c == ':' || c == '/') continue;
    name += c;
    lower += static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
  }
  ASSERT_EQ(LookOf(name), NameLook::kAscii);
  for (const NameRules rules : kKeyRules) EXPECT_EQ(path::NameKey(name, rules), lower);
  for (const std::string_view odd : {"", "a.", "a ", "a~1", "a:b", "\u00e9", "\xff"}) {
    EXPECT_EQ(LookOf(odd), NameLook::kOdd) << odd;
  }
}

// What Compile takes for granted of names that need no folding.
TEST(NamePatternTest, PlainPatternsAreTheirOwnFold) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyz0123456789._-*";
  std::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {
    std::string text;
    for (std::size_t size = 1 + random() % 12; size > 0; --size) {
      text += kPlain[random() % kPlain.size()];
    }
    if (text.back() == '.') text += 'x';
    const auto tokens = ReadPattern(text);
    ASSERT_TRUE(tokens) << text;
    for (const NameRules rules : kKeyRules) {
      const PatternTokens folded = FoldPattern(*tokens, rules);
      ASSERT_EQ(folded.size(), tokens->size()) << text;
      for (std::size_t i = 0; i < folded.size(); ++i) {
        ASSERT_EQ(folded[i].kind, (*tokens)[i].kind) << text;
        ASSERT_EQ(folded[i].character, (*tokens)[i].character) << text;
      }
    }
  }
}

TEST(NamePatternTest, TimeDoesNotExplode) {
  std::string stars;
  for (int i = 0; i < 200; ++i) stars += "a*";
  const NamePattern exact = Make(stars + "b");
  const NamePattern folded = Make(stars + "?B");
  const std::string name(20000, 'a');
  const auto start = std::chrono::steady_clock::now();
  EXPECT_FALSE(exact.Matches(name));
  KeyedName keyed(name);
  EXPECT_EQ(folded.MayAlias(keyed, LookOf(name), {}), NameRules::kExact);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

}  // namespace
}  // namespace cordon::policy
