// Append and Replace: what they keep, and what they never write to.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/resolvers.h"

namespace cordon::testing {
namespace {

class Appending : public PerResolver {};
CORDON_PER_RESOLVER(Appending);

TEST_P(Appending, AddsToTheEndAndMakesWhatIsMissing) {
  Given({FileWith("root/f", "one"), Link("root/l", "f"), Link("root/new", "made")});
  const auto root = Open();
  EXPECT_ALLOWED(root.Append("f", " two"));
  EXPECT_ALLOWED(root.Append("l", " three"));
  EXPECT_ALLOWED(root.Append("new", "x"));
  EXPECT_EQ(ReadFile(root, "f").value_or("?"), "one two three");
  EXPECT_EQ(ReadFile(root, "made").value_or("?"), "x");
}

TEST_P(Appending, RefusesWhatIsNotAFileInside) {
  Given({Dir("root/d"),
         {"fifo", "root/p", "", ""},
         {"socket", "root/s", "", ""},
         Link("root/out", "../outside/secret"),
         Link("root/newout", "../outside/new"),
         FileWith("root/.env", "K"),
         Link("root/env", ".env")});
  const auto root = Open();
  const Snapshot inside = Inside();
  const Snapshot outside = Outside();
  EXPECT_REFUSED(root.Append("d", "x"), ErrorCode::kIsADirectory);
  EXPECT_REFUSED(root.Append("p", "x"), ErrorCode::kNotARegularFile);
  EXPECT_REFUSED(root.Append("s", "x"), ErrorCode::kNotARegularFile);
  EXPECT_REFUSED(root.Append("out", "x"), ErrorCode::kPathOutsideProject);
  EXPECT_REFUSED(root.Append("newout", "x"), ErrorCode::kPathOutsideProject);
  EXPECT_REFUSED(root.Append(".env", "x"), ErrorCode::kPathDenied);
  EXPECT_REFUSED(root.Append("env", "x"), ErrorCode::kPathDenied);
  EXPECT_REFUSED(root.Append("none/f", "x"), ErrorCode::kNotFound);
  EXPECT_TRUE(Compare(inside, Inside()).empty());
  EXPECT_TRUE(Compare(outside, Outside()).empty());
}

TEST_P(Appending, ReplaceKeepsTheModeAndShowsNothingBeforeCommit) {
  Given({FileWith("root/f", "old")});
  ::chmod(scratch_.At("root/f").c_str(), 04751);
  const auto root = Open();
  auto replacement = root.Replace("f");
  ASSERT_TRUE(replacement.has_value()) << Describe(replacement.error());
  EXPECT_TRUE(replacement->replaces());
  EXPECT_ALLOWED(replacement->Write("new"));
  EXPECT_EQ(ReadFile(root, "f").value_or("?"), "old");
  EXPECT_ALLOWED(replacement->Commit());
  EXPECT_EQ(ReadFile(root, "f").value_or("?"), "new");
  struct stat after = {};
  ASSERT_EQ(::stat(scratch_.At("root/f").c_str(), &after), 0);
  EXPECT_EQ(after.st_mode & 07777, 0751u) << "but never the right to run as someone else";
  EXPECT_FALSE(replacement->Commit().has_value()) << "once is enough";
}

TEST_P(Appending, ReplaceDroppedLeavesNothing) {
  Given({FileWith("root/f", "old")});
  const auto root = Open();
  const Snapshot inside = Inside();
  {
    auto replacement = root.Replace("f");
    ASSERT_TRUE(replacement.has_value());
    EXPECT_ALLOWED(replacement->Write("new"));
  }
  EXPECT_TRUE(Compare(inside, Inside()).empty()) << Compare(inside, Inside()).Text();
}

TEST_P(Appending, InteractiveBreaksTheAliasInsteadOfWritingThroughIt) {
  Given(
      {{"hardlink", "root/h", "outside/secret", ""}, {"hardlink", "root/i", "outside/secret", ""}});
  const auto root = Open(policy::Profile::kInteractive);
  const Snapshot outside = Outside();
  EXPECT_EQ(ReadFile(root, "h").value_or("?"), "SECRET") << "reading is allowed there";
  EXPECT_ALLOWED(root.Append("h", "+more"));
  EXPECT_ALLOWED(ReplaceFile(root, "i", "own"));
  EXPECT_EQ(ReadFile(root, "h").value_or("?"), "SECRET+more");
  EXPECT_EQ(ReadFile(root, "i").value_or("?"), "own");
  EXPECT_TRUE(Compare(outside, Outside()).empty()) << "the other name saw the write";
}

TEST_P(Appending, NoProfileWritesInPlaceToASharedInode) {
  Given({{"hardlink", "root/h", "outside/secret", ""}});
  const Snapshot outside = Outside();
  for (const policy::Profile profile : {policy::Profile::kStrict, policy::Profile::kInteractive}) {
    const auto root = Open(profile);
    for (const confine::OpenMode mode :
         {confine::OpenMode::kWrite, confine::OpenMode::kReadWrite, confine::OpenMode::kCreate}) {
      const auto file = root.Open("h", mode);
      ASSERT_FALSE(file.has_value());
      EXPECT_EQ(file.error().violation, Violation::kHardlink);
    }
  }
  EXPECT_TRUE(Compare(outside, Outside()).empty());
}

}  // namespace
}  // namespace cordon::testing
