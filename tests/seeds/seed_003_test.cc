// The examples of source 003: the sandbox isolation plan. What needs a sandbox to
// exist waits for it (docs/source-examples.md); what concerns paths is here.
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "tests/seeds/seed.h"

namespace cordon::testing {
namespace {

// `root/` stands for /workspace of the document.
class Seed003 : public Seed {};

// Evidence: the agent read /Users/markng/Documents/Code/... from the host.
TEST_P(Seed003, AHostPathOfAnotherUserIsOutside) {
  tree_.File("Users/markng/Documents/Code/app.ts", "x");
  ExpectOutside(Open(With(Profile::kSandboxed)), "/Users/markng/Documents/Code/app.ts");
  ExpectOutside(Open(With(Profile::kSandboxed)), tree_.At("Users/markng/Documents/Code/app.ts"));
}

// Root cause 3: path.isAbsolute() alone allows any host path.
TEST_P(Seed003, BeingAbsoluteIsNotBeingAllowed) {
  tree_.File("root/test.txt", "x");
  EXPECT_EQ(Open(With(Profile::kSandboxed)).ReadFile(root() + "/test.txt").value(), "x");
  for (const char* path : {"/", "/etc/passwd", "/proc/self/root/etc/passwd", "/dev/null"}) {
    EXPECT_FALSE(Open(With(Profile::kSandboxed)).IsPathAllowed(path)) << path;
  }
}

// Root cause 4: process.cwd() as a fallback for relative paths and for none at all.
TEST_P(Seed003, ProcessCwdIsNeverAFallback) {
  tree_.File("outside/here.txt", "x");
  const WorkingDirectory here(tree_.At("outside"));
  const Workspace workspace = Open(With(Profile::kSandboxed));
  EXPECT_EQ(CodeOf(workspace.ReadFile("here.txt")), ErrorCode::kNotFound);
  EXPECT_EQ(CodeOf(workspace.ReadFile("./here.txt")), ErrorCode::kNotFound);
  EXPECT_EQ(CodeOf(workspace.List("")), ErrorCode::kInvalidPath);
  EXPECT_TRUE(workspace.List(".")->empty());
  EXPECT_FALSE(workspace.IsPathAllowed(tree_.At("outside")));
}

// 'list_directory succeeds with sandbox context' { path: '/workspace' }
TEST_P(Seed003, ListDirectoryOfTheWorkspaceSucceeds) {
  tree_.File("root/test.txt", "x");
  const auto entries = Open(With(Profile::kSandboxed)).List(root());
  ASSERT_TRUE(entries.has_value()) << entries.error().detail;
  ASSERT_EQ(entries->size(), 1u);
  EXPECT_EQ(entries->front().name, "test.txt");
}

// 'read_file succeeds with sandbox context' { absolute_path: '/workspace/test.txt' }
TEST_P(Seed003, ReadFileByAbsolutePathDependsOnTheFile) {
  EXPECT_EQ(CodeOf(Open(With(Profile::kSandboxed)).ReadFile(root() + "/test.txt")),
            ErrorCode::kNotFound);
  tree_.File("root/test.txt", "content");
  EXPECT_EQ(Open(With(Profile::kSandboxed)).ReadFile(root() + "/test.txt").value(), "content");
}

// E2E step 5: read_file { absolute_path: '/workspace' } names a directory.
TEST_P(Seed003, ReadFileOfTheWorkspaceItselfSaysItIsADirectory) {
  EXPECT_EQ(CodeOf(Open(With(Profile::kSandboxed)).ReadFile(root())), ErrorCode::kIsADirectory);
}

// 'tools fail without sandbox context': no fallback to the host's files.
TEST_P(Seed003, WithoutASandboxNothingIsOpened) {
  const WorkingDirectory here(root());
  const auto workspace = Workspace::FromEnvironment(With(Profile::kSandboxed));
  ASSERT_FALSE(workspace.has_value());
  EXPECT_EQ(workspace.error().code, ErrorCode::kSandboxRequired);
  EXPECT_EQ(ErrorCodeName(workspace.error().code), "SANDBOX_REQUIRED");
}

// userFeedback contains 'sandbox environment': SANDBOX_ERROR, word for word.
TEST_P(Seed003, SandboxErrorHasItsText) {
  const auto workspace = Workspace::FromEnvironment(With(Profile::kSandboxed));
  ASSERT_FALSE(workspace.has_value());
  EXPECT_EQ(workspace.error().AiMessage(),
            "This operation requires a sandbox environment. Please refresh and try again.");
}

// "No Path Validation Needed": a container is no reason to leave the check out.
TEST_P(Seed003, PathsAreCheckedUnderSandboxedToo) {
  tree_.Link("root/link", "../outside").File("root/.env", "K=1");
  ExpectOutside(Open(With(Profile::kSandboxed)), "../outside/secret");
  ExpectOutside(Open(With(Profile::kSandboxed)), "link/secret");
  EXPECT_EQ(CodeOf(Open(With(Profile::kSandboxed)).ReadFile(".env")), ErrorCode::kPathDenied);
}

// All six tools: list_directory, read_file, write_file, replace, search_file_content, glob.
TEST_P(Seed003, EachToolsOperationStaysInTheWorkspace) {
  ExpectOutside(Open(With(Profile::kSandboxed)), "/etc/hosts");
  ExpectOutside(Open(With(Profile::kSandboxed)), Climb("/etc/hosts"));
}

// Edge case: symlinks pointing outside the sandbox.
TEST_P(Seed003, LinksOutOfTheSandboxAreRefused) {
  tree_.Link("root/a", "b").Link("root/b", "../outside");
  ExpectOutside(Open(With(Profile::kSandboxed)), "a/secret");
}

// Edge case: special characters in paths; nothing is encoded or decoded on the way.
TEST_P(Seed003, SpecialCharactersAreTakenAsTheyAre) {
  const Workspace workspace = Open(With(Profile::kSandboxed));
  for (const char* name : {"a b", "a%20b", "%2e%2e%2f", "a'b\"c", "a\nb", "a*?[x]", "#{x}", "ключ",
                           "\xf0\x9f\x99\x82"}) {
    ASSERT_TRUE(workspace.WriteFile(name, name).has_value()) << name;
    EXPECT_EQ(workspace.ReadFile(name).value(), name);
    EXPECT_TRUE(tree_.Has(std::string("root/") + name)) << name;
  }
  EXPECT_EQ(CodeOf(workspace.ReadFile("%2e%2e/outside/secret")), ErrorCode::kNotFound);
}

// Edge case: concurrent access to the same sandbox; a reader sees one writer's whole text.
TEST_P(Seed003, ConcurrentWritersAndReadersSeeWholeFiles) {
  const Workspace workspace = Open(With(Profile::kSandboxed));
  ASSERT_TRUE(workspace.WriteFile("f", std::string(8192, 'a')).has_value());
  std::vector<std::thread> writers;
  for (const char c : {'a', 'b', 'c'}) {
    writers.emplace_back([&workspace, c] {
      for (int i = 0; i < 50; ++i) {
        EXPECT_TRUE(workspace.WriteFile("f", std::string(8192, c)).has_value());
      }
    });
  }
  for (int i = 0; i < 200; ++i) {
    const auto text = workspace.ReadFile("f");
    ASSERT_TRUE(text.has_value()) << text.error().detail;
    ASSERT_EQ(text->size(), 8192u);
    ASSERT_EQ(text->find_first_not_of(text->front()), std::string::npos);
  }
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(tree_.Names("root"), std::vector<std::string>{"f"});
}

// Edge case: sandbox creation fails; there is no weaker workspace instead.
TEST_P(Seed003, AWorkspaceThatCannotBeOpenedIsAnError) {
  EXPECT_EQ(CodeOf(Workspace::Open(tree_.At("gone"), With(Profile::kSandboxed))),
            ErrorCode::kNotFound);
}

// Edge case: cleanup on a crash; what was not finished leaves nothing behind.
TEST_P(Seed003, AnUnfinishedWriteLeavesNothing) {
  {
    auto stream = Open(With(Profile::kSandboxed)).OpenWrite("f");
    ASSERT_TRUE(stream.has_value());
    *stream << "half" << std::flush;
  }
  EXPECT_TRUE(tree_.Names("root").empty());
}

// Security validation: no "../" sequences that leave.
TEST_P(Seed003, NoDotDotSequenceLeaves) {
  tree_.Dir("root/a");
  for (const char* path : {"..", "../", "../outside", "a/../..", "a/../../outside/secret",
                           "./../outside", "..//outside"}) {
    EXPECT_FALSE(Open(With(Profile::kSandboxed)).IsPathAllowed(path)) << path;
  }
}

// Security validation: no absolute paths escaping the sandbox.
TEST_P(Seed003, NoAbsolutePathEscapes) {
  ExpectOutside(Open(With(Profile::kSandboxed)), tree_.At("outside/secret"));
  ExpectOutside(Open(With(Profile::kSandboxed)), root() + "/../outside/secret");
}

// Security validation: no "~" home directory expansion.
TEST_P(Seed003, TildeIsNotExpanded) {
  tree_.File("home/secret", "x");
  EXPECT_EQ(CodeOf(Open(With(Profile::kSandboxed)).ReadFile("~/secret")), ErrorCode::kNotFound);
  EXPECT_EQ(CodeOf(Open(With(Profile::kSandboxed)).ReadFile("~root/.bashrc")),
            ErrorCode::kNotFound);
  ASSERT_TRUE(Open(With(Profile::kSandboxed)).Mkdir("~").has_value());
  EXPECT_TRUE(tree_.Has("root/~"));
}

// Security validation: no environment variable expansion in paths.
TEST_P(Seed003, VariablesAreNotExpanded) {
  variables_.Set("CORDON_SEED", tree_.At("outside"));
  for (const char* path :
       {"$CORDON_SEED/secret", "${CORDON_SEED}/secret", "%CORDON_SEED%/secret", "$HOME/secret"}) {
    EXPECT_EQ(CodeOf(Open(With(Profile::kSandboxed)).ReadFile(path)), ErrorCode::kNotFound) << path;
  }
  ASSERT_TRUE(Open(With(Profile::kSandboxed)).WriteFile("$CORDON_SEED", "x").has_value());
  EXPECT_EQ(tree_.Read("root/$CORDON_SEED"), "x");
}

CORDON_EACH_RESOLVER(Seed003);

}  // namespace
}  // namespace cordon::testing
