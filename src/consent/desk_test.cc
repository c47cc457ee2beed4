#include "consent/desk.h"

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <future>
#include <map>
#include <mutex>
#include <stdexcept>
#include <thread>

namespace cordon::consent {
namespace {

using namespace std::chrono_literals;

Error Failing(ErrorCode code, std::string detail) {
  Error error;
  error.code = code;
  error.op = "fake";
  error.detail = std::move(detail);
  return error;
}

// A person who answers what they were told to, when they are let.
class FakeChannel final : public Channel {
 public:
  std::string_view name() const override { return name_; }
  bool available() const override { return available_; }

  Result<Choice> Ask(const Question& question, Deadline deadline,
                     const std::stop_token& stop) override {
    EXPECT_EQ(++inside_, 1) << "two questions at once";
    std::unique_lock lock(mutex_);
    asked_.push_back(question.path);
    ids_.push_back(question.id);
    deadlines_.push_back(deadline);
    changed_.notify_all();
    const bool answered =
        changed_.wait_until(lock, stop, deadline, [&] { return answers_.contains(question.path); });
    --inside_;
    if (answered) return answers_.at(question.path);
    if (!stop.stop_requested()) return Failing(ErrorCode::kTimeout, "");
    Error error = Failing(ErrorCode::kConsentDenied, "withdrawn");
    error.rule = "withdrawn";
    return error;
  }

  void Answer(const std::string& path, Result<Choice> answer) {
    const std::lock_guard lock(mutex_);
    answers_.insert_or_assign(path, std::move(answer));
    changed_.notify_all();
  }
  void Forget(const std::string& path) {
    const std::lock_guard lock(mutex_);
    answers_.erase(path);
  }
  bool WaitUntilAsked(std::size_t count) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, 10s, [&] { return asked_.size() >= count; });
  }
  std::vector<std::string> asked() {
    const std::lock_guard lock(mutex_);
    return asked_;
  }
  std::vector<std::string> ids() {
    const std::lock_guard lock(mutex_);
    return ids_;
  }
  std::vector<Deadline> deadlines() {
    const std::lock_guard lock(mutex_);
    return deadlines_;
  }

  std::string name_ = "fake";
  std::atomic<bool> available_ = true;

 private:
  std::atomic<int> inside_ = 0;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::map<std::string, Result<Choice>> answers_;
  std::vector<std::string> asked_, ids_;
  std::vector<Deadline> deadlines_;
};

Question About(std::string path) {
  Question question;
  question.path = std::move(path);
  question.operation = Operation::kWrite;
  return question;
}

struct DeskTest : testing::Test {
  std::shared_ptr<FakeChannel> channel = std::make_shared<FakeChannel>();
  std::shared_ptr<FakeChannel> second = std::make_shared<FakeChannel>();

  std::future<Answer> AskLater(Desk& desk, Question question, std::stop_token stop = {}) {
    return std::async(std::launch::async, [&desk, question = std::move(question), stop] {
      return desk.Ask(question, nullptr, stop);
    });
  }
};

TEST_F(DeskTest, GivesTheAnswerAndWhoGaveIt) {
  Desk desk({channel});
  channel->Answer("/a", Choice::kOnce);
  const Answer answer = desk.Ask(About("/a"), nullptr);
  EXPECT_EQ(answer.choice, Choice::kOnce);
  EXPECT_EQ(answer.channel, "fake");
  EXPECT_EQ(answer.failure, "");
  ASSERT_EQ(channel->ids().size(), 1U);
  EXPECT_GE(channel->ids()[0].size(), 16U);
}

TEST_F(DeskTest, ADenialByAPersonIsNoFailure) {
  Desk desk({channel});
  channel->Answer("/a", Choice::kDeny);
  const Answer answer = desk.Ask(About("/a"), nullptr);
  EXPECT_EQ(answer.choice, Choice::kDeny);
  EXPECT_EQ(answer.failure, "");
}

