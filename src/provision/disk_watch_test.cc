#include "provision/disk_watch.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <thread>

namespace cordon::provision {
namespace {

using std::chrono::milliseconds;

constexpr std::uint64_t kMib = 1U << 20U;

SandboxId Id(std::uint8_t number = 0) {
  const std::array<std::uint8_t, SandboxId::kRandomBytes> random{number};
  return SandboxId::FromRandom(random);
}

// A disk and a sandbox that do what the test says.
class DiskWatchTest : public testing::Test {
 protected:
  void SetUp() override {
    DiskWatch::Hands hands;
    hands.room = [this]() -> Result<platform::DiskRoom> {
      return platform::DiskRoom{100'000 * kMib, free_, free_};
    };
    hands.measure = [this](const SandboxId&, std::uint64_t) -> Result<TreeUse> {
      ++looks_;
      if (!measurable_) return Error{};
      return TreeUse{used_, files_};
    };
    hands.by_quota = [this](const SandboxId&, const TreeUse&) -> Result<TreeUse> {
      return TreeUse{used_, files_};
    };
    hands.runs = [this](const SandboxId& id) {
      Answer(id);
      return runs_.load();
    };
    hands.stop = [this](const SandboxId& id, std::string_view) {
      ++stops_;
      Answer(id);
    };
    hands.end = [this](const SandboxId&, std::string_view) { ++ends_; };
    watch_ = DiskWatch::Start(std::move(hands));
  }
  void TearDown() override {
    deaf_ = false;
    watch_->Close();
  }
  // The first sandbox is the one that may not.
  void Answer(const SandboxId& id) {
    while (deaf_ && id == Id()) std::this_thread::sleep_for(milliseconds(1));
  }

  void Made(DiskHold hold = DiskHold::kWatched) {
    watch_->Add(Id(), 100 * kMib, hold, DiskWatch::Origin::kMade);
  }
  void Write(std::uint64_t bytes) {
    used_ += bytes;
    free_ -= bytes;
  }
  template <typename Holds>
  static bool Soon(Holds holds) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (!holds()) {
      if (std::chrono::steady_clock::now() > until) return false;
      std::this_thread::sleep_for(milliseconds(2));
    }
    return true;
  }

