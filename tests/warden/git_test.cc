// git works; nothing that a command leaves in a repository makes git run something.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/warden/behind_warden.h"

namespace cordon::warden_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Git : public ::testing::Test {
 protected:
  void SetUp() override {
    terms_.spec = SpecFor(workspace_.path());
    ASSERT_EQ(
        workspace_.Shell(
            "git init -q -b main repo; cd repo; git config user.name n; git config user.email e@x; "
            "echo a > a; git add a; git commit -qm first"),
        0);
  }
  Outcome Run(const std::string& script) const { return RunScript(terms_, script); }
  std::string Works(const std::string& script) const {
    Outcome outcome = Run("set -e; " + script);
    EXPECT_EQ(outcome.status, 0) << script << "\n" << outcome.output;
    for (const auto& refused : outcome.refused) {
      ADD_FAILURE() << refused.path << " was refused by " << refused.rule;
    }
    return outcome.output;
  }
  Workspace workspace_;
  Terms terms_;
};

TEST_F(Git, WorksUnchanged) {
  Works(
      "git init -q -b main new; cd new; git config user.name me; git config user.email me@x; echo "
      "x > x; git add .; "
      "git commit -qm one; git branch side; git checkout -q side; echo y >> x; git commit -qam "
      "two; "
      "git checkout -q main; git merge -q side; git tag v1; git remote add origin "
      "https://example.invalid/x.git; "
      "git stash list; git rebase -q side; git branch -m side renamed; git branch hooks/x; git gc "
      "-q; git status; "
      "test \"$(git config user.name)\" = me; git remote -v | grep example; git log --oneline | "
      "grep two");
}

TEST_F(Git, ClonesAndTracks) {
  Works(
      "git clone -q repo copy; cd copy; git branch --track t origin/main; git config "
      "branch.t.merge | grep main; "
      "git pull -q; git fetch -q; git push -q origin HEAD:other");
}

TEST_F(Git, HasWorktrees) {
  Works(
      "cd repo; git worktree add -q ../wt -b wt; cd ../wt; git status; echo b > b; git add b; git "
      "commit -qm b; "
      "git worktree add -q ../wt2 -b wt2; cd ../repo; git worktree list | grep wt2; git worktree "
      "remove ../wt");
}

TEST_F(Git, HasSubmodules) {
  Works(
      "git clone -q repo sub.git; cd repo; git -c protocol.file.allow=always submodule --quiet add "
      "../sub.git lib/s; "
      "git commit -qm sub; cd lib/s; git status; git log --oneline | grep first");
}

TEST_F(Git, GetsNoHooks) {
  const Outcome outcome = Run(
      "cd repo/.git; echo x > hooks/pre-commit; echo x > hooks/ok.sample; mv hooks/ok.sample "
      "hooks/post-commit; "
      "ln hooks/ok.sample hooks/pre-push; ln -s ../../a hooks/pre-rebase; cp /bin/true "
      "hooks/commit-msg; "
      "mkdir ../h; echo x > ../h/pre-commit; mv hooks old; mv ../h hooks; ln -s ../h hooks; mkdir "
      "hooks; "
      "cd hooks && echo x > update; cd ../..; mkdir -p .git/modules/x/y/hooks; echo x > "
      ".git/modules/x/y/hooks/pre-push; "
      "mkdir -p .git/modules/refs/hooks; echo x > .git/modules/refs/hooks/pre-push; ls -R .git h");
  for (const char* name :
       {"pre-commit", "post-commit", "pre-push", "pre-rebase", "commit-msg", "update"}) {
    EXPECT_FALSE(workspace_.Exists(std::string("repo/.git/hooks/") + name)) << name;
  }
  EXPECT_FALSE(workspace_.Exists("repo/.git/modules/x/y/hooks/pre-push"));
  EXPECT_FALSE(workspace_.Exists("repo/.git/modules/refs/hooks/pre-push"));
  EXPECT_TRUE(outcome.WasRefused("git:hooks", "/hooks/pre-commit"));
}

TEST_F(Git, RepositoriesOfOtherNamesWork) {
  Works(
      "git init -q --bare new.git; git clone -q --bare repo copy.git; git clone -q --mirror repo "
      "mirror.git; git clone -q new.git work; cd work; git config user.name n; git config "
      "user.email e@x; echo x > x; git add x; git commit -qm x; git push -q origin HEAD:main; cd "
      "../new.git; git config gc.auto 0; git log --oneline main | grep x; git fetch -q ../repo; "
      "git gc -q; mkdir ../d; cp HEAD ../d/HEAD; mkdir ../d/objects; echo x > ../d/config; "
      "mkdir ../d/hooks; echo x > ../d/hooks/pre-push");
}