TEST_F(DeskTest, EveryFailureIsADenial) {
  for (const ErrorCode code : {ErrorCode::kConsentUnavailable, ErrorCode::kTimeout,
                               ErrorCode::kConsentDenied, ErrorCode::kIoError}) {
    Desk desk({channel});
    channel->Answer("/a", Failing(code, "broken"));
    const Answer answer = desk.Ask(About("/a"), nullptr);
    EXPECT_EQ(answer.choice, Choice::kDeny);
    EXPECT_NE(answer.failure, "") << ErrorCodeName(code);
  }
}

TEST_F(DeskTest, WithoutAChannelDenies) {
  Desk nobody({});
  EXPECT_FALSE(nobody.reachable());
  const Answer answer = nobody.Ask(About("/a"), nullptr);
  EXPECT_EQ(answer.choice, Choice::kDeny);
  EXPECT_EQ(answer.channel, "none");
  EXPECT_EQ(answer.failure, "no channel");
  channel->available_ = false;
  Desk desk({channel});
  EXPECT_FALSE(desk.reachable());
  EXPECT_EQ(desk.Ask(About("/a"), nullptr).failure, "no channel");
  EXPECT_TRUE(channel->asked().empty());
}

TEST_F(DeskTest, TakesTheNextChannelWhenOneIsUnavailableOrFails) {
  second->name_ = "second";
  second->Answer("/a", Choice::kOnce);
  channel->available_ = false;
  Desk desk({channel, second});
  EXPECT_TRUE(desk.reachable());
  EXPECT_EQ(desk.Ask(About("/a"), nullptr).channel, "second");
  EXPECT_TRUE(channel->asked().empty());
  channel->available_ = true;
  channel->Answer("/a", Failing(ErrorCode::kConsentUnavailable, "gone"));
  const Answer answer = desk.Ask(About("/a"), nullptr);
  EXPECT_EQ(answer.channel, "second");
  EXPECT_EQ(answer.choice, Choice::kOnce);
  EXPECT_EQ(channel->asked().size(), 1U);
}

TEST_F(DeskTest, NobodyElseIsAskedAfterATimeoutOrADenial) {
  second->Answer("/a", Choice::kOnce);
  Desk desk({channel, second}, 50ms);
  EXPECT_EQ(desk.Ask(About("/a"), nullptr).failure, "timeout");
  channel->Answer("/a", Failing(ErrorCode::kConsentDenied, "the terminal was closed"));
  EXPECT_EQ(desk.Ask(About("/a"), nullptr).failure, "the terminal was closed");
  channel->Answer("/a", Choice::kDeny);
  EXPECT_EQ(desk.Ask(About("/a"), nullptr).choice, Choice::kDeny);
  EXPECT_TRUE(second->asked().empty());
}

TEST_F(DeskTest, AnAnswerThatWasNotOfferedIsADenial) {
  Desk desk({channel});
  channel->Answer("/a", Choice::kDirectory);
  const Answer answer = desk.Ask(About("/a"), nullptr);
  EXPECT_EQ(answer.choice, Choice::kDeny);
  EXPECT_NE(answer.failure, "");
  Question offering = About("/a");
  offering.directory = "/";
  EXPECT_EQ(desk.Ask(offering, nullptr).choice, Choice::kDirectory);
}

TEST_F(DeskTest, AsksOneAtATimeInOrder) {
  Desk desk({channel});
  std::vector<std::future<Answer>> answers;
  answers.push_back(AskLater(desk, About("/0")));
  ASSERT_TRUE(channel->WaitUntilAsked(1));
  for (int i = 1; i < 5; ++i) {
    answers.push_back(AskLater(desk, About("/" + std::to_string(i))));
    std::this_thread::sleep_for(30ms);  // each joins the queue before the next
  }
  EXPECT_EQ(channel->asked().size(), 1U);
  for (int i = 0; i < 5; ++i) {
    ASSERT_TRUE(channel->WaitUntilAsked(static_cast<std::size_t>(i) + 1));
    EXPECT_EQ(channel->asked().size(), static_cast<std::size_t>(i) + 1);
    channel->Answer("/" + std::to_string(i), i % 2 == 0 ? Choice::kOnce : Choice::kDeny);
  }
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(answers[static_cast<std::size_t>(i)].get().choice,
              i % 2 == 0 ? Choice::kOnce : Choice::kDeny);
  }
  EXPECT_EQ(channel->asked(), (std::vector<std::string>{"/0", "/1", "/2", "/3", "/4"}));
}

