// The examples of source 004: working directory isolation.
#include <atomic>
#include <filesystem>
#include <string>
#include <thread>
#include <type_traits>

#include "path/name_rules.h"
#include "tests/seeds/seed.h"

namespace cordon::testing {
namespace {

class Seed004 : public Seed {};

// Attack vector: "../../etc/passwd".
TEST_P(Seed004, DotDotToEtcPasswdIsRefused) {
  ExpectOutside(Open(), "../../etc/passwd");
  EXPECT_EQ(Open().ReadFile("../../etc/passwd").error().violation, Violation::kTraversal);
}

// Attack vector: "ln -s /etc/passwd link".
TEST_P(Seed004, LinkToEtcPasswdIsRefused) {
  tree_.Link("root/link", "/etc/passwd");
  const auto read = Open().ReadFile("link");
  ASSERT_FALSE(read.has_value());
  EXPECT_EQ(read.error().code, ErrorCode::kPathOutsideProject);
  EXPECT_EQ(read.error().violation, Violation::kSymlink);
  EXPECT_FALSE(Open().WriteFile("link", "x").has_value());
}

// Attack vector: "foo/bar/../../baz" stays inside.
TEST_P(Seed004, DotDotThatStaysInsideIsResolved) {
  tree_.Dir("root/foo/bar").File("root/baz", "x");
  const PathValidation validation = Open().Validate("foo/bar/../../baz", Operation::kRead);
  ASSERT_TRUE(validation.allowed) << validation.violation_reason;
  EXPECT_EQ(validation.absolute_path, tree_.At("root/baz"));
  EXPECT_EQ(Open().ReadFile("foo/bar/../../baz").value(), "x");
  ExpectOutside(Open(), "foo/bar/../../../outside/secret");
}

// Attack vector: Unicode normalization must not get past the checks.
TEST_P(Seed004, UnicodeSpellingsOpenNoWayRound) {
  const path::NameRules all = path::NameRules::kAll;
  EXPECT_EQ(path::NameKey(".e\u200Cnv", path::NameRules::kHfs),
            path::NameKey(".env", path::NameRules::kHfs));
  EXPECT_EQ(path::NameKey(".GIT", all), path::NameKey(".git", all));
  // A look-alike of ".." or "/" is a name, not a step.
  const Workspace workspace = Open();
  for (const char* name : {"\u2024\u2024", "\uFF0E\uFF0E", "..\u2215outside", "\uFF0Fetc"}) {
    ASSERT_TRUE(workspace.WriteFile(name, "x").has_value()) << name;
    EXPECT_TRUE(tree_.Has(std::string("root/") + name)) << name;
  }
  // Two normal forms are two names here, and both stay where they are.
  ASSERT_TRUE(workspace.WriteFile("caf\u00e9", "nfc").has_value());
  ASSERT_TRUE(workspace.WriteFile("cafe\u0301", "nfd").has_value());
  EXPECT_EQ(workspace.ReadFile("cafe\u0301").value(), "nfd");
}

// Sensitive path blocking: ".env", ".ssh", ".git".
TEST_P(Seed004, SensitiveNamesAreDenied) {
  tree_.File("root/.env", "K").File("root/.env.local", "K").File("root/a/.env", "K");
  tree_.File("root/.ssh/id_rsa", "K").File("root/.git/config", "K").File("root/sub/.git/HEAD", "K");
  for (const char* path : {".env", ".env.local", "a/.env", ".ssh", ".ssh/id_rsa", ".git",
                           ".git/config", "sub/.git/HEAD", "./.env", "a/../.env", ".env/"}) {
    const auto read = Open().ReadFile(path);
    ASSERT_FALSE(read.has_value()) << path;
    EXPECT_EQ(read.error().code, ErrorCode::kPathDenied) << path;
    EXPECT_EQ(read.error().violation, Violation::kDenylist) << path;
    EXPECT_EQ(CodeOf(Open().WriteFile(path, "x")), ErrorCode::kPathDenied) << path;
    EXPECT_EQ(CodeOf(Open().Remove(path)), ErrorCode::kPathDenied) << path;
  }
  EXPECT_EQ(tree_.Read("root/.env"), "K");
}

// The deny list judges what is really opened, not only what was asked for.
TEST_P(Seed004, ALinkToASensitiveNameIsDenied) {
  tree_.File("root/.env", "K").Link("root/innocent", ".env").Link("root/g", ".git");
  tree_.File("root/.git/config", "K");
  EXPECT_EQ(CodeOf(Open().ReadFile("innocent")), ErrorCode::kPathDenied);
  EXPECT_EQ(CodeOf(Open().ReadFile("g/config")), ErrorCode::kPathDenied);
}

// What only resembles a sensitive name is an ordinary file.
TEST_P(Seed004, SamplesAndLookAlikesAreOrdinaryFiles) {
  const Workspace workspace = Open();
  for (const char* name : {".env.example", ".env.sample", ".env.template", ".gitignore", ".github",
                           "env", "git", ".environment"}) {
    EXPECT_TRUE(workspace.WriteFile(name, "x").has_value()) << name;
  }
}

// Symlink policy: allowed internally.
TEST_P(Seed004, InternalLinksAreAllowed) {
  tree_.File("root/d/f", "x").Link("root/link", "d/f");
  EXPECT_EQ(Open().ReadFile("link").value(), "x");
}

// Symlink policy and acceptance: outside is an access violation.
TEST_P(Seed004, ExternalLinksAreViolations) {
  tree_.Link("root/link", "../outside/secret");
  const PathValidation validation = Open().Validate("link", Operation::kRead);
  EXPECT_FALSE(validation.allowed);
  ASSERT_TRUE(validation.error.has_value());
  EXPECT_TRUE(validation.error->security_violation);
  ExpectNotFollowed(Open(), "link");
}

// Canonicalization: "~" is resolved there and refused; here it is a name.
TEST_P(Seed004, TildeNeverReachesAHome) {
  tree_.File("home/.bashrc", "x");
  EXPECT_EQ(CodeOf(Open().ReadFile("~/.bashrc")), ErrorCode::kNotFound);
  ASSERT_TRUE(Open().WriteFile("~", "x").has_value());
  EXPECT_EQ(tree_.Read("root/~"), "x");
}

// PathValidationResult(Allowed, AbsolutePath, ViolationReason) for a FileOperation.
TEST_P(Seed004, ValidationResultHasTheThreeFields) {
  tree_.File("root/f", "x");
  const PathValidation allowed = Open().Validate("f", Operation::kRead);
  EXPECT_TRUE(allowed.allowed);
  EXPECT_EQ(allowed.absolute_path, tree_.At("root/f"));
  EXPECT_EQ(allowed.violation_reason, "");
  const PathValidation refused = Open().Validate("/etc/passwd", Operation::kRead);
  EXPECT_FALSE(refused.allowed);
  EXPECT_EQ(refused.absolute_path, "");
  EXPECT_NE(refused.violation_reason, "");
}

// TOCTOU: a file is swapped with a link between validation and write.
TEST_P(Seed004, ASwapBetweenValidationAndWriteGainsNothing) {
  tree_.File("root/f", "old");
  const Workspace workspace = Open();
  ASSERT_TRUE(workspace.Validate("f", Operation::kWrite).allowed);
  std::filesystem::remove(tree_.At("root/f"));
  tree_.Link("root/f", "../outside/secret");
  EXPECT_FALSE(workspace.WriteFile("f", "pwned").has_value());
  EXPECT_FALSE(workspace.AppendFile("f", "pwned").has_value());
  EXPECT_EQ(tree_.Read("outside/secret"), "secret");
}

// TOCTOU: the parent is swapped while a stream is open; the write lands inside or nowhere.
TEST_P(Seed004, AParentSwappedUnderAnOpenStreamGainsNothing) {
  tree_.Dir("root/d");
  auto stream = Open().OpenWrite("d/secret");
  ASSERT_TRUE(stream.has_value());
  *stream << "pwned";
  std::filesystem::rename(tree_.At("root/d"), tree_.At("root/moved"));
  tree_.Link("root/d", "../outside");
  (void)stream->Commit();
  EXPECT_EQ(tree_.Read("outside/secret"), "secret");
}

// TOCTOU, in earnest: another thread swaps the file for a link all the time.
TEST_P(Seed004, ARaceOfSwapsNeverReadsTheOutside) {
  tree_.File("root/f", "inside").Link("root/l", "../outside/secret");
  const Workspace workspace = Open();
  std::atomic<bool> stop{false};
  std::thread attacker([&] {
    while (!stop) {
      std::error_code ignored;
      std::filesystem::rename(tree_.At("root/f"), tree_.At("root/t"), ignored);
      std::filesystem::rename(tree_.At("root/l"), tree_.At("root/f"), ignored);
      std::filesystem::rename(tree_.At("root/f"), tree_.At("root/l"), ignored);
      std::filesystem::rename(tree_.At("root/t"), tree_.At("root/f"), ignored);
    }
  });
  int reads = 0;
  for (int i = 0; i < 20'000; ++i) {
    const auto text = workspace.ReadFile("f");
    if (!text) continue;
    ++reads;
    EXPECT_EQ(*text, "inside");
  }
  stop = true;
  attacker.join();
  EXPECT_GT(reads, 0);
}

// "Cache known safe paths? No": each operation looks again.
TEST_P(Seed004, NothingIsRememberedOfAnEarlierCheck) {
  tree_.File("root/d/f", "x");
  const Workspace workspace = Open();
  EXPECT_EQ(workspace.ReadFile("d/f").value(), "x");
  std::filesystem::remove_all(tree_.At("root/d"));
  tree_.Link("root/d", "../outside");
  EXPECT_EQ(CodeOf(workspace.ReadFile("d/secret")), ErrorCode::kPathOutsideProject);
  std::filesystem::remove(tree_.At("root/d"));
  tree_.File("root/d/f", "again");
  EXPECT_EQ(workspace.ReadFile("d/f").value(), "again");
}

// SafeFileStream: cannot be made from a path, only by a workspace.
TEST_P(Seed004, SafeFileStreamComesFromAWorkspaceOnly) {
  static_assert(!std::is_constructible_v<SafeFileStream, std::string>);
  static_assert(!std::is_constructible_v<SafeFileStream, const char*>);
  static_assert(!std::is_default_constructible_v<SafeFileStream>);
  tree_.File("root/f", "text");
  auto stream = Open().OpenRead("f");
  ASSERT_TRUE(stream.has_value());
  std::string text;
  *stream >> text;
  EXPECT_EQ(text, "text");
  EXPECT_FALSE(Open().OpenRead("../outside/secret").has_value());
}

// "Block: throw SecurityException."
TEST_P(Seed004, ABlockedPathThrowsWhereThrowingIsAskedFor) {
  EXPECT_THROW(Open().ValidatePath("/etc/passwd"), PathNotAllowedError);
  EXPECT_THROW(Open().ValidatePath(".env"), PathNotAllowedError);
}

// Acceptance: access to /tmp or /etc is blocked.
TEST_P(Seed004, TmpAndEtcAreBlocked) {
  for (const char* path : {"/tmp", "/tmp/x", "/etc", "/etc/passwd"}) {
    EXPECT_FALSE(Open().IsPathAllowed(path)) << path;
    EXPECT_EQ(CodeOf(Open().Stat(path)), ErrorCode::kPathOutsideProject) << path;
  }
}

// Acceptance: relative paths resolve to the workspace.
TEST_P(Seed004, RelativePathsResolveToTheWorkspace) {
  const WorkingDirectory elsewhere(tree_.At("outside"));
  EXPECT_EQ(Open().ValidatePath("src/a.txt"), tree_.At("root/src/a.txt"));
}

CORDON_EACH_RESOLVER(Seed004);

}  // namespace
}  // namespace cordon::testing
