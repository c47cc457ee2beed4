// A disk that is full refuses records, keeps the log whole, and takes them again later.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "audit/deferral.h"
#include "tests/audit/log_fixture.h"

namespace cordon::audit {
namespace {

using ::testing::HasSubstr;
using testing::Tree;

// Appends until it is refused; how often it was not.
int Fill(Log& log, std::string& why) {
  const std::string name(1000, 'n');
  for (int count = 0; count < 100'000; ++count) {
    const auto appended = log.Append(ReadOf(name), Durability::kWithKernel);
    if (appended) continue;
    EXPECT_EQ(appended.error().code, ErrorCode::kIoError);
    EXPECT_EQ(appended.error().rule, "audit");
    why = appended.error().detail;
    return count;
  }
  ADD_FAILURE() << "it was never full";
  return 0;
}

class SmallDisk {
 public:
  explicit SmallDisk(std::string path) : path_(std::move(path)) {
    mounted_ = ::mount("cordon", path_.c_str(), "tmpfs", 0, "size=1m") == 0;
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;
  ~SmallDisk() {
    if (mounted_) ::umount2(path_.c_str(), MNT_DETACH);
  }
  bool mounted() const { return mounted_; }

 private:
  std::string path_;
  bool mounted_ = false;
};

TEST(FullDisk, RefusesAndRecovers) {
  const Tree tree;
  tree.Dir("state");
  const SmallDisk disk(tree.At("state"));
  if (!disk.mounted()) GTEST_SKIP() << "mounting a small file system needs the right to mount";
  const LogPlace place{tree.At("state/audit.jsonl"), tree.At("key")};
  const auto log = MustOpen(place);
  ASSERT_TRUE(log);
  tree.File("state/ballast", std::string(200'000, 'b'));
  std::string why;
  const int count = Fill(*log, why);
  EXPECT_GT(count, 100);
  EXPECT_EQ(why,
            "the audit log cannot be written (No space left on device), so the operation was "
            "refused");
  EXPECT_EQ(Fill(*log, why), 0) << "it stays refused while the disk stays full";
  EXPECT_EQ(MustVerify(place).records, static_cast<std::uint64_t>(count) + 1);
  std::filesystem::remove(tree.At("state/ballast"));
  EXPECT_EQ(log->Append(ReadOf("again"), Durability::kOnDisk).value(),
            static_cast<std::uint64_t>(count) + 2);
  EXPECT_TRUE(MustVerify(place).notes.empty());
}

TEST(FullDisk, RefusesAllThatWereDeferredTogether) {
  const Tree tree;
  tree.Dir("state");
  const SmallDisk disk(tree.At("state"));
  if (!disk.mounted()) GTEST_SKIP() << "mounting a small file system needs the right to mount";
  const LogPlace place{tree.At("state/audit.jsonl"), tree.At("key")};
  const auto log = MustOpen(place);
  ASSERT_TRUE(log);
  tree.File("state/ballast", std::string(200'000, 'b'));
  std::string why;
  const auto before = static_cast<std::uint64_t>(Fill(*log, why)) + 1;
  const std::string name(1000, 'n');
  const auto refused = [&] {
    Deferral deferral;
    for (int i = 0; i < 8; ++i) EXPECT_TRUE(log->Append(ReadOf(name), Durability::kWithKernel));
    std::size_t count = 0;
    for (const auto& receipt : deferral.Take()) {
      const Status told = receipt->Await();
      if (told) continue;
      EXPECT_THAT(told.error().detail, HasSubstr("No space left on device"));
      ++count;
    }
    return count;
  };
  EXPECT_EQ(refused(), 8u);
  EXPECT_EQ(MustVerify(place).records, before) << "none of them is there";
  std::filesystem::remove(tree.At("state/ballast"));
  EXPECT_EQ(refused(), 0u);
  EXPECT_EQ(MustVerify(place).records, before + 8);
}

TEST(FullDisk, RefusesToRotateAndGoesOnLater) {
  const Tree tree;
  tree.Dir("state");
  const SmallDisk disk(tree.At("state"));
  if (!disk.mounted()) GTEST_SKIP() << "mounting a small file system needs the right to mount";
  const LogPlace place{tree.At("state/audit.jsonl"), tree.At("key")};
  LogOptions options;
  options.rotate_at = 40'000;
  const auto log = MustOpen(place, options);
  std::string why;
  const int count = Fill(*log, why);
  EXPECT_THAT(why, HasSubstr("No space left on device"));
  MustVerify(place);
  // Someone archives the oldest file.
  const std::uint64_t kept = 41;
  std::filesystem::remove(place.log_file + ".000001");
  EXPECT_TRUE(log->Append(ReadOf("again"), Durability::kWithKernel));
  VerifyOptions verify;
  verify.first = kept;
  MustVerify(place, verify);
  EXPECT_GT(count, 200);
}

TEST(FullDisk, TheStageTakesWhatTheFileCannot) {
  const Tree tree;
  tree.Dir("state");
  const SmallDisk disk(tree.At("state"));
  if (!disk.mounted()) GTEST_SKIP() << "mounting a small file system needs the right to mount";
  const LogPlace place{tree.At("state/audit.jsonl"), tree.At("key")};
  std::uint64_t records = 1;
  {
    const auto log = MustOpen(place);
    ASSERT_TRUE(log->Flush());
    tree.File("state/ballast", std::string(300'000, 'b'));
    // To the last page; the stage is the file's own and needs none.
    std::ofstream fill(tree.At("state/fill"), std::ios::binary);
    while (fill.write(std::string(4096, 'f').data(), 4096).flush()) {
    }
    std::string why;
    // One page of the file may have room.
    const int count = Fill(*log, why);
    EXPECT_GT(count, 40) << "records of a kilobyte";
    EXPECT_LT(count, 60);
    records += static_cast<std::uint64_t>(count);
    EXPECT_THAT(why, HasSubstr("No space left on device"));
    for (int i = 0; i < 2; ++i) {
      const Status flushed = log->Flush();
      ASSERT_FALSE(flushed.has_value());
      EXPECT_THAT(flushed.error().detail, HasSubstr("No space left on device"));
    }
    EXPECT_FALSE(log->Append(ReadOf("x"), Durability::kOnDisk).has_value());
    EXPECT_EQ(MustVerify(place).records, records);
  }
  // Closed without room, and opened so again: nothing of it is damage.
  EXPECT_EQ(MustVerify(place).records, records);
  const auto log = MustOpen(place);
  ASSERT_TRUE(log);
  EXPECT_FALSE(log->Flush().has_value());
  std::filesystem::remove(tree.At("state/ballast"));
  ASSERT_TRUE(log->Flush());
  EXPECT_EQ(LinesOf(Slurp(place.log_file)).size(), records);
  EXPECT_EQ(log->Append(ReadOf("again"), Durability::kOnDisk).value(), records + 1);
  EXPECT_TRUE(MustVerify(place).notes.empty());
}

// The same without any right: a limit on the size of files that a process may write.
// In a process of its own, as the limit lasts.
int AppendUnderALimit(const LogPlace& place) {
  std::signal(SIGXFSZ, SIG_IGN);
  const auto log = MustOpen(place);
  const rlimit limit{100'000, RLIM_INFINITY};
  if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) return 2;
  std::string why;
  const int count = Fill(*log, why);
  EXPECT_THAT(why, HasSubstr("the audit log cannot be written (File too large)"));
  EXPECT_GT(count, 50);
  EXPECT_EQ(MustVerify(place).records, static_cast<std::uint64_t>(count) + 1);
  const rlimit lifted{RLIM_INFINITY, RLIM_INFINITY};
  if (::setrlimit(RLIMIT_FSIZE, &lifted) != 0) return 2;
  EXPECT_TRUE(log->Append(ReadOf("again"), Durability::kWithKernel));
  EXPECT_EQ(MustVerify(place).records, static_cast<std::uint64_t>(count) + 2);
  return ::testing::Test::HasFailure() ? 1 : 0;
}

TEST(FullDisk, ALimitOnFileSizesRefusesToo) {
  const Tree tree;
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) std::_Exit(AppendUnderALimit(PlaceIn(tree)));
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  MustVerify(PlaceIn(tree));
}

}  // namespace
}  // namespace cordon::audit
