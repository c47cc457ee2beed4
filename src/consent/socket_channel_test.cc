#include "consent/socket_channel.h"

#include <gtest/gtest.h>

#include <condition_variable>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>
#include <mutex>
#include <thread>

#include "consent/approver.h"
#include "consent/desk.h"

namespace cordon::consent {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

struct SocketChannelTest : testing::Test {
  SocketChannelTest() {
    std::string pattern = (fs::temp_directory_path() / "cordon-socket-XXXXXX").string();
    scratch = ::mkdtemp(pattern.data());
    directory = scratch + "/a/run";
  }
  ~SocketChannelTest() override { fs::remove_all(scratch); }

  std::shared_ptr<Channel> Listen() const {
    auto channel = ListenForApprovers(directory);
    EXPECT_TRUE(channel) << channel.error().detail;
    return channel ? *channel : nullptr;
  }

  std::size_t entries() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(directory), fs::directory_iterator()));
  }

  std::string scratch, directory;
};

// What an approver was told.
class Heard {
 public:
  Approver::Sink sink() {
    return [this](const ToPerson& message) {
      const std::lock_guard lock(mutex_);
      messages_.push_back(message);
      changed_.notify_all();
    };
  }
  template <typename Kind>
  std::optional<Kind> Wait(std::size_t nth) {
    std::unique_lock lock(mutex_);
    std::vector<Kind> found;
    changed_.wait_for(lock, 10s, [&] {
      found.clear();
      for (const ToPerson& message : messages_) {
        if (const auto* one = std::get_if<Kind>(&message)) found.push_back(*one);
      }
      return found.size() > nth;
    });
    if (found.size() <= nth) return std::nullopt;
    return found[nth];
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<ToPerson> messages_;
};

Question About(std::string path) {
  Question question;
  question.path = std::move(path);
  return question;
}

TEST_F(SocketChannelTest, ListensAsLongAsItIsHeld) {
  std::shared_ptr<Channel> channel = Listen();
  ASSERT_TRUE(channel);
  EXPECT_EQ(channel->name(), "socket");
  EXPECT_TRUE(channel->available());
  EXPECT_EQ(entries(), 1U);
  channel.reset();
  EXPECT_EQ(entries(), 0U);
}

TEST_F(SocketChannelTest, AnswersTravel) {
  Desk desk({Listen()});
  Heard heard;
  const auto approver = Approver::Attach(directory, heard.sink());
  ASSERT_TRUE(approver);
  for (std::size_t round = 0; round < 5; ++round) {
    std::future<Answer> answer = std::async(
        std::launch::async, [&] { return desk.Ask(About("/" + std::to_string(round)), nullptr); });
    const std::optional<Question> question = heard.Wait<Question>(round);
    ASSERT_TRUE(question);
    EXPECT_EQ(question->path, "/" + std::to_string(round));
    const Choice choice = round % 2 == 0 ? Choice::kOnce : Choice::kDeny;
    (*approver)->Answer({question->id, choice});
    EXPECT_EQ(answer.get().choice, choice);
    const std::optional<Settled> settled = heard.Wait<Settled>(round);
    ASSERT_TRUE(settled);
    EXPECT_EQ(settled->by, SettledBy::kHere);
  }
}

TEST_F(SocketChannelTest, ATimeoutAndAStopEndIt) {
  const std::shared_ptr<Channel> channel = Listen();
  Heard heard;
  const auto approver = Approver::Attach(directory, heard.sink());
  ASSERT_TRUE(approver);
  const auto late = channel->Ask(About("/a"), std::chrono::steady_clock::now() + 400ms, {});
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code, ErrorCode::kTimeout);
  std::stop_source stop;
  std::jthread stopper([&] {
    std::this_thread::sleep_for(300ms);
    stop.request_stop();
  });
  Question other = About("/b");
  other.id = "b";
  const auto stopped =
      channel->Ask(other, std::chrono::steady_clock::now() + 60s, stop.get_token());
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, ErrorCode::kConsentDenied);
  EXPECT_EQ(stopped.error().rule, "withdrawn");
  const std::optional<Settled> last = heard.Wait<Settled>(1);
  ASSERT_TRUE(last);
  EXPECT_EQ(last->by, SettledBy::kWithdrawn);
}

TEST_F(SocketChannelTest, AnAnswerAfterTheEndIsIgnored) {
  const std::shared_ptr<Channel> channel = Listen();
  Heard heard;
  const auto approver = Approver::Attach(directory, heard.sink());
  ASSERT_TRUE(approver);
  Question question = About("/a");
  question.id = "x";
  static_cast<void>(channel->Ask(question, std::chrono::steady_clock::now() + 400ms, {}));
  const std::optional<Settled> over = heard.Wait<Settled>(0);
  ASSERT_TRUE(over);
  (*approver)->Answer({over->id, Choice::kOnce});
  const std::optional<Ignored> ignored = heard.Wait<Ignored>(0);
  ASSERT_TRUE(ignored);
  EXPECT_EQ(ignored->id, over->id);
}

// Asks in a thread of its own, under an id that the test chooses.
std::future<Result<Choice>> AskAs(const std::string& id, const std::string& path,
                                  const std::shared_ptr<Channel>& channel,
                                  std::chrono::milliseconds patience) {
  Question question = About(path);
  question.id = id;
  return std::async(std::launch::async, [=] {
    return channel->Ask(question, std::chrono::steady_clock::now() + patience, {});
  });
}

