#include <gtest/gtest.h>

#include "warden/git_config.h"
#include "warden/git_paths.h"

namespace cordon::warden {
namespace {

TEST(GitPaths, KnowsWhatMakesGitRunSomething) {
  EXPECT_EQ(GitPartOf("/ws/hooks/x"), GitPart::kNone);
  EXPECT_EQ(GitPartOf("/ws/.gitignore"), GitPart::kNone);
  EXPECT_EQ(GitPartOf("/ws/.git"), GitPart::kRepository);
  EXPECT_EQ(GitPartOf("/ws/.GIT"), GitPart::kRepository);
  EXPECT_EQ(GitPartOf("/ws/.git/hooks"), GitPart::kHooks);
  EXPECT_EQ(GitPartOf("/ws/.git/hooks/pre-commit"), GitPart::kHook);
  EXPECT_EQ(GitPartOf("/ws/.git/hooks/d.sample/pre-commit"), GitPart::kHook);
  EXPECT_EQ(GitPartOf("/ws/.git/hooks/pre-commit.sample"), GitPart::kOrdinary);
  EXPECT_EQ(GitPartOf("/ws/.git/config"), GitPart::kConfig);
  EXPECT_EQ(GitPartOf("/ws/.git/config.worktree"), GitPart::kConfig);
  EXPECT_EQ(GitPartOf("/ws/.git/config.lock"), GitPart::kOrdinary);
  EXPECT_EQ(GitPartOf("/ws/.git/commondir"), GitPart::kRedirect);
  EXPECT_EQ(GitPartOf("/ws/.git/worktrees/w/commondir"), GitPart::kRedirect);
  EXPECT_EQ(GitPartOf("/ws/.git/worktrees/w/config.worktree"), GitPart::kConfig);
  EXPECT_EQ(GitPartOf("/ws/.git/modules/a/b/config"), GitPart::kConfig);
  EXPECT_EQ(GitPartOf("/ws/.git/modules/refs/hooks/x"), GitPart::kHook);
  EXPECT_EQ(GitPartOf("/ws/.git/modules"), GitPart::kContainer);
  EXPECT_EQ(GitPartOf("/ws/.git/refs/heads/hooks/x"), GitPart::kPlain);
  EXPECT_EQ(GitPartOf("/ws/.git/refs/heads/config"), GitPart::kPlain);
  EXPECT_EQ(GitPartOf("/ws/.git/x/.git/hooks/y"), GitPart::kHook);
}

TEST(GitPaths, KnowsWhatARepositoryIsKnownBy) {
  EXPECT_EQ(LandmarkOf("HEAD"), Landmark::kHead);
  EXPECT_EQ(LandmarkOf("head"), Landmark::kHead);
  EXPECT_EQ(LandmarkOf("objects"), Landmark::kObjects);
  EXPECT_EQ(LandmarkOf("refs"), Landmark::kReferences);
  EXPECT_EQ(LandmarkOf("commondir"), Landmark::kCommonDirectory);
  EXPECT_EQ(LandmarkOf("HEADS"), Landmark::kNone);
  EXPECT_TRUE(IsKeptRepository("/ws/.git"));
  EXPECT_TRUE(IsKeptRepository("/ws/.git/worktrees/w"));
  EXPECT_TRUE(IsKeptRepository("/ws/.git/modules/a/b"));
  EXPECT_FALSE(IsKeptRepository("/ws/.git/worktrees/w/x"));
  EXPECT_FALSE(IsKeptRepository("/ws/.git/x"));
  EXPECT_FALSE(IsKeptRepository("/ws/x.git"));
  EXPECT_TRUE(LeadsToRepository("/ws/.git/worktrees"));
  EXPECT_TRUE(LeadsToRepository("/ws/.git/worktrees/w"));
  EXPECT_FALSE(LeadsToRepository("/ws/.git"));
  EXPECT_FALSE(LeadsToRepository("/ws/.git/objects"));
}

TEST(GitConfig, ReadsAsGitDoes) {
  const auto parsed = ParseGitConfig(
      "# comment\n[Core]\n\tBare = false ; no\n[remote \"o\\\"x\"] url = \"a # b\" c\n[a.B]k\n "
      "k2=x\\\n y\n");
  ASSERT_TRUE(parsed);
  const std::vector<GitSetting> expected = {{"core", "", "bare", "false"},
                                            {"remote", "o\"x", "url", "a # b c"},
                                            {"a", "b", "k", ""},
                                            {"a", "b", "k2", "x y"}};
  EXPECT_EQ(*parsed, expected);
  for (const char* bad :
       {"x = 1\n", "[a\nb]\n", "[a] = 1\n", "[a]\nk = \"open\n", "[a]\nk = \\q\n", "[]\nk=1\n"}) {
    EXPECT_FALSE(ParseGitConfig(bad)) << bad;
  }
}

TEST(GitConfig, HarmIsNamed) {
  EXPECT_EQ(HarmfulSetting("[core]\nbare = true\n[user]\nname = x\n", "", ""), "");
  EXPECT_EQ(HarmfulSetting("[core]\nhooksPath = x\n", "", ""), "core.hookspath");
  EXPECT_EQ(HarmfulSetting("[core]\nhooksPath = x\n", "[core]\nhookspath=x\n", ""), "");
  EXPECT_EQ(HarmfulSetting("[core]\nhooksPath = y\n", "[core]\nhookspath=x\n", ""),
            "core.hookspath");
  EXPECT_EQ(HarmfulSetting("[include]\npath = x\n", "", ""), "include.path");
  EXPECT_EQ(HarmfulSetting("[includeIf \"gitdir:/\"]\npath = x\n", "", ""),
            "includeif.gitdir:/.path");
  EXPECT_EQ(HarmfulSetting("[remote \"o\"]\nurl = ext::sh\n", "", ""), "remote.o.url");
  EXPECT_EQ(HarmfulSetting("[remote \"o\"]\nurl = ssh://-oProxyCommand=x/\n", "", ""),
            "remote.o.url");
  EXPECT_EQ(HarmfulSetting("[remote \"o\"]\nurl = https://h/a::b\n", "", ""), "");
  EXPECT_EQ(HarmfulSetting("[remote \"o\"]\nurl = git@h:a/b\n", "", ""), "");
  EXPECT_EQ(HarmfulSetting("[submodule \"s\"]\nupdate = !x\n", "", ""), "submodule.s.update");
  EXPECT_EQ(HarmfulSetting("[core]\nworktree = ../../../s\n", "", "../../../s"), "");
  EXPECT_EQ(HarmfulSetting("[core]\nworktree = /\n", "", "../../../s"), "core.worktree");
  EXPECT_EQ(HarmfulSetting("no section\n", "", ""), "?");
}

TEST(GitConfig, KeysThatNameProgramsAreRefusedInEverySection) {
  for (const char* key : {"recentObjectsHook", "fooCommand", "xHelper", "templateDir", "aPager"}) {
    for (const char* section : {"gc", "init", "pull", "maintenance"}) {
      const std::string text = "[" + std::string(section) + "]\n\t" + key + " = /tmp/x\n";
      EXPECT_NE(HarmfulSetting(text, "", ""), "") << text;
    }
  }
  EXPECT_EQ(HarmfulSetting("[gc]\n\tauto = 0\n", "", ""), "");
}

TEST(GitConfig, ABranchFollowsARemoteAndNoPath) {
  EXPECT_EQ(HarmfulSetting("[branch \"m\"]\n\tremote = origin\n", "", ""), "");
  EXPECT_EQ(HarmfulSetting("[branch \"m\"]\n\tremote = .\n", "", ""), "");
  EXPECT_NE(HarmfulSetting("[branch \"m\"]\n\tpushRemote = ../evil\n", "", ""), "");
}

}  // namespace
}  // namespace cordon::warden
