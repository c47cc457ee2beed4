#include "path/windows.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace cordon::path {
namespace {

const std::vector<std::string> kRoots{R"(C:\scratch\root)"};

std::string Joined(const ParsedPath& path) {
  std::string joined;
  for (const std::string& part : path.components) joined += (joined.empty() ? "" : "/") + part;
  return joined + (path.must_be_directory ? "/" : "");
}

struct Accepted {
  const char* text;
  const char* expected;
};

TEST(ParseWindows, ReadsWhatStaysInside) {
  const Accepted cases[] = {
      {R"(sub\f)", "sub/f"},
      {"sub/f", "sub/f"},
      {R"(sub\..\sub\f)", "sub/f"},
      {R"(sub\.\f)", "sub/f"},
      {R"(.\sub\\f)", "sub/f"},
      {R"(sub//\/f\)", "sub/f/"},
      {R"(sub\.)", "sub/"},
      {".", "/"},
      {R"(a\..)", ""},
      {R"(nosuch\..\f)", "f"},
      {R"(a/b\..\../c)", "c"},
      {R"(C:\scratch\root)", ""},
      {R"(C:\scratch\root\)", "/"},
      {R"(C:\scratch\root\sub\f)", "sub/f"},
      {"C:/scratch/root/sub/f", "sub/f"},
      {R"(c:\SCRATCH\Root\sub)", "sub"},
      {R"(C:\\scratch\\root\\f)", "f"},
      {R"(C:\scratch\x\..\root\f)", "f"},
      {R"(C:\..\scratch\root\f)", "f"},
      {R"(C:\scratch\root\..\root\f)", "f"},
      {"file..txt", "file..txt"},
      {"..foo", "..foo"},
      {"a b", "a b"},
      {"~", "~"},
      {"0~rslib-runtime.js", "0~rslib-runtime.js"},
      {"\uFF0E\uFF0E\\x", "\uFF0E\uFF0E/x"},
      {"..\u00A5outside", "..\u00A5outside"},
      {"\u2215x", "\u2215x"},
  };
  for (const auto& [text, expected] : cases) {
    const Result<ParsedPath> parsed = ParseWindows(text, kRoots);
    ASSERT_TRUE(parsed) << text << ": " << parsed.error().detail;
    EXPECT_EQ(Joined(*parsed), expected) << text;
  }
}

TEST(ParseWindows, RefusesWhatLeadsOut) {
  for (const char* text : {"C:",
                           "C:foo",
                           R"(C:..\x)",
                           R"(C:scratch\root\f)",
                           R"(C:\)",
                           "C:/",
                           R"(C:\Windows\win.ini)",
                           R"(D:\x)",
                           R"(D:\scratch\root\f)",
                           "1:\\x",
                           R"(\)",
                           "/",
                           R"(\Windows\win.ini)",
                           "/Windows/win.ini",
                           R"(\scratch\root\f)",
                           "/mnt/c/Windows/win.ini",
                           "/c/Windows",
                           "/cygdrive/c/x",
                           R"(\\server\share\x)",
                           "//server/share/x",
                           R"(\/server/share)",
                           R"(/\server\share)",
                           R"(\\localhost\C$\scratch\root\f)",
                           R"(\\)",
                           R"(\\\server\share)",
                           R"(\\?\C:\Windows\win.ini)",
                           R"(\\?\C:\scratch\root\f)",
                           "//?/C:/scratch/root/f",
                           R"(\\?\UNC\server\share\x)",
                           R"(\\.\C:\Windows\win.ini)",
                           R"(\\.\C:\scratch\root\f)",
                           R"(\\.\PhysicalDrive0)",
                           R"(\\.\pipe\x)",
                           "//./pipe/x",
                           R"(\\.\GLOBALROOT\Device\Null)",
                           R"(\??\C:\Windows\win.ini)",
                           R"(\??\C:\scratch\root\f)",
                           R"(\\?\GLOBALROOT\Device\HarddiskVolume1\x)",
                           R"(\\?\Volume{0-0}\x)",
                           R"(\\.)",
                           R"(\\?)",
                           R"(\Device\HarddiskVolume1\x)",
                           "..",
                           R"(..\outside\secret)",
                           "../outside",
                           R"(sub\..\..\outside\secret)",
                           R"(sub/..\../outside\secret)",
                           R"(.\..\x)",
                           R"(.. \outside\secret)",
                           R"(...\outside)",
                           R"(.. .\outside\secret)",
                           R"(....\x)",
                           R"(sub\.. \..\x)",
                           R"(sub\...)",
                           "a/../c:",
                           R"(a/../C:\x)",
                           R"(sub\C:\x)",
                           R"(sub\c:x)",
                           R"(NUL\..\..\x)",
                           R"(a?b\..\..\x)",
                           R"(C:\scratch\rooted\f)",
                           R"(C:\scratch\root-evil)",
                           R"(C:\scratch\root.\f)",
                           R"(C:\scratch\root \f)",
                           R"(C:\scratch\root::$INDEX_ALLOCATION)",
                           R"(C:\SCRATC~1\root\f)",
                           R"(C:\scratch\root\..)",
                           R"(C:\scratch\root\..\outside)",
                           R"(C:\scratch\root\..\..\scratch\x)",
                           R"(C:\scratch)"}) {
    const Result<ParsedPath> parsed = ParseWindows(text, kRoots);
    ASSERT_FALSE(parsed) << text;
    EXPECT_EQ(parsed.error().code, ErrorCode::kPathOutsideProject) << text;
    EXPECT_TRUE(parsed.error().security_violation()) << text;
  }
}

TEST(ParseWindows, RefusesDevicesEverywhere) {
  for (const char* text :
       {"NUL", "./nul", R"(.\nul )", R"(a\NUL)", R"(a\nul\b)", "a/nul : a", "PRN./abc",
        "abc/conOut$  .xyz/test", R"(NUL\..\x)", R"(C:\scratch\root\aux.c)", R"(\\.\NUL)",
        "//./nul", R"(\\?\CON)", R"(\\.\COM1)", R"(\??\NUL)", R"(sub\com1.txt\)"}) {
    const Result<ParsedPath> parsed = ParseWindows(text, kRoots);
    ASSERT_FALSE(parsed) << text;
    EXPECT_EQ(parsed.error().code, ErrorCode::kInvalidPath) << text;
    EXPECT_EQ(parsed.error().violation, Violation::kDevice) << text;
  }
}

TEST(ParseWindows, RefusesNamesThatCannotBeOrAlias) {
  const std::string texts[] = {"",
                               std::string("f\0", 2),
                               std::string("C:\\scratch\\root\\f\0", 18),
                               std::string(64 * 1024 + 1, 'a'),
                               "a?b",
                               R"(sub\a*b\c)",
                               "win32 ",
                               "win32 . .",
                               "win32 /x ",
                               R"(f.txt:..\..\outside\evil)",
                               "::$INDEX_ALLOCATION",
                               "f.txt::$DATA",
                               "colon:test",
                               R"(x.\..\f)",
                               R"(. \f)",
                               R"(sub\ \f)",
                               "a\x1F",
                               "a\xFF",
                               R"(.git::$INDEX_ALLOCATION\config)",
                               R"(C:\scratch\root\f.)"};
  for (const std::string& text : texts) {
    const Result<ParsedPath> parsed = ParseWindows(text, kRoots);
    ASSERT_FALSE(parsed) << text;
    EXPECT_EQ(parsed.error().code, ErrorCode::kInvalidPath) << text;
    EXPECT_NE(parsed.error().violation, Violation::kDevice) << text;
  }
}

TEST(ParseWindows, ComparesRootsLetterByLetter) {
  const std::vector<std::string> roots{"C:\\stra\u00DFe\\caf\u00E9"};
  EXPECT_TRUE(ParseWindows("c:\\STRA\u00DFE\\CAF\u00C9\\f", roots));
  // Different directories on NTFS, which neither folds sharp s nor normalises.
  EXPECT_FALSE(ParseWindows("C:\\strasse\\caf\u00E9\\f", roots));
  EXPECT_FALSE(ParseWindows("C:\\stra\u00DFe\\cafe\u0301\\f", roots));
  EXPECT_FALSE(ParseWindows("C:\\\u017Fcratch\\root\\f", kRoots));
}

TEST(ParseWindows, TakesRootsInAnySpelling) {
  const std::vector<std::string> roots{R"(\\?\D:\work)", R"(\\?\UNC\server\share\w)",
                                       R"(\\nas\pub)", "E:/"};
  const Accepted inside[] = {
      {R"(D:\work\f)", "f"},
      {R"(\\Server\Share\w\f)", "f"},
      {R"(//NAS/pub/a/f)", "a/f"},
      {R"(\\nas\pub)", ""},
      {R"(E:\x)", "x"},
  };
  for (const auto& [text, expected] : inside) {
    const Result<ParsedPath> parsed = ParseWindows(text, roots);
    ASSERT_TRUE(parsed) << text;
    EXPECT_EQ(Joined(*parsed), expected) << text;
  }
  for (const char* text : {R"(\\?\D:\work\f)", R"(\\server\share\x)", R"(\\nas\public\f)",
                           R"(\\nas2\pub\f)", R"(D:\worker)", R"(\\?\UNC\nas\pub\f)"}) {
    EXPECT_FALSE(ParseWindows(text, roots)) << text;
  }
}

TEST(WindowsNamesBelowRoot, ShowsADenyListEveryName) {
  const Accepted cases[] = {
      {R"(.git::$INDEX_ALLOCATION\config)", ".git::$INDEX_ALLOCATION/config"},
      {R"(.\.GIT\foobar)", ".GIT/foobar"},
      {R"(.git\..\x)", ".git/../x"},
      {R"(C:\scratch\root\.env)", ".env"},
      {R"(C:\scratch\root\.git\..\x)", ".git/../x"},
      {R"(C:\a\..\scratch\root\.env)", ".env"},
      {R"(C:\Windows)", ""},
      {R"(\\?\C:\scratch\root\.env)", ""},
  };
  for (const auto& [text, expected] : cases) {
    EXPECT_EQ(WindowsNamesBelowRoot(text, kRoots), expected) << text;
  }
}

struct Link {
  const char* text;
  LinkReading::Kind kind;
  const char* expected;
};

TEST(ReadWindowsLink, TellsWhereALinkLeads) {
  using Kind = LinkReading::Kind;
  const Link links[] = {
      {"f", Kind::kRelative, "f"},
      {R"(..\outside)", Kind::kRelative, "../outside"},
      {R"(a\..\..\b\)", Kind::kRelative, "../b/"},
      {R"(..\..\x)", Kind::kRelative, "../../x"},
      {R"(C:\scratch\root\d)", Kind::kInside, "d"},
      {R"(\??\C:\scratch\root\d)", Kind::kInside, "d"},
      {R"(\\?\c:\Scratch\Root\d)", Kind::kInside, "d"},
      {R"(C:\scratch\root)", Kind::kInside, ""},
      {R"(C:\scratch\outside)", Kind::kOutside, ""},
      {R"(\??\C:\scratch\outside)", Kind::kOutside, ""},
      {R"(\??\Volume{0-0}\x)", Kind::kOutside, ""},
      {R"(C:foo)", Kind::kOutside, ""},
      {R"(C:)", Kind::kOutside, ""},
      {R"(\scratch\root\d)", Kind::kOutside, ""},
      {R"(\\server\share\x)", Kind::kOutside, ""},
      {R"(\\?\UNC\server\share\x)", Kind::kOutside, ""},
      {R"(\\.\C:\scratch\x)", Kind::kOutside, ""},
      {R"(... \x)", Kind::kOutside, ""},
      {"nul", Kind::kOutside, ""},
      {"f:stream", Kind::kOutside, ""},
      {"", Kind::kOutside, ""},
  };
  for (const auto& [text, kind, expected] : links) {
    const LinkReading reading = ReadWindowsLink(text, kRoots);
    EXPECT_EQ(reading.kind, kind) << text;
    EXPECT_EQ(Joined(reading.path), expected) << text;
  }
}

}  // namespace
}  // namespace cordon::path
