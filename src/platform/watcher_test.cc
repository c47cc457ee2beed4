#include "platform/watcher.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <string>
#include <thread>

#include "platform/unique_fd.h"
#include "tests/tree.h"

namespace cordon::platform {
namespace {

using cordon::testing::Tree;
using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""s;

class Counter {
 public:
  std::function<void()> Count() {
    return [this] {
      const std::lock_guard lock(mutex_);
      ++count_;
      changed_.notify_all();
    };
  }
  bool Reaches(int count) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, 10s, [&] { return count_ >= count; });
  }
  int count() {
    const std::lock_guard lock(mutex_);
    return count_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int count_ = 0;
};

class WatcherTest : public ::testing::Test {
 protected:
  WatcherTest() : directory_(::open(tree_.path().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)) {}
  std::shared_ptr<Watcher> Start(std::size_t most) {
    auto watcher = Watcher::Start(most);
    EXPECT_TRUE(watcher);
    return *watcher;
  }
  void WriteTo(const std::string& name, const std::string& text) const {
    std::ofstream(tree_.At(name)) << text;
  }

  Tree tree_;
  UniqueFd directory_;
};

TEST_F(WatcherTest, TellsOfOneNameOnly) {
  const auto watcher = Start(2);
  Counter counter;
  const auto handle = watcher->Watch(directory_.get(), "a", counter.Count());
  ASSERT_TRUE(handle);
  WriteTo("b", "x");
  std::this_thread::sleep_for(150ms);
  EXPECT_EQ(counter.count(), 0);
  WriteTo("a", "x");
  EXPECT_TRUE(counter.Reaches(1));
  std::filesystem::rename(tree_.At("a"), tree_.At("c"));
  EXPECT_TRUE(counter.Reaches(2));
  std::filesystem::rename(tree_.At("b"), tree_.At("a"));
  EXPECT_TRUE(counter.Reaches(3));
  std::filesystem::remove(tree_.At("a"));
  EXPECT_TRUE(counter.Reaches(4));
}

TEST_F(WatcherTest, ManyChangesAreToldAsFew) {
  const auto watcher = Start(1);
  Counter counter;
  const auto handle = watcher->Watch(directory_.get(), "a", counter.Count());
  ASSERT_TRUE(handle);
  for (int i = 0; i < 200; ++i) WriteTo("a", std::to_string(i));
  ASSERT_TRUE(counter.Reaches(1));
  std::this_thread::sleep_for(150ms);
  EXPECT_LT(counter.count(), 100);
}

TEST_F(WatcherTest, TheDescriptorIsWatchedAndNotItsName) {
  tree_.Dir("d");
  const UniqueFd inner(::open(tree_.At("d").c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  std::filesystem::rename(tree_.At("d"), tree_.At("moved"));
  tree_.Dir("d");
  const auto watcher = Start(1);
  Counter counter;
  const auto handle = watcher->Watch(inner.get(), "a", counter.Count());
  ASSERT_TRUE(handle);
  WriteTo("d/a", "another directory");
  std::this_thread::sleep_for(150ms);
  EXPECT_EQ(counter.count(), 0);
  WriteTo("moved/a", "this one");
  EXPECT_TRUE(counter.Reaches(1));
}

TEST_F(WatcherTest, SeveralNamesOfOneDirectoryEndOneByOne) {
  const auto watcher = Start(2);
  Counter first, second;
  auto one = watcher->Watch(directory_.get(), "a", first.Count());
  const auto two = watcher->Watch(directory_.get(), "a", second.Count());
  ASSERT_TRUE(one && two);
  const auto three = watcher->Watch(directory_.get(), "a", second.Count());
  ASSERT_FALSE(three);
  EXPECT_EQ(three.error().code, ErrorCode::kLimitExceeded);
  one->reset();
  WriteTo("a", "x");
  EXPECT_TRUE(second.Reaches(1));
  EXPECT_EQ(first.count(), 0);
}

TEST_F(WatcherTest, TellsWhenTheDirectoryGoes) {
  tree_.Dir("d").File("d/a", "x");
  const UniqueFd inner(::open(tree_.At("d").c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  const auto watcher = Start(1);
  Counter counter;
  const auto handle = watcher->Watch(inner.get(), "none", counter.Count());
  ASSERT_TRUE(handle);
  std::filesystem::rename(tree_.At("d"), tree_.At("e"));
  EXPECT_TRUE(counter.Reaches(1));
}

TEST_F(WatcherTest, HandlesMayOutliveIt) {
  Counter counter;
  Result<Watcher::Handle> handle = Watcher::Handle();
  {
    const auto watcher = Start(1);
    handle = watcher->Watch(directory_.get(), "a", counter.Count());
    ASSERT_TRUE(handle);
  }
  WriteTo("a", "x");
  handle->reset();
  EXPECT_EQ(counter.count(), 0);
}

}  // namespace
}  // namespace cordon::platform
