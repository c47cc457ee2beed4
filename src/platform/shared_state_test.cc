// Locks and pages that processes share.
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
#include "platform/shared_page.h"
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

TEST_F(Shared, APageIsWhatTheFileHolds) {
  tree_.File("file", std::string(kSharedPageSize, 'a'));
  std::filesystem::permissions(tree_.At("file"), std::filesystem::perms(0600));
  const UniqueFd file = Open();
  for (const auto access : {SharedPage::Access::kMapped, SharedPage::Access::kByCalls}) {
    auto page = SharedPage::Open(file.get(), access);
    ASSERT_TRUE(page.has_value());
    EXPECT_EQ(page->bytes().size(), kSharedPageSize);
    const std::string text = access == SharedPage::Access::kMapped ? "mapped" : "called";
    ASSERT_TRUE(page->Store(100, text));
    ASSERT_TRUE(page->StoreWord(8, 0x64636261));
    EXPECT_EQ(tree_.Read("file").substr(100, 6), text);
    EXPECT_EQ(tree_.Read("file").substr(7, 6), "aabcda");
    SharedPage moved = std::move(*page);
    EXPECT_EQ(std::string_view(moved.bytes().data() + 100, 6), text);
    std::fstream(tree_.At("file"), std::ios::in | std::ios::out) << "others";
    ASSERT_TRUE(moved.Load());
    EXPECT_EQ(std::string_view(moved.bytes().data(), 6), "others");
  }
}

TEST_F(Shared, AFileThatIsTooShortIsNoPage) {
  const UniqueFd file = Open();
  for (const auto access : {SharedPage::Access::kMapped, SharedPage::Access::kByCalls}) {
    EXPECT_FALSE(SharedPage::Open(file.get(), access).has_value());
  }
  EXPECT_EQ(SharedPage::BestAccess(-1), SharedPage::Access::kByCalls);
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
