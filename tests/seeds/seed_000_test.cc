// The examples of source 000: the directory sandboxing decision record.
#include <chrono>
#include <filesystem>
#include <string>

#include "path/grammar.h"
#include "path/name_rules.h"
#include "tests/seeds/seed.h"

namespace cordon::testing {
namespace {

class Seed000 : public Seed {};

// Context: a malicious prompt's "../../../etc/passwd".
TEST_P(Seed000, TraversalToEtcPasswdIsRefused) {
  ExpectOutside(Open(), "../../../etc/passwd");
  ExpectOutside(Open(), Climb("/etc/passwd"));
}

// Context: reading SSH keys, passwords and system files outside the project.
TEST_P(Seed000, KeysPasswordsAndSystemFilesAreOutOfReach) {
  for (const char* path : {"/etc/shadow", "/etc/passwd", "/proc/self/environ", "/root/.ssh/id_rsa",
                           "/home/user/.ssh/id_rsa"}) {
    ExpectOutside(Open(), path);
    EXPECT_EQ(CodeOf(Open().WriteFile(path, "x")), ErrorCode::kPathOutsideProject) << path;
  }
}

// Context: writing and deleting outside; block "../", absolute paths and symlinks, in every tool.
TEST_P(Seed000, NoOperationLeavesByDotDotAbsolutePathOrLink) {
  tree_.Link("root/link", "../outside");
  ExpectOutside(Open(), "../outside/secret");
  ExpectOutside(Open(), tree_.At("outside/secret"));
  ExpectOutside(Open(), "link/secret");
}

// validate("src/file.ts"): valid, with absolute and relative path.
TEST_P(Seed000, ValidPathHasAbsoluteAndRelativePath) {
  tree_.File("root/src/file.ts", "export {}");
  const PathValidation validation = Open().Validate("src/file.ts", Operation::kRead);
  ASSERT_TRUE(validation.allowed) << validation.violation_reason;
  EXPECT_EQ(validation.absolute_path, tree_.At("root/src/file.ts"));
  EXPECT_EQ(validation.relative_path, "src/file.ts");
}

// constructor: path.resolve(projectRoot) makes the root absolute.
TEST_P(Seed000, RelativeProjectRootIsMadeAbsolute) {
  tree_.File("root/f", "x");
  const WorkingDirectory here(tree_.path());
  const auto workspace = Workspace::Open("root");
  ASSERT_TRUE(workspace.has_value()) << workspace.error().detail;
  EXPECT_EQ(workspace->allowed_root_directory(), root());
  const WorkingDirectory elsewhere(tree_.At("outside"));
  EXPECT_EQ(workspace->ReadFile("f").value(), "x");
  EXPECT_EQ(workspace->ReadFile(root() + "/f").value(), "x");
}

// The error object: code, message, aiMessage, securityViolation.
TEST_P(Seed000, RefusalIsPathOutsideProjectWithMessages) {
  const PathValidation validation = Open().Validate("../../../etc/passwd", Operation::kRead);
  ASSERT_TRUE(validation.error.has_value());
  EXPECT_EQ(ErrorCodeName(validation.error->code), "PATH_OUTSIDE_PROJECT");
  EXPECT_TRUE(validation.error->security_violation);
  EXPECT_TRUE(validation.error->recoverable);
  EXPECT_NE(validation.error->message.find("\"../../../etc/passwd\""), std::string::npos);
  EXPECT_NE(
      validation.error->ai_message.find("The path you specified is outside the project directory."),
      std::string::npos);
  EXPECT_NE(validation.error->ai_message.find("\"src/file.ts\" instead of \"../../../etc/passwd\""),
            std::string::npos);
}

// The message there repeats where the path leads; here nobody is told.
TEST_P(Seed000, RefusalDoesNotDiscloseTheResolvedTarget) {
  tree_.Link("root/innocent", tree_.At("outside/secret"));
  const auto read = Open().ReadFile("innocent");
  ASSERT_FALSE(read.has_value());
  for (const std::string& text : {read.error().Message("innocent"), read.error().AiMessage(),
                                  read.error().detail, read.error().component}) {
    EXPECT_EQ(text.find("secret"), std::string::npos) << text;
    EXPECT_EQ(text.find(tree_.path()), std::string::npos) << text;
  }
}

// "file..txt" contains ".." and is legitimate.
TEST_P(Seed000, FileDotDotTxtIsLegitimate) {
  const Workspace workspace = Open();
  EXPECT_TRUE(workspace.Validate("file..txt", Operation::kCreate).allowed);
  ASSERT_TRUE(workspace.WriteFile("file..txt", "x").has_value());
  EXPECT_EQ(workspace.ReadFile("file..txt").value(), "x");
}

// realpath fails for a file that does not exist yet: a write operation.
TEST_P(Seed000, AFileThatDoesNotExistYetMayBeWritten) {
  const PathValidation validation = Open().Validate("new.txt", Operation::kWrite);
  const PathValidation created = Open().Validate("new.txt", Operation::kCreate);
  EXPECT_TRUE(created.allowed) << created.violation_reason;
  EXPECT_EQ(created.absolute_path, tree_.At("root/new.txt"));
  EXPECT_FALSE(created.exists);
  EXPECT_FALSE(validation.error && validation.error->security_violation);
  EXPECT_TRUE(Open().WriteFile("new.txt", "x").has_value());
}

// The fallback to the unresolved path lets a new file below a linked directory out.
TEST_P(Seed000, ANewFileBelowALinkedDirectoryDoesNotEscape) {
  tree_.Link("root/link", "../outside").Link("root/dangling", "../outside/new");
  ExpectOutside(Open(), "link/new.txt");
  ExpectNotFollowed(Open(), "dangling");
}

// realPath.startsWith(projectRoot) takes a sibling for the project.
TEST_P(Seed000, ASiblingWithTheRootsPrefixIsOutside) {
  tree_.File("root-evil/f", "x");
  ExpectOutside(Open(), tree_.At("root-evil/f"));
  ExpectOutside(Open(), "../root-evil/f");
}

// projectRoot is never resolved there: a linked root refuses everything.
TEST_P(Seed000, ALinkedProjectRootWorks) {
  tree_.Link("alias", "root").File("root/f", "x");
  const auto workspace = Workspace::Open(tree_.At("alias"));
  ASSERT_TRUE(workspace.has_value()) << workspace.error().detail;
  EXPECT_EQ(workspace->ReadFile("f").value(), "x");
  EXPECT_EQ(workspace->ReadFile(tree_.At("alias/f")).value(), "x");
  EXPECT_EQ(workspace->ReadFile(tree_.At("root/f")).value(), "x");
}

// validateSync: the check by text alone.
TEST(Seed000Text, ValidateSyncChecksByText) {
  EXPECT_TRUE(IsPathWithinDirectory("/project/src/file.ts", "/project"));
  EXPECT_FALSE(IsPathWithinDirectory("/project/../../../etc/passwd", "/project"));
  EXPECT_FALSE(IsPathWithinDirectory("/project-evil/file.ts", "/project"));
}

// ReadTool.execute: refuse, or return the content.
TEST_P(Seed000, ReadToolReturnsContentOrRefusal) {
  tree_.File("root/a.txt", "content");
  auto stream = Open().OpenRead("a.txt");
  ASSERT_TRUE(stream.has_value());
  std::string text;
  *stream >> text;
  EXPECT_EQ(text, "content");
  EXPECT_EQ(CodeOf(Open().OpenRead("../outside/secret")), ErrorCode::kPathOutsideProject);
}

// Between validate() and readFile() the file may become a link: opening checks again.
TEST_P(Seed000, AFileSwappedAfterValidationIsNotRead) {
  tree_.File("root/a.txt", "content");
  const Workspace workspace = Open();
  ASSERT_TRUE(workspace.Validate("a.txt", Operation::kRead).allowed);
  std::filesystem::remove(tree_.At("root/a.txt"));
  tree_.Link("root/a.txt", "../outside/secret");
  EXPECT_EQ(CodeOf(workspace.ReadFile("a.txt")), ErrorCode::kPathOutsideProject);
}

// Defence in depth: the operation refuses although nobody validated.
TEST_P(Seed000, OperationsRefuseWithoutValidation) {
  EXPECT_EQ(CodeOf(Open().ReadFile("../outside/secret")), ErrorCode::kPathOutsideProject);
}

// "Symlinks within project work fine."
TEST_P(Seed000, LinksWithinTheProjectWork) {
  tree_.File("root/dir/f", "x").Link("root/rel", "dir/f").Link("root/abs", tree_.At("root/dir"));
  EXPECT_EQ(Open().ReadFile("rel").value(), "x");
  EXPECT_EQ(Open().ReadFile("abs/f").value(), "x");
}

// "External symlinks blocked intentionally."
TEST_P(Seed000, ExternalLinksAreBlocked) {
  tree_.Link("root/rel", "../outside/secret").Link("root/abs", "/etc/passwd");
  const auto relative = Open().ReadFile("rel");
  ASSERT_FALSE(relative.has_value());
  EXPECT_EQ(relative.error().violation, Violation::kSymlink);
  const auto absolute = Open().ReadFile("abs");
  ASSERT_FALSE(absolute.has_value());
  EXPECT_EQ(absolute.error().violation, Violation::kSymlink);
}

// "Importing config from ~/.config" is not supported: "~" is a name, "/home/..." is outside.
TEST_P(Seed000, ConfigInTheHomeDirectoryIsNotReached) {
  tree_.File("home/.config/app.toml", "token");
  EXPECT_EQ(CodeOf(Open().ReadFile("~/.config/app.toml")), ErrorCode::kNotFound);
  ExpectOutside(Open(), tree_.At("home/.config/app.toml"));
}

// Windows (C:\) and Unix (/home/) forms; cross-platform traversal.
TEST(Seed000Text, WindowsAndUnixFormsAreUnderstood) {
  const std::vector<std::string> windows = {"C:\\project"};
  const auto parse = [&](std::string_view path) {
    return path::Parse(path::Grammar::kWindows, path, windows);
  };
  EXPECT_TRUE(parse("src\\file.ts").has_value());
  EXPECT_TRUE(parse("C:\\project\\src\\file.ts").has_value());
  for (const char* path : {"..\\..\\..\\Windows\\System32", "C:\\Windows\\System32\\config",
                           "C:\\project-evil\\f", "D:file", "\\\\server\\share\\f"}) {
    const auto parsed = parse(path);
    ASSERT_FALSE(parsed.has_value()) << path;
    EXPECT_EQ(parsed.error().code, ErrorCode::kPathOutsideProject) << path;
  }
  const std::vector<std::string> unix_root = {"/home/user/project"};
  EXPECT_TRUE(path::Parse(path::Grammar::kPosix, "/home/user/project/f", unix_root).has_value());
  EXPECT_FALSE(path::Parse(path::Grammar::kPosix, "/home/user/other", unix_root).has_value());
}

// "Handle case-insensitive file systems (macOS, Windows). Normalize paths before comparison."
TEST(Seed000Text, CaseAndNormalFormsOpenNoWayRound) {
  for (const path::Grammar grammar : {path::Grammar::kWindows, path::Grammar::kMacos}) {
    const path::NameRules rules = path::DefaultNameRules(grammar);
    EXPECT_EQ(path::NameKey(".ENV", rules), path::NameKey(".env", rules));
  }
  const path::NameRules macos = path::DefaultNameRules(path::Grammar::kMacos);
  EXPECT_EQ(path::NameKey("caf\u00e9", macos), path::NameKey("cafe\u0301", macos));
}

// "Path validation takes < 1ms."
TEST_P(Seed000, ValidationTakesLessThanAMillisecond) {
  tree_.File("root/a/b/c/d/e/f", "x");
  const Workspace workspace = Open();
  auto best = std::chrono::nanoseconds::max();
  for (int i = 0; i < 200; ++i) {
    const auto start = std::chrono::steady_clock::now();
    const bool allowed = workspace.Validate("a/b/c/d/e/f", Operation::kRead).allowed;
    best = std::min<std::chrono::nanoseconds>(best, std::chrono::steady_clock::now() - start);
    ASSERT_TRUE(allowed);
  }
  EXPECT_LT(best, std::chrono::milliseconds(1));
}

// "No false positives": unusual but legitimate names.
TEST_P(Seed000, LegitimateNamesPass) {
  const Workspace workspace = Open();
  for (const char* name : {"..foo", "...", "a b", "日本語", "-rf", "a\\b", "C:", "\xff\xfe", "~"}) {
    ASSERT_TRUE(workspace.WriteFile(name, name).has_value()) << name;
    EXPECT_EQ(workspace.ReadFile(name).value(), name);
  }
}

CORDON_EACH_RESOLVER(Seed000);

}  // namespace
}  // namespace cordon::testing
