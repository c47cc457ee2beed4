// A file system that may compare names by other rules than bytes.
#include <sys/mount.h>

#include "tests/support/resolvers.h"

namespace cordon::testing {
namespace {

class Folding : public PerResolver {
 protected:
  void SetUp() override {
    if (const std::string missing = EnterMountNamespace(); !missing.empty())
      GTEST_SKIP() << missing;
    Given({});
    // Any that is not known to compare bytes is taken to follow every rule.
    if (::mount("none", scratch_.At("root").c_str(), "hugetlbfs", 0, nullptr) != 0)
      GTEST_SKIP() << "no hugetlbfs";
    mounted_ = true;
  }
  void TearDown() override {
    if (mounted_) ::umount2(scratch_.At("root").c_str(), MNT_DETACH);
  }

 private:
  bool mounted_ = false;
};
CORDON_PER_RESOLVER(Folding);

TEST_P(Folding, AnAnchoredRuleHoldsWhenOnlyAParentIsSpeltOtherwise) {
  auto list = policy::DenyList::Compile({{"/conf/keys", {}, policy::AllOperations(), "", ""}});
  confine::RootOptions options;
  options.resolver = GetParam();
  options.deny = std::make_shared<const policy::DenyList>(std::move(*list));
  const auto root = OpenWith(std::move(options));
  ASSERT_EQ(Describe(root.Mkdir("CONF")), "allow");
  ASSERT_EQ(Describe(root.Mkdir("CONF/other")), "allow");
  EXPECT_REFUSED(root.Open("CONF/keys", confine::OpenMode::kCreate), ErrorCode::kPathDenied);
  EXPECT_REFUSED(root.Mkdir("CONF/keys"), ErrorCode::kPathDenied);
  EXPECT_REFUSED(root.MkdirAll("CONF/keys/k"), ErrorCode::kPathDenied);
  EXPECT_REFUSED(root.Replace("CONF/keys"), ErrorCode::kPathDenied);
  EXPECT_REFUSED(root.Rename("CONF/other", root, "CONF/keys"), ErrorCode::kPathDenied);
  EXPECT_REFUSED(root.Symlink("other", "CONF/keys"), ErrorCode::kPathDenied);
  EXPECT_REFUSED(root.Remove("CONF/keys"), ErrorCode::kPathDenied);
  EXPECT_REFUSED(root.Probe("CONF/keys", Operation::kCreate), ErrorCode::kPathDenied);
  EXPECT_EQ(Inside().size(), 2U);
}

TEST_P(Folding, MkdirAllMakesNothingWhenANameFurtherDownIsRefused) {
  const auto root = Open();
  EXPECT_REFUSED(root.MkdirAll("new/.GIT/hooks"), ErrorCode::kPathDenied);
  EXPECT_TRUE(Inside().empty());
}

}  // namespace
}  // namespace cordon::testing
