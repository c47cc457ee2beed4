#include "provision/measure_tree.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "platform/unique_fd.h"
#include "provision/remove_tree.h"

namespace cordon::provision {
namespace {

namespace fs = std::filesystem;

class MeasureTreeTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string top = "/var/tmp/cordon-measure-XXXXXX";
    ASSERT_NE(::mkdtemp(top.data()), nullptr);
    top_ = top;
  }
  void TearDown() override {
    // Deeper than a path may be long.
    const platform::UniqueFd above(::open("/var/tmp", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    EXPECT_TRUE(RemoveTree(above.get(), fs::path(top_).filename().c_str()));
  }
  TreeUse Measured(std::uint64_t most_files = 1'000'000) const {
    const platform::UniqueFd directory(::open(top_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    const auto use = MeasureTree(directory.get(), most_files);
    EXPECT_TRUE(use) << use.error().detail;
    return use ? *use : TreeUse{};
  }
  void Write(const std::string& name, std::size_t size) const {
    std::ofstream(top_ + "/" + name) << std::string(size, 'x');
  }
  std::string top_;
};

constexpr std::uint64_t kMib = 1U << 20U;

TEST_F(MeasureTreeTest, CountsWhatFilesTake) {
  const TreeUse empty = Measured();
  EXPECT_EQ(empty.files, 1U);
  fs::create_directories(top_ + "/a/b/c");
  Write("a/b/c/one", kMib);
  Write("two", kMib);
  const TreeUse use = Measured();
  EXPECT_EQ(use.files, 6U);
  EXPECT_GE(use.bytes, empty.bytes + 2 * kMib);
  EXPECT_LE(use.bytes, empty.bytes + 2 * kMib + 64 * 1024);
}

TEST_F(MeasureTreeTest, HolesTakeNothing) {
  Write("sparse", 1);
  ASSERT_EQ(::truncate((top_ + "/sparse").c_str(), 1 << 30), 0);
  EXPECT_LT(Measured().bytes, kMib);
}

TEST_F(MeasureTreeTest, AFileWithManyNamesCountsOnce) {
  Write("first", kMib);
  fs::create_directory(top_ + "/d");
  for (int i = 0; i < 20; ++i) {
    fs::create_hard_link(top_ + "/first", top_ + "/d/" + std::to_string(i));
  }
  const TreeUse use = Measured();
  EXPECT_EQ(use.files, 3U);
  EXPECT_LT(use.bytes, 2 * kMib);
}

TEST_F(MeasureTreeTest, LinksAreNotFollowed) {
  fs::create_directory_symlink("/usr", top_ + "/out");
  fs::create_directory_symlink(".", top_ + "/around");
  EXPECT_EQ(Measured().files, 3U);
}

TEST_F(MeasureTreeTest, ShutDirectoriesHideNothing) {
  fs::create_directories(top_ + "/shut/inner");
  Write("shut/inner/much", kMib);
  fs::create_directories(top_ + "/listed");
  Write("listed/much", kMib);
  ASSERT_EQ(::chmod((top_ + "/shut").c_str(), 0), 0);
  ASSERT_EQ(::chmod((top_ + "/listed").c_str(), 0400), 0);  // names can be read, and no more
  const TreeUse use = Measured();
  EXPECT_EQ(use.files, 6U);
  EXPECT_GE(use.bytes, 2 * kMib);
}

TEST_F(MeasureTreeTest, DepthHasNoEnd) {
  constexpr int kDepth = 500;
  platform::UniqueFd at(::open(top_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  for (int i = 0; i < kDepth; ++i) {
    ASSERT_EQ(::mkdirat(at.get(), "d", 0700), 0);
    ASSERT_EQ(::mkdirat(at.get(), "e", 0700), 0);
    at.reset(::openat(at.get(), "d", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    ASSERT_TRUE(at.valid());
  }
  EXPECT_EQ(Measured().files, 1U + 2 * kDepth);
}

TEST_F(MeasureTreeTest, EndsWhenThereAreTooMany) {
  for (int i = 0; i < 50; ++i) Write(std::to_string(i), 1);
  EXPECT_EQ(Measured(10).files, 11U);
}

}  // namespace
}  // namespace cordon::provision
