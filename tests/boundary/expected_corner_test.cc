// What the tables of expected_test.cc and expected_free_test.cc do not hold: content,
// both ends of a rename, hard links, numbers used again, deny rules, subroots.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "tests/boundary/witness.h"
#include "tests/support/resolvers.h"

namespace cordon::testing {
namespace {

using confine::Expected;
using confine::OpenMode;
using confine::Presence;

constexpr const char* kStale = "STALE_FILE race (expected)";

class Expecting : public PerResolver {
 protected:
  void Exchange(const std::string& first, const std::string& second) const {
    ASSERT_EQ(::renameat2(AT_FDCWD, scratch_.At(first).c_str(), AT_FDCWD,
                          scratch_.At(second).c_str(), RENAME_EXCHANGE),
              0);
  }
  void Write(const std::string& below, const std::string& content) const {
    std::ofstream(scratch_.At(below)) << content;
  }
  ino_t InodeOf(const std::string& below) const {
    struct stat found = {};
    return ::lstat(scratch_.At(below).c_str(), &found) == 0 ? found.st_ino : 0;
  }
  // Nothing changed while `act` ran, and it said `said`.
  template <typename Act>
  void ExpectUntouched(const std::string& said, const Act& act) const {
    const Witness before = Witness::Of(scratch_);
    EXPECT_EQ(Describe(act()), said);
    const Witness after = Witness::Of(scratch_);
    EXPECT_EQ(before.Strangers(after, 0, ""), "");
    EXPECT_EQ(after.temporaries, "");
  }
};
CORDON_PER_RESOLVER(Expecting);

Expected BasedOn(std::string_view content) {
  Expected expected;
  expected.content = Sha256(content);
  return expected;
}

Status ReplaceWith(
    const confine::Root& root, std::string_view path, const Expected& expected,
    const std::function<void()>& before_commit = [] {}) {
  auto replacement = root.Replace(path, expected);
  if (!replacement) return std::move(replacement.error());
  if (Status written = replacement->Write("new"); !written) return written;
  before_commit();
  return replacement->Commit();
}

TEST_P(Expecting, ContentAloneTakesAnyFileThatHasIt) {
  Given({FileWith("root/f", "base"), FileWith("root/g", "base"), FileWith("root/h", "other")});
  const auto root = Open();
  EXPECT_ALLOWED(ReplaceWith(root, "f", BasedOn("base"), [&] { Exchange("root/f", "root/g"); }));
  EXPECT_EQ(ReadFile(root, "f").value_or("?"), "new");
  EXPECT_EQ(ReadFile(root, "g").value_or("?"), "base");
  ExpectUntouched(kStale, [&] { return ReplaceWith(root, "h", BasedOn("base")); });
  ExpectUntouched(kStale, [&] { return ReplaceWith(root, "none", BasedOn("base")); });
  Expected absent = BasedOn("");
  absent.presence = Presence::kAbsent;
  ExpectUntouched(kStale, [&] { return ReplaceWith(root, "none", absent); });
}

TEST_P(Expecting, ContentThatChangesWhileTheNewOneIsWrittenIsKept) {
  Given({FileWith("root/f", "base"), Link("root/l", "g"), Dir("root/d")});
  const auto root = Open();
  for (const std::string edit : {"", "bas", "BASE", "base and more"}) {
    Write("root/f", "base");
    EXPECT_EQ(Describe(ReplaceWith(root, "f", BasedOn("base"), [&] { Write("root/f", edit); })),
              kStale);
    EXPECT_EQ(ReadFile(root, "f").value_or("?"), edit);
  }
  Write("root/f", "base");
  for (const std::string other : {"root/l", "root/d"}) {
    EXPECT_EQ(Describe(ReplaceWith(root, "f", BasedOn("base"), [&] { Exchange("root/f", other); })),
              kStale);
    Exchange("root/f", other);
    EXPECT_EQ(ReadFile(root, "f").value_or("?"), "base");
  }
  EXPECT_EQ(Inside().size(), 3u);
}

TEST_P(Expecting, WhatIsTooLargeToCompareIsNotReplaced) {
  Given({FileWith("root/f", "x")});
  ASSERT_EQ(::truncate(scratch_.At("root/f").c_str(), (off_t{1} << 30) + 1), 0);
  EXPECT_REFUSED(Open().Replace("f", BasedOn("x")), ErrorCode::kTooLarge);
  ASSERT_EQ(::truncate(scratch_.At("root/f").c_str(), 1), 0);
}

TEST_P(Expecting, RenameReplacesWhatWasSeenAtTheNewName) {
  Given({FileWith("root/a", "a"), FileWith("root/b", "b"), FileWith("root/c", "c"),
         Dir("root/empty"), FileWith("root/full/x", "x"), FileWith("root/dir/y", "y"),
         Link("root/l", "c")});
  const auto root = Open();
  const auto seen = [&](const char* path) {
    return root.Probe(path, Operation::kRename)->AsExpected();
  };
  const Expected a = seen("a"), b = seen("b"), empty = seen("empty"), full = seen("full"),
                 dir = seen("dir");
  for (const char* other : {"root/c", "root/l", "root/dir"}) {
    Exchange("root/b", other);
    ExpectUntouched(kStale, [&] { return root.Rename("a", root, "b", a, b); });
    Exchange("root/b", other);
    Exchange("root/a", other);
    ExpectUntouched(kStale, [&] { return root.Rename("a", root, "b", a, b); });
    ExpectUntouched(kStale, [&] { return root.Rename("a", root, "b", a, {}); });
    Exchange("root/a", other);
  }
  ExpectUntouched("ALREADY_EXISTS", [&] { return root.Rename("dir", root, "full", dir, full); });
  ExpectUntouched("ALREADY_EXISTS", [&] { return root.Rename("dir", root, "full", dir, {}); });
  ExpectUntouched("NOT_A_DIRECTORY", [&] { return root.Rename("dir", root, "b", dir, b); });
  ExpectUntouched("IS_A_DIRECTORY", [&] { return root.Rename("a", root, "full", a, full); });
  ExpectUntouched("INVALID_PATH", [&] { return root.Rename("dir", root, "dir/z", dir, {}); });
  const ino_t moved = InodeOf("root/a");
  EXPECT_ALLOWED(root.Rename("a", root, "b", a, b));
  EXPECT_EQ(InodeOf("root/b"), moved);
  EXPECT_ALLOWED(root.Rename("dir", root, "empty", dir, empty));
  EXPECT_EQ(ReadFile(root, "empty/y").value_or("?"), "y");
  EXPECT_ALLOWED(root.Rename("b", root, "c", seen("b"), {}));
  EXPECT_EQ(InodeOf("root/c"), moved);
  EXPECT_EQ(Inside().size(), 6u) << "c, empty, empty/y, full, full/x, l";
}

TEST_P(Expecting, RenameBetweenTwoNamesOfOneFileDoesNothing) {
  Given({FileWith("root/a", "a"), {"hardlink", "root/b", "root/a", ""}});
  const auto root = Open(policy::Profile::kInteractive);
  const Expected a = root.Probe("a", Operation::kRename)->AsExpected();
  ExpectUntouched("allow", [&] { return root.Rename("a", root, "b", a, {}); });
  ExpectUntouched("allow", [&] { return root.Rename("a", root, "a", a, a); });
}

TEST_P(Expecting, ADirectoryThatIsNotEmptyKeepsItsName) {
  Given({FileWith("root/full/x", "x")});
  const auto root = Open();
  const Expected full = root.Probe("full", Operation::kDelete)->AsExpected();
  ExpectUntouched("ALREADY_EXISTS", [&] { return root.Remove("full", full); });
}

TEST_P(Expecting, TheSameFileInAnotherDirectoryIsNotWhatWasSeen) {
  Given({FileWith("root/d/f", "x"), {"hardlink", "root/evil/f", "root/d/f", ""}});
  const auto root = Open(policy::Profile::kInteractive);
  const auto removal = root.Probe("d/f", Operation::kDelete);
  const auto writing = root.Probe("d/f", Operation::kCreate);
  Exchange("root/d", "root/evil");
  ExpectUntouched(kStale, [&] { return root.Remove("d/f", removal->AsExpected()); });
  ExpectUntouched(kStale, [&] { return ReplaceWith(root, "d/f", writing->AsExpected()); });
}

TEST_P(Expecting, AppendToASharedInodeReplacesOnlyTheNameThatWasSeen) {
  Given({{"hardlink", "root/h", "outside/secret", ""}, FileWith("root/f", "other")});
  const auto root = Open(policy::Profile::kInteractive);
  const auto seen = root.Probe("h", Operation::kWrite);
  ASSERT_TRUE(seen.has_value());
  Exchange("root/h", "root/f");
  ExpectUntouched(kStale, [&] { return root.Append("h", "+more", seen->AsExpected()); });
  Exchange("root/h", "root/f");
  const Snapshot outside = Outside();
  EXPECT_ALLOWED(root.Append("h", "+more", seen->AsExpected()));
  EXPECT_EQ(ReadFile(root, "h").value_or("?"), "SECRET+more");
  EXPECT_TRUE(Compare(outside, Outside()).empty());
}

TEST_P(Expecting, ANumberDoesNotPassToAFileMadeLater) {
  Given({FileWith("root/d/f", "seen")});
  const auto root = Open();
  const auto seen = root.Probe("d/f", Operation::kRead);
  const auto named = root.Probe("d/f", Operation::kDelete);
  ASSERT_TRUE(seen && named);
  for (int round = 0; round < 300; ++round) {
    ASSERT_EQ(::unlink(scratch_.At("root/d/f").c_str()), 0);
    Write("root/d/f", "another");
    ASSERT_NE(InodeOf("root/d/f"), seen->stat.identity.inode);
  }
  ExpectUntouched(kStale, [&] { return root.Open("d/f", OpenMode::kRead, seen->AsExpected()); });
  ExpectUntouched(kStale, [&] { return root.Remove("d/f", named->AsExpected()); });
}

TEST_P(Expecting, WhatWasAbsentIsNotShownOnceItIsThere) {
  Given({FileWith("root/f", "x"), Dir("root/d"), Link("root/l", "f")});
  const auto root = Open();
  Expected absent;
  absent.presence = Presence::kAbsent;
  for (const OpenMode mode : {OpenMode::kRead, OpenMode::kWrite, OpenMode::kReadWrite}) {
    ExpectUntouched(kStale, [&] { return root.Open("f", mode, absent); });
    ExpectUntouched("NOT_FOUND", [&] { return root.Open("none", mode, absent); });
  }
  ExpectUntouched(kStale, [&] { return root.List("d", 10, absent); });
  ExpectUntouched(kStale, [&] { return root.ReadLink("l", absent); });
  ExpectUntouched(kStale, [&] { return root.Remove("f", absent); });
  ExpectUntouched(kStale, [&] { return root.RemoveAll("d", absent); });
  ExpectUntouched(kStale, [&] { return root.Rename("f", root, "g", absent); });
  ExpectUntouched(kStale, [&] { return root.Subroot("d", root.options(), absent); });
}

TEST_P(Expecting, WhatIsToBeMadeCannotHaveBeenThere) {
  Given({FileWith("root/f", "x")});
  const auto root = Open();
  const Expected seen = root.Probe("f", Operation::kRead)->AsExpected();
  for (const char* path : {"f", "none"}) {
    ExpectUntouched("INVALID_ARGUMENTS", [&] { return root.Mkdir(path, 0777, seen); });
    ExpectUntouched("INVALID_ARGUMENTS", [&] { return root.Symlink("f", path, seen); });
    ExpectUntouched("INVALID_ARGUMENTS",
                    [&] { return root.Open(path, OpenMode::kCreateExclusive, seen); });
  }
}

TEST_P(Expecting, DenyRulesBeatWhatSomeoneAgreedTo) {
  Given({FileWith("root/.env", "K"), FileWith("root/d/deep/.env", "K"), FileWith("root/d/f", "x"),
         FileWith("root/f", "x")});
  const auto root = Open();
  auto open_options = OptionsOf(policy::Profile::kStrict, GetParam());
  open_options.deny = nullptr;
  const auto unruled = OpenWith(open_options);
  const auto seen = [&](const char* path) {
    return unruled.Probe(path, Operation::kRename)->AsExpected();
  };
  const Expected env = seen(".env"), d = seen("d"), f = seen("f");
  const auto denied = [&](const auto& act) {
    const Witness before = Witness::Of(scratch_);
    const auto result = act();
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error().code, ErrorCode::kPathDenied) << Describe(result.error());
    EXPECT_EQ(before.Strangers(Witness::Of(scratch_), 0, ""), "");
  };
  denied([&] { return root.Open(".env", OpenMode::kRead, env); });
  denied([&] { return ReplaceWith(root, ".env", env); });
  denied([&] { return root.Append(".env", "x", env); });
  denied([&] { return root.Remove(".env", env); });
  denied([&] { return root.RemoveAll("d", d); });
  denied([&] { return root.Rename(".env", root, "g", env, {}); });
  denied([&] { return root.Rename("f", root, ".env", f, env); });
}

TEST_P(Expecting, ASubrootIsTheDirectoryAndNotItsName) {
  Given({FileWith("root/d/sub/f", "seen"), FileWith("root/evil/f", "other"),
         Link("root/d/sub/up", "../../evil/f"), Link("root/way", "d/sub"),
         FileWith("root/d/sub/.env", "K")});
  const auto root = Open();
  const auto seen = root.Probe("way", Operation::kList);
  ASSERT_TRUE(seen.has_value());
  auto sub = root.Subroot("way", root.options(), seen->AsExpected());
  ASSERT_TRUE(sub.has_value()) << Describe(sub.error());
  EXPECT_EQ(sub->real_path(), scratch_.At("root/d/sub"));
  EXPECT_EQ(sub->spellings(), std::vector<std::string>{scratch_.At("root/d/sub")});
  EXPECT_EQ(sub->identity(), seen->stat.identity);
  EXPECT_EQ(sub->active_resolver(), GetParam());
  EXPECT_EQ(ReadFile(*sub, scratch_.At("root/d/sub/f")).value_or("?"), "seen");
  EXPECT_REFUSED(ReadFile(*sub, "up"), ErrorCode::kPathOutsideProject);
  EXPECT_REFUSED(ReadFile(*sub, "../../evil/f"), ErrorCode::kPathOutsideProject);
  EXPECT_REFUSED(ReadFile(*sub, ".env"), ErrorCode::kPathDenied);
  Exchange("root/d/sub", "root/evil");
  EXPECT_EQ(ReadFile(*sub, "f").value_or("?"), "seen");
  EXPECT_REFUSED(root.Subroot("way", root.options(), seen->AsExpected()), ErrorCode::kStaleFile);
  EXPECT_REFUSED(root.Subroot("d/none", root.options()), ErrorCode::kNotFound);
  EXPECT_REFUSED(root.Subroot("evil/f", root.options()), ErrorCode::kNotADirectory);
  auto whole = root.Subroot(".", root.options());
  ASSERT_TRUE(whole.has_value());
  EXPECT_EQ(whole->real_path(), root.real_path());
}

}  // namespace
}  // namespace cordon::testing
