// The local driver in a process that is killed: what it leaves is found, and can be removed.
#include <dirent.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <thread>

#include "provision/local_driver.h"

namespace cordon::provision {
namespace {

std::mt19937& Chance() {
  static std::mt19937 chance(20261116);
  return chance;
}

SandboxId NewId() {
  std::array<std::uint8_t, SandboxId::kRandomBytes> random{};
  for (std::uint8_t& byte : random) byte = static_cast<std::uint8_t>(Chance()());
  return SandboxId::FromRandom(random);
}

Terms TermsFor(const SandboxId& id) { return {id, "", {}, {}, "none", Isolation::kContainer}; }

class LocalKill : public testing::Test {
 protected:
  void SetUp() override {
    const char* launcher = std::getenv("CORDON_LAUNCH");
    ASSERT_NE(launcher, nullptr);
    launcher_ = launcher;
    std::string name = "/var/tmp/cordon-kill-XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    top_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(top_); }

  std::unique_ptr<Driver> Open(const std::string& launcher) const {
    LocalOptions options;
    options.directory = top_ + "/sandboxes";
    options.launcher = launcher;
    auto driver = MakeLocalDriver(std::move(options));
    EXPECT_TRUE(driver);
    return driver ? std::move(*driver) : nullptr;
  }

  // Makes one after the other, uses them, ends every second one, until it is killed.
  [[noreturn]] void BeVictim(std::uint32_t seed) const {
    Chance().seed(seed);
    const auto driver = Open(launcher_);
    for (int round = 0; driver; ++round) {
      const SandboxId id = NewId();
      if (!driver->Create(TermsFor(id))) break;
      ExecTerms terms;
      terms.arguments = {"sh", "-c", "echo x > file; mkdir -p a/b; sleep 1000 & true"};
      if (auto exec = driver->Start(id, terms)) static_cast<void>((*exec)->Wait());
      if (round % 2 == 0) static_cast<void>(driver->Destroy(id));
    }
    ::_exit(1);
  }

  // Processes that have something of ours mounted.
  std::string Processes() const {
    std::string found;
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
      std::ifstream mounts(entry.path() / "mountinfo");
      std::ostringstream text;
      text << mounts.rdbuf();
      if (text.str().find(top_) != std::string::npos) found += entry.path().string() + " ";
    }
    return found;
  }

  std::string top_, launcher_;
};

TEST_F(LocalKill, AtAnyInstantNothingIsLost) {
  constexpr int kRounds = 40;
  std::size_t found = 0;
  for (int round = 0; round < kRounds; ++round) {
    const auto seed = static_cast<std::uint32_t>(Chance()());
    const auto wait = std::chrono::microseconds(Chance()() % 400'000);
    const pid_t victim = ::fork();
    if (victim == 0) BeVictim(seed);
    ASSERT_GT(victim, 0);
    std::this_thread::sleep_for(wait);
    ::kill(victim, SIGKILL);
    int status = 0;
    ASSERT_EQ(::waitpid(victim, &status, 0), victim);
    ASSERT_TRUE(WIFSIGNALED(status)) << "the victim ended by itself";

    const auto driver = Open(launcher_);
    ASSERT_TRUE(driver);
    const auto all = driver->List();
    ASSERT_TRUE(all);
    for (const Found& one : *all) {
      ++found;
      // One that is finished and alive is whole.
      if (one.making == Found::Making::kFinished && one.liveness == Liveness::kRunning) {
        EXPECT_TRUE(driver->Adopt(one.id)) << one.id.text();
      }
      const Status destroyed = driver->Destroy(one.id);
      EXPECT_TRUE(destroyed) << destroyed.error().detail;
    }
    EXPECT_TRUE(std::filesystem::is_empty(top_ + "/sandboxes"));
    EXPECT_EQ(Processes(), "");
  }
  EXPECT_GT(found, 0U);  // or nothing was tried
}

TEST_F(LocalKill, ALauncherThatIsNotThereLeavesNothing) {
  const auto driver = Open("/nowhere/cordon-launch");
  ASSERT_TRUE(driver);
  EXPECT_FALSE(driver->Create(TermsFor(NewId())));
  EXPECT_FALSE(driver->Probe());
  EXPECT_TRUE(std::filesystem::is_empty(top_ + "/sandboxes"));
}

TEST_F(LocalKill, ALauncherThatEndsAtOnceLeavesNothing) {
  const auto driver = Open("/bin/false");
  ASSERT_TRUE(driver);
  EXPECT_FALSE(driver->Create(TermsFor(NewId())));
  EXPECT_TRUE(std::filesystem::is_empty(top_ + "/sandboxes"));
}

TEST_F(LocalKill, WhatIsNoSandboxIsLeftAlone) {
  const auto driver = Open(launcher_);
  ASSERT_TRUE(driver);
  std::ofstream(top_ + "/sandboxes/notes") << "x";
  const auto all = driver->List();
  ASSERT_TRUE(all);
  EXPECT_TRUE(all->empty());
}

TEST_F(LocalKill, AHalfMadeOneIsToldApart) {
  const SandboxId id = NewId();
  const auto driver = Open(launcher_);
  ASSERT_TRUE(driver);
  ASSERT_EQ(::mkdir((top_ + "/sandboxes/" + id.text()).c_str(), 0700), 0);
  const auto all = driver->List();
  ASSERT_TRUE(all);
  ASSERT_EQ(all->size(), 1U);
  EXPECT_EQ(all->front().making, Found::Making::kHalfDone);
  EXPECT_EQ(all->front().liveness, Liveness::kDead);
  EXPECT_FALSE(driver->Adopt(id));
  EXPECT_TRUE(driver->Destroy(id));
  EXPECT_TRUE(std::filesystem::is_empty(top_ + "/sandboxes"));
}

TEST_F(LocalKill, AStateDirectoryThatOthersCanChangeIsRefused) {
  ASSERT_EQ(::mkdir((top_ + "/open").c_str(), 0777), 0);
  ASSERT_EQ(::chmod((top_ + "/open").c_str(), 0777), 0);
  LocalOptions options;
  options.directory = top_ + "/open";
  options.launcher = launcher_;
  EXPECT_FALSE(MakeLocalDriver(std::move(options)));
}

}  // namespace
}  // namespace cordon::provision