TEST_F(DeskTest, IdenticalQuestionsAreAskedOnce) {
  Desk desk({channel});
  std::vector<std::future<Answer>> answers;
  for (int i = 0; i < 8; ++i) answers.push_back(AskLater(desk, About("/same")));
  Question other = About("/same");
  other.session = "another";
  ASSERT_TRUE(channel->WaitUntilAsked(1));
  std::this_thread::sleep_for(100ms);
  channel->Answer("/same", Choice::kOnce);
  for (std::future<Answer>& answer : answers) EXPECT_EQ(answer.get().choice, Choice::kOnce);
  EXPECT_EQ(channel->asked().size(), 1U);
  EXPECT_EQ(desk.Ask(other, nullptr).choice, Choice::kOnce);
  EXPECT_EQ(channel->asked().size(), 2U) << "another session's question is not the same";
  EXPECT_EQ(desk.Ask(About("/same"), nullptr).choice, Choice::kOnce);
  EXPECT_EQ(channel->asked().size(), 3U) << "an answer does not outlive its question";
}

TEST_F(DeskTest, PatienceCountsFromWhenTheQuestionIsPut) {
  Desk desk({channel}, 400ms);
  std::future<Answer> first = AskLater(desk, About("/first"));
  ASSERT_TRUE(channel->WaitUntilAsked(1));
  const auto begun = std::chrono::steady_clock::now();
  std::future<Answer> next = AskLater(desk, About("/next"));
  EXPECT_EQ(first.get().failure, "timeout");
  EXPECT_EQ(next.get().failure, "timeout");
  EXPECT_GE(std::chrono::steady_clock::now() - begun, 600ms);
  const std::vector<Deadline> deadlines = channel->deadlines();
  ASSERT_EQ(deadlines.size(), 2U);
  EXPECT_GE(deadlines[1] - deadlines[0], 390ms);
}

TEST_F(DeskTest, AnEarlierAnswerMakesTheNextQuestionMoot) {
  Desk desk({channel});
  std::future<Answer> first = AskLater(desk, About("/first"));
  ASSERT_TRUE(channel->WaitUntilAsked(1));
  std::atomic<bool> granted = false;
  std::atomic<int> checks = 0;
  std::future<Answer> next = std::async(std::launch::async, [&] {
    return desk.Ask(About("/next"), [&]() -> std::optional<Choice> {
      ++checks;
      if (granted) return Choice::kDirectory;
      return std::nullopt;
    });
  });
  std::this_thread::sleep_for(50ms);
  EXPECT_EQ(checks, 0) << "asked before its turn";
  granted = true;
  channel->Answer("/first", Choice::kOnce);
  const Answer answer = next.get();
  EXPECT_EQ(answer.choice, Choice::kDirectory);
  EXPECT_EQ(answer.channel, "earlier");
  EXPECT_EQ(checks, 1);
  EXPECT_EQ(channel->asked().size(), 1U);
  static_cast<void>(first.get());
}

