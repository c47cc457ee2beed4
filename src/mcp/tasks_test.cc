#include "mcp/tasks.h"

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>

namespace cordon::mcp {
namespace {

namespace json = boost::json;
using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""s;

// "say" ends at once, "fail" with an error, "ask" asks for two things, for another,
// then for the two again; "wait" goes on until it is stopped.
class Caller final : public Service {
 public:
  const Description& Describe() const override { return description_; }
  Answered<ToolResult> CallTool(Exchange& exchange, std::string_view name,
                                const json::object& /*arguments*/) override {
    ++calls;
    if (name == "fail") return tl::make_unexpected(ResourceNotFound("x"));
    if (name == "wait") {
      std::mutex mutex;
      std::condition_variable_any never;
      std::unique_lock lock(mutex);
      never.wait_for(lock, exchange.stop(), 10s, [] { return false; });
      stopped += exchange.stop().stop_requested() ? 1 : 0;
    }
    if (name == "ask") return Ask(exchange);
    return ToolResult{json::array{std::string(name)}};
  }

  std::atomic<int> calls = 0;
  std::atomic<int> stopped = 0;

 private:
  static ToolResult Ask(Exchange& exchange) {
    const json::object* const carried = exchange.carried();
    const bool again = carried != nullptr && carried->contains("again");
    const auto name = exchange.Ask("name", "elicitation/create", {{"message", "name?"}}, 0ms);
    const auto age = exchange.Ask("age", "elicitation/create", {{"message", "age?"}}, 0ms);
    if (again) {
      exchange.Carry(*carried);
      return {json::array{name ? json::value(*name) : nullptr}};
    }
    if (name && age) {
      exchange.Carry({{"again", true}});
      static_cast<void>(exchange.Ask("more", "elicitation/create", {}, 0ms));
    }
    return {json::array{"not yet"}};
  }
  const Description description_ = [] {
    Description description;
    description.capabilities = {{"tools", json::object()}};
    return description;
  }();
};

class TasksTest : public ::testing::Test {
 protected:
  static TaskCall CallOf(std::string_view tool) {
    TaskCall call;
    call.client.revision = kNewest;
    call.client.capabilities = {{"elicitation", json::object()}};
    call.params = {{"name", tool}};
    return call;
  }
  std::shared_ptr<Task> Start(std::string_view tool, const Tasks::Owner& owner = "me") {
    return tasks_.Start(owner, CallOf(tool));
  }

