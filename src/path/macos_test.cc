#include "path/macos.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace cordon::path {
namespace {

const std::vector<std::string> kRoots{"/tmp/scratch/root"};

std::string Joined(const ParsedPath& path) {
  std::string joined;
  for (const std::string& part : path.components) joined += (joined.empty() ? "" : "/") + part;
  return joined + (path.must_be_directory ? "/" : "");
}

struct Accepted {
  std::string text;
  std::string expected;
};

TEST(ParseMacos, ReadsWhatStaysInside) {
  const Accepted cases[] = {
      {"f", "f"},
      {"sub//./f/", "sub/f/"},
      {".", "/"},
      {"sub/../f", "sub/../f"},  // only the file system knows
      {"..foo", "..foo"},
      {"a:b", "a:b"},
      {"a\\b", "a\\b"},
      {"NUL", "NUL"},
      {"f.", "f."},
      {".e\u200Bnv", ".e\u200Bnv"},
      {"cafe\u0301", "cafe\u0301"},
      {"/tmp/scratch/root", ""},
      {"/tmp/scratch/root/f", "f"},
      {"/tmp/scratch/ROOT/f", "f"},
      {"/TMP/Scratch/root/f", "f"},
      {"//tmp/./scratch//root/f", "f"},
      {"/private/tmp/scratch/root/f", "f"},
      {"/Private/Tmp/scratch/root/f", "f"},
  };
  for (const auto& [text, expected] : cases) {
    const Result<ParsedPath> parsed = ParseMacos(text, kRoots);
    ASSERT_TRUE(parsed) << text << ": " << parsed.error().detail;
    EXPECT_EQ(Joined(*parsed), expected) << text;
  }
}

TEST(ParseMacos, RefusesWhatLeadsOut) {
  for (const char* text :
       {"/", "/etc/passwd", "..", "../x", "./../x", "/tmp/scratch", "/tmp/scratch/root-evil/f",
        "/tmp/scratch/ROOT-EVIL/secret", "/tmp/scratch/rootx", "/tmp/scratch/root/../x",
        "/System/Volumes/Data/tmp/scratch/root/f",
        "/System/Volumes/Data/private/tmp/scratch/root/f", "/.vol/1/2", "/.nofollow/tmp/x",
        "/private/private/tmp/scratch/root/f", "/private/scratch/root", "/tmp/x/../scratch/root/f",
        "/tmp/scratch/ro\u200Cot/f"}) {
    const Result<ParsedPath> parsed = ParseMacos(text, kRoots);
    ASSERT_FALSE(parsed) << text;
    EXPECT_EQ(parsed.error().code, ErrorCode::kPathOutsideProject) << text;
    EXPECT_TRUE(parsed.error().security_violation()) << text;
  }
}

TEST(ParseMacos, RefusesWhatIsNoName) {
  const std::string texts[] = {"",
                               std::string("f\0", 2),
                               std::string(64 * 1024 + 1, 'a'),
                               "a\xFF"
                               "b",
                               "\xED\xA0\x80",
                               "f/..namedfork/rsrc",
                               "f/..namedfork/data",
                               "..namedfork/rsrc",
                               "f/..NamedFork/rsrc",
                               "f/..named\u200Cfork/rsrc",
                               ".\u200C./x",
                               "\u200C",
                               "a/\uFEFF.\u206A./x",
                               std::string(256, 'x'),
                               "/tmp/scratch/root/f/..namedfork/rsrc"};
  for (const std::string& text : texts) {
    const Result<ParsedPath> parsed = ParseMacos(text, kRoots);
    ASSERT_FALSE(parsed) << text;
    EXPECT_EQ(parsed.error().code, ErrorCode::kInvalidPath) << text;
  }
}

TEST(ParseMacos, ComparesRootsAsTheVolumeDoes) {
  const std::vector<std::string> roots{"/Users/caf\u00E9/W"};
  EXPECT_TRUE(ParseMacos("/users/cafe\u0301/w/f", roots));
  EXPECT_FALSE(ParseMacos("/users/cafe/w/f", roots));
}

struct RootCase {
  const char* root;
  const char* text;
  bool inside;
};

TEST(ParseMacos, ReadsPrivateAsTheLinksDo) {
  const RootCase cases[] = {
      {"/private/tmp/w", "/tmp/w/f", true},
      {"/private/tmp/w", "/private/tmp/w/f", true},
      {"/private/var/w", "/var/w/f", true},
      {"/var/w", "/private/var/w/f", true},
      {"/etc", "/private/etc/hosts", true},
      {"/tmp", "/private/tmp/f", true},
      {"/private", "/private/tmp/f", true},
      {"/private", "/tmp/f", false},
      {"/", "/private/tmp/f", true},
      {"/home/w", "/private/home/w/f", false},
      {"/private/home/w", "/home/w/f", false},
      {"/private/tmp", "/tmpx/f", false},
      {"/System/Volumes/Data/w", "/System/Volumes/Data/w/f", true},
      {"/System/Volumes/Data/w", "/w/f", false},
  };
  for (const auto& [root, text, inside] : cases) {
    EXPECT_EQ(ParseMacos(text, std::vector<std::string>{root}).has_value(), inside)
        << root << " " << text;
  }
}

TEST(MacosNamesBelowRoot, ShowsADenyListEveryName) {
  EXPECT_EQ(MacosNamesBelowRoot(".env/..namedfork/data", kRoots), ".env/..namedfork/data");
  EXPECT_EQ(MacosNamesBelowRoot("/private/TMP/scratch/root/.git/../x", kRoots), ".git/../x");
  EXPECT_EQ(MacosNamesBelowRoot("/etc/passwd", kRoots), "");
}

TEST(ReadMacosLink, TellsWhereALinkLeads) {
  using Kind = LinkReading::Kind;
  struct Link {
    const char* text;
    Kind kind;
    const char* expected;
  };
  const Link links[] = {
      {"f", Kind::kRelative, "f"},
      {"../outside/", Kind::kRelative, "../outside/"},
      {"a/../b", Kind::kRelative, "a/../b"},
      {"/private/tmp/scratch/root/d", Kind::kInside, "d"},
      {"/tmp/scratch/root", Kind::kInside, ""},
      {"/tmp/scratch/outside", Kind::kOutside, ""},
      {"/tmp/scratch/root/../x", Kind::kOutside, ""},
      {"f/..namedfork/rsrc", Kind::kOutside, ""},
      {"a\xFF", Kind::kOutside, ""},
      {"", Kind::kOutside, ""},
  };
  for (const auto& [text, kind, expected] : links) {
    const LinkReading reading = ReadMacosLink(text, kRoots);
    EXPECT_EQ(reading.kind, kind) << text;
    EXPECT_EQ(Joined(reading.path), expected) << text;
  }
}

}  // namespace
}  // namespace cordon::path
