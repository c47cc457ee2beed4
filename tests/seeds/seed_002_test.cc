// The examples of source 002: the path boundary specification.
#include <filesystem>
#include <string>

#include "tests/seeds/seed.h"

namespace cordon::testing {
namespace {

// /projects and /data of the document are directories of a tree of its own here.
class Seed002 : public Seed {
 protected:
  Seed002() {
    tree_.Dir("projects/my-app/src").Dir("data").File("etc/passwd", "x");
    tree_.File("home/user/.ssh/id_rsa", "key").File("rootfs/.bashrc", "x");
    variables_.Set("ALLOWED_ROOT_DIRECTORY", tree_.At("projects"));
    variables_.Set("DATA_DIR", tree_.At("data"));
  }
  static Workspace FromEnvironment() {
    auto workspace = Workspace::FromEnvironment();
    if (!workspace) {
      ADD_FAILURE() << workspace.error().detail;
      std::abort();
    }
    return std::move(*workspace);
  }
};

// isPathAllowed('/projects/my-app/src/index.ts') // true - in root
TEST_P(Seed002, FileInTheRootIsAllowed) {
  EXPECT_TRUE(FromEnvironment().IsPathAllowed(tree_.At("projects/my-app/src/index.ts")));
}
// isPathAllowed('/projects/nested/deep/file.txt') // true - in root
TEST_P(Seed002, DeepFileInTheRootIsAllowed) {
  EXPECT_TRUE(FromEnvironment().IsPathAllowed(tree_.At("projects/nested/deep/file.txt")));
}
// isPathAllowed('/data/settings.json') // true - DATA_DIR exception
TEST_P(Seed002, SettingsInDataDirAreAllowed) {
  EXPECT_TRUE(FromEnvironment().IsPathAllowed(tree_.At("data/settings.json")));
}
// isPathAllowed('/data/agent-sessions/123.json') // true - DATA_DIR exception
TEST_P(Seed002, SessionsInDataDirAreAllowed) {
  EXPECT_TRUE(FromEnvironment().IsPathAllowed(tree_.At("data/agent-sessions/123.json")));
}
// isPathAllowed('/etc/passwd') // false - outside root
TEST_P(Seed002, EtcPasswdIsBlocked) {
  EXPECT_FALSE(FromEnvironment().IsPathAllowed("/etc/passwd"));
  EXPECT_FALSE(FromEnvironment().IsPathAllowed(tree_.At("etc/passwd")));
}
// isPathAllowed('/home/user/.ssh/id_rsa') // false - outside root
TEST_P(Seed002, SshKeyIsBlocked) {
  EXPECT_FALSE(FromEnvironment().IsPathAllowed("/home/user/.ssh/id_rsa"));
  EXPECT_FALSE(FromEnvironment().IsPathAllowed(tree_.At("home/user/.ssh/id_rsa")));
}
// isPathAllowed('/projects/../etc/passwd') // false - traversal
TEST_P(Seed002, TraversalToEtcPasswdIsBlocked) {
  EXPECT_FALSE(FromEnvironment().IsPathAllowed(tree_.At("projects/../etc/passwd")));
}
// isPathAllowed('/projects/../../root/.bashrc') // false - traversal
TEST_P(Seed002, TraversalAboveTheRootIsBlocked) {
  EXPECT_FALSE(FromEnvironment().IsPathAllowed(tree_.At("projects/../../root/.bashrc")));
  EXPECT_FALSE(FromEnvironment().IsPathAllowed(tree_.At("projects/../rootfs/.bashrc")));
}

// isPathWithinDirectory 'allows paths within directory'
TEST(Seed002Text, AllowsPathsWithinDirectory) {
  EXPECT_TRUE(IsPathWithinDirectory("/projects/app/src", "/projects"));
  EXPECT_TRUE(IsPathWithinDirectory("/projects/file.txt", "/projects"));
}
// isPathWithinDirectory 'blocks paths outside directory'
TEST(Seed002Text, BlocksPathsOutsideDirectory) {
  EXPECT_FALSE(IsPathWithinDirectory("/etc/passwd", "/projects"));
  EXPECT_FALSE(IsPathWithinDirectory("/home/user", "/projects"));
}
// isPathWithinDirectory 'blocks traversal attempts'
TEST(Seed002Text, BlocksTraversalAttempts) {
  EXPECT_FALSE(IsPathWithinDirectory("/projects/../etc", "/projects"));
  EXPECT_FALSE(IsPathWithinDirectory("/projects/../../root", "/projects"));
}
// isPathWithinDirectory 'allows directory itself'
TEST(Seed002Text, AllowsDirectoryItself) {
  EXPECT_TRUE(IsPathWithinDirectory("/projects", "/projects"));
}
// relativePath.startsWith('..') takes "..foo" for a traversal; by component it is a name.
TEST(Seed002Text, ANameThatBeginsWithTwoDotsIsInside) {
  EXPECT_TRUE(IsPathWithinDirectory("/projects/..foo", "/projects"));
  EXPECT_FALSE(IsPathWithinDirectory("/projects-evil/x", "/projects"));
}
TEST_P(Seed002, ANameThatBeginsWithTwoDotsIsAllowed) {
  EXPECT_TRUE(FromEnvironment().IsPathAllowed(tree_.At("projects/..foo")));
}

// validatePath returns the resolved path.
TEST_P(Seed002, ValidatePathReturnsTheResolvedPath) {
  EXPECT_EQ(FromEnvironment().ValidatePath(tree_.At("projects/my-app/./src//index.ts")),
            tree_.At("projects/my-app/src/index.ts"));
}
// validatePath throws PathNotAllowedError with its text.
TEST_P(Seed002, ValidatePathThrowsPathNotAllowedError) {
  try {
    FromEnvironment().ValidatePath("/etc/passwd");
    FAIL() << "nothing was thrown";
  } catch (const PathNotAllowedError& error) {
    EXPECT_STREQ(error.what(),
                 "Path not allowed: /etc/passwd. "
                 "Must be within ALLOWED_ROOT_DIRECTORY or DATA_DIR.");
    EXPECT_EQ(error.path(), "/etc/passwd");
  }
}

// initAllowedPaths: ALLOWED_ROOT_DIRECTORY configured; resolved to an absolute path.
TEST_P(Seed002, RootFromTheEnvironmentIsResolved) {
  variables_.Set("ALLOWED_ROOT_DIRECTORY", "projects");
  variables_.Set("DATA_DIR", "data/");
  const WorkingDirectory here(tree_.path());
  const Workspace workspace = FromEnvironment();
  EXPECT_EQ(workspace.allowed_root_directory(), tree_.At("projects"));
  EXPECT_EQ(workspace.data_directory(), tree_.At("data"));
}
// initAllowedPaths: "not set - allowing access to all paths" holds under `compat`, with a warning.
TEST_P(Seed002, WithoutARootCompatAllowsAllAndWarns) {
  variables_.Clear("ALLOWED_ROOT_DIRECTORY");
  const auto workspace = Workspace::FromEnvironment(With(Profile::kCompat));
  ASSERT_TRUE(workspace.has_value()) << workspace.error().detail;
  EXPECT_TRUE(workspace->IsPathAllowed("/etc/passwd"));
  EXPECT_EQ(workspace->warnings().size(), 1u);
  EXPECT_EQ(workspace->allowed_root_directory(), std::nullopt);
}
// Every other profile refuses to take silence for consent.
TEST_P(Seed002, WithoutARootTheOtherProfilesDoNotAllowAll) {
  variables_.Clear("ALLOWED_ROOT_DIRECTORY");
  EXPECT_FALSE(Workspace::FromEnvironment(With(Profile::kStrict)).has_value());
  EXPECT_FALSE(Workspace::FromEnvironment(With(Profile::kSandboxed)).has_value());
  const WorkingDirectory here(tree_.At("projects"));
  EXPECT_FALSE(FromEnvironment().IsPathAllowed("/etc/passwd"));
}

// Decision flow: DATA_DIR yes; no DATA_DIR: ROOT yes; neither: deny.
TEST_P(Seed002, DecisionFlowHoldsForEachConfiguration) {
  EXPECT_TRUE(FromEnvironment().IsPathAllowed(tree_.At("data/x")));
  EXPECT_TRUE(FromEnvironment().IsPathAllowed(tree_.At("projects/x")));
  EXPECT_FALSE(FromEnvironment().IsPathAllowed(tree_.At("other/x")));
  variables_.Clear("DATA_DIR");
  EXPECT_FALSE(FromEnvironment().IsPathAllowed(tree_.At("data/x")));
  EXPECT_TRUE(FromEnvironment().IsPathAllowed(tree_.At("projects/x")));
}
// DATA_DIR is always allowed there; agents' tools get it under `compat` alone.
TEST_P(Seed002, DataDirIsNotForAgentsExceptUnderCompat) {
  const auto agents = Workspace::FromEnvironment(With(Profile::kInteractive));
  const auto compat = Workspace::FromEnvironment(With(Profile::kCompat));
  ASSERT_TRUE(agents.has_value() && compat.has_value());
  EXPECT_FALSE(agents->IsPathAllowed(tree_.At("data/settings.json")));
  EXPECT_TRUE(compat->IsPathAllowed(tree_.At("data/settings.json")));
}

// Normalization: "./file.txt" -> "/cwd/file.txt"; here below the workspace, whatever the cwd.
TEST_P(Seed002, RelativePathsAreBelowTheRoot) {
  const WorkingDirectory elsewhere(tree_.At("etc"));
  EXPECT_EQ(FromEnvironment().ValidatePath("./file.txt"), tree_.At("projects/file.txt"));
}
// Normalization: "../sibling/file"
TEST_P(Seed002, ParentReferencesAreResolved) {
  tree_.Dir("projects/sibling");
  EXPECT_EQ(FromEnvironment().ValidatePath("my-app/../sibling/file"),
            tree_.At("projects/sibling/file"));
  EXPECT_FALSE(FromEnvironment().IsPathAllowed("../sibling/file"));
}
// Normalization: "//path//file" -> "/path/file"
TEST_P(Seed002, DoubleSlashesAreOne) {
  EXPECT_EQ(FromEnvironment().ValidatePath("/" + tree_.At("projects//my-app///file")),
            tree_.At("projects/my-app/file"));
}
// Normalization: "/path/to/dir/" -> "/path/to/dir"
TEST_P(Seed002, TrailingSlashesGo) {
  EXPECT_EQ(FromEnvironment().ValidatePath(tree_.At("projects/my-app/")),
            tree_.At("projects/my-app"));
}

// Symlinks: /projects/link -> /etc; /projects/link/passwd is blocked.
TEST_P(Seed002, LinkToEtcIsBlocked) {
  tree_.Link("projects/link", "/etc").Link("projects/near", tree_.At("etc"));
  for (const char* path : {"projects/link/passwd", "projects/near/passwd"}) {
    EXPECT_FALSE(FromEnvironment().IsPathAllowed(tree_.At(path))) << path;
    const auto read = FromEnvironment().ReadFile(tree_.At(path));
    ASSERT_FALSE(read.has_value()) << path;
    EXPECT_EQ(read.error().violation, Violation::kSymlink) << path;
  }
}
// Null byte: "/projects/file\x00.txt" is refused before anything is looked up.
TEST_P(Seed002, NullByteIsRefused) {
  tree_.File("projects/file", "x");
  const std::string path = tree_.At("projects/file") + std::string("\0.txt", 5);
  EXPECT_FALSE(FromEnvironment().IsPathAllowed(path));
  const auto read = FromEnvironment().ReadFile(path);
  ASSERT_FALSE(read.has_value());
  EXPECT_EQ(read.error().code, ErrorCode::kInvalidPath);
  EXPECT_EQ(read.error().violation, Violation::kEncoding);
  EXPECT_THROW(FromEnvironment().ValidatePath(path), PathNotAllowedError);
}

// getAllowedRootDirectory, getDataDirectory, getAllowedPaths.
TEST_P(Seed002, AccessorsTellWhatIsConfigured) {
  const Workspace workspace = FromEnvironment();
  EXPECT_EQ(workspace.allowed_root_directory(), tree_.At("projects"));
  EXPECT_EQ(workspace.data_directory(), tree_.At("data"));
  EXPECT_EQ(workspace.allowed_paths(), (std::vector{tree_.At("projects"), tree_.At("data")}));
  variables_.Clear("DATA_DIR");
  EXPECT_EQ(FromEnvironment().data_directory(), std::nullopt);
  EXPECT_EQ(FromEnvironment().allowed_paths(), std::vector{tree_.At("projects")});
}

// Integration 'blocks read outside boundaries'
TEST_P(Seed002, SecureReadOutsideIsRefused) {
  EXPECT_EQ(CodeOf(FromEnvironment().ReadFile("/etc/passwd")), ErrorCode::kPathOutsideProject);
  EXPECT_THROW(FromEnvironment().ValidatePath("/etc/passwd"), PathNotAllowedError);
}
// Integration 'allows read within boundaries'
TEST_P(Seed002, SecureReadInsideReturnsTheContent) {
  tree_.File("projects/file.txt", "content");
  EXPECT_EQ(FromEnvironment().ReadFile(tree_.At("projects/file.txt")).value(), "content");
}

// Terminal service: stat decides whether a requested directory may be used.
TEST_P(Seed002, RequestedWorkingDirectoryIsCheckedByStat) {
  tree_.File("projects/file.txt", "x");
  const Workspace workspace = FromEnvironment();
  EXPECT_EQ(workspace.Stat(tree_.At("projects/my-app"))->type, FileType::kDirectory);
  EXPECT_EQ(workspace.Stat(tree_.At("projects/file.txt"))->type, FileType::kRegular);
  EXPECT_EQ(CodeOf(workspace.Stat("/etc")), ErrorCode::kPathOutsideProject);
  EXPECT_EQ(CodeOf(workspace.Stat(tree_.At("projects/none"))), ErrorCode::kNotFound);
}

CORDON_EACH_RESOLVER(Seed002);

}  // namespace
}  // namespace cordon::testing
