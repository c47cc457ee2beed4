"""Work with git behind the line is as it is before it."""

import unittest

from workplace import NOBODY, RunTest, for_root_too

# The index holds times and inode numbers.
UNSTEADY = ["*/index", "*.git/*/index", "*.pack", "*.idx", "*.rev", "*/logs/*"]
BEGIN = """
git init -q -b main project && cd project
printf 'one\\ntwo\\n' >a; mkdir sub; printf 'x\\n' >sub/b; printf '#!/bin/sh\\n' >run; chmod +x run; ln -s a link
git add -A && git commit -qm first
"""


class Git(RunTest):
    user = NOBODY

    def git(self, script, **more):
        return self.compare(BEGIN + script, unsteady=UNSTEADY, **more)

    def test_init_commit_log(self):
        self.git("git log --format='%H %s'; git status --porcelain; git fsck; git show --stat; git diff HEAD~0")

    def test_branch_checkout_merge(self):
        self.git("""
git checkout -qb topic; echo three >>a; git commit -qam topic; git checkout -q main; echo y >c; git add c
git commit -qm main; git merge -q --no-edit topic; git log --format=%s --graph; git branch -d topic; git switch -qc other
echo four >>a; git stash -q; git stash list; git stash pop -q; git tag v1; git tag -am two v2; git tag -l; git branch -a
""")

    def test_conflict_and_rebase(self):
        self.git("""
git checkout -qb topic; echo A >a; git commit -qam A; git checkout -q main; echo B >a; git commit -qam B
git merge -q topic || cat a; git merge --abort; git checkout -q topic
git rebase -q main || { echo C >a; git add a; GIT_EDITOR=true git rebase --continue 2>&1 | tail -1 | tr -d '\\r'; }
git log --format=%s; git cherry-pick -n main~0 2>/dev/null || git reset -q --hard; git revert --no-edit HEAD | tail -1
""")

    def test_clone_by_path_and_url(self):
        self.git("""
cd ..; git clone -q project by-path; git clone -q "file://$PWD/project" by-url; git clone -q --bare project bare.git
cd by-path; echo new >>a; git commit -qam new; git push -q origin HEAD:refs/heads/pushed; git fetch -q; git branch -a
git pull -q --ff-only origin main; cd ../project; git log --format=%s pushed
""")

    def test_worktree(self):
        self.git("""
git worktree add -q ../second -b second; cd ../second; echo w >>a; git commit -qam w; git status --porcelain
cd ../project; git worktree list | sed 's/ .*//' ; git log --format=%s second; git worktree remove ../second
""")

    def test_submodule(self):
        self.git("""
HERE=$(dirname "$PWD")
git init -q -b main ../library; (cd ../library; echo l >l; git add l; git commit -qm l)
git init -q -b main ../middle; cd ../middle; git -c protocol.file.allow=always submodule --quiet add "$HERE/library" in/ner
git commit -qm m; cd ../project; git -c protocol.file.allow=always submodule --quiet add "$HERE/middle" deps/lib
git commit -qm sub; git submodule status
git -c protocol.file.allow=always clone -q --recurse-submodules . ../clone; cat ../clone/deps/lib/in/ner/l
cat ../clone/deps/lib/.git ../clone/deps/lib/in/ner/.git
git -C ../clone submodule foreach --quiet --recursive 'git status --porcelain; git config core.worktree; pwd'
git worktree add -q ../tree; git -C ../tree log --format=%s
""")

    def test_configuration(self):
        self.git("""
git config user.name Somebody; git config user.email s@example.org; git config core.autocrlf input
git remote add upstream https://example.org/x.git; git remote set-url upstream https://example.org/y.git
git remote rename upstream other; git branch --set-upstream-to=main -q topic 2>/dev/null || true
git config --list --local | sort; git config --unset user.email; git remote remove other; cat .git/config
""")

    def test_maintenance(self):
        self.git("""
for i in 1 2 3 4 5; do echo $i >>a; git commit -qam $i; done
git gc -q; git repack -adq; git pack-refs --all; git count-objects -v | grep in-pack; git reflog | wc -l; git prune
git archive HEAD | tar -t; git bundle create -q ../b HEAD; git clone -q ../b ../from-bundle; git clean -nd; git mv a z
git rm -q sub/b; git commit -qm moved; git blame z | wc -l; git grep -c one || true; git apply --check </dev/null || true
""")

    def test_patches(self):
        self.git("""
echo three >>a; git diff >../p; git checkout -q a; git apply ../p; git add -u; git commit -qm p
git format-patch -q -1 -o ..; git reset -q --hard HEAD~1; git am -q ../0001*; git log --format='%H %s'
printf 'y\\n' | git add -p >/dev/null 2>&1 || true; git bisect start HEAD HEAD~1 | tail -1; git bisect reset 2>&1 | tail -1
""")

    def test_sparse_and_shallow(self):
        self.git("""
echo 2 >>a; git commit -qam 2; git clone -q --depth 1 "file://$PWD" ../shallow; git -C ../shallow log --format=%s
git sparse-checkout set --no-cone sub; ls; git sparse-checkout disable; ls
""")


GitAsRoot = for_root_too(Git)

if __name__ == "__main__":
    unittest.main()
