#include "policy/read_path.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace cordon::policy {
namespace {

using path::Grammar;
using path::NameRules;

const DenyList& Defaults() {
  static const DenyList list = DenyList::Compile(DefaultDenyRules()).value();
  return list;
}

const std::vector<std::string> kWindowsRoots{R"(C:\scratch\root)"};
const std::vector<std::string> kMacosRoots{"/tmp/scratch/root"};

TextBoundary Windows() { return {Grammar::kWindows, NameRules::kNtfs, kWindowsRoots, &Defaults()}; }
TextBoundary Macos() {
  return {Grammar::kMacos, NameRules::kCaseFold | NameRules::kHfs, kMacosRoots, &Defaults()};
}

void ExpectCode(const TextBoundary& boundary, const std::string& text, ErrorCode code) {
  const Result<path::ParsedPath> read = ReadPath(boundary, text, Operation::kRead);
  ASSERT_FALSE(read) << text;
  EXPECT_EQ(ErrorCodeName(read.error().code), ErrorCodeName(code)) << text;
}

TEST(ReadPath, DeniesEverySpellingOfADeniedNameOnWindows) {
  for (const char* text : {".git",
                           ".git/",
                           R"(.git\)",
                           R"(.git\.)",
                           ".GIT/config",
                           "git~1",
                           R"(git~1\config)",
                           R"(GIT~2\config)",
                           "git~1 . /config",
                           "git~1.",
                           "git~1::$INDEX_ALLOCATION/config",
                           "git~1:x",
                           ".git.",
                           ".git ",
                           ".git . . ./config",
                           ".git...:alternate-stream",
                           ".git::$INDEX_ALLOCATION/config",
                           R"(.git:$I30:$INDEX_ALLOCATION\config)",
                           R"(.\.git\x)",
                           R"(sub\..\.git)",
                           R"(sub\.git\x)",
                           R"(.git\..\plain)",
                           ".env",
                           ".ENV",
                           ".env.",
                           ".env ",
                           ".env::$DATA",
                           ".env:stream",
                           ".Env.Local",
                           ".env.local::$DATA",
                           "ENV~1",
                           "ENV~1.LOC",
                           "env~3.pro",
                           "EN12AB~1.LOC",
                           R"(.ssh.\id_rsa)",
                           R"(SSH~1\id_rsa)",
                           "SS0A1B~1",
                           R"(nosuch\..\.env)",
                           R"(C:\scratch\root\.env)",
                           R"(c:\SCRATCH\root\.git\config)",
                           R"(C:\scratch\x\..\root\.env)",
                           R"(.env:..\..\x)",
                           R"(.env\..\NUL)"}) {
    ExpectCode(Windows(), text, ErrorCode::kPathDenied);
  }
}

TEST(ReadPath, DeniesEverySpellingOfADeniedNameOnMacos) {
  for (const char* text :
       {".git/config", ".GIT", ".g\u200Cit/config", ".\u206Fssh/id_rsa", ".\u017Fsh", ".E\u200Cnv",
        ".Env.Local", ".env/..namedfork/data", ".env/..namedfork/rsrc", ".git/../x",
        "/private/tmp/scratch/ROOT/.env", "\uFEFF.git", "sub/.SSH/x"}) {
    ExpectCode(Macos(), text, ErrorCode::kPathDenied);
  }
}

TEST(ReadPath, LeavesOtherNamesAlone) {
  for (const char* text : {".gitignore",
                           ".gitattributes",
                           ".github/x",
                           "git",
                           "env",
                           "ssh",
                           ".e\u200Bnv",
                           "git~x",
                           "0~rslib-runtime.js",
                           "foo~bar",
                           "~backup",
                           "confirmations~2",
                           "PROGRA~1",
                           "LONGFI~1.TXT",
                           ".env.example",
                           ".env.sample",
                           ".env.template",
                           "environment",
                           ".envrc",
                           "file.env"}) {
    EXPECT_TRUE(ReadPath(Windows(), text, Operation::kRead)) << text;
    EXPECT_TRUE(ReadPath(Macos(), text, Operation::kRead)) << text;
  }
  // Where names are longer than they look, only the volume that looks so is concerned.
  EXPECT_TRUE(ReadPath(Macos(), "git~1", Operation::kRead));
  EXPECT_TRUE(ReadPath(Macos(), ".git.", Operation::kRead));
  EXPECT_TRUE(ReadPath(Windows(), ".gi\u200Ct", Operation::kRead));
}

TEST(ReadPath, TellsTheGravestError) {
  ExpectCode(Windows(), R"(.git\..\..\x)", ErrorCode::kPathOutsideProject);
  ExpectCode(Windows(), R"(D:\.git)", ErrorCode::kPathOutsideProject);
  ExpectCode(Windows(), R"(\\?\C:\scratch\root\.git)", ErrorCode::kPathOutsideProject);
  ExpectCode(Windows(), R"(.git\NUL)", ErrorCode::kPathDenied);
  ExpectCode(Windows(), R"(sub\NUL)", ErrorCode::kInvalidPath);
  ExpectCode(Macos(), "f/..namedfork/rsrc", ErrorCode::kInvalidPath);
  ExpectCode(Macos(), std::string("f\0", 2), ErrorCode::kInvalidPath);
}

TEST(ReadPath, NamesTheRuleAndTheComponentAsAsked) {
  const auto read = ReadPath(Windows(), R"(sub\.GIT.\x)", Operation::kRead);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().rule, "deny:.git");
  EXPECT_EQ(read.error().component, ".GIT.");
  EXPECT_TRUE(read.error().security_violation());
}

TEST(ReadPath, DeniesNothingWithoutAList) {
  TextBoundary boundary = Windows();
  boundary.deny = nullptr;
  EXPECT_TRUE(ReadPath(boundary, ".git", Operation::kRead));
}

TEST(ReadPath, FollowsAllRulesOnAnUnknownVolume) {
  const std::vector<std::string> roots{"/w"};
  const TextBoundary boundary{Grammar::kPosix, NameRules::kAll, roots, &Defaults()};
  for (const char* text : {".GIT", "git~1", ".git.", ".gi\u200Ct", ".env::$DATA", "/w/.Env"}) {
    ExpectCode(boundary, text, ErrorCode::kPathDenied);
  }
  const TextBoundary exact{Grammar::kPosix, NameRules::kExact, roots, &Defaults()};
  for (const char* text : {".GIT", "git~1", ".git.", ".gi\u200Ct", ".env::$DATA"}) {
    EXPECT_TRUE(ReadPath(exact, text, Operation::kRead)) << text;
  }
}

}  // namespace
}  // namespace cordon::policy
