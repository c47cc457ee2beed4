#include "provision/activity.h"

#include <gtest/gtest.h>

namespace cordon::provision {
namespace {

using Retired = Activity::Retired;

SandboxId Id(char c) { return SandboxId::Parse(std::string(SandboxId::kLength, c)).value(); }

class ActivityTest : public ::testing::Test {
 protected:
  store::Time now_ = 100;
  std::optional<Activity> activity_{std::in_place, [this] { return now_; }};
};

TEST_F(ActivityTest, OnlyWhatWasAdmittedIsEntered) {
  EXPECT_FALSE(activity_->Enter(Id('a')));
  EXPECT_FALSE(activity_->LastActive(Id('a')));
  activity_->Admit(Id('a'), std::chrono::seconds(1));
  EXPECT_TRUE(activity_->Enter(Id('a')));
  EXPECT_FALSE(activity_->Enter(Id('b')));
  activity_->Remove(Id('a'));
  EXPECT_FALSE(activity_->Enter(Id('a')));
}

TEST_F(ActivityTest, LastsAsLongAsSomebodyIsInIt) {
  activity_->Admit(Id('a'), std::chrono::milliseconds(50));
  EXPECT_EQ(activity_->IdleAt(Id('a')), 150);
  auto first = activity_->Enter(Id('a')), second = activity_->Enter(Id('a'));
  now_ = 200;
  EXPECT_EQ(activity_->LastActive(Id('a')), 200);
  first.reset();
  now_ = 300;
  EXPECT_EQ(activity_->LastActive(Id('a')), 300);
  second.reset();
  now_ = 400;
  EXPECT_EQ(activity_->LastActive(Id('a')), 300);
  EXPECT_EQ(activity_->IdleAt(Id('a')), 350);
}

TEST_F(ActivityTest, WhatIsRetiredIsNotEnteredAndTheOtherWayRound) {
  activity_->Admit(Id('a'), std::chrono::seconds(1));
  EXPECT_EQ(activity_->Retire(Id('a'), 99), Retired::kInUse);
  auto use = activity_->Enter(Id('a'));
  EXPECT_EQ(activity_->Retire(Id('a'), 1000), Retired::kInUse);
  use.reset();
  EXPECT_EQ(activity_->Retire(Id('a'), 100), Retired::kYes);
  EXPECT_FALSE(activity_->Enter(Id('a')));
  activity_->Restore(Id('a'));
  EXPECT_TRUE(activity_->Enter(Id('a')));
}

TEST_F(ActivityTest, NewsAreToldOnce) {
  activity_->Admit(Id('a'), std::chrono::seconds(1));
  EXPECT_EQ(activity_->TakeNews().size(), 1u);
  EXPECT_TRUE(activity_->TakeNews().empty());
  now_ = 200;
  auto use = activity_->Enter(Id('a'));
  ASSERT_EQ(activity_->TakeNews().size(), 1u);
  now_ = 300;
  const auto news = activity_->TakeNews();
  ASSERT_EQ(news.size(), 1u);
  EXPECT_EQ(news[0].second, 300);
}

TEST_F(ActivityTest, AUseMayOutliveIt) {
  activity_->Admit(Id('a'), std::chrono::seconds(1));
  auto use = activity_->Enter(Id('a'));
  activity_.reset();
  use.reset();
}

}  // namespace
}  // namespace cordon::provision
