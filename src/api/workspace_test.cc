#include "cordon/workspace.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "cordon/cordon.h"
#include "tests/tree.h"

namespace cordon {
namespace {

class WorkspaceTest : public testing::EachResolver {
 protected:
  Workspace Open(const WorkspaceOptions& options = {}) const {
    auto workspace = Workspace::Open(root(), options);
    if (!workspace) {
      ADD_FAILURE() << workspace.error().detail;
      std::abort();
    }
    return std::move(*workspace);
  }
  template <typename T>
  static ErrorCode CodeOf(const Result<T>& result) {
    EXPECT_FALSE(result.has_value());
    return result ? ErrorCode::kIoError : result.error().code;
  }
};

TEST_P(WorkspaceTest, ReadsWhatIsInside) {
  tree_.File("root/src/a.txt", "hello");
  const Workspace workspace = Open();
  EXPECT_EQ(workspace.ReadFile("src/a.txt").value(), "hello");
  EXPECT_EQ(workspace.ReadFile(root() + "/src/a.txt").value(), "hello");
  EXPECT_EQ(workspace.ReadFile("src//./../src/a.txt").value(), "hello");
}

TEST_P(WorkspaceTest, RefusesWhatIsOutside) {
  tree_.Link("root/link", "../outside").Link("root/abs", tree_.At("outside/secret"));
  const Workspace workspace = Open();
  for (const std::string& path :
       {std::string("../outside/secret"), tree_.At("outside/secret"), std::string("link/secret"),
        std::string("abs"), std::string("/etc/passwd")}) {
    EXPECT_EQ(CodeOf(workspace.ReadFile(path)), ErrorCode::kPathOutsideProject) << path;
    EXPECT_EQ(CodeOf(workspace.WriteFile(path, "x")), ErrorCode::kPathOutsideProject) << path;
    EXPECT_EQ(CodeOf(workspace.AppendFile(path, "x")), ErrorCode::kPathOutsideProject) << path;
    EXPECT_FALSE(workspace.OpenRead(path).has_value()) << path;
    EXPECT_FALSE(workspace.OpenWrite(path).has_value()) << path;
    EXPECT_FALSE(workspace.OpenAppend(path).has_value()) << path;
  }
  EXPECT_EQ(tree_.Read("outside/secret"), "secret");
  EXPECT_EQ(tree_.Names("outside"), std::vector<std::string>{"secret"});
}

TEST_P(WorkspaceTest, RefusesDeniedNamesByDefaultAndMoreOnRequest) {
  tree_.File("root/.env", "K=1").File("root/a.pem", "k");
  EXPECT_EQ(CodeOf(Open().ReadFile(".env")), ErrorCode::kPathDenied);
  EXPECT_TRUE(Open().ReadFile("a.pem").has_value());
  WorkspaceOptions options;
  options.deny = {"*.pem"};
  const Workspace narrowed = Open(options);
  EXPECT_EQ(CodeOf(narrowed.ReadFile("a.pem")), ErrorCode::kPathDenied);
  EXPECT_EQ(CodeOf(narrowed.ReadFile(".env")), ErrorCode::kPathDenied);
  options.deny = {"["};
  EXPECT_EQ(CodeOf(Workspace::Open(root(), options)), ErrorCode::kInvalidArguments);
}

TEST_P(WorkspaceTest, WholeFileOperationsWork) {
  const Workspace workspace = Open();
  ASSERT_TRUE(workspace.MkdirAll("a/b").has_value());
  ASSERT_TRUE(workspace.Mkdir("c").has_value());
  ASSERT_TRUE(workspace.WriteFile("a/b/f", "one").has_value());
  ASSERT_TRUE(workspace.WriteFile("a/b/f", "two").has_value());
  ASSERT_TRUE(workspace.AppendFile("a/b/f", "+").has_value());
  EXPECT_EQ(tree_.Read("root/a/b/f"), "two+");
  const auto info = workspace.Stat("a/b/f");
  ASSERT_TRUE(info.has_value());
  EXPECT_EQ(info->type, FileType::kRegular);
  EXPECT_EQ(info->size, 4u);
  ASSERT_TRUE(workspace.Rename("a/b/f", "c/g").has_value());
  EXPECT_FALSE(tree_.Has("root/a/b/f"));
  EXPECT_EQ(tree_.Read("root/c/g"), "two+");
  const auto entries = workspace.List(".");
  ASSERT_TRUE(entries.has_value());
  ASSERT_EQ(entries->size(), 2u);
  EXPECT_EQ((*entries)[0].name, "a");
  EXPECT_EQ((*entries)[0].type, FileType::kDirectory);
  ASSERT_TRUE(workspace.Remove("c/g").has_value());
  ASSERT_TRUE(workspace.RemoveAll("a").has_value());
  EXPECT_EQ(tree_.Names("root"), std::vector<std::string>{"c"});
}

TEST_P(WorkspaceTest, ErrorsOfOrdinaryUseHaveTheirCodes) {
  tree_.File("root/f", "12345").Dir("root/d").Fifo("root/p");
  const Workspace workspace = Open();
  EXPECT_EQ(CodeOf(workspace.ReadFile("none")), ErrorCode::kNotFound);
  EXPECT_EQ(CodeOf(workspace.ReadFile("d")), ErrorCode::kIsADirectory);
  EXPECT_EQ(CodeOf(workspace.ReadFile("f/x")), ErrorCode::kNotADirectory);
  EXPECT_EQ(CodeOf(workspace.ReadFile("p")), ErrorCode::kNotARegularFile);
  EXPECT_EQ(CodeOf(workspace.ReadFile("f", 4)), ErrorCode::kTooLarge);
  EXPECT_EQ(workspace.ReadFile("f", 5).value(), "12345");
  EXPECT_EQ(CodeOf(workspace.Mkdir("d")), ErrorCode::kAlreadyExists);
  EXPECT_EQ(CodeOf(workspace.ReadFile("")), ErrorCode::kInvalidPath);
  EXPECT_EQ(CodeOf(workspace.ReadFile(std::string_view("f\0", 2))), ErrorCode::kInvalidPath);
  EXPECT_EQ(CodeOf(workspace.ReadFile(std::string(1 << 20, 'a'))), ErrorCode::kInvalidPath);
}

TEST_P(WorkspaceTest, ARootThatCannotBeOneHasACode) {
  EXPECT_EQ(CodeOf(Workspace::Open(tree_.At("none"))), ErrorCode::kNotFound);
  EXPECT_EQ(CodeOf(Workspace::Open(tree_.At("outside/secret"))), ErrorCode::kNotADirectory);
  EXPECT_FALSE(Workspace::Open("").has_value());
  EXPECT_FALSE(Workspace::Open(std::string_view("/tmp\0x", 6)).has_value());
}

TEST_P(WorkspaceTest, ARootRemovedMeanwhileIsSaidToBe) {
  tree_.File("root/f", "x");
  const Workspace workspace = Open();
  std::filesystem::remove_all(root());
  const auto read = workspace.ReadFile("f");
  EXPECT_EQ(CodeOf(read), ErrorCode::kNotFound);
  EXPECT_NE(read.error().detail.find("removed"), std::string::npos) << read.error().detail;
  EXPECT_EQ(CodeOf(workspace.WriteFile("f", "x")), ErrorCode::kNotFound);
  EXPECT_EQ(CodeOf(workspace.Mkdir("d")), ErrorCode::kNotFound);
  // Another directory of that name is not the one that was opened.
  tree_.File("root/f", "impostor");
  EXPECT_FALSE(workspace.ReadFile("f").has_value());
  const PathValidation validation = workspace.Validate("f", Operation::kRead);
  EXPECT_FALSE(validation.allowed);
  EXPECT_NE(validation.violation_reason.find("removed"), std::string::npos);
}

TEST_P(WorkspaceTest, AReadOnlyWorkspaceChangesNothing) {
  tree_.File("root/f", "x");
  WorkspaceOptions options;
  options.access = WorkspaceAccess::kReadOnly;
  const Workspace workspace = Open(options);
  EXPECT_EQ(workspace.ReadFile("f").value(), "x");
  EXPECT_EQ(CodeOf(workspace.WriteFile("f", "y")), ErrorCode::kPathDenied);
  EXPECT_EQ(CodeOf(workspace.Remove("f")), ErrorCode::kPathDenied);
  EXPECT_EQ(CodeOf(workspace.Mkdir("d")), ErrorCode::kPathDenied);
  EXPECT_FALSE(workspace.OpenWrite("f").has_value());
  EXPECT_FALSE(workspace.OpenAppend("g").has_value());
  EXPECT_EQ(tree_.Names("root"), std::vector<std::string>{"f"});
}

TEST_P(WorkspaceTest, MoreRootsAndReadOnlyRootsAreReachedByAbsolutePath) {
  tree_.Dir("more").File("lib/x", "x");
  WorkspaceOptions options;
  options.more_roots = {tree_.At("more")};
  options.read_only_roots = {tree_.At("lib")};
  const Workspace workspace = Open(options);
  EXPECT_TRUE(workspace.WriteFile(tree_.At("more/new"), "n").has_value());
  EXPECT_EQ(workspace.ReadFile(tree_.At("lib/x")).value(), "x");
  EXPECT_EQ(CodeOf(workspace.WriteFile(tree_.At("lib/x"), "y")), ErrorCode::kPathDenied);
  ASSERT_TRUE(workspace.Rename(tree_.At("more/new"), "moved").has_value());
  EXPECT_EQ(tree_.Read("root/moved"), "n");
  EXPECT_EQ(workspace.allowed_paths(), (std::vector{root(), tree_.At("more"), tree_.At("lib")}));
}

TEST_P(WorkspaceTest, ConfigurationFilesCountOnRequestOnly) {
  tree_.File("root/.cordon.toml", "read_only = true\n").File("root/f", "x");
  EXPECT_TRUE(Open().WriteFile("g", "x").has_value());
  WorkspaceOptions options;
  options.config_files = ConfigFiles::kRead;
  EXPECT_EQ(CodeOf(Open(options).WriteFile("f", "y")), ErrorCode::kPathDenied);
  tree_.File("root/.cordon.toml", "bogus = 1\n");
  EXPECT_EQ(CodeOf(Workspace::Open(root(), options)), ErrorCode::kInvalidArguments);
}

TEST_P(WorkspaceTest, ValidationTellsWhereAPathReallyIs) {
  tree_.File("root/real/f", "x").Link("root/link", "real");
  const PathValidation validation = Open().Validate("link/f", Operation::kRead);
  ASSERT_TRUE(validation.allowed) << validation.violation_reason;
  EXPECT_TRUE(validation.exists);
  EXPECT_EQ(validation.absolute_path, tree_.At("root/real/f"));
  EXPECT_EQ(validation.relative_path, "real/f");
  EXPECT_FALSE(validation.error.has_value());
  EXPECT_EQ(validation.violation_reason, "");
  EXPECT_EQ(Open().Validate(".", Operation::kList).relative_path, ".");
  EXPECT_EQ(Open().Validate(".", Operation::kList).absolute_path, root());
}

TEST_P(WorkspaceTest, ValidationOfANewNameCreatesNothing) {
  const PathValidation validation = Open().Validate("new.txt", Operation::kCreate);
  EXPECT_TRUE(validation.allowed) << validation.violation_reason;
  EXPECT_FALSE(validation.exists);
  EXPECT_EQ(validation.absolute_path, tree_.At("root/new.txt"));
  EXPECT_TRUE(tree_.Names("root").empty());
}

TEST_P(WorkspaceTest, ValidationOfARefusalSaysWhyAndNotWhere) {
  tree_.Link("root/link", tree_.At("outside/secret"));
  const PathValidation validation = Open().Validate("link", Operation::kRead);
  EXPECT_FALSE(validation.allowed);
  EXPECT_EQ(validation.absolute_path, "");
  EXPECT_EQ(validation.relative_path, "");
  ASSERT_TRUE(validation.error.has_value());
  EXPECT_EQ(validation.error->code, ErrorCode::kPathOutsideProject);
  EXPECT_EQ(validation.error->violation, Violation::kSymlink);
  EXPECT_TRUE(validation.error->security_violation);
  for (const std::string& text :
       {validation.error->message, validation.error->ai_message, validation.violation_reason}) {
    EXPECT_EQ(text.find("outside/secret"), std::string::npos) << text;
  }
}

TEST_P(WorkspaceTest, ValidationAgreesWithTheOperation) {
  tree_.File("root/f", "x").Dir("root/d").Fifo("root/p").File("root/.env", "k");
  tree_.Link("root/out", "../outside/secret").Link("root/in", "f").Link("root/dangling", "none");
  const Workspace workspace = Open();
  for (const char* path : {"f", "d", "p", ".env", "out", "in", "dangling", "none", "f/x", "none/x",
                           "../x", "/etc/passwd", "", "~", "d/"}) {
    const bool validated = workspace.Validate(path, Operation::kRead).allowed;
    EXPECT_EQ(validated, workspace.ReadFile(path).has_value()) << path;
  }
}

TEST_P(WorkspaceTest, EnvironmentGivesRootAndDataDirectory) {
  tree_.File("root/f", "x").File("data/settings.json", "{}");
  variables_.Set("ALLOWED_ROOT_DIRECTORY", root());
  variables_.Set("DATA_DIR", tree_.At("data"));
  const auto workspace = Workspace::FromEnvironment();
  ASSERT_TRUE(workspace.has_value()) << workspace.error().detail;
  EXPECT_EQ(workspace->allowed_root_directory(), root());
  EXPECT_EQ(workspace->data_directory(), tree_.At("data"));
  EXPECT_EQ(workspace->allowed_paths(), (std::vector{root(), tree_.At("data")}));
  EXPECT_TRUE(workspace->IsPathAllowed(tree_.At("data/settings.json")));
  WorkspaceOptions for_agents;
  const auto agents = Workspace::FromEnvironment(for_agents);
  ASSERT_TRUE(agents.has_value());
  EXPECT_FALSE(agents->IsPathAllowed(tree_.At("data/settings.json")));
}

TEST_P(WorkspaceTest, WithoutVariablesTheCurrentDirectoryIsTheRoot) {
  const testing::WorkingDirectory here(root());
  const auto workspace = Workspace::FromEnvironment();
  ASSERT_TRUE(workspace.has_value()) << workspace.error().detail;
  EXPECT_EQ(workspace->allowed_root_directory(), root());
  EXPECT_FALSE(workspace->data_directory().has_value());
  EXPECT_FALSE(workspace->IsPathAllowed("/etc/passwd"));
  WorkspaceOptions strict;
  strict.profile = Profile::kStrict;
  EXPECT_EQ(CodeOf(Workspace::FromEnvironment(strict)), ErrorCode::kInvalidArguments);
}

TEST_P(WorkspaceTest, PathsNeedNotExistToBeAllowed) {
  tree_.Dir("root/real").Link("root/link", "real").Link("root/dangling", "real/new");
  tree_.Link("root/out", "../outside/new");
  const Workspace workspace = Open();
  EXPECT_EQ(workspace.ValidatePath("a/b/c"), tree_.At("root/a/b/c"));
  EXPECT_EQ(workspace.ValidatePath("link/x/y"), tree_.At("root/real/x/y"));
  EXPECT_EQ(workspace.ValidatePath("link/x/../y"), tree_.At("root/real/y"));
  EXPECT_EQ(workspace.ValidatePath("dangling"), tree_.At("root/real/new"));
  EXPECT_EQ(workspace.ValidatePath("a/b/"), tree_.At("root/a/b"));
  EXPECT_EQ(workspace.ValidatePath("."), root());
  EXPECT_FALSE(workspace.IsPathAllowed("a/../../x"));
  EXPECT_FALSE(workspace.IsPathAllowed("out"));
  EXPECT_FALSE(workspace.IsPathAllowed("out/x"));
  EXPECT_FALSE(workspace.IsPathAllowed("a/b/.env"));
  EXPECT_FALSE(workspace.IsPathAllowed("a/.git/../b"));
  EXPECT_EQ(tree_.Names("root"), (std::vector<std::string>{"dangling", "link", "out", "real"}));
}

TEST_P(WorkspaceTest, ThrownRefusalCarriesItsError) {
  try {
    Open().ValidatePath("../x\n\u202Ey");
    FAIL() << "nothing was thrown";
  } catch (const PathNotAllowedError& refusal) {
    EXPECT_STREQ(refusal.what(),
                 "Path not allowed: ../x\\n\\u202ey. "
                 "Must be within ALLOWED_ROOT_DIRECTORY or DATA_DIR.");
    EXPECT_EQ(refusal.path(), "../x\n\u202Ey");
    EXPECT_EQ(refusal.error().code, ErrorCode::kPathOutsideProject);
  }
}

TEST_P(WorkspaceTest, AnUnknownResolverIsRefused) {
  variables_.Set("CORDON_RESOLVER", "guess");
  EXPECT_EQ(CodeOf(Workspace::Open(root())), ErrorCode::kInvalidArguments);
}

TEST(IsPathWithinDirectory, IsByComponent) {
  EXPECT_TRUE(IsPathWithinDirectory("/w/..foo", "/w"));
  EXPECT_TRUE(IsPathWithinDirectory("/w/...", "/w"));
  EXPECT_FALSE(IsPathWithinDirectory("/w-evil/x", "/w"));
  EXPECT_FALSE(IsPathWithinDirectory("/", "/w"));
  EXPECT_TRUE(IsPathWithinDirectory("//w///x/", "/w/"));
  EXPECT_TRUE(IsPathWithinDirectory("/../w/x", "/w"));
  EXPECT_TRUE(IsPathWithinDirectory("/anything", "/"));
  EXPECT_FALSE(IsPathWithinDirectory("w/x", "/w"));
  EXPECT_FALSE(IsPathWithinDirectory("", ""));
  EXPECT_FALSE(IsPathWithinDirectory(std::string_view("/w/a\0b", 6), "/w"));
}

TEST(Version, IsTheProjects) {
  EXPECT_EQ(std::string(CORDON_VERSION), std::to_string(CORDON_VERSION_MAJOR) + "." +
                                             std::to_string(CORDON_VERSION_MINOR) + "." +
                                             std::to_string(CORDON_VERSION_PATCH));
}

CORDON_EACH_RESOLVER(WorkspaceTest);

}  // namespace
}  // namespace cordon
