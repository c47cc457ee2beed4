#include "cli/audit_filter.h"

#include <gtest/gtest.h>

namespace cordon::cli {
namespace {

bool PathMatches(std::string_view pattern, std::string_view path) {
  const Result<PathFilter> filter = PathFilter::Compile(pattern);
  EXPECT_TRUE(filter) << pattern;
  return filter && filter->Matches(path);
}

TEST(PathFilter, ANameIsFoundAnywhere) {
  EXPECT_TRUE(PathMatches(".env", ".env"));
  EXPECT_TRUE(PathMatches(".env", "a/b/.env"));
  EXPECT_TRUE(PathMatches("*.pem", "/etc/ssl/key.pem"));
  EXPECT_TRUE(PathMatches("src", "src/main.cc"));
  EXPECT_TRUE(PathMatches("[.].", "../x"));  // ".." itself is no name in deny rules
  EXPECT_TRUE(PathMatches("[ab]?", "x/b1"));
  EXPECT_FALSE(PathMatches("main", "src/main.cc"));
  EXPECT_FALSE(PathMatches(".ENV", ".env"));  // what was asked, not what it may mean
}

TEST(PathFilter, APathBeginsWhereItSays) {
  EXPECT_TRUE(PathMatches("src/*.cc", "src/main.cc"));
  EXPECT_TRUE(PathMatches("src/*.cc", "./src//main.cc"));
  EXPECT_TRUE(PathMatches("src/*.cc", "/w/src/main.cc"));
  EXPECT_FALSE(PathMatches("src/*.cc", "x/src/main.cc"));
  EXPECT_TRUE(PathMatches("**/src/*.cc", "x/src/main.cc"));
  EXPECT_TRUE(PathMatches("src/**", "src/a/b"));
  EXPECT_FALSE(PathMatches("src/**", "src"));
  EXPECT_TRUE(PathMatches("/etc/**", "/etc/passwd"));
  EXPECT_FALSE(PathMatches("/etc/**", "etc/passwd"));
  EXPECT_FALSE(PathMatches("/etc/**", "/w/etc/passwd"));
  EXPECT_FALSE(PathMatches("/etc", ""));
}

TEST(PathFilter, TakesAnyBytes) {
  EXPECT_TRUE(PathMatches("caf?", "caf\xe9"));
  EXPECT_TRUE(PathMatches("a?b", "a\nb"));
}

TEST(PathFilter, RefusesWhatIsNoPattern) {
  for (const char* pattern : {"", "/", "a//b", "[a", "src/"}) {
    const Result<PathFilter> filter = PathFilter::Compile(pattern);
    ASSERT_FALSE(filter) << pattern;
    EXPECT_EQ(filter.error().code, ErrorCode::kInvalidArguments);
    EXPECT_TRUE(filter.error().detail.starts_with("--path: "));
  }
}

TEST(AuditFilter, EveryConditionMustHold) {
  audit::Entry entry;
  entry.time_ns = 100;
  entry.session = "s";
  entry.event = "file.read";
  entry.decision = "denied";
  entry.tool = "read_file";
  entry.resolved = "/w/x";
  AuditFilter filter;
  EXPECT_TRUE(filter.Matches(entry));
  filter.since_ns = 100;
  filter.until_ns = 100;
  filter.session = "s";
  filter.events = {"consent.", "file."};
  filter.decision = "denied";
  filter.tool = "read_file";
  filter.path = *PathFilter::Compile("x");
  EXPECT_TRUE(filter.Matches(entry));
  const auto without = [&](auto change) {
    AuditFilter other = filter;
    change(other);
    return other.Matches(entry);
  };
  EXPECT_FALSE(without([](AuditFilter& f) { f.since_ns = 101; }));
  EXPECT_FALSE(without([](AuditFilter& f) { f.until_ns = 99; }));
  EXPECT_FALSE(without([](AuditFilter& f) { f.session = "t"; }));
  EXPECT_FALSE(without([](AuditFilter& f) { f.events = {"file"}; }));
  EXPECT_FALSE(without([](AuditFilter& f) { f.events = {"file.write"}; }));
  EXPECT_FALSE(without([](AuditFilter& f) { f.decision = "allowed"; }));
  EXPECT_FALSE(without([](AuditFilter& f) { f.tool = "read"; }));
  EXPECT_FALSE(without([](AuditFilter& f) { f.path = *PathFilter::Compile("y"); }));
}

TEST(CheckEventName, KnowsEventsAndTheirBeginnings) {
  for (const char* name : {"file.read", "file.", "consent.", "log.gap", "sandbox.violation"}) {
    EXPECT_TRUE(CheckEventName(name)) << name;
  }
  for (const char* name : {"", ".", "file", "file.re", "fle.", "file.read.", "FILE.READ"}) {
    EXPECT_FALSE(CheckEventName(name)) << name;
  }
  EXPECT_TRUE(CheckDecisionName("asked"));
  EXPECT_FALSE(CheckDecisionName("none"));
}

}  // namespace
}  // namespace cordon::cli
