// Who may open what is written: owner, mode and the temporary file beside.
#include <dirent.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "tests/support/resolvers.h"

namespace cordon::testing {
namespace {

using confine::OpenMode;

class Replacing : public PerResolver {
 protected:
  mode_t ModeOf(const char* below) const {
    struct stat found = {};
    EXPECT_EQ(::lstat(scratch_.At(below).c_str(), &found), 0);
    return found.st_mode & 07777;
  }
};
CORDON_PER_RESOLVER(Replacing);

// The widest mode that any temporary file in `directory` shows until `done`.
mode_t WidestTemporary(const std::string& directory, const std::atomic<bool>& done) {
  mode_t widest = 0;
  DIR* stream = ::opendir(directory.c_str());
  while (!done) {
    ::rewinddir(stream);
    while (const dirent* entry = ::readdir(stream)) {
      struct stat found = {};
      if (std::string_view(entry->d_name).ends_with(".tmp") &&
          ::fstatat(::dirfd(stream), entry->d_name, &found, 0) == 0) {
        widest |= found.st_mode & 0777;
      }
    }
  }
  ::closedir(stream);
  return widest;
}

TEST_P(Replacing, TheTemporaryFileIsNeverMoreOpenThanTheOldOne) {
  Given({FileWith("root/f", "x")});
  ASSERT_EQ(::chmod(scratch_.At("root/f").c_str(), 0600), 0);
  const auto root = Open();
  std::atomic<bool> done = false;
  mode_t widest = 0;
  std::thread watcher([&] { widest = WidestTemporary(scratch_.At("root"), done); });
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(500);
  while (std::chrono::steady_clock::now() < end) {
    auto next = root.Replace("f");  // dropped: nothing is to be left
    ASSERT_TRUE(next.has_value());
  }
  done = true;
  watcher.join();
  EXPECT_EQ(widest & 0177, 0U) << std::oct << widest;
  EXPECT_EQ(Inside().size(), 1U);
}

TEST_P(Replacing, AnotherGroupDoesNotInheritTheOldOnesRights) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root to become another user";
  constexpr uid_t kUser = 65534;
  Given({FileWith("root/f", "x")});
  ASSERT_EQ(::chmod(scratch_.path().c_str(), 0755), 0);
  ASSERT_EQ(::chown(scratch_.At("root").c_str(), kUser, kUser), 0);
  ASSERT_EQ(::chown(scratch_.At("root/f").c_str(), kUser, 4242), 0);
  ASSERT_EQ(::chmod(scratch_.At("root/f").c_str(), 0660), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    if (::setgroups(0, nullptr) != 0 || ::setgid(kUser) != 0 || ::setuid(kUser) != 0) ::_exit(2);
    ::_exit(ReplaceFile(Open(), "f", "new") ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_EQ(status, 0);
  EXPECT_EQ(ModeOf("root/f"), 0600U);
}

TEST_P(Replacing, NoWayOfWritingLeavesTheRightToRunAsSomeoneElse) {
  Given({FileWith("root/replaced", "x"), FileWith("root/appended", "x"),
         FileWith("root/written", "x"), FileWith("root/emptied", "x"), FileWith("root/read", "x")});
  for (const char* name : {"replaced", "appended", "written", "emptied", "read"}) {
    ASSERT_EQ(::chmod(scratch_.At(std::string("root/") + name).c_str(), 06755), 0);
  }
  const auto root = Open();
  EXPECT_ALLOWED(ReplaceFile(root, "replaced", "y"));
  EXPECT_ALLOWED(root.Append("appended", "y"));
  auto written = root.Open("written", OpenMode::kWrite);
  ASSERT_TRUE(written.has_value());
  EXPECT_ALLOWED(written->Write("y"));
  EXPECT_ALLOWED(root.Open("emptied", OpenMode::kCreate));
  EXPECT_ALLOWED(ReadFile(root, "read"));
  EXPECT_EQ(ModeOf("root/replaced"), 0755U);
  EXPECT_EQ(ModeOf("root/appended"), 0755U);
  EXPECT_EQ(ModeOf("root/written"), 0755U);
  EXPECT_EQ(ModeOf("root/emptied"), 0755U);
  EXPECT_EQ(ModeOf("root/read"), 06755U);
}

TEST_P(Replacing, NothingRemainsOfAReplacementThatFails) {
  Given({FileWith("root/f", "x"),
         FileWith("root/linked", "x"),
         Link("root/l", "f"),
         {"hardlink", "root/second", "root/linked", ""}});
  const auto root = Open(policy::Profile::kInteractive);
  {
    auto next = root.Replace("f");
    ASSERT_TRUE(next.has_value());
    EXPECT_ALLOWED(next->Write("y"));
    ASSERT_EQ(::unlink(scratch_.At("root/f").c_str()), 0);
    ASSERT_EQ(::mkdir(scratch_.At("root/f").c_str(), 0755), 0);
    EXPECT_REFUSED(next->Commit(), ErrorCode::kIsADirectory);
  }
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit small = {16, 16};
    ::setrlimit(RLIMIT_FSIZE, &small);
    const std::string big(100, 'x');
    const bool replaced = ReplaceFile(root, "new", big).has_value();
    const bool appended = root.Append("linked", big).has_value();
    ::_exit(replaced || appended ? 1 : 0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(Inside().size(), 4U) << "f, linked, l, second";
  EXPECT_EQ(ReadFile(root, "linked").value_or("?"), "x");
}

}  // namespace
}  // namespace cordon::testing
