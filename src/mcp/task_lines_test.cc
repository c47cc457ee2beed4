// Tasks as clients of both eras see them on a line stream.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/lines_fake.h"

namespace cordon::mcp::testing {
namespace {

constexpr const char* kTakesTasks =
    R"({"elicitation":{},"extensions":{"io.modelcontextprotocol/tasks":{}}})";

class TaskLinesTest : public ServeLinesTest {
 protected:
  // In the stateless era.
  json::object Ask(const std::string& method, const std::string& params,
                   const std::string& capabilities = kTakesTasks) {
    Send(R"({"jsonrpc":"2.0","id":)" + std::to_string(++id_) + R"(,"method":")" + method +
         R"(","params":{)" + params + "," + Meta(capabilities) + "}}");
    return Receive();
  }
  json::object CallTask(const std::string& tool) {
    json::object reply = Ask("tools/call", R"("name":")" + tool + R"(","arguments":{"a":1})");
    return reply["result"].as_object();
  }
  static std::string IdOf(const json::object& task) {
    return R"("taskId":")" + std::string(task.at("taskId").as_string()) + "\"";
  }
  // In the handshake era.
  json::object AskOld(const std::string& method, const std::string& params) {
    Send(R"({"jsonrpc":"2.0","id":)" + std::to_string(++id_) + R"(,"method":")" + method +
         R"(","params":{)" + params + "}}");
    return Receive();
  }
  json::object Until(const std::string& task, const char* status) {
    for (int tries = 0; tries < 1000; ++tries) {
      json::object reply = Ask("tasks/get", task);
      if (reply["result"].as_object()["status"] == status) return reply["result"].as_object();
      std::this_thread::sleep_for(5ms);
    }
    return {};
  }
  int id_ = 100;
};

TEST_F(TaskLinesTest, AHandleIsTheAnswerWhereItTakesLong) {
  const json::object task = CallTask("wait");
  EXPECT_EQ(task.at("resultType"), "task");
  EXPECT_EQ(task.at("status"), "working");
  EXPECT_GT(task.at("ttlMs").as_int64(), 0);
  EXPECT_GT(task.at("pollIntervalMs").as_int64(), 0);
  for (const char* const none : {"result", "error", "inputRequests", "requestState", "ttl"}) {
    EXPECT_FALSE(task.contains(none)) << none;
  }
  while (service_.waiting == 0) std::this_thread::yield();
  const json::object cancelled = Ask("tasks/cancel", IdOf(task));
  EXPECT_EQ(cancelled.at("result").at("resultType"), "complete");
  EXPECT_FALSE(cancelled.at("result").as_object().contains("taskId"));
  EXPECT_EQ(Ask("tasks/get", IdOf(task)).at("result").at("status"), "cancelled");
  for (int tries = 0; tries < 1000 && service_.cancelled == 0; ++tries) {
    std::this_thread::sleep_for(5ms);
  }
  EXPECT_EQ(service_.cancelled, 1);
  EXPECT_TRUE(Ask("tasks/cancel", IdOf(task)).contains("result"));
}

TEST_F(TaskLinesTest, WhatEndsSoonIsAnsweredAsAlways) {
  const json::object result = CallTask("soon");
  EXPECT_EQ(result.at("resultType"), "complete");
  EXPECT_TRUE(result.contains("content"));
  EXPECT_FALSE(result.contains("taskId"));
}

TEST_F(TaskLinesTest, WhoLeavesBeforeThereIsAHandleLeavesNoTask) {
  Send(R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"linger",)" +
       Meta(kTakesTasks) + "}}");
  while (service_.waiting == 0) std::this_thread::yield();
  Send(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}})");
  while (service_.cancelled == 0) std::this_thread::yield();
  EXPECT_TRUE(wire_.quiet());
}

TEST_F(TaskLinesTest, NobodyGetsAHandleWhoDoesNotTakeThem) {
  const json::object reply =
      Ask("tools/call", R"("name":"ask","arguments":{})", R"({"elicitation":{}})");
  EXPECT_EQ(reply.at("result").at("resultType"), "input_required");
  for (const char* const method : {"tasks/get", "tasks/update", "tasks/cancel"}) {
    EXPECT_EQ(CodeOf(Ask(method, R"("taskId":"x","inputResponses":{})", "{}")), -32021) << method;
  }
  EXPECT_EQ(CodeOf(Ask("subscriptions/listen", R"("notifications":{"taskIds":["x"]})", "{}")),
            -32021);
}

TEST_F(TaskLinesTest, AsksWhileItIsOneAndGoesOn) {
  const json::object task = CallTask("ask");
  EXPECT_EQ(task.at("resultType"), "task");
  const json::object asks = Until(IdOf(task), "input_required");
  EXPECT_EQ(asks.at("inputRequests").at("name").at("method"), "elicitation/create");
  const json::object updated =
      Ask("tasks/update", IdOf(task) + R"(,"inputResponses":{"name":{"action":"accept"}})");
  EXPECT_EQ(updated.at("result").at("resultType"), "complete");
  const json::object done = Until(IdOf(task), "completed");
  EXPECT_EQ(done.at("result").at("content").at(0).at("text"), R"({"action":"accept"})");
  EXPECT_EQ(done.at("result").at("structuredContent").at("round"), 1);  // what was carried
  EXPECT_FALSE(done.contains("inputRequests"));
}

