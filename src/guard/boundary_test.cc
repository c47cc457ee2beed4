#include "guard/boundary.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/tree.h"

namespace cordon::guard {

std::size_t AllocationsForTest();  // allocations_test.cc

namespace {

using policy::Profile;
using policy::Subject;
using policy::Verdict;
using policy::Zone;

class BoundaryTest : public ::testing::Test {
 protected:
  BoundaryTest() { tree_.Dir("w").Dir("ro").Dir("data").File("outside/secret", "s"); }

  policy::Settings Settings(Profile profile = Profile::kStrict) const {
    policy::Settings settings;
    settings.profile = profile;
    settings.roots = {tree_.At("w")};
    settings.deny = policy::DefaultDenyRules();
    return settings;
  }
  static Result<Boundary> Open(const policy::Settings& settings) {
    return Boundary::Open(settings, confine::Resolver::kAuto,
                          confine::AmbientAuthority::OfThisProcess());
  }
  static Error RefusalOf(const Boundary& boundary, Operation operation, std::string_view path,
                         Subject subject = Subject::kAgent) {
    auto admitted = boundary.Admit(subject, operation, path);
    EXPECT_FALSE(admitted.has_value()) << path;
    return admitted ? Error{} : admitted.error();
  }
  testing::Tree tree_;
};

TEST_F(BoundaryTest, RelativePathsBelongToTheFirstRoot) {
  policy::Settings settings = Settings();
  settings.roots.push_back(tree_.At("outside"));
  const auto boundary = Open(settings);
  ASSERT_TRUE(boundary.has_value()) << boundary.error().detail;
  for (const char* path : {"a", "a/b", "../x", "~", "$HOME/x", "", "."}) {
    const Boundary::Located located = boundary->Locate(path);
    EXPECT_EQ(located.zone, Zone::kWorkspace) << path;
    EXPECT_EQ(located.root, &boundary->workspace()) << path;
    EXPECT_EQ(located.path, path);
  }
}

TEST_F(BoundaryTest, AbsolutePathsGoToTheDeepestRoot) {
  tree_.Dir("w/inner");
  policy::Settings settings = Settings();
  settings.roots.push_back(tree_.At("w/inner"));
  const auto boundary = Open(settings);
  ASSERT_TRUE(boundary.has_value());
  const auto& places = boundary->places();
  EXPECT_EQ(boundary->Locate(tree_.At("w/x")).root, places[0].root.get());
  EXPECT_EQ(boundary->Locate(tree_.At("w")).root, places[0].root.get());
  EXPECT_EQ(boundary->Locate(tree_.At("w/inner")).root, places[1].root.get());
  EXPECT_EQ(boundary->Locate(tree_.At("w/inner/x")).root, places[1].root.get());
  EXPECT_EQ(boundary->Locate(tree_.At("w/inner/x")).below, "x");
  EXPECT_EQ(boundary->Locate(tree_.At("w/inner-not/x")).root, places[0].root.get());
  EXPECT_EQ(boundary->Locate("//" + tree_.At("w//./inner///x")).root, places[1].root.get());
}

TEST_F(BoundaryTest, ASiblingWithTheSamePrefixIsOutside) {
  tree_.File("w-evil/x", "x");
  const auto boundary = Open(Settings());
  ASSERT_TRUE(boundary.has_value());
  EXPECT_EQ(boundary->Locate(tree_.At("w-evil/x")).root, nullptr);
  const Error error = RefusalOf(*boundary, Operation::kRead, tree_.At("w-evil/x"));
  EXPECT_EQ(error.code, ErrorCode::kPathOutsideProject);
  EXPECT_EQ(error.violation, Violation::kAbsolute);
  EXPECT_EQ(error.rule, "boundary");
}

TEST_F(BoundaryTest, ALinkedRootIsKnownByBothNames) {
  tree_.Link("alias", "w");
  policy::Settings settings = Settings();
  settings.roots = {tree_.At("alias")};
  const auto boundary = Open(settings);
  ASSERT_TRUE(boundary.has_value());
  EXPECT_NE(boundary->Locate(tree_.At("alias/x")).root, nullptr);
  EXPECT_NE(boundary->Locate(tree_.At("w/x")).root, nullptr);
}

TEST_F(BoundaryTest, ARootIsKnownByTheNameItHasInASandbox) {
  tree_.File("w/a", "inside").Link("w/absolute", "/workspace/a").Link("w/out", "/workspace/../x");
  policy::Settings settings = Settings(Profile::kSandboxed);
  settings.seen_as = "/workspace";
  const auto boundary = Open(settings);
  ASSERT_TRUE(boundary.has_value());
  for (const char* path : {"a", "/workspace/a", "/workspace//./a", "absolute"}) {
    const auto root = boundary->Admit(Subject::kAgent, Operation::kRead, path);
    ASSERT_TRUE(root.has_value()) << path;
    auto file = (*root)->Open(path, confine::OpenMode::kRead);
    ASSERT_TRUE(file.has_value()) << path << ": " << file.error().detail;
    EXPECT_EQ(*file->ReadAll(100), "inside");
  }
  EXPECT_EQ(boundary->Locate("/workspaces/a").root, nullptr);
  EXPECT_EQ(boundary->Locate("/work").root, nullptr);
  for (const char* path : {"/workspace/../etc/passwd", "out"}) {
    const auto file = boundary->workspace().Open(path, confine::OpenMode::kRead);
    ASSERT_FALSE(file.has_value()) << path;
    EXPECT_EQ(file.error().code, ErrorCode::kPathOutsideProject) << path;
  }
}

TEST_F(BoundaryTest, OutsideIsAskedAboutOnlyUnderInteractive) {
  for (const auto& [profile, verdict] : {std::pair(Profile::kStrict, Verdict::kDeny),
                                         std::pair(Profile::kInteractive, Verdict::kAsk),
                                         std::pair(Profile::kSandboxed, Verdict::kDeny)}) {
    const auto boundary = Open(Settings(profile));
    ASSERT_TRUE(boundary.has_value());
    EXPECT_EQ(boundary->Decide(Subject::kAgent, Operation::kRead, "/etc/passwd").verdict, verdict);
    EXPECT_EQ(RefusalOf(*boundary, Operation::kRead, "/etc/passwd").code,
              ErrorCode::kPathOutsideProject);
  }
}

TEST_F(BoundaryTest, DeniedNamesAreRefusedWithTheirRule) {
  const auto boundary = Open(Settings());
  ASSERT_TRUE(boundary.has_value());
  for (const std::string& path : {std::string("a/.env"), tree_.At("w/a/.env")}) {
    const Error error = RefusalOf(*boundary, Operation::kRead, path);
    EXPECT_EQ(error.code, ErrorCode::kPathDenied);
    EXPECT_EQ(error.violation, Violation::kDenylist);
    EXPECT_EQ(error.rule, "deny:.env");
    EXPECT_EQ(error.component, ".env");
  }
  EXPECT_TRUE(boundary->Admit(Subject::kAgent, Operation::kRead, ".env.example").has_value());
}

TEST_F(BoundaryTest, AReadOnlyRootTakesNoWrites) {
  policy::Settings settings = Settings();
  settings.read_only_roots = {tree_.At("ro")};
  const auto boundary = Open(settings);
  ASSERT_TRUE(boundary.has_value());
  EXPECT_TRUE(boundary->Admit(Subject::kAgent, Operation::kRead, tree_.At("ro/x")).has_value());
  EXPECT_TRUE(boundary->Admit(Subject::kAgent, Operation::kWrite, tree_.At("w/x")).has_value());
  EXPECT_EQ(RefusalOf(*boundary, Operation::kWrite, tree_.At("ro/x")).rule, "read-only-root");
  // The root itself refuses, too, should anyone get that far.
  const Boundary::Located located = boundary->Locate(tree_.At("ro/x"));
  EXPECT_FALSE(located.root->Open("x", confine::OpenMode::kCreate).has_value());
  EXPECT_FALSE(tree_.Has("ro/x"));
}

TEST_F(BoundaryTest, AReadOnlyWorkspaceTakesNoWritesAnywhere) {
  policy::Settings settings = Settings();
  settings.read_only = true;
  const auto boundary = Open(settings);
  ASSERT_TRUE(boundary.has_value());
  EXPECT_TRUE(boundary->Admit(Subject::kAgent, Operation::kRead, "x").has_value());
  EXPECT_EQ(RefusalOf(*boundary, Operation::kWrite, "x").rule, "read-only-root");
  EXPECT_FALSE(boundary->workspace().Mkdir("x").has_value());
}

TEST_F(BoundaryTest, DataDirectoryIsForTheHostAndForCompat) {
  for (const auto& [profile, agents] :
       {std::pair(Profile::kStrict, false), std::pair(Profile::kInteractive, false),
        std::pair(Profile::kSandboxed, false), std::pair(Profile::kCompat, true)}) {
    policy::Settings settings = Settings(profile);
    settings.data_dir = tree_.At("data");
    const auto boundary = Open(settings);
    ASSERT_TRUE(boundary.has_value());
    const std::string path = tree_.At("data/settings.json");
    EXPECT_EQ(boundary->Admit(Subject::kAgent, Operation::kRead, path).has_value(), agents);
    EXPECT_TRUE(boundary->Admit(Subject::kHost, Operation::kRead, path).has_value());
  }
}

TEST_F(BoundaryTest, ANestedDataDirectoryIsClosedFromEverySide) {
  tree_.File("w/conf/data/key", "k").Link("w/way", "conf/data").File("w/data/own", "o");
  policy::Settings settings = Settings();
  settings.data_dir = tree_.At("w/conf/data");
  const auto boundary = Open(settings);
  ASSERT_TRUE(boundary.has_value()) << boundary.error().detail;
  EXPECT_FALSE(boundary->Admit(Subject::kAgent, Operation::kRead, tree_.At("w/conf/data/key")));
  EXPECT_FALSE(boundary->Admit(Subject::kAgent, Operation::kRead, "conf/data/key"));
  // By link the text says nothing; the root says no.
  EXPECT_FALSE(boundary->workspace().Open("way/key", confine::OpenMode::kRead).has_value());
  EXPECT_TRUE(boundary->workspace().Open("data/own", confine::OpenMode::kRead).has_value());
}

TEST_F(BoundaryTest, ANestedReadOnlyRootIsReadOnlyFromEverySide) {
  tree_.File("w/vendor/x", "x").Link("w/way", "vendor").File("w/a/vendor/x", "x");
  policy::Settings settings = Settings();
  settings.read_only_roots = {tree_.At("w/vendor")};
  const auto boundary = Open(settings);
  ASSERT_TRUE(boundary.has_value()) << boundary.error().detail;
  EXPECT_TRUE(boundary->Admit(Subject::kAgent, Operation::kRead, "vendor/x").has_value());
  EXPECT_FALSE(boundary->Admit(Subject::kAgent, Operation::kWrite, "vendor/x").has_value());
  EXPECT_FALSE(boundary->workspace().Open("way/x", confine::OpenMode::kWrite).has_value());
  EXPECT_TRUE(boundary->workspace().Open("way/x", confine::OpenMode::kRead).has_value());
  EXPECT_TRUE(boundary->workspace().Open("a/vendor/x", confine::OpenMode::kWrite).has_value());
}

TEST_F(BoundaryTest, OneDirectoryUnderTwoSetsOfTermsIsAnError) {
  tree_.Link("alias", tree_.At("w"));
  policy::Settings settings = Settings();
  settings.read_only_roots = {tree_.At("alias")};
  ASSERT_FALSE(Open(settings).has_value());
  EXPECT_EQ(Open(settings).error().code, ErrorCode::kInvalidArguments);
  settings.read_only_roots.clear();
  settings.data_dir = tree_.At("w");
  ASSERT_FALSE(Open(settings).has_value());
  settings.profile = Profile::kCompat;  // where both are for agents
  EXPECT_TRUE(Open(settings).has_value());
  settings.data_dir.reset();
  settings.roots.push_back(tree_.At("w"));
  EXPECT_TRUE(Open(settings).has_value()) << "twice the same is no contradiction";
}

TEST_F(BoundaryTest, WithoutARootTheProfileDecides) {
  policy::Settings settings = Settings();
  settings.roots.clear();
  const auto code = [&](Profile profile) {
    settings.profile = profile;
    const auto boundary = Open(settings);
    return boundary ? ErrorCode::kIoError : boundary.error().code;
  };
  EXPECT_EQ(code(Profile::kStrict), ErrorCode::kInvalidArguments);
  EXPECT_EQ(code(Profile::kSandboxed), ErrorCode::kSandboxRequired);

  const testing::WorkingDirectory here(tree_.At("w"));
  settings.profile = Profile::kInteractive;
  const auto current = Open(settings);
  ASSERT_TRUE(current.has_value()) << current.error().detail;
  EXPECT_EQ(current->workspace().real_path(), tree_.At("w"));
  EXPECT_EQ(current->Locate("/etc/passwd").root, nullptr);
  EXPECT_TRUE(current->warnings().empty());

  settings.profile = Profile::kCompat;
  const auto everything = Open(settings);
  ASSERT_TRUE(everything.has_value()) << everything.error().detail;
  EXPECT_EQ(everything->warnings().size(), 1u);
  EXPECT_TRUE(everything->Admit(Subject::kAgent, Operation::kRead, "/etc/passwd").has_value());
}

TEST_F(BoundaryTest, OnlyCompatAllowsTmp) {
  for (const Profile profile : {Profile::kStrict, Profile::kInteractive, Profile::kSandboxed}) {
    const auto boundary = Open(Settings(profile));
    ASSERT_TRUE(boundary.has_value());
    EXPECT_FALSE(boundary->Admit(Subject::kAgent, Operation::kWrite, "/tmp/x").has_value());
  }
  const auto compat = Open(Settings(Profile::kCompat));
  ASSERT_TRUE(compat.has_value());
  EXPECT_TRUE(compat->Admit(Subject::kAgent, Operation::kWrite, "/tmp/x").has_value());
}

TEST_F(BoundaryTest, ARootThatCannotBeOneIsNamed) {
  policy::Settings settings = Settings();
  settings.roots = {tree_.At("missing")};
  const auto missing = Open(settings);
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
  EXPECT_NE(missing.error().detail.find(tree_.At("missing")), std::string::npos);

  settings.roots = {tree_.At("outside/secret")};
  const auto file = Open(settings);
  ASSERT_FALSE(file.has_value());
  EXPECT_EQ(file.error().code, ErrorCode::kNotADirectory);
  EXPECT_NE(file.error().detail.find(tree_.At("outside/secret")), std::string::npos);
}

TEST_F(BoundaryTest, ABadPatternIsAnError) {
  policy::Settings settings = Settings();
  policy::DenyRule rule;
  rule.pattern = "[";
  settings.deny.push_back(rule);
  const auto boundary = Open(settings);
  ASSERT_FALSE(boundary.has_value());
  EXPECT_EQ(boundary.error().code, ErrorCode::kInvalidArguments);
}

TEST_F(BoundaryTest, AdmittingAllocatesNothing) {
  const auto boundary = Open(Settings());
  ASSERT_TRUE(boundary.has_value());
  const std::string absolute = tree_.At("w/src/deep/er/file.cc");
  const std::size_t before = AllocationsForTest();
  bool admitted = true;
  for (const std::string_view path : {std::string_view("src/deep/er/file.cc"),
                                      std::string_view("file..txt"), std::string_view(absolute)}) {
    admitted = admitted && boundary->Admit(Subject::kAgent, Operation::kRead, path).has_value();
  }
  const std::size_t after = AllocationsForTest();
  EXPECT_TRUE(admitted);
  EXPECT_EQ(after - before, 0u);
}

// /tmp, which `compat` adds, holds the trees of these tests.
TEST_F(BoundaryTest, AReadOnlyRootInTheTemporaryDirectoryKeepsItsTerms) {
  if (!tree_.path().starts_with("/tmp/")) GTEST_SKIP() << "temporary files are not in /tmp";
  tree_.File("ro/f", "kept").Link("way", "ro");
  policy::Settings settings = Settings(Profile::kCompat);
  settings.read_only_roots = {tree_.At("ro")};
  const auto boundary = Open(settings);
  ASSERT_TRUE(boundary.has_value()) << boundary.error().detail;
  for (const char* below : {"ro/f", "way/f", "data/../ro/f"}) {
    const std::string path = tree_.At(below);
    const auto root = boundary->Admit(Subject::kAgent, Operation::kWrite, path);
    if (!root) continue;
    const auto replaced = (*root)->Replace(path);
    ASSERT_FALSE(replaced.has_value()) << path;
    EXPECT_EQ(replaced.error().code, ErrorCode::kPathDenied) << path;
  }
}

TEST_F(BoundaryTest, AWorkspaceMadeReadOnlyIsSoThroughTheTemporaryDirectoryToo) {
  if (!tree_.path().starts_with("/tmp/")) GTEST_SKIP() << "temporary files are not in /tmp";
  tree_.File("w/f", "kept");
  policy::Settings settings = Settings(Profile::kCompat);
  settings.read_only = true;
  const auto boundary = Open(settings);
  ASSERT_TRUE(boundary.has_value()) << boundary.error().detail;
  EXPECT_EQ(RefusalOf(*boundary, Operation::kWrite, tree_.At("ro/../w/f")).code,
            ErrorCode::kPathDenied);
}

TEST_F(BoundaryTest, TheDataDirectoryInAReadOnlyRootIsNotForAgents) {
  tree_.File("ro/data/secret", "s").Dir("ro/x").Link("ro/way", "data");
  policy::Settings settings = Settings();
  settings.read_only_roots = {tree_.At("ro")};
  settings.data_dir = tree_.At("ro/data");
  const auto boundary = Open(settings);
  ASSERT_TRUE(boundary.has_value()) << boundary.error().detail;
  for (const char* below : {"ro/data/secret", "ro/x/../data/secret", "ro/way/secret"}) {
    const std::string path = tree_.At(below);
    const auto root = boundary->Admit(Subject::kAgent, Operation::kRead, path);
    if (!root) continue;
    const auto opened = (*root)->Open(path, confine::OpenMode::kRead);
    ASSERT_FALSE(opened.has_value()) << path;
    EXPECT_EQ(opened.error().code, ErrorCode::kPathDenied) << path;
  }
}

TEST_F(BoundaryTest, AWorkspacesOwnRulesAreReadAndNotChanged) {
  tree_.File("w/.cordon.toml", "").Link("w/l", ".cordon.toml");
  const auto boundary = Open(Settings());
  ASSERT_TRUE(boundary.has_value());
  const confine::Root& root = boundary->workspace();
  EXPECT_TRUE(root.Open(".cordon.toml", confine::OpenMode::kRead).has_value());
  EXPECT_EQ(RefusalOf(*boundary, Operation::kWrite, ".cordon.toml").code, ErrorCode::kPathDenied);
  EXPECT_FALSE(root.Replace("l").has_value());
  EXPECT_FALSE(root.Append(".cordon.toml", "x").has_value());
  EXPECT_FALSE(root.Remove(".cordon.toml").has_value());
  EXPECT_FALSE(root.Rename(".cordon.toml", root, "x").has_value());
  EXPECT_FALSE(root.Rename("l", root, ".cordon.toml").has_value());
}

TEST_F(BoundaryTest, AnAnchoredRuleHoldsInANestedRootFromFurtherUpToo) {
  tree_.File("w/inner/keys/k", "secret").Link("w/way", "inner");
  policy::Settings settings = Settings();
  settings.roots.push_back(tree_.At("w/inner"));
  policy::DenyRule rule;
  rule.pattern = "/keys";
  settings.deny.push_back(rule);
  const auto boundary = Open(settings);
  ASSERT_TRUE(boundary.has_value()) << boundary.error().detail;
  RefusalOf(*boundary, Operation::kRead, tree_.At("w/inner/keys/k"));
  EXPECT_EQ(RefusalOf(*boundary, Operation::kRead, "inner/keys/k").code, ErrorCode::kPathDenied);
  const auto opened = boundary->workspace().Open("way/keys/k", confine::OpenMode::kRead);
  ASSERT_FALSE(opened.has_value());
  EXPECT_EQ(opened.error().code, ErrorCode::kPathDenied);
  EXPECT_FALSE(boundary->workspace().Rename("inner", boundary->workspace(), "x").has_value());
}

}  // namespace
}  // namespace cordon::guard
