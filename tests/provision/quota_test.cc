// The limit on disks on a file system that holds it itself: ext4 in a file, mounted for this test.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

#include "platform/project_quota.h"
#include "platform/unique_fd.h"
#include "provision/local_driver.h"

namespace cordon::provision {
namespace {

using testing::Contains;

constexpr std::uint64_t kMib = 1U << 20U;
constexpr std::uint64_t kLimit = 16 * kMib;

SandboxId NewId() {
  static std::random_device source;
  std::array<std::uint8_t, SandboxId::kRandomBytes> random{};
  for (std::uint8_t& byte : random) byte = static_cast<std::uint8_t>(source());
  return SandboxId::FromRandom(random);
}

class QuotaTest : public testing::Test {
 protected:
  void SetUp() override {
    const char* const launcher = std::getenv("CORDON_LAUNCH");
    ASSERT_NE(launcher, nullptr);
    if (::geteuid() != 0) GTEST_SKIP() << "only root can mount";
    std::string top = "/var/tmp/cordon-quota-XXXXXX";
    ASSERT_NE(::mkdtemp(top.data()), nullptr);
    top_ = top;
    const std::string image = top_ + "/image", place = top_ + "/mounted";
    std::filesystem::create_directory(place);
    const std::string commands =
        "(truncate -s 256M " + image + " && mkfs.ext4 -q -O project,quota -E quotatype=prjquota " +
        image + " && mount -o loop,prjquota " + image + " " + place + ") > " + top_ + "/said 2>&1";
    if (std::system(commands.c_str()) != 0) {  // NOLINT(cert-env33-c): all of it is ours
      std::string said;
      std::getline(std::ifstream(top_ + "/said"), said);
      GTEST_SKIP() << "no file system with project quotas can be mounted: " << said;
    }
    mounted_ = place;
    LocalOptions options;
    options.directory = place + "/sandboxes";
    options.launcher = launcher;
    options_ = options;
    auto driver = MakeLocalDriver(std::move(options));
    ASSERT_TRUE(driver) << driver.error().detail;
    driver_ = std::move(*driver);
  }
  void TearDown() override {
    driver_.reset();
    if (!mounted_.empty()) {
      EXPECT_EQ(::umount2(mounted_.c_str(), 0), 0);
    }
    if (!top_.empty()) std::filesystem::remove_all(top_);
  }

  Facts Made(const SandboxId& id) {
    Terms terms{id, "", {}, {}, "none", Isolation::kContainer};
    terms.resources.disk = kLimit;
    const auto facts = driver_->Create(terms);
    EXPECT_TRUE(facts) << facts.error().detail;
    return facts ? *facts : Facts{};
  }
  ExecEnd Sh(Driver& driver, const SandboxId& id, const std::string& script) {
    ExecTerms terms;
    terms.arguments = {"sh", "-c", script};
    auto exec = driver.Start(id, terms);
    EXPECT_TRUE(exec) << exec.error().detail;
    if (!exec) return {};
    (*exec)->CloseInput();
    while (true) {
      const auto piece = (*exec)->Read();
      if (!piece || !*piece) break;
    }
    return (*exec)->Wait().value_or(ExecEnd{});
  }
  std::uint32_t ProjectOfHome(const SandboxId& id) const {
    const std::string home = mounted_ + "/sandboxes/" + id.text();
    const platform::UniqueFd directory(::open(home.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    return platform::ProjectOf(directory.get()).value_or(0);
  }
  platform::ProjectUse UseOf(std::uint32_t project) const {
    const platform::UniqueFd directory(
        ::open(mounted_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    const auto use = platform::UseOfProject(directory.get(), project);
    EXPECT_TRUE(use) << use.error().detail;
    return use.value_or(platform::ProjectUse{});
  }

  std::string top_, mounted_;
  LocalOptions options_;
  std::unique_ptr<Driver> driver_;
};

constexpr const char* kFill =
    "cd /workspace; i=0; while [ $i -lt 100 ]; do head -c 1048576 /dev/zero > f$i || exit 3; "
    "i=$((i+1)); done";

TEST_F(QuotaTest, HoldsExactlyAndStopsNobody) {
  const SandboxId id = NewId(), other = NewId();
  EXPECT_EQ(Made(id).disk_hold, DiskHold::kQuota);
  EXPECT_EQ(Made(other).disk_hold, DiskHold::kQuota);
  EXPECT_NE(ProjectOfHome(id), ProjectOfHome(other));
  const ExecEnd end = Sh(*driver_, id, kFill);
  EXPECT_EQ(end.status, 3);  // the program itself saw it
  EXPECT_THAT(end.refusals, Contains("the limit on disk was reached"));
  EXPECT_LE(UseOf(ProjectOfHome(id)).bytes, kLimit);
  EXPECT_FALSE(driver_->Room(id, kMib));
  EXPECT_EQ(Sh(*driver_, other, "head -c 4194304 /dev/zero > /workspace/a").status, 0);
  EXPECT_EQ(Sh(*driver_, id, "rm /workspace/f*").status, 0);
  EXPECT_TRUE(driver_->Room(id, kMib));
  EXPECT_NE(Sh(*driver_, id, "chattr -p 0 /workspace").status, 0);  // nobody leaves the project
  for (const SandboxId& one : {id, other}) EXPECT_TRUE(driver_->Destroy(one));
}

TEST_F(QuotaTest, IsFoundAgainAndLeavesNothing) {
  const SandboxId id = NewId();
  Made(id);
  const std::uint32_t project = ProjectOfHome(id);
  auto later = MakeLocalDriver(options_);
  ASSERT_TRUE(later);
  EXPECT_EQ((*later)->Adopt(id)->disk_hold, DiskHold::kQuota);
  EXPECT_EQ(Sh(**later, id, kFill).status, 3);
  EXPECT_TRUE((*later)->Destroy(id));
  const platform::ProjectUse left = UseOf(project);
  EXPECT_EQ(left.bytes + left.files + left.most_bytes + left.most_files, 0U);
}

}  // namespace
}  // namespace cordon::provision
