// Ten thousand sandboxes: every port of the range once, really listened on, also after a restart.
#include "preview/ports.h"

#include <gtest/gtest.h>
#include <net/if.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <array>
#include <set>

#include "platform/unique_fd.h"
#include "tests/tree.h"

namespace cordon::preview {
namespace {

SandboxId IdOf(std::uint64_t number) {
  std::array<std::uint8_t, SandboxId::kRandomBytes> bytes{};
  for (std::size_t i = 0; i < 8; ++i) bytes.at(i) = static_cast<std::uint8_t>(number >> (8 * i));
  return SandboxId::FromRandom(bytes);
}

constexpr std::size_t kAll = 10'000;

// A network of this process alone: on the machine's, others take ports and give them back.
bool EnterOwnNetwork() {
  if (::unshare(CLONE_NEWNET) != 0 && ::unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0) return false;
  const platform::UniqueFd any(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  ifreq loopback{"lo", {}};
  loopback.ifr_flags = IFF_UP;
  return ::ioctl(any.get(), SIOCSIFFLAGS, &loopback) == 0;
}

class TenThousand : public ::testing::Test {
 protected:
  void SetUp() override {
    rlimit limit{};
    ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &limit), 0);
    limit.rlim_cur = limit.rlim_max;
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
    if (limit.rlim_max < kAll + 500) GTEST_SKIP() << "not enough descriptors for 10,000 sockets";
    if (!EnterOwnNetwork()) GTEST_SKIP() << "this machine makes no network namespaces";
    Reopen();
    for (std::uint64_t i = 0; i <= kAll; ++i) {
      store::Sandbox sandbox{IdOf(i)};
      sandbox.driver = "fake";
      sandbox.pooled = store::Sandbox::Pooled::kWaiting;
      ASSERT_TRUE(store_->AddSandbox(sandbox, 0).has_value());
    }
  }
  void Reopen() {
    store_.reset();
    auto opened = store::Store::Open(tree_.At("state/store.db"));
    ASSERT_TRUE(opened.has_value()) << opened.error().detail;
    store_ = std::move(*opened);
  }
  std::set<std::uint16_t> TakeAll(std::vector<Ports::Reserved>& held) {
    Ports ports(store_, {});
    std::set<std::uint16_t> seen;
    for (std::uint64_t i = 0; i < kAll; ++i) {
      auto reserved = ports.Reserve(IdOf(i));
      EXPECT_TRUE(reserved) << reserved.error().detail;
      if (!reserved) break;
      EXPECT_TRUE(seen.insert(reserved->port).second) << reserved->port;
      EXPECT_EQ(store_->FindAnySandbox(IdOf(i))->port, reserved->port);
      held.push_back(std::move(*reserved));
    }
    return seen;
  }

  testing::Tree tree_;
  std::shared_ptr<store::Store> store_;
};

TEST_F(TenThousand, NoTwoCollideAlsoAfterARestart) {
  std::vector<Ports::Reserved> held;
  const std::set<std::uint16_t> first = TakeAll(held);
  EXPECT_EQ(first.size(), kAll);
  EXPECT_GE(*first.begin(), 30000);
  EXPECT_LE(*first.rbegin(), 39999);
  Ports ports(store_, {});
  auto none = ports.Reserve(IdOf(kAll));
  ASSERT_FALSE(none.has_value());
  EXPECT_EQ(none.error().code, ErrorCode::kLimitExceeded);
  EXPECT_NE(none.error().detail.find("every port for previews is taken"), std::string::npos);
  std::vector<std::uint16_t> before;
  for (const auto& one : held) before.push_back(one.port);
  held.clear();
  Reopen();
  TakeAll(held);
  std::size_t same = 0;
  for (std::size_t i = 0; i < std::min(held.size(), before.size()); ++i) {
    same += held[i].port == before[i] ? 1 : 0;
  }
  EXPECT_EQ(same, kAll);
}

}  // namespace
}  // namespace cordon::preview
