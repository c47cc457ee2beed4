#include "policy/settings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace cordon::policy {
namespace {

using Texts = std::vector<std::string>;

Settings Merged(const Flags& flags, const Environment& environment, const Config& config) {
  Result<Settings> settings = Merge(flags, environment, config);
  EXPECT_TRUE(settings) << settings.error().detail;
  return settings ? *settings : Settings();
}

bool HasRule(const Settings& settings, std::string_view pattern, std::string_view origin) {
  return std::any_of(settings.deny.begin(), settings.deny.end(), [&](const DenyRule& rule) {
    return rule.pattern == pattern && rule.origin == origin;
  });
}

TEST(SettingsTest, Defaults) {
  const Settings settings = Merged({}, {}, {});
  EXPECT_EQ(settings.profile, Profile::kInteractive);
  EXPECT_TRUE(settings.roots.empty());
  EXPECT_TRUE(settings.read_only_roots.empty());
  EXPECT_FALSE(settings.data_dir);
  EXPECT_FALSE(settings.read_only);
  EXPECT_EQ(settings.deny.size(), DefaultDenyRules().size());
  EXPECT_TRUE(HasRule(settings, ".git", "default"));
}

TEST(SettingsTest, FlagsThenEnvironmentThenFile) {
  Config config;
  config.profile = Profile::kStrict;
  config.roots = {"/file"};
  config.read_only_roots = {"/file-ro"};
  config.data_dir = "/file-data";
  config.read_only = true;
  Environment environment;
  Flags flags;

  Settings settings = Merged(flags, environment, config);
  EXPECT_EQ(settings.profile, Profile::kStrict);
  EXPECT_EQ(settings.roots, Texts{"/file"});
  EXPECT_EQ(settings.read_only_roots, Texts{"/file-ro"});
  EXPECT_EQ(settings.data_dir, "/file-data");
  EXPECT_TRUE(settings.read_only);

  environment.allowed_root_directory = "";
  environment.data_dir = "";
  settings = Merged(flags, environment, config);
  EXPECT_EQ(settings.roots, Texts{"/file"});
  EXPECT_EQ(settings.data_dir, "/file-data");

  environment.allowed_root_directory = "/env";
  environment.data_dir = "/env-data";
  settings = Merged(flags, environment, config);
  EXPECT_EQ(settings.roots, Texts{"/env"});
  EXPECT_EQ(settings.data_dir, "/env-data");

  flags.profile = Profile::kCompat;
  flags.roots = {"/flag", "/flag2"};
  flags.read_only_roots = {"/flag-ro"};
  settings = Merged(flags, environment, config);
  EXPECT_EQ(settings.profile, Profile::kCompat);
  EXPECT_EQ(settings.roots, (Texts{"/flag", "/flag2"}));
  EXPECT_EQ(settings.read_only_roots, Texts{"/flag-ro"});
}

TEST(SettingsTest, DenyRulesAddUp) {
  Config config;
  config.deny_sets = Texts{"credentials"};
  config.deny.emplace_back().pattern = "from-file";
  config.deny.back().origin = "c.toml:1";
  Flags flags;
  flags.deny = {"from-flag", "a/*.key"};
  const Settings settings = Merged(flags, {}, config);
  EXPECT_EQ(settings.deny.size(), CredentialDenyRules().size() + 3);
  EXPECT_FALSE(HasRule(settings, ".git", "default"));
  EXPECT_TRUE(HasRule(settings, "id_rsa", "credentials"));
  EXPECT_TRUE(HasRule(settings, "from-file", "c.toml:1"));
  EXPECT_TRUE(HasRule(settings, "from-flag", "--deny"));
  EXPECT_TRUE(HasRule(settings, "a/*.key", "--deny"));
  config.deny_sets = Texts{};
  EXPECT_EQ(Merged({}, {}, config).deny.size(), 1U);
}

TEST(SettingsTest, BadFlagsAreErrors) {
  Flags pattern;
  pattern.deny = {"[a"};
  Flags root;
  root.roots = {""};
  Flags read_only;
  read_only.read_only_roots = {std::string("a\0b", 3)};
  for (const Flags& flags : {pattern, root, read_only}) {
    const Result<Settings> settings = Merge(flags, {}, {});
    ASSERT_FALSE(settings);
    EXPECT_EQ(settings.error().code, ErrorCode::kInvalidArguments);
    EXPECT_TRUE(settings.error().detail.starts_with("--")) << settings.error().detail;
  }
  Config config;
  config.deny_sets = Texts{"nothing"};
  EXPECT_FALSE(Merge({}, {}, config));
}

TEST(SettingsTest, NarrowingAddsAndNeverTakesAway) {
  Settings settings = Merged({}, {}, {});
  const std::size_t before = settings.deny.size();
  Config workspace;
  workspace.profile = Profile::kStrict;
  workspace.read_only = true;
  workspace.deny.emplace_back().pattern = "more";
  ASSERT_TRUE(Narrow(settings, workspace));
  EXPECT_EQ(settings.profile, Profile::kStrict);
  EXPECT_TRUE(settings.read_only);
  EXPECT_EQ(settings.deny.size(), before + 1);
  ASSERT_TRUE(Narrow(settings, {}));
  EXPECT_EQ(settings.profile, Profile::kStrict);
  EXPECT_TRUE(settings.read_only);
  EXPECT_EQ(settings.deny.size(), before + 1);
}

TEST(SettingsTest, WideningIsAnErrorAndChangesNothing) {
  const auto with = [](auto change) {
    Config config;
    config.deny.emplace_back().pattern = "more";
    change(config);
    return config;
  };
  for (const Config& config : {
           with([](Config& c) { c.profile = Profile::kCompat; }),
           with([](Config& c) { c.roots = {"/"}; }),
           with([](Config& c) { c.read_only_roots = {"/"}; }),
           with([](Config& c) { c.data_dir = "/"; }),
           with([](Config& c) { c.deny_sets = Texts{}; }),
           with([](Config& c) { c.read_only = false; }),
       }) {
    Settings settings = Merged({}, {}, {});
    const std::size_t before = settings.deny.size();
    const Status status = Narrow(settings, config);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::kInvalidArguments);
    EXPECT_NE(status.error().detail.find("can only narrow"), std::string::npos);
    EXPECT_EQ(settings.deny.size(), before);
    EXPECT_EQ(settings.profile, Profile::kInteractive);
  }
}

TEST(SettingsTest, WideningByProfileNamesThePlace) {
  Settings settings;
  settings.profile = Profile::kStrict;
  const Result<Config> config =
      ParseConfig("\nprofile = \"interactive\"", ".cordon.toml", ConfigScope::kWorkspace);
  ASSERT_TRUE(config);
  const Status status = Narrow(settings, *config);
  ASSERT_FALSE(status);
  EXPECT_TRUE(status.error().detail.starts_with(".cordon.toml:2:11: profile \"interactive\""))
      << status.error().detail;
}

}  // namespace
}  // namespace cordon::policy
