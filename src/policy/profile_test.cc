#include "policy/profile.h"

#include <gtest/gtest.h>

#include <array>

namespace cordon::policy {
namespace {

constexpr std::array kAllProfiles{Profile::kStrict, Profile::kInteractive, Profile::kSandboxed,
                                  Profile::kCompat};

TEST(ProfileTest, NamesRoundTrip) {
  for (const Profile profile : kAllProfiles) {
    EXPECT_EQ(ParseProfile(ProfileName(profile)), profile);
  }
  EXPECT_EQ(ProfileName(Profile::kStrict), "strict");
  EXPECT_EQ(ProfileName(Profile::kInteractive), "interactive");
  EXPECT_EQ(ProfileName(Profile::kSandboxed), "sandboxed");
  EXPECT_EQ(ProfileName(Profile::kCompat), "compat");
  for (const char* name : {"", "Strict", "strict ", "none"}) {
    EXPECT_FALSE(ParseProfile(name)) << name;
  }
}

TEST(ProfileTest, RulesAreThoseOfTheRequirements) {
  for (const Profile profile : kAllProfiles) {
    const ProfileRules& rules = RulesOf(profile);
    const bool compat = profile == Profile::kCompat;
    const bool interactive = profile == Profile::kInteractive;
    EXPECT_EQ(rules.outside, interactive ? OutsideAccess::kAsk : OutsideAccess::kRefuse);
    EXPECT_EQ(rules.temporary, compat ? TemporaryDirectory::kAllowed : TemporaryDirectory::kDenied);
    EXPECT_EQ(rules.data_directory,
              compat ? DataDirectory::kAllowed : DataDirectory::kNotForAgents);
    EXPECT_EQ(rules.hard_links, compat || interactive ? HardLinks::kReadOnly : HardLinks::kRefuse);
    EXPECT_EQ(rules.mounts, compat || interactive ? Mounts::kReadOnly : Mounts::kRefuse);
  }
  EXPECT_EQ(RulesOf(Profile::kStrict).missing_root, MissingRoot::kRefuse);
  EXPECT_EQ(RulesOf(Profile::kInteractive).missing_root, MissingRoot::kCurrentDirectory);
  EXPECT_EQ(RulesOf(Profile::kSandboxed).missing_root, MissingRoot::kRefuseWithoutSandbox);
  EXPECT_EQ(RulesOf(Profile::kCompat).missing_root, MissingRoot::kAllowAll);
}

TEST(ProfileTest, Narrower) {
  // Rows: the profile that holds; columns, in the order of kAllProfiles: the one asked for.
  constexpr bool kExpected[4][4] = {
      {true, false, false, false},  // strict
      {true, true, true, false},    // interactive
      {true, false, true, false},   // sandboxed
      {true, false, true, true},    // compat: interactive asks where compat refuses
  };
  for (std::size_t a = 0; a < 4; ++a) {
    for (std::size_t b = 0; b < 4; ++b) {
      EXPECT_EQ(IsNarrowerOrEqual(kAllProfiles[b], kAllProfiles[a]), kExpected[a][b])
          << ProfileName(kAllProfiles[b]) << " under " << ProfileName(kAllProfiles[a]);
    }
  }
}

}  // namespace
}  // namespace cordon::policy