TEST_F(SocketChannelTest, TwoAskersMayUseTheSameId) {
  const std::shared_ptr<Channel> one = Listen();
  const std::shared_ptr<Channel> two = Listen();
  Heard heard;
  const auto approver = Approver::Attach(directory, heard.sink());
  ASSERT_TRUE(approver);
  std::future<Result<Choice>> about_a = AskAs("x", "/a", one, 10s);
  const std::optional<Question> a = heard.Wait<Question>(0);
  std::future<Result<Choice>> about_b = AskAs("x", "/b", two, 10s);
  const std::optional<Question> b = heard.Wait<Question>(1);
  ASSERT_TRUE(a && b);
  EXPECT_EQ(a->path, "/a");
  EXPECT_EQ(b->path, "/b");
  EXPECT_NE(a->id, b->id);
  (*approver)->Answer({"x", Choice::kOnce});  // the askers' own id is nobody's here
  ASSERT_TRUE(heard.Wait<Ignored>(0));
  (*approver)->Answer({b->id, Choice::kOnce});
  EXPECT_EQ(about_b.get().value(), Choice::kOnce);
  EXPECT_EQ(about_a.wait_for(200ms), std::future_status::timeout);
  (*approver)->Answer({a->id, Choice::kDeny});
  EXPECT_EQ(about_a.get().value(), Choice::kDeny);
}

TEST_F(SocketChannelTest, ALateAnswerIsNotForTheNextWithThatId) {
  const std::shared_ptr<Channel> one = Listen();
  const std::shared_ptr<Channel> two = Listen();
  Heard heard;
  const auto approver = Approver::Attach(directory, heard.sink());
  ASSERT_TRUE(approver);
  std::future<Result<Choice>> about_a = AskAs("x", "/a", one, 700ms);
  const std::optional<Question> a = heard.Wait<Question>(0);
  ASSERT_TRUE(a);
  EXPECT_EQ(about_a.get().error().code, ErrorCode::kTimeout);
  ASSERT_TRUE(heard.Wait<Settled>(0));
  // Another process, and the same one again.
  std::size_t nth = 1;
  for (const std::shared_ptr<Channel>& channel : {two, one}) {
    std::future<Result<Choice>> about_b = AskAs("x", "/b", channel, 1s);
    ASSERT_TRUE(heard.Wait<Question>(nth));
    (*approver)->Answer({a->id, Choice::kOnce});
    const std::optional<Ignored> ignored = heard.Wait<Ignored>(nth - 1);
    ASSERT_TRUE(ignored);
    EXPECT_EQ(ignored->id, a->id);
    const Result<Choice> answer = about_b.get();
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().code, ErrorCode::kTimeout);
    ++nth;
  }
}

// Answers, deadlines, stops and departures at the same time: what thread sanitizers look at.
TEST_F(SocketChannelTest, EverythingAtOnce) {
  Desk desk({Listen()}, 100ms);
  std::vector<std::jthread> threads;
  for (int thread = 0; thread < 3; ++thread) {
    threads.emplace_back([&, thread](const std::stop_token& over) {
      while (!over.stop_requested()) {
        std::unique_ptr<Approver>* self = nullptr;
        std::mutex mutex;
        auto attached = Approver::Attach(directory, [&](const ToPerson& message) {
          const std::lock_guard lock(mutex);
          const auto* question = std::get_if<Question>(&message);
          if (question != nullptr && self != nullptr) {
            (*self)->Answer({question->id, thread == 0 ? Choice::kDeny : Choice::kOnce});
          }
        });
        ASSERT_TRUE(attached);
        {
          const std::lock_guard lock(mutex);
          self = &*attached;
        }
        std::this_thread::sleep_for(30ms);
      }
    });
  }
  int answered = 0;
  for (int round = 0; round < 60; ++round) {
    std::stop_source stop;
    std::jthread stopper;
    if (round % 5 == 0) {
      stopper = std::jthread([&stop] {
        std::this_thread::sleep_for(5ms);
        stop.request_stop();
      });
    }
    const Answer answer = desk.Ask(About("/" + std::to_string(round)), nullptr, stop.get_token());
    answered += answer.failure.empty() ? 1 : 0;
    EXPECT_TRUE(answer.failure.empty() || answer.choice == Choice::kDeny);
  }
  EXPECT_GT(answered, 0);
}

TEST_F(SocketChannelTest, OthersDirectoriesAreRefused) {
  fs::create_directories(directory);
  fs::permissions(directory, fs::perms::all);
  EXPECT_EQ(ListenForApprovers(directory).error().code, ErrorCode::kPermissionDenied);
  EXPECT_EQ(Approver::Attach(directory, [](const ToPerson&) {}).error().code,
            ErrorCode::kPermissionDenied);
  EXPECT_EQ(ListenForApprovers("relative").error().code, ErrorCode::kInvalidPath);
  EXPECT_FALSE(ListenForApprovers(""));
  EXPECT_EQ(ListenForApprovers(scratch + "/" + std::string(100, 'x')).error().code,
            ErrorCode::kInvalidPath);
  std::ofstream(scratch + "/file") << "x";
  EXPECT_FALSE(ListenForApprovers(scratch + "/file"));
  EXPECT_FALSE(ListenForApprovers(scratch + "/file/below"));
}

}  // namespace
}  // namespace cordon::consent