TEST_F(Git, RepositoriesOfOtherNamesGetNoHooksAndNoPrograms) {
  workspace_.Shell(
      "git clone -q --bare repo theirs.git; mv repo/.git store; ln -s ../store repo/.git");
  const Outcome outcome = Run(
      "for r in theirs.git store; do (cd $r; mkdir -p hooks; echo x > hooks/pre-receive; echo x > "
      "hooks/ok.sample; mv hooks/ok.sample hooks/update; ln hooks/ok.sample hooks/pre-push; cp "
      "/bin/true hooks/post-update; mkdir ../h; echo x > ../h/pre-commit; mv hooks ../old-$r; mv "
      "../h hooks; ln -s ../h hooks; mv ../old-$r hooks; echo '[alias]' >> config; ln config "
      "../second; git config core.fsmonitor x; git config user.name me; echo .. > commondir); "
      "done");
  for (const char* place : {"theirs.git/", "store/"}) {
    const std::string at = place;
    for (const char* name : {"pre-receive", "update", "pre-push", "post-update", "pre-commit"}) {
      EXPECT_FALSE(workspace_.Exists(at + "hooks/" + name)) << at << name;
    }
    EXPECT_THAT(workspace_.Read(at + "config"), Not(HasSubstr("alias"))) << at;
    EXPECT_THAT(workspace_.Read(at + "config"), Not(HasSubstr("fsmonitor"))) << at;
    EXPECT_THAT(workspace_.Read(at + "config"), HasSubstr("name = me")) << at;
    EXPECT_FALSE(workspace_.Exists(at + "commondir")) << at;
  }
  EXPECT_FALSE(workspace_.Exists("second"));
  EXPECT_TRUE(outcome.WasRefused("git:hooks", "theirs.git/hooks/pre-receive"));
  EXPECT_TRUE(outcome.WasRefused("git:config:core.fsmonitor", "store/config"));
}

TEST_F(Git, NothingThatRunsIsThereBeforeADirectoryBecomesARepository) {
  const Outcome outcome = Run(
      "parts() { mkdir -p $1/objects $1/refs; }; evil='[core] fsmonitor = x'; "
      "parts a; echo \"$evil\" > a/config; echo x > a/HEAD; echo x > h; mv h a/HEAD; ln -s x "
      "a/HEAD; "
      "parts b; mkdir b/hooks; echo x > b/hooks/update; echo x > b/HEAD; "
      "mkdir -p c/refs; echo \"$evil\" > c/config; echo x > c/HEAD; mkdir c/objects; "
      "mkdir d; echo x > d/HEAD; echo ../a > d/commondir; "
      "mkdir e; echo ../a > e/commondir; echo x > e/HEAD; "
      "parts f; ln -s ../b/hooks f/hooks; echo x > f/HEAD; "
      "parts g; echo \"$evil\" > real; ln -s ../real g/config; echo x > g/HEAD; "
      "parts i; echo '[core]' > i/config; exec 3<>i/config; echo x > i/HEAD; echo \"$evil\" >&3; "
      "parts repo/.git/x; echo \"$evil\" > repo/.git/x/config; echo x > repo/.git/x/HEAD; "
      "python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind(\"b/HEAD\")'; true");
  for (const char* head : {"a/HEAD", "b/HEAD", "c/objects", "d/commondir", "e/HEAD", "f/HEAD",
                           "g/HEAD", "repo/.git/x/HEAD"}) {
    EXPECT_FALSE(workspace_.Exists(head)) << head << outcome.output;
  }
  EXPECT_TRUE(workspace_.Exists("i/HEAD"));
  EXPECT_THAT(workspace_.Read("i/config"), Not(HasSubstr("fsmonitor")));
  EXPECT_TRUE(outcome.WasRefused("git:config:core.fsmonitor", "a/HEAD"));
}

TEST_F(Git, WhatNamesTheRestOfARepositoryStaysWhereItIs) {
  workspace_.Shell("cd repo; git worktree add -q ../wt -b wt");
  Run("mkdir -p x/a; mv repo/.git/worktrees/wt x/a/w; mv repo/.git/worktrees x/a");
  EXPECT_TRUE(workspace_.Exists("repo/.git/worktrees/wt/commondir"));
}

