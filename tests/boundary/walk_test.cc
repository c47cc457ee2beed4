// Walk and List: what is seen, in which order, and what is not.
#include "tests/support/resolvers.h"

namespace cordon::testing {
namespace {

class Walking : public PerResolver {
 protected:
  static std::vector<std::string> Paths(const confine::Root& root, std::string_view start,
                                        const confine::WalkLimits& limits = {}) {
    std::vector<std::string> paths;
    const Status walked = root.Walk(start, limits, [&](const confine::WalkEntry& entry) {
      paths.emplace_back(entry.path);
      return confine::WalkStep::kContinue;
    });
    if (!walked) paths.push_back(Describe(walked.error()));
    return paths;
  }
};
CORDON_PER_RESOLVER(Walking);

using Names = std::vector<std::string>;

TEST_P(Walking, VisitsInByteOrderAndFollowsNoLink) {
  Given({FileWith("root/b/z", "1"), FileWith("root/b/a", "1"), FileWith("root/a", "1"),
         Link("root/b/out", "../../outside"), Link("root/c", "b"), Dir("root/B")});
  const auto root = Open();
  EXPECT_EQ(Paths(root, "."), (Names{"B", "a", "b", "b/a", "b/out", "b/z", "c"}));
  EXPECT_EQ(Paths(root, "b"), (Names{"a", "out", "z"}));
  EXPECT_EQ(Paths(root, "c"), (Names{"a", "out", "z"})) << "the start may be a link";
}

TEST_P(Walking, PassesOverWhatIsDenied) {
  Given({FileWith("root/.env", "K"), FileWith("root/.git/config", "c"),
         FileWith("root/a/.ssh/k", "k"), FileWith("root/a/f", "x"),
         FileWith("root/.env.example", "e")});
  const auto root = Open();
  EXPECT_EQ(Paths(root, "."), (Names{".env.example", "a", "a/f"}));
  auto listed = root.List(".");
  ASSERT_TRUE(listed.has_value());
  ASSERT_EQ(listed->size(), 2u);
  EXPECT_EQ((*listed)[0].name, ".env.example");
  EXPECT_EQ((*listed)[1].name, "a");
  EXPECT_REFUSED(root.Walk(".git", {}, nullptr), ErrorCode::kPathDenied);
  EXPECT_REFUSED(root.List("a/.ssh"), ErrorCode::kPathDenied);
}

TEST_P(Walking, RefusesAStartThatLeadsOut) {
  Given({Link("root/out", "../outside"), FileWith("root/f", "x")});
  const auto root = Open();
  const auto visit = [](const confine::WalkEntry&) { return confine::WalkStep::kContinue; };
  EXPECT_REFUSED(root.Walk("out", {}, visit), ErrorCode::kPathOutsideProject);
  EXPECT_REFUSED(root.Walk("..", {}, visit), ErrorCode::kPathOutsideProject);
  EXPECT_REFUSED(root.Walk("f", {}, visit), ErrorCode::kNotADirectory);
  EXPECT_REFUSED(root.Walk("none", {}, visit), ErrorCode::kNotFound);
}

TEST_P(Walking, SkipsAndStopsWhenTold) {
  Given({FileWith("root/a/f", "x"), FileWith("root/b/f", "x"), FileWith("root/c/f", "x")});
  const auto root = Open();
  Names seen;
  EXPECT_ALLOWED(root.Walk(".", {}, [&](const confine::WalkEntry& entry) {
    seen.emplace_back(entry.path);
    if (entry.path == "a") return confine::WalkStep::kSkipBelow;
    return entry.path == "b/f" ? confine::WalkStep::kStop : confine::WalkStep::kContinue;
  }));
  EXPECT_EQ(seen, (Names{"a", "b", "b/f"}));
}

TEST_P(Walking, KeepsToItsLimits) {
  Given({FileWith("root/a/b/c/f", "x"), FileWith("root/x", "x")});
  const auto root = Open();
  const auto visit = [](const confine::WalkEntry&) { return confine::WalkStep::kContinue; };
  EXPECT_REFUSED(root.Walk(".", {3, 1024}, visit), ErrorCode::kLimitExceeded);
  EXPECT_REFUSED(root.Walk(".", {1000, 2}, visit), ErrorCode::kLimitExceeded);
  EXPECT_ALLOWED(root.Walk(".", {5, 1024}, visit));
  EXPECT_REFUSED(root.List(".", 1), ErrorCode::kLimitExceeded);
  EXPECT_ALLOWED(root.List(".", 2));
}

}  // namespace
}  // namespace cordon::testing