  Hub hub_;
  Caller service_;
  Tasks::Limits limits_{.kept = 6,
                        .kept_each = 4,
                        .running = 3,
                        .running_each = 2,
                        .lifetime = {.longest = 10s, .after_its_end = 10s}};
  Tasks tasks_{service_, hub_, limits_};
};

TEST_F(TasksTest, HasTheResultOfTheCall) {
  const auto task = Start("say");
  ASSERT_TRUE(task);
  EXPECT_GE(task->id().size(), 32U);
  const TaskState state = task->Await(5s, {});
  EXPECT_EQ(state.status, TaskStatus::kCompleted);
  ASSERT_TRUE(state.result);
  EXPECT_EQ(*state.result, (json::object{{"content", json::array{"say"}}}));
  EXPECT_GE(state.ttl, 10s);
  EXPECT_EQ(tasks_.Find("me", {}, task->id()), task);
}

TEST_F(TasksTest, AFailureIsTheTasks) {
  const TaskState state = Start("fail")->Await(5s, {});
  EXPECT_EQ(state.status, TaskStatus::kFailed);
  ASSERT_TRUE(state.error);
  EXPECT_EQ(state.error->code, RpcCode::kInvalidParams);  // as the client's era says it
  EXPECT_FALSE(state.result);
}

TEST_F(TasksTest, IsCalledAgainWhenEverythingIsAnswered) {
  const auto task = Start("ask");
  TaskState state = task->Await(5s, {});
  ASSERT_EQ(state.status, TaskStatus::kInputRequired);
  EXPECT_EQ(state.questions.size(), 2U);
  tasks_.Answer("me", task, {{"name", {{"action", "accept"}}}, {"foreign", json::object()}});
  tasks_.Answer("me", task, {{"age", "no object"}});
  state = task->Look();
  EXPECT_EQ(state.status, TaskStatus::kInputRequired);
  EXPECT_EQ(state.questions.size(), 1U);
  EXPECT_TRUE(state.questions.contains("age"));
  EXPECT_EQ(service_.calls, 1);
  tasks_.Answer("me", task, {{"name", {{"action", "late"}}}, {"age", json::object()}});
  state = task->Await(5s, {});
  ASSERT_EQ(state.status, TaskStatus::kInputRequired);
  EXPECT_EQ(service_.calls, 2);
  EXPECT_TRUE(state.questions.contains("more"));
}

TEST_F(TasksTest, UsesNoKeyTwice) {
  const auto task = Start("ask");
  static_cast<void>(task->Await(5s, {}));
  tasks_.Answer("me", task, {{"name", {{"v", 1}}}, {"age", json::object()}});
  static_cast<void>(task->Await(5s, {}));
  tasks_.Answer("me", task, {{"more", json::object()}});
  TaskState state = task->Await(5s, {});
  ASSERT_EQ(state.status, TaskStatus::kInputRequired);
  EXPECT_TRUE(state.questions.contains("name~2"));
  EXPECT_TRUE(state.questions.contains("age~2"));
  tasks_.Answer("me", task, {{"name", {{"v", 2}}}, {"age~2", json::object()}});
  EXPECT_EQ(task->Look().status, TaskStatus::kInputRequired);
  tasks_.Answer("me", task, {{"name~2", {{"v", 3}}}});
  state = task->Await(5s, {});
  ASSERT_EQ(state.status, TaskStatus::kCompleted);
  EXPECT_EQ(state.result->at("content").at(0).at("v"), 3);
}

TEST_F(TasksTest, StopsWhatIsCancelledAndItStaysSo) {
  const auto task = Start("wait");
  task->Cancel();
  EXPECT_EQ(task->Look().status, TaskStatus::kCancelled);
  tasks_.Close();
  while (service_.stopped == 0 && service_.calls > 0) std::this_thread::yield();
  EXPECT_EQ(task->Look().status, TaskStatus::kCancelled);
  EXPECT_FALSE(task->Look().result);
  task->Cancel();  // once more does nothing
}

TEST_F(TasksTest, ACancelledQuestionNeedsNoAnswer) {
  const auto task = Start("ask");
  static_cast<void>(task->Await(5s, {}));
  task->Cancel();
  EXPECT_TRUE(task->Look().questions.empty());
  tasks_.Answer("me", task, {{"name", json::object()}, {"age", json::object()}});
  EXPECT_EQ(task->Look().status, TaskStatus::kCancelled);
  EXPECT_EQ(service_.calls, 1);
}

TEST_F(TasksTest, IsFoundByItsOwnerAlone) {
  const auto task = Start("say");
  EXPECT_FALSE(tasks_.Find("you", {}, task->id()));
  EXPECT_FALSE(tasks_.Find("me", {}, "x"));
  EXPECT_EQ(tasks_.Of("me", {}).size(), 1U);
  EXPECT_TRUE(tasks_.Of("you", {}).empty());
  EXPECT_NE(tasks_.NewOwner(), tasks_.NewOwner());
}

TEST_F(TasksTest, IsNotFoundByWhoMayDoLess) {
  TaskCall call = CallOf("say");
  call.client.principal.scopes = "files:read files:write";
  const auto task = tasks_.Start("me", std::move(call));
  EXPECT_TRUE(tasks_.Find("me", {}, task->id()));
  EXPECT_TRUE(tasks_.Find("me", {"p", "files:write other files:read"}, task->id()));
  EXPECT_FALSE(tasks_.Find("me", {"p", "files:read"}, task->id()));
  EXPECT_FALSE(tasks_.Find("me", {"p", ""}, task->id()));
  const auto all = Start("say");
  EXPECT_FALSE(tasks_.Find("me", {"p", "files:read files:write"}, all->id()));
}

TEST_F(TasksTest, HasRoomForSoManyThatRun) {
  const auto first = Start("wait");
  ASSERT_TRUE(Start("wait"));
  EXPECT_FALSE(Start("wait"));
  ASSERT_TRUE(Start("wait", "you"));
  EXPECT_FALSE(Start("wait", "she"));
  tasks_.Forget(*first);
  EXPECT_FALSE(tasks_.Find("me", {}, first->id()));
  std::shared_ptr<Task> next;
  for (int tries = 0; tries < 5000 && !next; ++tries) {
    next = Start("say", "she");
    std::this_thread::sleep_for(1ms);
  }
  EXPECT_TRUE(next);
}

TEST_F(TasksTest, KeepsSoManyAsLongAsTheySay) {
  for (int count = 0; count < 4; ++count) {
    std::shared_ptr<Task> task;
    while (!task) task = Start("say");
    static_cast<void>(task->Await(5s, {}));
  }
  std::this_thread::sleep_for(50ms);  // until nothing runs
  EXPECT_FALSE(Start("say"));
  EXPECT_TRUE(Start("say", "you"));
  EXPECT_EQ(tasks_.Of("me", {}).size(), 4U);
  tasks_.ForgetAllOf("me");
  EXPECT_TRUE(tasks_.Of("me", {}).empty());
  EXPECT_TRUE(Start("say"));
}

TEST_F(TasksTest, GoesWhenItsTimeIsOver) {
  limits_.lifetime = {.longest = 20ms, .after_its_end = 10s};
  Tasks brief(service_, hub_, limits_);
  const auto asked = brief.Start("me", CallOf("ask"));
  const auto waits = brief.Start("me", CallOf("wait"));
  // Who is told of one change may be the one who finds that others are over.
  const Hub::Handle handle = hub_.Listen(
      [&](const Change& change) { static_cast<void>(brief.Find("me", {}, change.uri)); });
  std::this_thread::sleep_for(40ms);
  hub_.Tell({Change::Kind::kTask, asked->id()});
  EXPECT_FALSE(brief.Find("me", {}, asked->id()));
  EXPECT_EQ(asked->Look().status, TaskStatus::kCancelled);
  EXPECT_EQ(waits->Look().status, TaskStatus::kCancelled);
}

TEST_F(TasksTest, ClosingStopsEverything) {
  const auto task = Start("wait");
  tasks_.Close();
  EXPECT_EQ(task->Look().status, TaskStatus::kCancelled);
  EXPECT_FALSE(Start("say"));
}

TEST_F(TasksTest, TellsOfChanges) {
  std::atomic<int> told = 0;
  const Hub::Handle handle = hub_.Listen(
      [&](const Change& change) { told += change.kind == Change::Kind::kTask ? 1 : 0; });
  const auto task = Start("ask");
  static_cast<void>(task->Await(5s, {}));
  task->Cancel();
  while (told < 2) std::this_thread::yield();
  EXPECT_EQ(told, 2);
}

}  // namespace
}  // namespace cordon::mcp