TEST_F(DeskTest, AStopAnswersAtOnceAndLetsTheNextOneIn) {
  Desk desk({channel});
  std::stop_source stop_first, stop_waiting;
  std::future<Answer> first = AskLater(desk, About("/first"), stop_first.get_token());
  ASSERT_TRUE(channel->WaitUntilAsked(1));
  std::future<Answer> waiting = AskLater(desk, About("/waiting"), stop_waiting.get_token());
  std::this_thread::sleep_for(30ms);
  stop_waiting.request_stop();
  ASSERT_EQ(waiting.wait_for(5s), std::future_status::ready);
  EXPECT_EQ(waiting.get().failure, "withdrawn");
  std::future<Answer> next = AskLater(desk, About("/next"));
  stop_first.request_stop();
  const Answer answer = first.get();
  EXPECT_EQ(answer.choice, Choice::kDeny);
  EXPECT_EQ(answer.failure, "withdrawn");
  channel->Answer("/next", Choice::kOnce);
  EXPECT_EQ(next.get().choice, Choice::kOnce);
  EXPECT_EQ(channel->asked(), (std::vector<std::string>{"/first", "/next"}));
}

TEST_F(DeskTest, OneWhoLeavesDoesNotTakeTheQuestionWithThem) {
  Desk desk({channel});
  std::stop_source stop;
  std::future<Answer> leaver = AskLater(desk, About("/same"), stop.get_token());
  ASSERT_TRUE(channel->WaitUntilAsked(1));
  std::future<Answer> stayer = AskLater(desk, About("/same"));
  std::this_thread::sleep_for(50ms);
  stop.request_stop();
  EXPECT_EQ(leaver.get().failure, "withdrawn");
  ASSERT_TRUE(channel->WaitUntilAsked(2));
  channel->Answer("/same", Choice::kOnce);
  EXPECT_EQ(stayer.get().choice, Choice::kOnce);
}

TEST_F(DeskTest, AStopBeforeAskingAsksNobody) {
  Desk desk({channel});
  std::stop_source stop;
  stop.request_stop();
  channel->Answer("/a", Choice::kOnce);
  EXPECT_EQ(desk.Ask(About("/a"), nullptr, stop.get_token()).choice, Choice::kDeny);
  EXPECT_TRUE(channel->asked().empty());
}

struct ThrowingChannel final : Channel {
  std::string_view name() const override { return "throwing"; }
  bool available() const override { return true; }
  Result<Choice> Ask(const Question& /*question*/, Deadline /*deadline*/,
                     const std::stop_token& /*stop*/) override {
    throw std::runtime_error("no");
  }
};

TEST_F(DeskTest, AnExceptionIsADenialAndTheDeskGoesOn) {
  Desk desk({std::make_shared<ThrowingChannel>()});
  for (int i = 0; i < 3; ++i) {
    const Answer answer = desk.Ask(About("/a"), nullptr);
    EXPECT_EQ(answer.choice, Choice::kDeny);
    EXPECT_NE(answer.failure, "");
  }
  Desk other({channel});
  channel->Answer("/a", Choice::kOnce);
  const Answer answer =
      other.Ask(About("/a"), []() -> std::optional<Choice> { throw std::runtime_error("no"); });
  EXPECT_EQ(answer.choice, Choice::kDeny);
  EXPECT_EQ(other.Ask(About("/a"), nullptr).choice, Choice::kOnce);
}

TEST_F(DeskTest, ManyThreadsManyQuestions) {
  Desk desk({channel});
  for (int path = 0; path < 10; ++path) {
    channel->Answer("/" + std::to_string(path), path % 3 == 0 ? Choice::kOnce : Choice::kDeny);
  }
  std::vector<std::jthread> threads;
  std::atomic<int> wrong = 0;
  for (int thread = 0; thread < 8; ++thread) {
    threads.emplace_back([&, thread] {
      for (int i = 0; i < 200; ++i) {
        const int path = (thread + i) % 10;
        std::stop_source stop;
        if (i % 7 == 0) stop.request_stop();
        const Answer answer =
            desk.Ask(About("/" + std::to_string(path)), nullptr, stop.get_token());
        const Choice right = path % 3 == 0 && i % 7 != 0 ? Choice::kOnce : Choice::kDeny;
        if (answer.choice != right) ++wrong;
      }
    });
  }
  threads.clear();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace cordon::consent
