#include "path/windows_names.h"

#include <gtest/gtest.h>

#include <string>

namespace cordon::path {
namespace {

TEST(IsReservedDeviceName, KnowsEverySpelling) {
  for (const char* name :
       {"NUL",           "nul",       "Nul",           "nul ",   "nul.",      "nul:",
        "nul : a",       "nul.txt",   "NUL .txt",      "nul...", "nul . .",   "NUL.tar.gz",
        "CON",           "con.",      "CON:",          "PRN",    "PRN.",      "AUX",
        "AUX.c",         "aux.h",     "COM0",          "COM1",   "com9",      "com9.c",
        "com0.c",        "LPT0",      "LPT1",          "lpt8",   "COM\u00B9", "com\u00B2 : a",
        "COM\u00B3.ext", "LPT\u00B3", "lpt\u00B9.txt", "CONIN$", "conin$",    "CONOUT$",
        "conOut$  .xyz", "CONIN$:x",  "NUL::$DATA"}) {
    EXPECT_TRUE(IsReservedDeviceName(name)) << name;
    const Status status = CheckWindowsName(name);
    ASSERT_FALSE(status) << name;
    EXPECT_EQ(status.error().code, ErrorCode::kInvalidPath) << name;
    EXPECT_EQ(status.error().violation, Violation::kDevice) << name;
    EXPECT_TRUE(status.error().security_violation()) << name;
  }
}

TEST(IsReservedDeviceName, LeavesOrdinaryNamesAlone) {
  for (const char* name :
       {"conout.c",  "lptN",    "nullable.txt", "auxiliary", "console.log",     "com10",    "a.nul",
        "dollar$",   "comm",    "com",          "lpt",       "COM\u2074",       "con1",     "xcon",
        " nul",      "_NUL",    "NUL_",         "conin",     "COM\u00B9\u00B9", "\uFF2EUL", "nul-",
        "com1-port", "win32 x", "auxin$",       "prn$"}) {
    EXPECT_FALSE(IsReservedDeviceName(name)) << name;
    EXPECT_TRUE(CheckWindowsName(name)) << name;
  }
}

TEST(IsDriveLike, IsOneCharacterAndAColon) {
  for (const char* name : {"C:", "c:foo", "z:", "1:x", "\u00E9:x", "C::$DATA"}) {
    EXPECT_TRUE(IsDriveLike(name)) << name;
  }
  for (const char* name : {"", "C", "foo:bar", "::$INDEX_ALLOCATION", ":x", ".:x", "CC:"}) {
    EXPECT_FALSE(IsDriveLike(name)) << name;
  }
}

TEST(IsDisguisedDotDot, IsDotsAndSpaces) {
  for (const char* name : {".. ", "...", ".. .", "....", ". .", " ..", ".  . "}) {
    EXPECT_TRUE(IsDisguisedDotDot(name)) << name;
  }
  for (const char* name : {"..", ".", ". ", " ", "..a", "a..", "...x"}) {
    EXPECT_FALSE(IsDisguisedDotDot(name)) << name;
  }
}

TEST(CheckWindowsName, RefusesWhatCannotBeOrAliases) {
  const std::string names[] = {"a?b",
                               "a*b",
                               "a<b",
                               "a>b",
                               "a|b",
                               "a\"b",
                               "a:b",
                               "lpt*",
                               "win32 ",
                               "win32.",
                               "win32 . .",
                               "f.txt:..",
                               "::$INDEX_ALLOCATION",
                               "a\x01"
                               "b",
                               "a\nb",
                               "tab\t",
                               " ",
                               ". ",
                               "a\xFF",
                               "\xED\xA0\x80",
                               std::string(256, 'x')};
  for (const std::string& name : names) {
    const Status status = CheckWindowsName(name);
    ASSERT_FALSE(status) << name;
    EXPECT_EQ(status.error().code, ErrorCode::kInvalidPath) << name;
    EXPECT_NE(status.error().violation, Violation::kDevice) << name;
  }
}

TEST(CheckWindowsName, AcceptsOrdinaryNames) {
  const std::string names[] = {"a b",
                               "file..txt",
                               "..foo",
                               ".gitignore",
                               "\u65E5\u672C\u8A9E",
                               "~",
                               "$HOME",
                               "%TEMP%",
                               "a;b,c=[d]+",
                               "\uFF0E\uFF0E",
                               "..\u00A5outside",
                               std::string(255, 'x'),
                               "git~1",
                               " lead"};
  for (const std::string& name : names) EXPECT_TRUE(CheckWindowsName(name)) << name;
}

}  // namespace
}  // namespace cordon::path
