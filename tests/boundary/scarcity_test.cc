// What the system withholds: descriptors, and permission.
#include <fcntl.h>
#include <grp.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

#include "tests/support/resolvers.h"

namespace cordon::testing {
namespace {

// Runs `body` in a child; what it returns is the list of what went wrong.
std::string InChild(const std::function<std::string()>& body) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return "no pipe";
  const pid_t child = ::fork();
  if (child == 0) {
    const std::string problems = body();
    const ssize_t written = ::write(ends[1], problems.data(), problems.size());
    ::_exit(written == static_cast<ssize_t>(problems.size()) ? 0 : 1);
  }
  ::close(ends[1]);
  std::string problems;
  char buffer[4096];
  ssize_t got = 0;
  while ((got = ::read(ends[0], buffer, sizeof buffer)) > 0) {
    problems.append(buffer, static_cast<std::size_t>(got));
  }
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) problems += "the child did not end well\n";
  return problems;
}

template <typename T>
std::string Unless(const char* what, const Result<T>& result, ErrorCode expected) {
  if (!result && result.error().code == expected) return {};
  return std::string(what) + ": " + Describe(result) + "\n";
}

class Scarcity : public PerResolver {};
CORDON_PER_RESOLVER(Scarcity);

TEST_P(Scarcity, NoDescriptorLeftIsAnErrorAndNothingLeaks) {
  Given({FileWith("root/a/b/f", "x"), Link("root/l", "a/b/f")});
  const auto root = Open();
  const std::string problems = InChild([&] {
    const rlimit few = {64, 64};
    ::setrlimit(RLIMIT_NOFILE, &few);
    std::vector<platform::UniqueFd> taken;
    while (true) {
      platform::UniqueFd fd(::open("/dev/null", O_RDONLY | O_CLOEXEC));
      if (!fd.valid()) break;
      taken.push_back(std::move(fd));
    }
    std::string wrong = Unless("read", ReadFile(root, "a/b/f"), ErrorCode::kLimitExceeded);
    wrong += Unless("link", ReadFile(root, "l"), ErrorCode::kLimitExceeded);
    wrong += Unless("list", root.List("a"), ErrorCode::kLimitExceeded);
    wrong += Unless("mkdir", root.Mkdir("a/n"), ErrorCode::kLimitExceeded);
    wrong += Unless("outside", ReadFile(root, "../outside/secret"), ErrorCode::kPathOutsideProject);
    // A few free ones are enough, again and again: none is lost on any way out.
    for (int freed = 0; freed < 8 && !taken.empty(); ++freed) taken.pop_back();
    for (int round = 0; round < 200; ++round) {
      if (ReadFile(root, "l").value_or("?") != "x") wrong += "read failed in a round\n";
      (void)ReadFile(root, "a/b/f/none").has_value();
      (void)ReplaceFile(root, "a/b/f", "x").has_value();
      (void)root.Rename("a/none", root, "b").has_value();
      (void)root.RemoveAll("none").has_value();
      (void)root.List("a/b").has_value();
      if (!wrong.empty()) break;
    }
    return wrong;
  });
  EXPECT_EQ(problems, "");
}

class Unprivileged : public PerResolver {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "needs root to become another user";
  }

  // As the user nobody, who owns the root.
  std::string AsNobody(const std::function<std::string(const confine::Root&)>& body) {
    constexpr uid_t kNobody = 65534;
    EXPECT_EQ(::chmod(scratch_.path().c_str(), 0755), 0);
    EXPECT_EQ(::chown(scratch_.At("root").c_str(), kNobody, kNobody), 0);
    return InChild([&]() -> std::string {
      if (::setgroups(0, nullptr) != 0 || ::setgid(kNobody) != 0 || ::setuid(kNobody) != 0) {
        return "cannot become nobody";
      }
      return body(Open());
    });
  }
};
CORDON_PER_RESOLVER(Unprivileged);

TEST_P(Unprivileged, WhatTheSystemForbidsIsPermissionDenied) {
  Given({FileWith("root/shut/f", "x"), FileWith("root/secretfile", "x"), FileWith("root/ro/f", "x"),
         Link("root/l", "shut/f"), FileWith("root/blind/f", "x")});
  ASSERT_EQ(::chmod(scratch_.At("root/shut").c_str(), 0700), 0);
  ASSERT_EQ(::chmod(scratch_.At("root/secretfile").c_str(), 0600), 0);
  ASSERT_EQ(::chmod(scratch_.At("root/ro").c_str(), 0555), 0);
  ASSERT_EQ(::chmod(scratch_.At("root/blind").c_str(), 0711), 0);
  const Snapshot inside = Inside();
  const std::string problems = AsNobody([](const confine::Root& root) {
    const ErrorCode denied = ErrorCode::kPermissionDenied;
    std::string wrong = Unless("below", ReadFile(root, "shut/f"), denied);
    wrong += Unless("link", ReadFile(root, "l"), denied);
    wrong += Unless("dotdot", ReadFile(root, "shut/../ro/f"), denied);
    wrong += Unless("file", ReadFile(root, "secretfile"), denied);
    wrong += Unless("list", root.List("shut"), denied);
    wrong += Unless("list blind", root.List("blind"), denied);
    wrong += Unless("mkdir", root.Mkdir("ro/n"), denied);
    wrong += Unless("create", root.Open("ro/n", confine::OpenMode::kCreate), denied);
    wrong += Unless("replace", root.Replace("ro/f"), denied);
    wrong += Unless("remove", root.Remove("ro/f"), denied);
    wrong += Unless("rename", root.Rename("ro/f", root, "g"), denied);
    wrong += Unless("remove_all", root.RemoveAll("ro"), denied);
    wrong += Unless("probe", root.Probe("secretfile", Operation::kRead), denied);
    if (ReadFile(root, "blind/f").value_or("?") != "x") wrong += "an unlistable directory\n";
    if (ReadFile(root, "ro/f").value_or("?") != "x") wrong += "a read-only directory\n";
    if (!ReplaceFile(root, "own", "x")) wrong += "its own file\n";
    if (!root.Remove("own")) wrong += "removing its own file\n";
    return wrong;
  });
  EXPECT_EQ(problems, "");
  EXPECT_TRUE(Compare(inside, Inside()).empty()) << Compare(inside, Inside()).Text();
}

TEST_P(Unprivileged, TheRootMayLieBelowADirectoryThatCannotBeListed) {
  Given({FileWith("root/a/f", "x"), Link("root/abs", "${ROOT}/a/f")});
  const std::string problems = AsNobody([](const confine::Root& root) {
    std::string wrong;
    if (ReadFile(root, "a/../a/f").value_or("?") != "x") wrong += "read\n";
    if (ReadFile(root, "abs").value_or("?") != "x") wrong += "absolute link\n";
    return wrong;
  });
  EXPECT_EQ(problems, "");
}

}  // namespace
}  // namespace cordon::testing
