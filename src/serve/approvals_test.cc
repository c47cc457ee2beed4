#include "serve/approvals.h"

#include <gtest/gtest.h>

#include <future>
#include <thread>

namespace cordon::serve {
namespace {

using consent::Choice;
using std::chrono::milliseconds;

class ApprovalsTest : public ::testing::Test {
 protected:
  std::future<Result<Choice>> Ask(const std::string& user, const std::string& id,
                                  milliseconds patience = milliseconds(10'000)) {
    return std::async(std::launch::async, [this, user, id, patience] {
      consent::Question question;
      question.id = id;
      return board_->ChannelFor(user, "sandbox")
          ->Ask(question, std::chrono::steady_clock::now() + patience, stop_.get_token());
    });
  }
  void WaitFor(const std::string& user, std::size_t count) {
    for (int i = 0; i < 2000 && board_->List(user).size() != count; ++i) {
      std::this_thread::sleep_for(milliseconds(2));
    }
    ASSERT_EQ(board_->List(user).size(), count);
  }
  std::stop_source stop_;
  std::shared_ptr<ApprovalBoard> board_ = std::make_shared<ApprovalBoard>([] { return 1; });
};

TEST_F(ApprovalsTest, TheOwnerAnswers) {
  auto answer = Ask("ann", "q1");
  WaitFor("ann", 1);
  EXPECT_EQ(board_->Answer("ann", "q1", Choice::kDirectory), ApprovalBoard::Outcome::kNotOffered);
  EXPECT_EQ(board_->Answer("ann", "q1", Choice::kOnce), ApprovalBoard::Outcome::kTaken);
  EXPECT_EQ(board_->Answer("ann", "q1", Choice::kDeny), ApprovalBoard::Outcome::kTooLate);
  EXPECT_EQ(*answer.get(), Choice::kOnce);
  WaitFor("ann", 0);
}

TEST_F(ApprovalsTest, TellsWhatBecameOfAQuestion) {
  auto answer = Ask("ann", "q1");
  WaitFor("ann", 1);
  EXPECT_FALSE(board_->FindSettled("ann", "q1"));
  board_->Answer("ann", "q1", Choice::kOnce);
  static_cast<void>(answer.get());
  const auto settled = board_->FindSettled("ann", "q1");
  ASSERT_TRUE(settled.has_value());
  EXPECT_EQ(settled->how, ApprovalBoard::Settled::How::kAnswered);
  EXPECT_EQ(settled->choice, Choice::kOnce);
  EXPECT_EQ(board_->Answer("ann", "q1", Choice::kDeny), ApprovalBoard::Outcome::kTooLate);
  EXPECT_FALSE(board_->FindSettled("bob", "q1"));
  EXPECT_EQ(board_->Answer("bob", "q1", Choice::kDeny), ApprovalBoard::Outcome::kNotFound);
}

TEST_F(ApprovalsTest, TellsWhyNobodyAnswered) {
  static_cast<void>(Ask("ann", "q1", milliseconds(10)).get());
  EXPECT_EQ(board_->FindSettled("ann", "q1")->how, ApprovalBoard::Settled::How::kTimeout);
  auto stopped = Ask("ann", "q2");
  WaitFor("ann", 1);
  stop_.request_stop();
  static_cast<void>(stopped.get());
  EXPECT_EQ(board_->FindSettled("ann", "q2")->how, ApprovalBoard::Settled::How::kWithdrawn);
}

TEST_F(ApprovalsTest, NobodyElseSeesOrAnswers) {
  auto answer = Ask("ann", "q1");
  WaitFor("ann", 1);
  EXPECT_TRUE(board_->List("bob").empty());
  EXPECT_EQ(board_->Answer("bob", "q1", Choice::kOnce), ApprovalBoard::Outcome::kNotFound);
  board_->Answer("ann", "q1", Choice::kDeny);
  EXPECT_EQ(*answer.get(), Choice::kDeny);
}

TEST_F(ApprovalsTest, NoAnswerIsNoYes) {
  EXPECT_EQ(Ask("ann", "q1", milliseconds(10)).get().error().code, ErrorCode::kTimeout);
  auto stopped = Ask("ann", "q2");
  WaitFor("ann", 1);
  stop_.request_stop();
  EXPECT_EQ(stopped.get().error().code, ErrorCode::kConsentDenied);
}

TEST_F(ApprovalsTest, ClosingLetsEverybodyGo) {
  auto answer = Ask("ann", "q1");
  WaitFor("ann", 1);
  board_->Close();
  EXPECT_EQ(answer.get().error().code, ErrorCode::kConsentUnavailable);
  EXPECT_EQ(Ask("ann", "q2").get().error().code, ErrorCode::kConsentUnavailable);
  EXPECT_FALSE(board_->ChannelFor("ann", "s")->available());
}

}  // namespace
}  // namespace cordon::serve