TEST_F(TaskLinesTest, WrongRequestsAreErrors) {
  EXPECT_EQ(CodeOf(Ask("tasks/get", R"("taskId":"x")")), -32602);
  EXPECT_EQ(CodeOf(Ask("tasks/cancel", R"("taskId":"x")")), -32602);
  EXPECT_EQ(CodeOf(Ask("tasks/update", R"("taskId":"x","inputResponses":{})")), -32602);
  EXPECT_EQ(CodeOf(Ask("tasks/get", R"("taskId":7)")), -32602);
  EXPECT_EQ(CodeOf(Ask("tasks/result", R"("taskId":"x")")), -32601);
  EXPECT_EQ(CodeOf(Ask("tasks/list", R"("a":1)")), -32601);
  const json::object task = CallTask("ask");
  EXPECT_EQ(CodeOf(Ask("tasks/update", IdOf(task) + R"(,"inputResponses":[])")), -32602);
}

TEST_F(TaskLinesTest, WhoListensIsTold) {
  const json::object task = CallTask("ask");
  Until(IdOf(task), "input_required");
  const std::string id(task.at("taskId").as_string());
  const json::object begun =
      Ask("subscriptions/listen", R"("notifications":{"taskIds":[")" + id + R"(","unknown"]})");
  EXPECT_EQ(begun.at("params").at("notifications").at("taskIds"), json::value({id}));
  Send(R"({"jsonrpc":"2.0","id":7,"method":"tasks/cancel","params":{)" + IdOf(task) + "," +
       Meta(kTakesTasks) + "}}");
  const json::object told = Receive();
  EXPECT_EQ(told.at("method"), "notifications/tasks");
  EXPECT_EQ(told.at("params").at("status"), "cancelled");
  EXPECT_EQ(told.at("params").at("taskId"), task.at("taskId"));
  EXPECT_TRUE(Receive().contains("result"));
}

TEST_F(TaskLinesTest, TheHandshakeEraHasThemInOneRevision) {
  const json::object newest = Initialize("2025-11-25");
  EXPECT_TRUE(newest.at("capabilities")
                  .at("tasks")
                  .at("requests")
                  .at("tools")
                  .as_object()
                  .contains("call"));
  EXPECT_FALSE(newest.at("capabilities").as_object().contains("extensions"));
}

TEST_F(TaskLinesTest, OlderRevisionsHaveNone) {
  const json::object older = Initialize("2025-06-18");
  EXPECT_FALSE(older.at("capabilities").as_object().contains("tasks"));
  EXPECT_EQ(CodeOf(AskOld("tasks/list", "")), -32601);
  const json::object called = AskOld("tools/call", R"("name":"ask","task":{},"arguments":{})");
  EXPECT_TRUE(called.at("result").as_object().contains("content"));
}

TEST_F(TaskLinesTest, AClientOfTheHandshakeEraSaysWhatIsATask) {
  Initialize("2025-11-25");
  const json::object created =
      AskOld("tools/call", R"("name":"wait","arguments":{},"task":{"ttl":60000})");
  const json::object& task = created.at("result").at("task").as_object();
  EXPECT_EQ(task.at("status"), "working");
  EXPECT_GT(task.at("ttl").as_int64(), 0);
  EXPECT_EQ(AskOld("tasks/get", IdOf(task)).at("result").at("status"), "working");
  EXPECT_EQ(AskOld("tasks/list", "").at("result").at("tasks").as_array().size(), 1U);
  EXPECT_EQ(AskOld("tasks/cancel", IdOf(task)).at("result").at("status"), "cancelled");
  EXPECT_EQ(CodeOf(AskOld("tasks/cancel", IdOf(task))), -32602);
  EXPECT_EQ(CodeOf(AskOld("tasks/result", IdOf(task))), -32602);
  EXPECT_EQ(CodeOf(AskOld("tools/call", R"("name":"echo","arguments":{},"task":{})")), -32601);
  EXPECT_EQ(CodeOf(AskOld("tasks/get", R"("taskId":"x")")), -32602);
}

TEST_F(TaskLinesTest, WhoWaitsForAResultIsAskedForIt) {
  Initialize("2025-11-25", R"({"elicitation":{}})");
  const json::object created = AskOld("tools/call", R"("name":"ask","arguments":{},"task":{})");
  const json::object& task = created.at("result").at("task").as_object();
  const json::object question = AskOld("tasks/result", IdOf(task));
  EXPECT_EQ(question.at("method"), "elicitation/create");
  const json::value& related =
      question.at("params").at("_meta").at("io.modelcontextprotocol/related-task");
  EXPECT_EQ(related.at("taskId"), task.at("taskId"));
  EXPECT_EQ(AskOld("tasks/get", IdOf(task)).at("result").at("status"), "input_required");
  Send(R"({"jsonrpc":"2.0","id":)" + json::serialize(question.at("id")) +
       R"(,"result":{"action":"decline"}})");
  const json::object done = Receive();
  EXPECT_EQ(done.at("result").at("content").at(0).at("text"), R"({"action":"decline"})");
  EXPECT_TRUE(
      done.at("result").at("_meta").as_object().contains("io.modelcontextprotocol/related-task"));
}

TEST_F(TaskLinesTest, AnotherErasTaskIsNotSeen) {
  Initialize("2025-11-25");
  const json::object task = CallTask("wait");
  EXPECT_EQ(CodeOf(AskOld("tasks/get", IdOf(task))), -32602);
  EXPECT_TRUE(AskOld("tasks/list", "").at("result").at("tasks").as_array().empty());
}

}  // namespace
}  // namespace cordon::mcp::testing
