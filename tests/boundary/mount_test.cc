// Other file systems below the root, under the profiles that let them be read.
#include "tests/support/resolvers.h"

namespace cordon::testing {
namespace {

class Mounts : public PerResolver {
 protected:
  void SetUp() override {
    if (const std::string missing = EnterMountNamespace(); !missing.empty())
      GTEST_SKIP() << missing;
    Given({Dir("root/mnt"),
           FileWith("other/f", "bound"),
           FileWith("other/d/g", "deep"),
           FileWith("root/plain", "inside"),
           Link("root/l", "mnt/f"),
           {"bind", "root/mnt", "other", ""}});
  }
};
CORDON_PER_RESOLVER(Mounts);

TEST_P(Mounts, StrictRefusesThemAndSaysWhy) {
  const auto root = Open(policy::Profile::kStrict);
  const auto is_mount = [](const auto& result, const char* what) {
    ASSERT_FALSE(result.has_value()) << what;
    EXPECT_EQ(result.error().violation, Violation::kMount) << what;
  };
  is_mount(root.Open("mnt/f", confine::OpenMode::kRead), "read");
  is_mount(root.Open("l", confine::OpenMode::kRead), "read through a link");
  is_mount(root.Open("mnt/d/../f", confine::OpenMode::kRead), "read with ..");
  is_mount(root.List("mnt"), "list");
  is_mount(root.Stat("mnt/f", confine::FinalSymlink::kFollow), "stat");
  is_mount(root.Open("mnt/new", confine::OpenMode::kCreate), "create");
  is_mount(root.Replace("mnt/f"), "replace");
  is_mount(root.Append("mnt/f", "x"), "append");
  is_mount(root.Mkdir("mnt/n"), "mkdir");
  is_mount(root.MkdirAll("mnt/n/m"), "mkdir_all");
  is_mount(root.Remove("mnt/f"), "remove");
  is_mount(root.RemoveAll("mnt/d"), "remove_all below");
  is_mount(root.RemoveAll("mnt"), "remove_all of the mount point");
  is_mount(root.Rename("mnt/f", root, "f"), "rename out");
  is_mount(root.Rename("plain", root, "mnt/p"), "rename in");
  is_mount(root.Symlink("plain", "mnt/s"), "symlink");
  EXPECT_EQ(ReadFile(root, "plain").value_or("?"), "inside");
}

TEST_P(Mounts, InteractiveReadsButDoesNotWrite) {
  const auto root = Open(policy::Profile::kInteractive);
  const Snapshot other = Take(scratch_.At("other"));
  EXPECT_EQ(ReadFile(root, "mnt/f").value_or("?"), "bound");
  EXPECT_EQ(ReadFile(root, "l").value_or("?"), "bound");
  EXPECT_ALLOWED(root.List("mnt"));
  EXPECT_FALSE(root.Open("mnt/f", confine::OpenMode::kWrite).has_value());
  EXPECT_FALSE(root.Open("mnt/new", confine::OpenMode::kCreate).has_value());
  EXPECT_FALSE(ReplaceFile(root, "mnt/f", "x").has_value());
  EXPECT_FALSE(root.Append("mnt/f", "x").has_value());
  EXPECT_FALSE(root.Append("l", "x").has_value());
  EXPECT_FALSE(root.Mkdir("mnt/n").has_value());
  EXPECT_FALSE(root.Remove("mnt/f").has_value());
  EXPECT_FALSE(root.RemoveAll("mnt").has_value());
  EXPECT_FALSE(root.Rename("plain", root, "mnt/p").has_value());
  EXPECT_TRUE(Compare(other, Take(scratch_.At("other"))).empty());
}

TEST_P(Mounts, AWalkEntersThemOnlyWhereTheyMayBeRead) {
  const auto count = [](const confine::Root& root) {
    int entries = 0;
    EXPECT_ALLOWED(root.Walk(".", {}, [&](const confine::WalkEntry& entry) {
      if (entry.path.starts_with("mnt/")) ++entries;
      return confine::WalkStep::kContinue;
    }));
    return entries;
  };
  EXPECT_EQ(count(Open(policy::Profile::kStrict)), 0);
  EXPECT_EQ(count(Open(policy::Profile::kInteractive)), 3);
}

TEST_P(Mounts, RemoveAllAboveOneRemovesNothing) {
  ASSERT_EQ(Build(scratch_, {FileWith("root/top/a/f", "x"),
                             Dir("root/top/m"),
                             {"bind", "root/top/m", "other", ""}}),
            "");
  const Snapshot other = Take(scratch_.At("other"));
  const auto root = Open(policy::Profile::kStrict);
  EXPECT_FALSE(root.RemoveAll("top").has_value());
  EXPECT_TRUE(Inside().contains("top/a/f"));
  EXPECT_TRUE(Compare(other, Take(scratch_.At("other"))).empty());
}

TEST_P(Mounts, AFileCanBeAMountPointToo) {
  ASSERT_EQ(Build(scratch_, {FileWith("root/target", "t"), {"bind", "root/target", "other/f", ""}}),
            "");
  const auto file = Open(policy::Profile::kStrict).Open("target", confine::OpenMode::kRead);
  ASSERT_FALSE(file.has_value());
  EXPECT_EQ(file.error().violation, Violation::kMount);
  EXPECT_EQ(ReadFile(Open(policy::Profile::kInteractive), "target").value_or("?"), "bound");
}

}  // namespace
}  // namespace cordon::testing
