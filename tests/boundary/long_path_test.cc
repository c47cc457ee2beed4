// Paths longer than PATH_MAX and trees deeper than any limit on descriptors.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/resolvers.h"

namespace cordon::testing {
namespace {

class LongPaths : public PerResolver {
 protected:
  // Makes `levels` directories called `name` in each other, `f` in the last one.
  std::string MakeDeep(int levels, const std::string& name) {
    std::string path;
    platform::UniqueFd here(::open(scratch_.At("root").c_str(), O_PATH | O_CLOEXEC));
    for (int level = 0; level < levels; ++level) {
      EXPECT_EQ(::mkdirat(here.get(), name.c_str(), 0755), 0);
      here.reset(::openat(here.get(), name.c_str(), O_PATH | O_CLOEXEC));
      path += name + "/";
    }
    const platform::UniqueFd file(::openat(here.get(), "f", O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
    EXPECT_EQ(::write(file.get(), "deep", 4), 4);
    return path;
  }
};
CORDON_PER_RESOLVER(LongPaths);

TEST_P(LongPaths, ThreeHundredComponentsBeyondPathMax) {
  Given({});
  const std::string path = MakeDeep(300, "directory-name-0123456789");
  ASSERT_GT(path.size(), 4096u);
  const auto root = Open();
  EXPECT_EQ(ReadFile(root, path + "f").value_or("?"), "deep");
  EXPECT_ALLOWED(root.List(path));
  EXPECT_ALLOWED(root.Mkdir(path + "new"));
  EXPECT_ALLOWED(ReplaceFile(root, path + "new/g", "x"));
  EXPECT_ALLOWED(root.Rename(path + "new/g", root, path + "h"));
  EXPECT_ALLOWED(root.Append(path + "h", "y"));
  EXPECT_EQ(ReadFile(root, path + "h").value_or("?"), "xy");
  EXPECT_ALLOWED(root.Remove(path + "h"));
  EXPECT_REFUSED(ReadFile(root, path + "h"), ErrorCode::kNotFound);
  EXPECT_REFUSED(ReadFile(root, path + ".env"), ErrorCode::kPathDenied);
  std::string up;
  for (int level = 0; level < 300; ++level) up += "../";
  EXPECT_REFUSED(ReadFile(root, path + up + "../outside/secret"), ErrorCode::kPathOutsideProject);
  EXPECT_EQ(ReadFile(root, path + up + path + "f").value_or("?"), "deep");
}

TEST_P(LongPaths, MoreThanAThousandLevels) {
  Given({});
  const std::string path = MakeDeep(1500, "d");
  const auto root = Open();
  EXPECT_EQ(ReadFile(root, path + "f").value_or("?"), "deep");
  EXPECT_REFUSED(root.Walk(".", {}, [](const auto&) { return confine::WalkStep::kContinue; }),
                 ErrorCode::kLimitExceeded);
  EXPECT_ALLOWED(
      root.Walk(".", {10'000, 2000}, [](const auto&) { return confine::WalkStep::kContinue; }));
  EXPECT_ALLOWED(root.RemoveAll("d"));
  EXPECT_TRUE(Inside().empty());
}

TEST_P(LongPaths, MkdirAllGoesBeyondPathMax) {
  Given({});
  const auto root = Open();
  std::string path;
  for (int level = 0; level < 50; ++level) path += std::string(100, 'm') + "/";
  EXPECT_ALLOWED(root.MkdirAll(path));
  EXPECT_ALLOWED(ReplaceFile(root, path + "f", "x"));
  EXPECT_EQ(ReadFile(root, path + "f").value_or("?"), "x");
}

TEST_P(LongPaths, LinksWhoseTextsAddUpToMoreThanPathMax) {
  // Each text is short enough for the system; together they are not.
  Given({FileWith("root/f", "inside")});
  std::string wander;
  for (int turn = 0; turn < 600; ++turn) wander += "a/../";
  ASSERT_EQ(
      Build(scratch_, {Dir("root/a"), Link("root/l1", wander + "l2"), Link("root/l2", wander + "f"),
                       Link("root/out", wander + "../outside")}),
      "");
  const auto root = Open();
  EXPECT_EQ(ReadFile(root, "l1").value_or("?"), "inside");
  EXPECT_EQ(ReadFile(root, wander + "l1").value_or("?"), "inside");
  EXPECT_REFUSED(ReadFile(root, "out/secret"), ErrorCode::kPathOutsideProject);
}

TEST_P(LongPaths, AMegabyteIsRefusedAtOnce) {
  Given({FileWith("root/f", "x")});
  const auto root = Open();
  const Snapshot inside = Inside();
  for (const std::string& path : {std::string(1 << 20, 'a'), std::string(1 << 20, '/'),
                                  std::string(1 << 20, '.'), "f" + std::string(1 << 20, '/')}) {
    EXPECT_REFUSED(ReadFile(root, path), ErrorCode::kInvalidPath);
    EXPECT_REFUSED(root.Mkdir(path), ErrorCode::kInvalidPath);
    EXPECT_REFUSED(root.MkdirAll(path), ErrorCode::kInvalidPath);
    EXPECT_REFUSED(root.Remove(path), ErrorCode::kInvalidPath);
    EXPECT_REFUSED(root.Rename("f", root, path), ErrorCode::kInvalidPath);
  }
  EXPECT_TRUE(Compare(inside, Inside()).empty());
}

}  // namespace
}  // namespace cordon::testing
