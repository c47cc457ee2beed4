// ReadLink and Symlink.
#include <fcntl.h>
#include <sys/resource.h>

#include "tests/support/resolvers.h"

namespace cordon::testing {
namespace {

rlimit Limit() {
  rlimit limit = {};
  EXPECT_EQ(::getrlimit(RLIMIT_NOFILE, &limit), 0);
  return limit;
}

class Links : public PerResolver {};
CORDON_PER_RESOLVER(Links);

TEST_P(Links, ReadLinkShowsTextsThatLeadInside) {
  Given({FileWith("root/d/f", "x"), Link("root/rel", "d/f"), Link("root/abs", "${ROOT}/d/f"),
         Link("root/d/up", "../d"), Link("root/dangle", "d/none")});
  const auto root = Open();
  EXPECT_EQ(root.ReadLink("rel").value_or("?"), "d/f");
  EXPECT_EQ(root.ReadLink("d/up").value_or("?"), "../d");
  EXPECT_EQ(root.ReadLink("dangle").value_or("?"), "d/none");
  EXPECT_EQ(root.ReadLink("abs").value_or("?"), scratch_.At("root/d/f"));
}

TEST_P(Links, ReadLinkNeverTellsWhereTheOutsideIs) {
  Given({Link("root/rel", "../outside/secret"), Link("root/abs", "${SCRATCH}/outside/secret"),
         Link("root/far", "rel"), Link("root/env", ".env"), FileWith("root/f", "x")});
  const auto root = Open();
  for (const char* path : {"rel", "abs"}) {
    const auto text = root.ReadLink(path);
    ASSERT_FALSE(text.has_value()) << path;
    EXPECT_EQ(text.error().code, ErrorCode::kPathOutsideProject);
    for (const std::string& field : {text.error().detail, text.error().component,
                                     text.error().Message(path), text.error().AiMessage()}) {
      EXPECT_EQ(field.find("outside/"), std::string::npos) << field;
    }
  }
  EXPECT_REFUSED(root.ReadLink("far"), ErrorCode::kPathOutsideProject);
  EXPECT_REFUSED(root.ReadLink("f"), ErrorCode::kInvalidArguments);
  EXPECT_REFUSED(root.ReadLink("none"), ErrorCode::kNotFound);
}

// Names in the text of a link that leads out are names of the outside.
TEST_P(Links, DeniedNamesOutsideAreNotToldOfEither) {
  Given({Link("root/rel", "../very/.ssh/key"), Link("root/via", "hop/.git/x"),
         Link("root/hop", "../elsewhere/.env"), Dir("root/d"), Link("root/in", "d/.ssh/key"),
         Link("root/self", "self/.ssh/key")});
  const auto root = Open();
  for (const char* path : {"rel", "via", "hop", "rel/more"}) {
    for (const Error& error :
         {root.Open(path, confine::OpenMode::kRead).error(), root.Replace(path).error(),
          root.Stat(path, confine::FinalSymlink::kFollow).error(), root.List(path).error(),
          root.Probe(path, Operation::kCreate).error()}) {
      EXPECT_EQ(error.code, ErrorCode::kPathOutsideProject) << path;
      EXPECT_EQ(error.violation, Violation::kSymlink) << path;
      const std::string told = error.rule + error.component + error.detail;
      for (const char* name : {".ssh", ".git", ".env", "very", "elsewhere"}) {
        EXPECT_EQ(told.find(name), std::string::npos) << path << ": " << told;
      }
    }
  }
  for (const char* path : {"rel", "via", "hop"}) {
    EXPECT_REFUSED(root.ReadLink(path), ErrorCode::kPathOutsideProject);
  }
  EXPECT_REFUSED(root.Open("in", confine::OpenMode::kRead), ErrorCode::kPathDenied);
  EXPECT_REFUSED(root.ReadLink("in"), ErrorCode::kPathDenied);
  EXPECT_REFUSED(root.Open("self", confine::OpenMode::kRead), ErrorCode::kPathDenied);
}

TEST_P(Links, ReadLinkKnowsWhatDotDotMeansBehindALink) {
  // By text "l/../../top" rises above the root; in the tree it does not.
  Given({Dir("root/p/q"), FileWith("root/top", "inside"), Link("root/l", "p/q"),
         Link("root/k", "l/../../top")});
  const auto root = Open();
  EXPECT_EQ(ReadFile(root, "k").value_or("?"), "inside");
  EXPECT_EQ(root.ReadLink("k").value_or("?"), "l/../../top");
  EXPECT_ALLOWED(root.Symlink("l/../../top", "k2"));
}

TEST_P(Links, SymlinkIsMadeOnlyToInside) {
  Given({FileWith("root/d/f", "inside"), Link("root/out", "../outside")});
  const auto root = Open();
  EXPECT_ALLOWED(root.Symlink("d/f", "a"));
  EXPECT_ALLOWED(root.Symlink("../d/f", "d/b"));
  EXPECT_ALLOWED(root.Symlink(scratch_.At("root/d/f"), "c"));
  EXPECT_ALLOWED(root.Symlink("d/later", "dangle"));
  EXPECT_EQ(ReadFile(root, "a").value_or("?"), "inside");
  EXPECT_EQ(ReadFile(root, "d/b").value_or("?"), "inside");
  EXPECT_EQ(ReadFile(root, "c").value_or("?"), "inside");
  const Snapshot inside = Inside();
  EXPECT_REFUSED(root.Symlink("../outside/secret", "x"), ErrorCode::kPathOutsideProject);
  EXPECT_REFUSED(root.Symlink("../../root/d", "d/x"), ErrorCode::kPathOutsideProject);
  EXPECT_REFUSED(root.Symlink("/etc/passwd", "x"), ErrorCode::kPathOutsideProject);
  EXPECT_REFUSED(root.Symlink("none/../../outside", "x"), ErrorCode::kPathOutsideProject);
  EXPECT_REFUSED(root.Symlink("out/secret", "x"), ErrorCode::kPathOutsideProject);
  EXPECT_REFUSED(root.Symlink("d/f", "out/x"), ErrorCode::kPathOutsideProject);
  EXPECT_REFUSED(root.Symlink(".env", "x"), ErrorCode::kPathDenied);
  EXPECT_REFUSED(root.Symlink("d/f", ".env"), ErrorCode::kPathDenied);
  EXPECT_REFUSED(root.Symlink("", "x"), ErrorCode::kInvalidPath);
  EXPECT_REFUSED(root.Symlink("d/f", "a"), ErrorCode::kAlreadyExists);
  EXPECT_FALSE(root.Symlink(std::string("d\0f", 3), "x").has_value());
  EXPECT_TRUE(Compare(inside, Inside()).empty()) << Compare(inside, Inside()).Text();
}

TEST_P(Links, WhatIsMissingIsReadFromWhereTheLinksLead) {
  // By text "here/none/../../up" stays inside; but `here` is the root itself.
  Given({Link("root/here", "."), Link("root/l", "here/none/../../outside-name")});
  const auto root = Open();
  EXPECT_REFUSED(root.ReadLink("l"), ErrorCode::kPathOutsideProject);
  EXPECT_REFUSED(root.Symlink("here/none/../../up", "new"), ErrorCode::kPathOutsideProject);
  EXPECT_EQ(Inside().size(), 2U);
}

TEST_P(Links, TheKernelsOwnLinksAreNotRead) {
  if (const std::string missing = EnterMountNamespace(); !missing.empty()) GTEST_SKIP() << missing;
  Given({Dir("root/proc"), {"procfs", "root/proc", "", ""}});
  const auto root = Open(policy::Profile::kInteractive);
  EXPECT_REFUSED(root.ReadLink("proc/self/ns/mnt"), ErrorCode::kPathOutsideProject);
  EXPECT_REFUSED(root.ReadLink("proc/1/ns/mnt"), ErrorCode::kPathOutsideProject);
}

TEST_P(Links, ALinkIsNeitherReadNorMadeWhenItIsNotKnownWhereItLeads) {
  Given({FileWith("root/d/f", "x"), Link("root/out", "../outside"), Link("root/l", "d/../out/x")});
  const auto root = Open();
  // Every number of free descriptors: no shortage in the middle may pass for an answer.
  for (int free = 0; free < 6; ++free) {
    const rlimit before = Limit();
    std::vector<platform::UniqueFd> taken;
    const rlimit few = {64, before.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
    while (true) {
      platform::UniqueFd fd(::open("/dev/null", O_RDONLY | O_CLOEXEC));
      if (!fd.valid()) break;
      taken.push_back(std::move(fd));
    }
    for (int i = 0; i < free && !taken.empty(); ++i) taken.pop_back();
    const bool read = root.ReadLink("l").has_value();
    const bool made = root.Symlink("out/x", "new").has_value();
    taken.clear();
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
    EXPECT_FALSE(read) << free;
    EXPECT_FALSE(made) << free;
  }
}

}  // namespace
}  // namespace cordon::testing