  std::atomic<std::uint64_t> used_ = 0, files_ = 1, free_ = 50'000 * kMib;
  std::atomic<int> looks_ = 0, stops_ = 0, ends_ = 0;
  std::atomic<bool> runs_ = false, measurable_ = true, deaf_ = false;
  std::shared_ptr<DiskWatch> watch_;
};

TEST_F(DiskWatchTest, WhatIsIdleIsNotLookedAt) {
  Made();
  free_ -= 1000 * kMib;  // others write
  std::this_thread::sleep_for(milliseconds(300));
  EXPECT_EQ(looks_, 0);
  watch_->Begin(Id()).reset();
  EXPECT_TRUE(Soon([&] { return looks_ >= 1; }));
  std::this_thread::sleep_for(milliseconds(100));
  const int after = looks_;
  free_ -= 1000 * kMib;
  std::this_thread::sleep_for(milliseconds(600));
  EXPECT_EQ(looks_, after);
}

TEST_F(DiskWatchTest, WhoGoesOverIsStoppedAndToldWhy) {
  Made();
  const auto run = watch_->Begin(Id());
  Write(101 * kMib);
  const auto begun = std::chrono::steady_clock::now();
  ASSERT_TRUE(Soon([&] { return stops_ == 1; }));
  EXPECT_LT(std::chrono::steady_clock::now() - begun, milliseconds(300));
  EXPECT_EQ(run->fate(), DiskWatch::Run::Fate::kStopped);
  EXPECT_EQ(run->Hindrance(DiskWatch::Run::Outcome::kFailed), "the limit on disk was reached");
  EXPECT_EQ(ends_, 0);
}

TEST_F(DiskWatchTest, TooManyFilesAreTooMuch) {
  Made();
  const auto run = watch_->Begin(Id());
  files_ = 30'000;
  EXPECT_TRUE(Soon([&] { return stops_ == 1; }));
}

TEST_F(DiskWatchTest, WhoRemovesMayRunAlthoughItIsOver) {
  Made();
  runs_ = true;
  watch_->Begin(Id()).reset();
  Write(150 * kMib);
  ASSERT_TRUE(Soon([&] { return stops_ == 1; }));
  const auto run = watch_->Begin(Id());
  const int before = looks_;
  used_ -= 20 * kMib;
  ASSERT_TRUE(Soon([&] { return looks_ >= before + 2; }));
  EXPECT_EQ(stops_, 1);
  // Taking what was just given back is adding.
  Write(10 * kMib);
  EXPECT_TRUE(Soon([&] { return stops_ == 2; }));
}

TEST_F(DiskWatchTest, WhoIsFarBeyondIsEnded) {
  Made();
  const auto run = watch_->Begin(Id());
  Write(2000 * kMib);
  EXPECT_TRUE(Soon([&] { return ends_ >= 1; }));
  EXPECT_EQ(run->fate(), DiskWatch::Run::Fate::kSandboxEnded);
}

TEST_F(DiskWatchTest, WhatRunsInTheBackgroundIsStoppedToo) {
  Made();
  runs_ = true;
  watch_->Begin(Id()).reset();
  std::this_thread::sleep_for(milliseconds(400));
  Write(200 * kMib);
  EXPECT_TRUE(Soon([&] { return stops_ >= 1; }));
}

TEST_F(DiskWatchTest, WhatIsFoundIsLookedAtWithoutBeingAsked) {
  Write(150 * kMib);
  runs_ = true;
  watch_->Add(Id(), 100 * kMib, DiskHold::kWatched, DiskWatch::Origin::kFound);
  EXPECT_TRUE(Soon([&] { return stops_ == 1; }));
}

TEST_F(DiskWatchTest, WhoDoesNotAnswerDelaysNobodyElse) {
  for (const bool asked : {true, false}) {  // whether it runs; or told to stop
    const int before = stops_;
    Made();
    deaf_ = true;
    auto first = watch_->Begin(Id());
    if (asked) first.reset();
    if (!asked) {
      Write(101 * kMib);
      ASSERT_TRUE(Soon([&] { return stops_ == before + 1; }));
    }
    std::this_thread::sleep_for(milliseconds(300));
    watch_->Add(Id(1), 50 * kMib, DiskHold::kWatched, DiskWatch::Origin::kMade);
    const auto other = watch_->Begin(Id(1));
    Write(60 * kMib);
    EXPECT_TRUE(Soon([&] { return other->fate() == DiskWatch::Run::Fate::kStopped; })) << asked;
    deaf_ = false;
    watch_->Forget(Id());
    watch_->Forget(Id(1));
    used_ = 0;
  }
}

TEST_F(DiskWatchTest, WhoComesWhileOthersAreEndedIsNeitherEndedNorBlamed) {
  Made();
  runs_ = true;
  watch_->Begin(Id()).reset();
  deaf_ = true;
  Write(101 * kMib);
  ASSERT_TRUE(Soon([&] { return stops_ == 1; }));
  std::atomic<bool> begun = false;
  std::unique_ptr<DiskWatch::Run> run;
  std::jthread next([&] {
    run = watch_->Begin(Id());
    begun = true;
  });
  std::this_thread::sleep_for(milliseconds(100));
  EXPECT_FALSE(begun);
  Write(30 * kMib);  // to its last moment
  deaf_ = false;
  next.join();
  std::this_thread::sleep_for(milliseconds(700));  // it is looked at, and adds nothing
  EXPECT_EQ(run->fate(), DiskWatch::Run::Fate::kLeftAlone);
  EXPECT_EQ(stops_, 1);
}

TEST_F(DiskWatchTest, NobodyTakesTheLastOfTheMachine) {
  Made();
  const auto run = watch_->Begin(Id());
  free_ = 200 * kMib;  // by what cannot be measured
  EXPECT_TRUE(Soon([&] { return stops_ == 1; }));
  EXPECT_EQ(run->Hindrance(DiskWatch::Run::Outcome::kFailed),
            "the disk of this machine is nearly full");
  // Whoever comes when it is so already is not to blame.
  const auto next = watch_->Begin(Id());
  std::this_thread::sleep_for(milliseconds(200));
  EXPECT_EQ(stops_, 1);
}

TEST_F(DiskWatchTest, WhatCannotBeMeasuredIsOver) {
  Made();
  measurable_ = false;
  const auto run = watch_->Begin(Id());
  EXPECT_TRUE(Soon([&] { return stops_ >= 1; }));
}

TEST_F(DiskWatchTest, RoomIsGivenOutOnce) {
  Made();
  EXPECT_TRUE(watch_->Room(Id(), 60 * kMib));
  used_ = 60 * kMib;
  EXPECT_TRUE(watch_->Room(Id(), 30 * kMib));
  used_ = 90 * kMib;
  const Status refused = watch_->Room(Id(), 20 * kMib);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kLimitExceeded);
  EXPECT_EQ(refused.error().rule, "disk");
  used_ = 10 * kMib;  // something was removed
  EXPECT_TRUE(watch_->Room(Id(), 20 * kMib));
}

TEST_F(DiskWatchTest, AQuotaIsAskedAndNothingMeasured) {
  Made(DiskHold::kQuota);
  const auto run = watch_->Begin(Id());
  used_ = 100 * kMib;
  EXPECT_FALSE(watch_->Room(Id(), 1));
  EXPECT_EQ(watch_->Use(Id()).value(), 100 * kMib);
  EXPECT_EQ(run->Hindrance(DiskWatch::Run::Outcome::kFailed), "the limit on disk was reached");
  used_ = 50 * kMib;
  EXPECT_TRUE(watch_->Room(Id(), 1));
  EXPECT_EQ(run->Hindrance(DiskWatch::Run::Outcome::kFailed), std::nullopt);
  std::this_thread::sleep_for(milliseconds(100));
  EXPECT_EQ(looks_, 0);
  EXPECT_EQ(stops_, 0);
}

TEST_F(DiskWatchTest, ProgramsMayOutliveIt) {
  Made();
  auto run = watch_->Begin(Id());
  watch_->Close();
  watch_.reset();
  EXPECT_EQ(run->fate(), DiskWatch::Run::Fate::kLeftAlone);
  EXPECT_EQ(run->Hindrance(DiskWatch::Run::Outcome::kFailed), std::nullopt);
  run.reset();
  watch_ = DiskWatch::Start({});
}

}  // namespace
}  // namespace cordon::provision
