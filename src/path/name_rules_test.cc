#include "path/name_rules.h"

#include <gtest/gtest.h>

#include <string>

namespace cordon::path {
namespace {

struct Alias {
  NameRules rules;
  std::string spelling;
  std::string name;
};

TEST(NameKey, IsOneForAllSpellingsOfAName) {
  const Alias aliases[] = {
      {NameRules::kCaseFold, ".GIT", ".git"},
      {NameRules::kCaseFold, ".\u017Fsh", ".ssh"},
      {NameRules::kCaseFold, ".\u212Aeys", ".keys"},
      {NameRules::kCaseFold, "cafe\u0301", "CAF\u00C9"},
      {NameRules::kNtfs, ".GiT", ".git"},
      {NameRules::kNtfs, ".git.", ".git"},
      {NameRules::kNtfs, ".git ", ".git"},
      {NameRules::kNtfs, ".git . . .", ".git"},
      {NameRules::kNtfs, ".git::$INDEX_ALLOCATION", ".git"},
      {NameRules::kNtfs, ".git:$I30:$INDEX_ALLOCATION", ".git"},
      {NameRules::kNtfs, ".git...:alternate-stream", ".git"},
      {NameRules::kNtfs, ".git . :a", ".git"},
      {NameRules::kNtfs, ".env.local::$DATA", ".env.local"},
      {NameRules::kNtfs, "\u00C9.txt", "\u00E9.TXT"},
      {NameRules::kHfs, ".gi\u200Ct", ".git"},
      {NameRules::kHfs, ".g\u200Dit", ".git"},
      {NameRules::kHfs, "\u200E.git", ".git"},
      {NameRules::kHfs, ".git\u200F", ".git"},
      {NameRules::kHfs, "\u202A.\u202Bg\u202Ci\u202Dt\u202E", ".GIT"},
      {NameRules::kHfs, "\u206A.\u206Bg\u206Ci\u206Dt\u206E\u206F\uFEFF", ".git"},
      {NameRules::kHfs, ".E\u200Cnv", ".env"},
      {NameRules::kHfs, "caf\u00E9", "cafe\u0301"},
      {NameRules::kLinuxFold, ".GiT", ".git"},
      {NameRules::kLinuxFold, "caf\u00E9", "CAFE\u0301"},
      {NameRules::kLinuxFold, ".gi\u200Ct", ".git"},
      {NameRules::kLinuxFold, ".e\u00ADnv", ".env"},
      {NameRules::kLinuxFold, ".\u200B\uFE0Fs\u2060s\u034Fh", ".SSH"},
      {NameRules::kAll, ".g\u00ADit.", ".git"},
      {NameRules::kAll, ".g\u200Cit. ", ".git"},
      {NameRules::kAll, ".git.\u200C ", ".git"},  // what is ignored may hide a last dot
      {NameRules::kAll, ".git\u200C:\u200Cs", ".git"},
  };
  for (const Alias& alias : aliases) {
    EXPECT_EQ(NameKey(alias.spelling, alias.rules), NameKey(alias.name, alias.rules))
        << alias.spelling;
  }
}

TEST(NameKey, KeepsNamesApartThatTheVolumeKeepsApart) {
  const Alias others[] = {
      {NameRules::kExact, ".GIT", ".git"},          {NameRules::kExact, ".git.", ".git"},
      {NameRules::kCaseFold, ".git.", ".git"},      {NameRules::kCaseFold, ".git:x", ".git"},
      {NameRules::kCaseFold, ".gi\u200Ct", ".git"}, {NameRules::kNtfs, ".gi\u200Ct", ".git"},
      {NameRules::kLinuxFold, ".git.", ".git"},     {NameRules::kNtfs, " .git", ".git"},
      {NameRules::kNtfs, "..git", ".git"},          {NameRules::kNtfs, ".git\t", ".git"},
      {NameRules::kNtfs, ".gitignore", ".git"},     {NameRules::kNtfs, ".git\u00A0", ".git"},
      {NameRules::kHfs, ".gi\u200Bt", ".git"},      {NameRules::kHfs, ".gi\u2060t", ".git"},
      {NameRules::kHfs, ".gi\u202Ft", ".git"},      {NameRules::kHfs, ".gi\u2069t", ".git"},
      {NameRules::kHfs, ".git.", ".git"},           {NameRules::kAll, ".g\u00EFt", ".git"},
      {NameRules::kAll, "\uFF0Egit", ".git"},
  };
  for (const Alias& other : others) {
    EXPECT_NE(NameKey(other.spelling, other.rules), NameKey(other.name, other.rules))
        << other.spelling;
  }
}

TEST(NameKey, KeepsEveryByteUnderExactRules) {
  EXPECT_EQ(NameKey(".GI\u200Ct. :x\xFF", NameRules::kExact), ".GI\u200Ct. :x\xFF");
}

TEST(NameKey, IsIdempotentWhereDroppingJoinsBytes) {
  const std::string halves = "\xC3\u200C\xA9";  // not UTF-8 until the middle is gone
  const std::string nested = "\xE2\xE2\x80\x8C\x80\x8C";
  for (const std::string& name : {halves, nested, std::string("\xC3\u200C\x89")}) {
    for (unsigned rules = 0; rules <= 15; ++rules) {
      const std::string key = NameKey(name, static_cast<NameRules>(rules));
      EXPECT_EQ(NameKey(key, static_cast<NameRules>(rules)), key) << rules;
    }
  }
}

TEST(NameKey, KeepsNamesOfDotsAlone) {
  EXPECT_EQ(NameKey(".", NameRules::kNtfs), ".");
  EXPECT_EQ(NameKey("..", NameRules::kAll), "..");
  EXPECT_EQ(NameKey("::$INDEX_ALLOCATION", NameRules::kNtfs), "");
}

TEST(StripNtfsDecoration, LeavesTheFilesOwnName) {
  EXPECT_EQ(StripNtfsDecoration("git~1 . "), "git~1");
  EXPECT_EQ(StripNtfsDecoration("a.b. :s:$DATA"), "a.b");
  EXPECT_EQ(StripNtfsDecoration("plain.txt"), "plain.txt");
  EXPECT_EQ(StripNtfsDecoration(". ."), ". .");
}

}  // namespace
}  // namespace cordon::path
