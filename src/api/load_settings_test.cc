#include "api/load_settings.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "tests/tree.h"

namespace cordon::api {
namespace {

using policy::Profile;

class LoadSettingsTest : public testing::EachResolver {
 protected:
  Result<policy::Settings> Load() const {
    SettingsSource source;
    source.flags = flags_;
    source.config_file = config_file_;
    return LoadSettings(source, confine::AmbientAuthority::OfThisProcess());
  }
  Error Refused() const {
    const auto settings = Load();
    EXPECT_FALSE(settings.has_value());
    return settings ? Error{} : settings.error();
  }
  void GivenOperatorFile(const std::string& toml) const {
    tree_.File("xdg/cordon/config.toml", toml);
  }
  void GivenWorkspaceFile(const std::string& toml) const { tree_.File("root/.cordon.toml", toml); }
  static bool Denies(const policy::Settings& settings, std::string_view pattern) {
    return std::any_of(settings.deny.begin(), settings.deny.end(),
                       [&](const policy::DenyRule& rule) { return rule.pattern == pattern; });
  }

  policy::Flags flags_;
  std::optional<std::string> config_file_;
};

TEST_P(LoadSettingsTest, AWorkspaceFileThatLeadsToADeniedFileIsNotQuoted) {
  tree_.File("root/.env", "API_TOKEN_NAME = 1\n").Link("root/.cordon.toml", ".env");
  flags_.roots = {root()};
  const Error error = Refused();
  EXPECT_EQ(error.violation, Violation::kDenylist);
  EXPECT_EQ(error.Message("x").find("API_TOKEN"), std::string::npos) << error.Message("x");
  EXPECT_EQ(error.detail.find("API_TOKEN"), std::string::npos) << error.detail;
}

TEST_P(LoadSettingsTest, WithNothingConfiguredTheDefaultsHold) {
  const testing::WorkingDirectory here(root());
  const auto settings = Load();
  ASSERT_TRUE(settings.has_value()) << settings.error().detail;
  EXPECT_EQ(settings->profile, Profile::kInteractive);
  EXPECT_TRUE(settings->roots.empty());
  EXPECT_TRUE(Denies(*settings, ".env"));
}

TEST_P(LoadSettingsTest, FlagsBeatTheEnvironmentWhichBeatsTheFile) {
  tree_.Dir("env").Dir("file");
  GivenOperatorFile("roots = [\"" + tree_.At("file") + "\"]\nprofile = \"strict\"\n");
  auto settings = Load();
  ASSERT_TRUE(settings.has_value()) << settings.error().detail;
  EXPECT_EQ(settings->roots, std::vector{tree_.At("file")});
  EXPECT_EQ(settings->profile, Profile::kStrict);

  variables_.Set("ALLOWED_ROOT_DIRECTORY", tree_.At("env"));
  settings = Load();
  ASSERT_TRUE(settings.has_value()) << settings.error().detail;
  EXPECT_EQ(settings->roots, std::vector{tree_.At("env")});

  flags_.roots = {root()};
  flags_.profile = Profile::kSandboxed;
  settings = Load();
  ASSERT_TRUE(settings.has_value()) << settings.error().detail;
  EXPECT_EQ(settings->roots, std::vector{root()});
  EXPECT_EQ(settings->profile, Profile::kSandboxed);
}

TEST_P(LoadSettingsTest, EmptyVariablesCountAsUnset) {
  variables_.Set("ALLOWED_ROOT_DIRECTORY", "");
  variables_.Set("DATA_DIR", "");
  EXPECT_FALSE(ReadEnvironment().allowed_root_directory.has_value());
  EXPECT_FALSE(ReadEnvironment().data_dir.has_value());
}

TEST_P(LoadSettingsTest, WithoutXdgTheFileIsBelowHome) {
  flags_.roots = {root()};
  tree_.File("home/.config/cordon/config.toml", "profile = \"strict\"\n");
  variables_.Clear("XDG_CONFIG_HOME");
  auto settings = Load();
  ASSERT_TRUE(settings.has_value()) << settings.error().detail;
  EXPECT_EQ(settings->profile, Profile::kStrict);
  // A relative XDG_CONFIG_HOME must not make the working directory matter.
  variables_.Set("XDG_CONFIG_HOME", "xdg");
  const testing::WorkingDirectory here(tree_.path());
  GivenOperatorFile("profile = \"compat\"\n");
  settings = Load();
  ASSERT_TRUE(settings.has_value()) << settings.error().detail;
  EXPECT_EQ(settings->profile, Profile::kStrict);
}

TEST_P(LoadSettingsTest, TheNamedFileReplacesTheUsualOneAndMustExist) {
  flags_.roots = {root()};
  GivenOperatorFile("profile = \"compat\"\n");
  tree_.File("other.toml", "profile = \"strict\"\n");
  config_file_ = tree_.At("other.toml");
  const auto settings = Load();
  ASSERT_TRUE(settings.has_value()) << settings.error().detail;
  EXPECT_EQ(settings->profile, Profile::kStrict);
  config_file_ = tree_.At("missing.toml");
  EXPECT_EQ(Refused().code, ErrorCode::kInvalidArguments);
  EXPECT_NE(Refused().detail.find("missing.toml"), std::string::npos);
}

TEST_P(LoadSettingsTest, AMistakeInTheFileStopsWithItsPlace) {
  flags_.roots = {root()};
  GivenOperatorFile("profile = \"strict\"\nbogus = 1\n");
  const Error error = Refused();
  EXPECT_EQ(error.code, ErrorCode::kInvalidArguments);
  EXPECT_TRUE(error.detail.starts_with(tree_.At("xdg/cordon/config.toml") + ":2:")) << error.detail;
}

TEST_P(LoadSettingsTest, AnOperatorFileThatCannotBeReadIsNotPassedOver) {
  flags_.roots = {root()};
  tree_.Dir("xdg/cordon/config.toml");
  EXPECT_EQ(Refused().code, ErrorCode::kInvalidArguments);
  std::filesystem::remove(tree_.At("xdg/cordon/config.toml"));
  tree_.Link("xdg/cordon/config.toml", "nowhere.toml");
  EXPECT_EQ(Refused().code, ErrorCode::kInvalidArguments);
  std::filesystem::remove(tree_.At("xdg/cordon/config.toml"));
  tree_.Fifo("xdg/cordon/config.toml");
  EXPECT_EQ(Refused().code, ErrorCode::kInvalidArguments);
}

TEST_P(LoadSettingsTest, TheOperatorsFileMayBeALink) {
  flags_.roots = {root()};
  tree_.File("dotfiles/cordon.toml", "profile = \"strict\"\n").Dir("xdg/cordon");
  tree_.Link("xdg/cordon/config.toml", tree_.At("dotfiles/cordon.toml"));
  const auto settings = Load();
  ASSERT_TRUE(settings.has_value()) << settings.error().detail;
  EXPECT_EQ(settings->profile, Profile::kStrict);
}

TEST_P(LoadSettingsTest, TheWorkspaceFileNarrows) {
  flags_.roots = {root()};
  GivenWorkspaceFile("read_only = true\nprofile = \"strict\"\n");
  const auto settings = Load();
  ASSERT_TRUE(settings.has_value()) << settings.error().detail;
  EXPECT_TRUE(settings->read_only);
  EXPECT_EQ(settings->profile, Profile::kStrict);
  EXPECT_TRUE(Denies(*settings, ".env"));
}

TEST_P(LoadSettingsTest, TheWorkspaceFileCannotWiden) {
  flags_.roots = {root()};
  flags_.profile = Profile::kStrict;
  for (const char* toml : {"profile = \"compat\"\n", "roots = [\"/\"]\n", "read_only = false\n",
                           "data_dir = \"/\"\n", "deny_sets = []\n"}) {
    GivenWorkspaceFile(toml);
    const Error error = Refused();
    EXPECT_EQ(error.code, ErrorCode::kInvalidArguments) << toml;
  }
}

TEST_P(LoadSettingsTest, TheWorkspaceFileOfTheCurrentDirectoryCountsWithoutARoot) {
  GivenWorkspaceFile("read_only = true\n");
  const testing::WorkingDirectory here(root());
  const auto settings = Load();
  ASSERT_TRUE(settings.has_value()) << settings.error().detail;
  EXPECT_TRUE(settings->read_only);
}

TEST_P(LoadSettingsTest, OnlyTheFirstRootsFileCounts) {
  tree_.File("second/.cordon.toml", "read_only = true\n");
  flags_.roots = {root(), tree_.At("second")};
  const auto settings = Load();
  ASSERT_TRUE(settings.has_value()) << settings.error().detail;
  EXPECT_FALSE(settings->read_only);
}

TEST_P(LoadSettingsTest, AWorkspaceFileThatLeadsOutIsAnErrorThatDisclosesNothing) {
  flags_.roots = {root()};
  tree_.File("outside/cfg.toml", "TOPSECRET = 1\n");
  tree_.Link("root/.cordon.toml", "../outside/cfg.toml");
  const Error error = Refused();
  EXPECT_EQ(error.code, ErrorCode::kInvalidArguments);
  EXPECT_EQ(error.violation, Violation::kSymlink);
  EXPECT_EQ(error.detail.find("TOPSECRET"), std::string::npos);
  EXPECT_EQ(error.detail.find("outside/"), std::string::npos) << error.detail;
}

TEST_P(LoadSettingsTest, AWorkspaceFileMayBeALinkThatStaysInside) {
  flags_.roots = {root()};
  tree_.File("root/conf/c.toml", "read_only = true\n").Link("root/.cordon.toml", "conf/c.toml");
  const auto settings = Load();
  ASSERT_TRUE(settings.has_value()) << settings.error().detail;
  EXPECT_TRUE(settings->read_only);
}

TEST_P(LoadSettingsTest, AWorkspaceFileThatIsNoReadableFileIsAnError) {
  flags_.roots = {root()};
  tree_.Fifo("root/.cordon.toml");
  EXPECT_EQ(Refused().code, ErrorCode::kInvalidArguments);
  std::filesystem::remove(tree_.At("root/.cordon.toml"));
  tree_.Dir("root/.cordon.toml");
  EXPECT_EQ(Refused().code, ErrorCode::kInvalidArguments);
  std::filesystem::remove(tree_.At("root/.cordon.toml"));
  tree_.Link("root/.cordon.toml", "missing.toml");
  EXPECT_EQ(Refused().code, ErrorCode::kInvalidArguments);
  std::filesystem::remove(tree_.At("root/.cordon.toml"));
  tree_.File("root/.cordon.toml", std::string(1024 * 1024 + 1, '#'));
  EXPECT_EQ(Refused().code, ErrorCode::kInvalidArguments);
}

TEST_P(LoadSettingsTest, AWorkspaceFileWithoutPermissionIsAnError) {
  flags_.roots = {root()};
  GivenWorkspaceFile("read_only = true\n");
  std::filesystem::permissions(tree_.At("root/.cordon.toml"), std::filesystem::perms::none);
  std::filesystem::permissions(tree_.path(), std::filesystem::perms(0755));
  // The superuser may read everything, so be someone else for the moment.
  const uid_t before = ::geteuid();
  ASSERT_TRUE(before != 0 || ::seteuid(65534) == 0);
  const Error error = Refused();
  ASSERT_EQ(::seteuid(before), 0);
  EXPECT_EQ(error.code, ErrorCode::kInvalidArguments);
  EXPECT_NE(error.detail.find(".cordon.toml: cannot be read"), std::string::npos) << error.detail;
}

TEST_P(LoadSettingsTest, ARootThatIsMissingIsNamed) {
  flags_.roots = {tree_.At("missing")};
  const Error error = Refused();
  EXPECT_EQ(error.code, ErrorCode::kNotFound);
  EXPECT_NE(error.detail.find(tree_.At("missing")), std::string::npos);
}

TEST_P(LoadSettingsTest, TheResolverIsChosenByName) {
  variables_.Set("CORDON_RESOLVER", "openat2");
  EXPECT_EQ(ResolverFromEnvironment().value(), confine::Resolver::kOpenat2);
  variables_.Set("CORDON_RESOLVER", "walk");
  EXPECT_EQ(ResolverFromEnvironment().value(), confine::Resolver::kWalk);
  variables_.Clear("CORDON_RESOLVER");
  EXPECT_EQ(ResolverFromEnvironment().value(), confine::Resolver::kAuto);
  variables_.Set("CORDON_RESOLVER", "realpath");
  const auto unknown = ResolverFromEnvironment();
  ASSERT_FALSE(unknown.has_value());
  EXPECT_EQ(unknown.error().code, ErrorCode::kInvalidArguments);
  EXPECT_NE(unknown.error().detail.find("realpath"), std::string::npos);
}

CORDON_EACH_RESOLVER(LoadSettingsTest);

}  // namespace
}  // namespace cordon::api
