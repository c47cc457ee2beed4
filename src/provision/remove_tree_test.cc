#include "provision/remove_tree.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "platform/unique_fd.h"

namespace cordon::provision {
namespace {

class RemoveTreeTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "/remove_tree_XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    top_ = name;
    directory_.reset(::open(top_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    ASSERT_TRUE(directory_.valid());
  }
  void TearDown() override { std::filesystem::remove_all(top_); }
  std::string Made(const std::string& path) const {
    std::filesystem::create_directories(top_ + "/" + path);
    return top_ + "/" + path;
  }
  bool IsThere(const std::string& path) const {
    return std::filesystem::exists(std::filesystem::symlink_status(top_ + "/" + path));
  }
  std::string top_;
  platform::UniqueFd directory_;
};

TEST_F(RemoveTreeTest, WhatIsNotThereIsNoError) {
  EXPECT_TRUE(RemoveTree(directory_.get(), "nothing"));
}

TEST_F(RemoveTreeTest, FilesOfAllKindsGo) {
  const std::string tree = Made("tree/a/b");
  std::ofstream(tree + "/file") << "x";
  std::ofstream(tree + "/odd\n\xff name") << "x";
  ASSERT_EQ(::mkfifo((tree + "/fifo").c_str(), 0600), 0);
  ASSERT_EQ(::symlink("/etc", (tree + "/link").c_str()), 0);
  ASSERT_TRUE(RemoveTree(directory_.get(), "tree"));
  EXPECT_FALSE(IsThere("tree"));
}

TEST_F(RemoveTreeTest, LinksAreNotFollowed) {
  std::ofstream(Made("kept") + "/file") << "x";
  const std::string tree = Made("tree/deep");
  ASSERT_EQ(::symlink((top_ + "/kept").c_str(), (tree + "/link").c_str()), 0);
  ASSERT_EQ(::symlink("../..", (tree + "/up").c_str()), 0);
  ASSERT_TRUE(RemoveTree(directory_.get(), "tree"));
  EXPECT_FALSE(IsThere("tree"));
  EXPECT_TRUE(IsThere("kept/file"));
}

TEST_F(RemoveTreeTest, ALinkItselfGoes) {
  std::ofstream(Made("kept") + "/file") << "x";
  ASSERT_EQ(::symlink("kept", (top_ + "/link").c_str()), 0);
  ASSERT_TRUE(RemoveTree(directory_.get(), "link"));
  EXPECT_FALSE(IsThere("link"));
  EXPECT_TRUE(IsThere("kept/file"));
}

TEST_F(RemoveTreeTest, ShutDirectoriesAreOpened) {
  std::ofstream(Made("tree/shut/in") + "/file") << "x";
  ASSERT_EQ(::chmod((top_ + "/tree/shut/in").c_str(), 0), 0);
  ASSERT_EQ(::chmod((top_ + "/tree/shut").c_str(), 0100), 0);
  ASSERT_TRUE(RemoveTree(directory_.get(), "tree"));
  EXPECT_FALSE(IsThere("tree"));
}

TEST_F(RemoveTreeTest, DepthCostsNoDescriptors) {
  rlimit few = {};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &few), 0);
  few.rlim_cur = 64;
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
  int at = ::dup(directory_.get());
  ASSERT_EQ(::mkdirat(at, "tree", 0700), 0);
  const std::string name(200, 'd');
  std::string next = "tree";
  for (int depth = 0; depth < 300; ++depth) {  // far beyond PATH_MAX
    const int below = ::openat(at, next.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    ASSERT_GE(below, 0);
    ::close(at);
    at = below;
    next = name;
    ASSERT_EQ(::mkdirat(at, next.c_str(), 0700), 0);
  }
  ::close(at);
  ASSERT_TRUE(RemoveTree(directory_.get(), "tree"));
  EXPECT_FALSE(IsThere("tree"));
}

TEST_F(RemoveTreeTest, ManyEntriesGo) {
  const std::string tree = Made("tree");
  for (int i = 0; i < 1100; ++i) {
    const std::string path = tree + "/" + std::to_string(i);
    if (i % 3 == 0) {
      ASSERT_EQ(::mkdir(path.c_str(), 0700), 0);
      ASSERT_EQ(::mkdir((path + "/x").c_str(), 0700), 0);
    } else {
      ASSERT_EQ(::symlink("x", path.c_str()), 0);
    }
  }
  ASSERT_TRUE(RemoveTree(directory_.get(), "tree"));
  EXPECT_FALSE(IsThere("tree"));
}

}  // namespace
}  // namespace cordon::provision
