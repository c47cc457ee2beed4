// Locks and regions that processes share.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <thread>

#include "platform/boot_id.h"
#include "platform/file_lock.h"
#include "platform/file_stat.h"
#include "platform/private_file.h"
#include "platform/shared_region.h"
#include "tests/tree.h"

namespace cordon::platform {
namespace {

using testing::Tree;

class Shared : public ::testing::Test {
 protected:
  UniqueFd Open() {
    return OpenPrivateFile(directory_.get(), "file", PrivateAccess::kMakeIfMissing).value();
  }
  Tree tree_;
  UniqueFd directory_ = OpenStateDirectory(tree_.path(), MissingDirectory::kRefuse).value();
};

TEST_F(Shared, ALockKeepsOthersOutUntilItIsGone) {
  const UniqueFd one = Open(), two = Open();
  std::atomic<bool> released = false;
  std::optional<FileLock> held = FileLock::Take(one.get(), FileLock::Kind::kExclusive).value();
  std::thread other([&] {
    const auto lock = FileLock::Take(two.get(), FileLock::Kind::kShared);
    EXPECT_TRUE(lock.has_value());
    EXPECT_TRUE(released.load());
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  released = true;
  held.reset();
  other.join();
  const auto first = FileLock::Take(one.get(), FileLock::Kind::kShared);
  const auto second = FileLock::Take(two.get(), FileLock::Kind::kShared);
  EXPECT_TRUE(first && second) << "readers share";
}

TEST_F(Shared, ALockEndsWithItsHolder) {
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const UniqueFd file = Open();
    const auto lock = FileLock::Take(file.get(), FileLock::Kind::kExclusive);
    ::kill(::getpid(), SIGKILL);
  }
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  const UniqueFd file = Open();
  EXPECT_TRUE(FileLock::Take(file.get(), FileLock::Kind::kExclusive));
}

TEST_F(Shared, NoLockWithoutAFile) {
  EXPECT_FALSE(FileLock::Take(-1, FileLock::Kind::kExclusive).has_value());
}

constexpr std::size_t kSize = 16384;

TEST_F(Shared, ARegionIsWhatTheFileHolds) {
  tree_.File("file", std::string(kSize, 'a'));
  std::filesystem::permissions(tree_.At("file"), std::filesystem::perms(0600));
  const UniqueFd file = Open();
  for (const auto access : {SharedRegion::Access::kMapped, SharedRegion::Access::kByCalls}) {
    auto region = SharedRegion::Open(file.get(), kSize, access);
    ASSERT_TRUE(region.has_value());
    EXPECT_EQ(region->access(), access);
    EXPECT_EQ(region->bytes().size(), kSize);
    const std::string text = access == SharedRegion::Access::kMapped ? "mapped" : "called";
    for (const std::size_t at : {std::size_t{100}, std::size_t{4093}, kSize - text.size()}) {
      ASSERT_TRUE(region->Store(at, text));
      EXPECT_EQ(tree_.Read("file").substr(at, 6), text);
    }
    ASSERT_TRUE(region->StoreWord(8, 0x64636261));
    EXPECT_EQ(tree_.Read("file").substr(7, 6), "aabcda");
    SharedRegion moved = std::move(*region);
    EXPECT_EQ(moved.access(), access);
    EXPECT_EQ(std::string_view(moved.bytes().data() + 4093, 6), text);
    for (const std::size_t at : {std::size_t{0}, std::size_t{9000}}) {
      std::fstream others(tree_.At("file"), std::ios::in | std::ios::out);
      others.seekp(static_cast<std::streamoff>(at)) << "others";
      others.close();
      ASSERT_TRUE(moved.Load(at, 6));
      EXPECT_EQ(std::string_view(moved.bytes().data() + at, 6), "others");
    }
    tree_.File("file", std::string(kSize, 'a'));
  }
}

TEST_F(Shared, AFileThatIsTooShortIsNoRegion) {
  const UniqueFd file = Open();
  for (const auto access : {SharedRegion::Access::kMapped, SharedRegion::Access::kByCalls}) {
    EXPECT_FALSE(SharedRegion::Open(file.get(), kSize, access).has_value());
  }
  EXPECT_EQ(SharedRegion::BestAccess(-1), SharedRegion::Access::kByCalls);
}

TEST_F(Shared, AnExtentIsSizeAndLinks) {
  tree_.File("file", "12345");
  std::filesystem::permissions(tree_.At("file"), std::filesystem::perms(0600));
  const UniqueFd file = Open();
  EXPECT_EQ(ExtentOf(file.get())->size, 5u);
  EXPECT_EQ(ExtentOf(file.get())->links, 1u);
  std::filesystem::remove(tree_.At("file"));
  EXPECT_EQ(ExtentOf(file.get())->links, 0u);
  EXPECT_FALSE(ExtentOf(-1).has_value());
}

TEST(Boot, IsTheSameForAllProcesses) {
  const BootId here = CurrentBootId().value();
  EXPECT_NE(here, BootId{});
  EXPECT_EQ(CurrentBootId().value(), here);
  std::ifstream in("/proc/sys/kernel/random/boot_id");
  std::string text;
  in >> text;
  char first[3];
  std::snprintf(first, sizeof first, "%02x", here[0]);
  EXPECT_EQ(text.substr(0, 2), first);
}

}  // namespace
}  // namespace cordon::platform
