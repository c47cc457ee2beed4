// MkdirAll and RemoveAll.
#include <chrono>

#include "tests/support/resolvers.h"

namespace cordon::testing {
namespace {

class MakeAndRemove : public PerResolver {};
CORDON_PER_RESOLVER(MakeAndRemove);

TEST_P(MakeAndRemove, MkdirAllMakesEveryMissingPart) {
  Given({Dir("root/a")});
  const auto root = Open();
  EXPECT_ALLOWED(root.MkdirAll("a/b/c/d"));
  EXPECT_TRUE(Inside().contains("a/b/c/d"));
  EXPECT_ALLOWED(root.MkdirAll("a/b/c/d")) << "what exists is fine";
  EXPECT_ALLOWED(root.MkdirAll("a/b/c/d/"));
  EXPECT_ALLOWED(root.MkdirAll("."));
}

TEST_P(MakeAndRemove, MkdirAllFollowsLinksThatStayInside) {
  Given({Dir("root/d"), Link("root/l", "d"), Link("root/abs", "${ROOT}/d")});
  const auto root = Open();
  EXPECT_ALLOWED(root.MkdirAll("l/x/y"));
  EXPECT_ALLOWED(root.MkdirAll("abs/p/q"));
  const Snapshot inside = Inside();
  EXPECT_TRUE(inside.contains("d/x/y"));
  EXPECT_TRUE(inside.contains("d/p/q"));
}

TEST_P(MakeAndRemove, MkdirAllMakesNothingWhenItRefuses) {
  Given({FileWith("root/file", "x"), Link("root/out", "../outside"),
         Link("root/dangle", "../outside/new"), Link("root/env", ".env")});
  const auto root = Open();
  const Snapshot inside = Inside();
  const Snapshot outside = Outside();
  EXPECT_REFUSED(root.MkdirAll("out/x"), ErrorCode::kPathOutsideProject);
  EXPECT_REFUSED(root.MkdirAll("dangle/x"), ErrorCode::kPathOutsideProject);
  EXPECT_REFUSED(root.MkdirAll("../x/y"), ErrorCode::kPathOutsideProject);
  EXPECT_REFUSED(root.MkdirAll("file/x"), ErrorCode::kNotADirectory);
  EXPECT_REFUSED(root.MkdirAll("env/x"), ErrorCode::kPathDenied);
  EXPECT_REFUSED(root.MkdirAll(".git/hooks"), ErrorCode::kPathDenied);
  EXPECT_REFUSED(root.MkdirAll(""), ErrorCode::kInvalidPath);
  // The fault is far down: nothing above it may have been made by then.
  EXPECT_REFUSED(root.MkdirAll("new/deep/.git/x"), ErrorCode::kPathDenied);
  EXPECT_REFUSED(root.MkdirAll("new/../../outside/x"), ErrorCode::kPathOutsideProject);
  EXPECT_REFUSED(root.MkdirAll("new/deep/" + std::string(256, 'n')), ErrorCode::kInvalidPath);
  EXPECT_TRUE(Compare(inside, Inside()).empty()) << Compare(inside, Inside()).Text();
  EXPECT_TRUE(Compare(outside, Outside()).empty());
}

TEST_P(MakeAndRemove, RemoveAllTakesEverythingBelowAndNoLinkTarget) {
  Given({FileWith("root/d/a/f", "x"),
         FileWith("root/d/b/g", "x"),
         Link("root/d/out", "../../outside"),
         Link("root/d/abs", "${SCRATCH}/outside"),
         FileWith("root/keep", "k"),
         Link("root/d/in", "../keep"),
         {"fifo", "root/d/p", "", ""}});
  const auto root = Open();
  const Snapshot outside = Outside();
  EXPECT_ALLOWED(root.RemoveAll("d"));
  const Snapshot inside = Inside();
  EXPECT_EQ(inside.size(), 1u);
  EXPECT_TRUE(inside.contains("keep"));
  EXPECT_TRUE(Compare(outside, Outside()).empty());
}

TEST_P(MakeAndRemove, RemoveAllOfALinkRemovesTheLinkAlone) {
  Given({FileWith("root/d/f", "x"), Link("root/l", "d"), Link("root/out", "../outside")});
  const auto root = Open();
  const Snapshot outside = Outside();
  EXPECT_ALLOWED(root.RemoveAll("l"));
  EXPECT_ALLOWED(root.RemoveAll("out"));
  EXPECT_REFUSED(root.RemoveAll("missing"), ErrorCode::kNotFound);
  const Snapshot inside = Inside();
  EXPECT_TRUE(inside.contains("d/f"));
  EXPECT_FALSE(inside.contains("l"));
  EXPECT_TRUE(Compare(outside, Outside()).empty());
}

TEST_P(MakeAndRemove, RemoveAllRefusesWithNothingRemovedWhenSomethingDeniedIsBelow) {
  Given({FileWith("root/d/a/f", "x"), FileWith("root/d/z/.env", "K"), FileWith("root/d/b", "x")});
  const auto root = Open();
  const Snapshot inside = Inside();
  EXPECT_REFUSED(root.RemoveAll("d"), ErrorCode::kPathDenied);
  EXPECT_REFUSED(root.RemoveAll("d/z"), ErrorCode::kPathDenied);
  EXPECT_TRUE(Compare(inside, Inside()).empty());
}

TEST_P(MakeAndRemove, TheRootItselfStays) {
  Given({FileWith("root/f", "x")});
  const auto root = Open();
  const Snapshot inside = Inside();
  for (const char* path : {".", "./", "a/..", "${ROOT}"}) {
    const std::string asked = Substitute(path, scratch_.path(), scratch_.At("root"));
    EXPECT_FALSE(root.RemoveAll(asked).has_value()) << asked;
    EXPECT_FALSE(root.Remove(asked).has_value()) << asked;
    EXPECT_FALSE(root.Rename(asked, root, "elsewhere").has_value()) << asked;
  }
  EXPECT_REFUSED(root.RemoveAll(".."), ErrorCode::kPathOutsideProject);
  EXPECT_REFUSED(root.RemoveAll("../outside"), ErrorCode::kPathOutsideProject);
  EXPECT_TRUE(Compare(inside, Inside()).empty());
}

TEST_P(MakeAndRemove, RemoveOfAFullDirectoryRefuses) {
  Given({FileWith("root/d/f", "x")});
  const auto root = Open();
  EXPECT_FALSE(root.Remove("d").has_value());
  EXPECT_TRUE(Inside().contains("d/f"));
}

// The square of the depth would be minutes here.
TEST_P(MakeAndRemove, MkdirAllOfALongPathTakesTimeInProportion) {
  Given({});
  const auto root = Open();
  std::string down = "a";
  std::string to_and_fro = "b";
  for (int i = 0; i < 300; ++i) down += "/a";
  for (int i = 0; i < 5000; ++i) to_and_fro += "/../b";
  EXPECT_ALLOWED(root.MkdirAll(down));
  EXPECT_ALLOWED(root.Stat(down, confine::FinalSymlink::kFollow));
  EXPECT_ALLOWED(root.Mkdir("b"));
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_ALLOWED(root.MkdirAll(to_and_fro));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
  EXPECT_ALLOWED(root.RemoveAll("a"));
}

}  // namespace
}  // namespace cordon::testing
