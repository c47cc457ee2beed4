#include "path/grammar.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace cordon::path {
namespace {

const std::vector<std::string> kRoots{"/w"};

TEST(Parse, ReadsPosixPaths) {
  const Result<ParsedPath> parsed = Parse(Grammar::kPosix, "/w//a/./../b\\c/", kRoots);
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->components, (std::vector<std::string>{"a", "..", "b\\c"}));
  EXPECT_TRUE(parsed->must_be_directory);
}

TEST(Parse, RefusesPosixPathsThatLeadOut) {
  for (const char* text : {"/", "/wx", "..", "/w/../x"}) {
    const Result<ParsedPath> parsed = Parse(Grammar::kPosix, text, kRoots);
    ASSERT_FALSE(parsed) << text;
    EXPECT_EQ(parsed.error().code, ErrorCode::kPathOutsideProject) << text;
  }
}

TEST(Parse, ReadsOneTextByEachGrammar) {
  const std::vector<std::string> none;
  EXPECT_TRUE(Parse(Grammar::kPosix, "C:foo", none));
  EXPECT_TRUE(Parse(Grammar::kMacos, "C:foo", none));
  EXPECT_FALSE(Parse(Grammar::kWindows, "C:foo", none));
  EXPECT_TRUE(Parse(Grammar::kPosix, "a\xFF", none));
  EXPECT_FALSE(Parse(Grammar::kMacos, "a\xFF", none));
  EXPECT_EQ(Parse(Grammar::kWindows, "a/../b", none)->components.size(), 1U);
  EXPECT_EQ(Parse(Grammar::kMacos, "a/../b", none)->components.size(), 3U);
}

TEST(NamesBelowRoot, TakesPosixTextAsItIs) {
  EXPECT_EQ(NamesBelowRoot(Grammar::kPosix, "a/../.env", kRoots), "a/../.env");
  EXPECT_EQ(NamesBelowRoot(Grammar::kPosix, "/w/.env", kRoots), ".env");
  EXPECT_EQ(NamesBelowRoot(Grammar::kPosix, "/x/.env", kRoots), "");
}

TEST(ReadLinkText, TellsWherePosixLinksLead) {
  using Kind = LinkReading::Kind;
  EXPECT_EQ(ReadLinkText(Grammar::kPosix, "../x", kRoots).kind, Kind::kRelative);
  EXPECT_EQ(ReadLinkText(Grammar::kPosix, "/w/x", kRoots).kind, Kind::kInside);
  EXPECT_EQ(ReadLinkText(Grammar::kPosix, "/wx", kRoots).kind, Kind::kOutside);
  EXPECT_EQ(ReadLinkText(Grammar::kPosix, "", kRoots).kind, Kind::kOutside);
  EXPECT_EQ(ReadLinkText(Grammar::kPosix, "C:\\x", kRoots).kind, Kind::kRelative);
  EXPECT_EQ(ReadLinkText(Grammar::kWindows, "C:\\x", kRoots).kind, Kind::kOutside);
  EXPECT_EQ(ReadLinkText(Grammar::kMacos, "/W/x", kRoots).kind, Kind::kInside);
}

TEST(DefaultNameRules, AreThoseOfTheSystemsVolumes) {
  EXPECT_EQ(DefaultNameRules(Grammar::kPosix), NameRules::kExact);
  EXPECT_EQ(DefaultNameRules(Grammar::kWindows), NameRules::kNtfs);
  EXPECT_TRUE(Any(DefaultNameRules(Grammar::kMacos) & NameRules::kHfs));
  EXPECT_TRUE(Any(DefaultNameRules(Grammar::kMacos) & NameRules::kCaseFold));
}

}  // namespace
}  // namespace cordon::path
