// The examples of source 001: the file system sandboxing specification.
#include <filesystem>
#include <string>

#include "confine/ambient_authority.h"
#include "guard/boundary.h"
#include "policy/decide.h"
#include "tests/seeds/seed.h"

namespace cordon::testing {
namespace {

class Seed001 : public Seed {
 protected:
  guard::Boundary BoundaryOf(policy::Profile profile) const {
    policy::Settings settings;
    settings.profile = profile;
    settings.roots = {root()};
    auto boundary = guard::Boundary::Open(settings, confine::Resolver::kAuto,
                                          confine::AmbientAuthority::OfThisProcess());
    if (!boundary) std::abort();
    return std::move(*boundary);
  }
};

// User experience: "Tool wants to write to: /etc/hosts. This path is outside the sandbox."
TEST_P(Seed001, WritingEtcHostsIsOutsideAndAskedAbout) {
  const auto decision = BoundaryOf(policy::Profile::kInteractive)
                            .Decide(policy::Subject::kAgent, Operation::kWrite, "/etc/hosts");
  EXPECT_EQ(decision.verdict, policy::Verdict::kAsk);
  EXPECT_EQ(BoundaryOf(policy::Profile::kStrict)
                .Decide(policy::Subject::kAgent, Operation::kWrite, "/etc/hosts")
                .verdict,
            policy::Verdict::kDeny);
  ExpectOutside(Open(With(Profile::kInteractive)), "/etc/hosts");
}

// "[2] Allow all operations in /etc" is never granted by anything but an answer.
TEST_P(Seed001, NoCallGrantsADirectoryByItself) {
  const Workspace workspace = Open(With(Profile::kInteractive));
  ExpectOutside(workspace, "/etc/hosts");
  ExpectOutside(workspace, "/etc/hosts");
  ExpectOutside(workspace, "/etc/passwd");
}

// constructor: process.cwd() is allowed by default, with its subdirectories.
TEST_P(Seed001, CurrentDirectoryIsTheDefaultRoot) {
  tree_.File("root/sub/f", "x");
  const WorkingDirectory here(root());
  const auto workspace = Workspace::FromEnvironment();
  ASSERT_TRUE(workspace.has_value()) << workspace.error().detail;
  EXPECT_EQ(workspace->ReadFile("sub/f").value(), "x");
  EXPECT_TRUE(workspace->WriteFile("sub/g", "y").has_value());
  EXPECT_FALSE(workspace->IsPathAllowed(tree_.At("outside/secret")));
}

// allowedPaths: os.tmpdir() and os.tmpdir()/lace; allowed under `compat` alone.
TEST_P(Seed001, TemporaryDirectoriesAreAllowedUnderCompatAlone) {
  for (const char* path : {"/tmp", "/tmp/lace", "/tmp/lace/file.txt"}) {
    EXPECT_TRUE(Open(With(Profile::kCompat)).IsPathAllowed(path)) << path;
    EXPECT_FALSE(Open(With(Profile::kStrict)).IsPathAllowed(path)) << path;
    EXPECT_FALSE(Open(With(Profile::kInteractive)).IsPathAllowed(path)) << path;
  }
}

// Default behaviour: %TEMP% is a name like any other, never expanded.
TEST_P(Seed001, PercentTempIsALiteralName) {
  variables_.Set("TEMP", tree_.At("outside"));
  EXPECT_EQ(CodeOf(Open().ReadFile("%TEMP%/secret")), ErrorCode::kNotFound);
  ASSERT_TRUE(Open().WriteFile("%TEMP%", "x").has_value());
  EXPECT_EQ(tree_.Read("root/%TEMP%"), "x");
}

// resolvedPath.startsWith(allowedPath) takes a sibling for an allowed path.
TEST_P(Seed001, ASiblingOfAnAllowedPathIsOutside) {
  tree_.File("rooted/f", "x");
  ExpectOutside(Open(), tree_.At("rooted/f"));
  EXPECT_FALSE(Open(With(Profile::kCompat)).IsPathAllowed("/tmpfile"));
}

// path.resolve(targetPath) resolves against the process; here the workspace counts.
TEST_P(Seed001, RelativeTargetsAreBelowTheWorkspace) {
  const WorkingDirectory elsewhere(tree_.At("outside"));
  EXPECT_EQ(CodeOf(Open().ReadFile("secret")), ErrorCode::kNotFound);
}

// ValidationResult { allowed: true } and { allowed: false, reason }.
TEST_P(Seed001, ValidationResultHasAllowedOrAReason) {
  tree_.File("root/f", "x");
  const PathValidation inside = Open().Validate("f", Operation::kWrite);
  EXPECT_TRUE(inside.allowed);
  EXPECT_EQ(inside.violation_reason, "");
  const PathValidation outside = Open().Validate("/etc/hosts", Operation::kWrite);
  EXPECT_FALSE(outside.allowed);
  EXPECT_NE(outside.violation_reason.find("/etc/hosts"), std::string::npos);
}

// ToolExecutor: "Operation blocked: ${reason}" for file_write, file_edit and file_insert.
TEST_P(Seed001, EveryWritingToolsPathIsChecked) {
  const Workspace workspace = Open();
  for (const Operation operation : {Operation::kWrite, Operation::kCreate, Operation::kDelete,
                                    Operation::kMkdir, Operation::kRename}) {
    const PathValidation blocked = workspace.Validate("../outside/secret", operation);
    EXPECT_FALSE(blocked.allowed) << OperationName(operation);
    EXPECT_NE(blocked.violation_reason, "") << OperationName(operation);
  }
  ExpectOutside(workspace, "../outside/secret");
}

// Security considerations 1: paths are resolved and normalized before validation.
TEST_P(Seed001, TraversalIsPrevented) {
  tree_.Dir("root/a/b");
  ExpectOutside(Open(), "a/b/../../../outside/secret");
  ExpectOutside(Open(), "./.././outside//secret");
}

// Security considerations 2: links are resolved to their targets.
TEST_P(Seed001, LinksAreJudgedByWhereTheyLead) {
  tree_.Link("root/out", tree_.At("outside")).File("root/d/f", "x").Link("root/in", "d");
  ExpectOutside(Open(), "out/secret");
  EXPECT_EQ(Open().ReadFile("in/f").value(), "x");
}

// "Permissions granted during a session are not persisted between runs": nothing is written.
TEST_P(Seed001, ARefusalLeavesNothingOnTheDisk) {
  {
    const Workspace workspace = Open(With(Profile::kInteractive));
    EXPECT_FALSE(workspace.WriteFile("/etc/hosts", "x").has_value());
  }
  EXPECT_TRUE(tree_.Names("root").empty());
  EXPECT_FALSE(tree_.Has("home"));
  EXPECT_FALSE(tree_.Has("xdg"));
}

// Seatbelt: a root's name goes into the profile by concatenation; here it is only bytes.
TEST_P(Seed001, ARootNamedLikeSyntaxIsJustADirectory) {
  const std::string name = "x\") (allow default) (subpath \"";
  tree_.File(name + "/f", "x");
  const auto workspace = Workspace::Open(tree_.At(name));
  ASSERT_TRUE(workspace.has_value()) << workspace.error().detail;
  EXPECT_EQ(workspace->ReadFile("f").value(), "x");
  EXPECT_FALSE(workspace->IsPathAllowed(tree_.At("outside/secret")));
  EXPECT_FALSE(workspace->IsPathAllowed("/etc/passwd"));
}

// enableSandbox: a predictable name in a shared directory can be planted beforehand.
TEST_P(Seed001, TemporaryNamesCannotBeForeseen) {
  const Workspace workspace = Open();
  auto first = workspace.OpenWrite("f");
  auto second = workspace.OpenWrite("f");
  ASSERT_TRUE(first.has_value() && second.has_value());
  *first << "1" << std::flush;
  *second << "2" << std::flush;
  ASSERT_TRUE(second->Commit().has_value());
  ASSERT_TRUE(first->Commit().has_value());
  EXPECT_EQ(tree_.Read("root/f"), "1");
  EXPECT_EQ(tree_.Names("root"), std::vector<std::string>{"f"});
}

// Bash commands: ">", ">>", "cp", "mv" in a path are bytes of a name, never a command.
TEST_P(Seed001, ShellSyntaxInAPathIsAName) {
  const Workspace workspace = Open();
  for (const char* name : {"> out", ">> out", "cp a b", "a;rm -rf b", "$(touch pwned)", "`id`"}) {
    ASSERT_TRUE(workspace.WriteFile(name, "x").has_value()) << name;
    EXPECT_TRUE(tree_.Has(std::string("root/") + name)) << name;
  }
  EXPECT_FALSE(tree_.Has("root/pwned"));
  EXPECT_FALSE(tree_.Has("root/out"));
}

CORDON_EACH_RESOLVER(Seed001);

}  // namespace
}  // namespace cordon::testing
