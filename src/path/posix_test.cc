#include "path/posix.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

namespace cordon::path {
namespace {

const std::array<std::string, 2> kRoots{"/srv/work", "/alias"};

std::vector<std::string> Split(std::string_view text) {
  std::vector<std::string> parts;
  Components components(text);
  for (auto part = components.Next(); !part.empty(); part = components.Next()) {
    parts.emplace_back(part);
  }
  return parts;
}

TEST(Components, SkipsEmptyPartsAndDotsButKeepsDotDot) {
  using Parts = std::vector<std::string>;
  EXPECT_EQ(Split(""), Parts{});
  EXPECT_EQ(Split("///"), Parts{});
  EXPECT_EQ(Split("./././"), Parts{});
  EXPECT_EQ(Split("a//b/./c/"), (Parts{"a", "b", "c"}));
  EXPECT_EQ(Split("a/../b"), (Parts{"a", "..", "b"}));
  EXPECT_EQ(Split("..."), Parts{"..."});
  EXPECT_EQ(Split("..foo/bar.."), (Parts{"..foo", "bar.."}));
}

TEST(ParsePosix, ReadsRelativePathsBelowTheRoot) {
  struct Case {
    std::string_view untrusted, text;
    bool must_be_directory;
  };
  for (const Case& c : std::vector<Case>{{"a/b", "a/b", false},
                                         {".", "", true},
                                         {"./", "", true},
                                         {"a/", "a", true},
                                         {"a///", "a", true},
                                         {"a/.", "a", true},
                                         {"a/./", "a", true},
                                         {"a/..", "a/..", false},
                                         {"..foo", "..foo", false},
                                         {"a.", "a.", false},
                                         {"~/x", "~/x", false},
                                         {"\xff", "\xff", false}}) {
    const auto request = ParsePosix(c.untrusted, kRoots);
    ASSERT_TRUE(request) << c.untrusted;
    EXPECT_EQ(request->text, c.text) << c.untrusted;
    EXPECT_EQ(request->must_be_directory, c.must_be_directory) << c.untrusted;
  }
}

TEST(ParsePosix, ReadsAbsolutePathsInEitherSpelling) {
  EXPECT_EQ(ParsePosix("/srv/work/a", kRoots)->text, "a");
  EXPECT_EQ(ParsePosix("/alias/a/b", kRoots)->text, "a/b");
  EXPECT_EQ(ParsePosix("//srv/./work//a", kRoots)->text, "a");
  EXPECT_EQ(ParsePosix("/srv/work", kRoots)->text, "");
  EXPECT_EQ(ParsePosix("/srv/work/", kRoots)->text, "");
  const std::array<std::string, 1> everything{"/"};
  EXPECT_EQ(ParsePosix("/etc/passwd", everything)->text, "etc/passwd");
}

TEST(ParsePosix, RefusesWhatLeavesTheRootByText) {
  struct Case {
    std::string_view untrusted;
    Violation violation;
  };
  for (const Case& c : std::vector<Case>{{"/", Violation::kAbsolute},
                                         {"/srv", Violation::kAbsolute},
                                         {"/srv/work-evil/x", Violation::kAbsolute},
                                         {"/srv/workx", Violation::kAbsolute},
                                         {"/srv/../srv/work/a", Violation::kAbsolute},
                                         {"/SRV/work/a", Violation::kAbsolute},
                                         {"/srv/work/../work/a", Violation::kTraversal},
                                         {"..", Violation::kTraversal},
                                         {"../", Violation::kTraversal},
                                         {"./../x", Violation::kTraversal}}) {
    const auto request = ParsePosix(c.untrusted, kRoots);
    ASSERT_FALSE(request) << c.untrusted;
    EXPECT_EQ(request.error().code, ErrorCode::kPathOutsideProject) << c.untrusted;
    EXPECT_EQ(request.error().violation, c.violation) << c.untrusted;
  }
}

TEST(ParsePosix, RefusesWhatIsNoPath) {
  for (const std::string& bad : {std::string(), std::string("a\0b", 3), std::string(1, '\0'),
                                 std::string(kMaxPathBytes + 1, 'a')}) {
    const auto request = ParsePosix(bad, kRoots);
    ASSERT_FALSE(request);
    EXPECT_EQ(request.error().code, ErrorCode::kInvalidPath);
  }
  EXPECT_TRUE(ParsePosix(std::string(kMaxPathBytes, 'a'), kRoots));
}

TEST(CollapseLexically, ResolvesDotsByText) {
  EXPECT_EQ(CollapseLexically("a/./b/../c"), "a/c");
  EXPECT_EQ(CollapseLexically("a/.."), "");
  EXPECT_EQ(CollapseLexically("../a"), "../a");
  EXPECT_EQ(CollapseLexically("a/../../b"), "../b");
  EXPECT_EQ(CollapseLexically("//a//b/"), "a/b");
}

TEST(StripRoot, ComparesWholeComponents) {
  std::string_view rest;
  EXPECT_TRUE(StripRoot("/w/a/b", "/w", rest));
  EXPECT_EQ(rest, "a/b");
  EXPECT_TRUE(StripRoot("/w", "/w", rest));
  EXPECT_EQ(rest, "");
  EXPECT_FALSE(StripRoot("/w-evil", "/w", rest));
  EXPECT_FALSE(StripRoot("/", "/w", rest));
}

}  // namespace
}  // namespace cordon::path