TEST_F(Git, AnExistingHookIsNotChangedOrEnabled) {
  workspace_.Write("repo/.git/hooks/pre-commit", "old\n");
  Run("cd repo/.git/hooks; chmod +x pre-commit; echo x > pre-commit; echo x >> pre-commit; "
      "truncate -s 0 pre-commit; "
      "sed -i s/old/new/ pre-commit");
  EXPECT_EQ(workspace_.Read("repo/.git/hooks/pre-commit"), "old\n");
  EXPECT_NE(workspace_.Shell("test -x repo/.git/hooks/pre-commit"), 0);
}

TEST_F(Git, GetsOnlyHarmlessSettings) {
  const Outcome outcome =
      Run("cd repo; for s in core.hooksPath core.fsmonitor core.sshCommand core.pager core.editor "
          "core.worktree alias.x "
          "filter.f.clean diff.d.command diff.d.textconv include.path includeIf.gitdir:/.path "
          "credential.helper gpg.program "
          "merge.m.driver remote.o.uploadpack remote.o.vcs init.templateDir protocol.ext.allow "
          "url.x.insteadOf "
          "core.gitProxy core.askPass sequence.editor uploadpack.packObjectsHook; do "
          "git config $s /tmp/evil && echo let $s through; done; git config remote.o.url 'ext::sh "
          "-c x' && echo let url; "
          "git config submodule.s.update '!sh' && echo let update; git config branch.b.remote "
          "ext::sh && echo let branch; "
          "git config user.name fine; git config --get user.name");
  EXPECT_THAT(outcome.output, Not(HasSubstr("let ")));
  EXPECT_THAT(outcome.output, HasSubstr("fine"));
  EXPECT_THAT(workspace_.Read("repo/.git/config"), Not(HasSubstr("evil")));
}

TEST_F(Git, KeepsWhatThePersonHasSet) {
  workspace_.Shell(
      "cd repo; git config core.hooksPath mine; git config filter.lfs.clean 'git-lfs clean'");
  Works("cd repo; git config user.name other; git branch --track t main");
  Run("cd repo; git config core.hooksPath /tmp/evil");
  EXPECT_THAT(workspace_.Read("repo/.git/config"), HasSubstr("hooksPath = mine"));
  EXPECT_THAT(workspace_.Read("repo/.git/config"), HasSubstr("other"));
}

TEST_F(Git, AConfigurationIsWrittenByRenamingItsLockOnly) {
  const Outcome outcome = Run(
      R"(cd repo; printf '[alias]\n x = !sh\n' > evil; echo '[user]' >> .git/config; mv evil .git/config;
cp evil .git/config; ln -f evil .git/config; ln -sf ../evil .git/config; mv evil .git/config.lock; mv .git/config.lock .git/config;
rm -f .git/config.lock; python3 - <<'END'
import os
fd = os.open('.git/config.lock', os.O_CREAT | os.O_RDWR)
os.write(fd, open('.git/config', 'rb').read())
os.rename('.git/config.lock', '.git/config')
os.write(fd, b'[alias]\n x = !sh\n')
print('kept the descriptor')
END)");
  EXPECT_THAT(outcome.output, HasSubstr("kept the descriptor"));
  EXPECT_THAT(workspace_.Read("repo/.git/config"), Not(HasSubstr("alias")));
  EXPECT_THAT(workspace_.Read("repo/.git/config"), HasSubstr("repositoryformatversion"));
}

TEST_F(Git, NothingBecomesARepositoryThatWasNotMadeAsOne) {
  const Outcome outcome = Run(
      "mkdir -p evil/hooks r; echo x > evil/config; mv evil r/.git; ln -s ../evil r/.git; echo "
      "'gitdir: ../evil' > r/.git; "
      "cp -r evil r2; mv r2 r/.GIT; echo ../../evil > repo/.git/commondir; mkdir "
      "repo/.git/worktrees "
      "repo/.git/worktrees/w; echo ../../../evil > repo/.git/worktrees/w/commondir; mv evil "
      "repo/.git/modules; "
      "ln -s ../../evil repo/.git/modules; mkdir repo/.git/modules; mv evil repo/.git/modules/s; "
      "ln -s ../../../evil repo/.git/modules/s; cat r/.git; ls -a r");
  EXPECT_FALSE(workspace_.Exists("r/.git"));
  EXPECT_FALSE(workspace_.Exists("repo/.git/commondir"));
  EXPECT_FALSE(workspace_.Exists("repo/.git/modules/s"));
  EXPECT_EQ(workspace_.Read("repo/.git/worktrees/w/commondir"), "../..\n");
  EXPECT_TRUE(workspace_.Exists("evil/config"));
}

}  // namespace
}  // namespace cordon::warden_test
