// Rename within a root, between two, and into a read-only one; read-only roots.
#include "tests/support/resolvers.h"

namespace cordon::testing {
namespace {

class Renaming : public PerResolver {};
CORDON_PER_RESOLVER(Renaming);

TEST_P(Renaming, MovesBetweenRoots) {
  Given({FileWith("root/f", "content"), FileWith("root/d/g", "deep"), Dir("second/in")});
  const auto first = Open();
  const auto second = Open(policy::Profile::kStrict, "second");
  EXPECT_ALLOWED(first.Rename("f", second, "in/f"));
  EXPECT_ALLOWED(first.Rename("d", second, "d"));
  EXPECT_EQ(ReadFile(second, "in/f").value_or("?"), "content");
  EXPECT_EQ(ReadFile(second, "d/g").value_or("?"), "deep");
  EXPECT_TRUE(Inside().empty());
}

TEST_P(Renaming, EitherEndMayRefuse) {
  Given({FileWith("root/f", "content"), Link("root/out", "../outside"), Dir("second"),
         Link("second/out", "../outside"), FileWith("root/.env", "K")});
  const auto first = Open();
  const auto second = Open(policy::Profile::kStrict, "second");
  const Snapshot inside = Inside();
  const Snapshot outside = Outside();
  EXPECT_REFUSED(first.Rename("f", second, "out/f"), ErrorCode::kPathOutsideProject);
  EXPECT_REFUSED(first.Rename("f", second, "../outside/f"), ErrorCode::kPathOutsideProject);
  EXPECT_REFUSED(first.Rename("out/secret", second, "s"), ErrorCode::kPathOutsideProject);
  EXPECT_REFUSED(first.Rename("f", second, ".env"), ErrorCode::kPathDenied);
  EXPECT_REFUSED(first.Rename(".env", second, "e"), ErrorCode::kPathDenied);
  EXPECT_REFUSED(first.Rename("none", second, "n"), ErrorCode::kNotFound);
  EXPECT_REFUSED(first.Rename("f", second, "none/f"), ErrorCode::kNotFound);
  EXPECT_TRUE(Compare(inside, Inside()).empty());
  EXPECT_TRUE(Compare(outside, Outside()).empty());
}

TEST_P(Renaming, ReplacesALinkItselfNeverItsTarget) {
  Given({FileWith("root/f", "content"), Link("root/l", "../outside/secret"),
         Link("root/moved", "../outside")});
  const auto root = Open();
  const Snapshot outside = Outside();
  EXPECT_ALLOWED(root.Rename("f", root, "l"));
  EXPECT_ALLOWED(root.Rename("moved", root, "elsewhere"));
  EXPECT_EQ(ReadFile(root, "l").value_or("?"), "content");
  EXPECT_TRUE(Compare(outside, Outside()).empty());
}

TEST_P(Renaming, ADirectoryCannotMoveIntoItselfOrOntoAFullOne) {
  Given({FileWith("root/d/sub/f", "x"), FileWith("root/full/f", "x"), Dir("root/empty"),
         FileWith("root/f", "x")});
  const auto root = Open();
  const Snapshot inside = Inside();
  EXPECT_FALSE(root.Rename("d", root, "d/sub/d").has_value());
  EXPECT_FALSE(root.Rename("d", root, "full").has_value());
  EXPECT_REFUSED(root.Rename("d", root, "f"), ErrorCode::kNotADirectory);
  EXPECT_REFUSED(root.Rename("f", root, "empty"), ErrorCode::kIsADirectory);
  EXPECT_TRUE(Compare(inside, Inside()).empty());
  EXPECT_ALLOWED(root.Rename("d", root, "empty"));
  EXPECT_TRUE(Inside().contains("empty/sub/f"));
}

TEST_P(Renaming, AnAnchoredRuleIsNotOutrunByMovingItsParent) {
  Given({FileWith("root/a/b/key", "K"), FileWith("root/x/key", "K")});
  auto rules = policy::DenyList::Compile(
      {policy::DenyRule{"a/b/key", {}, policy::AllOperations(), "", "test"}});
  ASSERT_TRUE(rules.has_value());
  confine::RootOptions options = OptionsOf(policy::Profile::kStrict, GetParam());
  options.deny = std::make_shared<const policy::DenyList>(std::move(*rules));
  const auto root = OpenWith(options);
  EXPECT_REFUSED(ReadFile(root, "a/b/key"), ErrorCode::kPathDenied);
  EXPECT_REFUSED(root.Rename("a", root, "c"), ErrorCode::kPathDenied);
  EXPECT_REFUSED(root.Rename("a/b", root, "c"), ErrorCode::kPathDenied);
  EXPECT_REFUSED(root.RemoveAll("a"), ErrorCode::kPathDenied);
  EXPECT_TRUE(Inside().contains("a/b/key"));
  EXPECT_EQ(ReadFile(root, "x/key").value_or("?"), "K");
}

TEST_P(Renaming, AnAnchoredRuleHoldsThroughLinks) {
  Given({FileWith("root/a/b/key", "K"), Link("root/l", "a"), Link("root/m", "l/b"),
         Link("root/n", "${ROOT}/a/b/key"), Dir("root/p")});
  auto rules = policy::DenyList::Compile(
      {policy::DenyRule{"a/b/key", {}, policy::AllOperations(), "", "test"}});
  ASSERT_TRUE(rules.has_value());
  confine::RootOptions options = OptionsOf(policy::Profile::kStrict, GetParam());
  options.deny = std::make_shared<const policy::DenyList>(std::move(*rules));
  const auto root = OpenWith(options);
  for (const char* path : {"l/b/key", "m/key", "n", "p/../a/b/key", "a/b/../b/key", "l/../a/b/key",
                           "m/../b/key", "./a//b/./key"}) {
    EXPECT_REFUSED(ReadFile(root, path), ErrorCode::kPathDenied);
    EXPECT_FALSE(ReplaceFile(root, path, "x").has_value()) << path;
    EXPECT_FALSE(root.Remove(path).has_value() && std::string(path) != "n") << path;
  }
}

class ReadOnlyRoot : public PerResolver {};
CORDON_PER_RESOLVER(ReadOnlyRoot);

TEST_P(ReadOnlyRoot, ReadsAndChangesNothing) {
  Given({FileWith("root/f", "content"), Dir("root/d"), Link("root/l", "f"),
         FileWith("second/g", "x")});
  confine::RootOptions options = OptionsOf(policy::Profile::kStrict, GetParam());
  options.access = confine::RootAccess::kReadOnly;
  const auto root = OpenWith(options);
  const auto second = Open(policy::Profile::kStrict, "second");
  const Snapshot inside = Inside();
  EXPECT_EQ(ReadFile(root, "l").value_or("?"), "content");
  EXPECT_ALLOWED(root.List("."));
  EXPECT_ALLOWED(root.Stat("f", confine::FinalSymlink::kFollow));
  EXPECT_ALLOWED(root.ReadLink("l"));
  const auto refused = [&](const auto& result, const char* what) {
    EXPECT_FALSE(result.has_value()) << what;
    if (!result) {
      EXPECT_EQ(result.error().code, ErrorCode::kPathDenied) << what;
    }
  };
  for (const confine::OpenMode mode :
       {confine::OpenMode::kWrite, confine::OpenMode::kReadWrite, confine::OpenMode::kCreate,
        confine::OpenMode::kCreateExclusive}) {
    refused(root.Open("f", mode), "open");
    refused(root.Open("new", mode), "open new");
  }
  refused(root.Replace("f"), "replace");
  refused(root.Append("f", "x"), "append");
  refused(root.Mkdir("n"), "mkdir");
  refused(root.MkdirAll("n/m"), "mkdir_all");
  refused(root.MkdirAll("d"), "mkdir_all of what exists");
  refused(root.Remove("f"), "remove");
  refused(root.RemoveAll("d"), "remove_all");
  refused(root.Rename("f", root, "g"), "rename");
  refused(root.Rename("f", second, "f"), "rename out");
  refused(second.Rename("g", root, "g"), "rename in");
  refused(root.Symlink("f", "s"), "symlink");
  for (const Operation operation : {Operation::kWrite, Operation::kCreate, Operation::kDelete,
                                    Operation::kMkdir, Operation::kRename}) {
    refused(root.Probe("f", operation), "probe");
  }
  EXPECT_TRUE(Compare(inside, Inside()).empty()) << Compare(inside, Inside()).Text();
}

}  // namespace
}  // namespace cordon::testing
