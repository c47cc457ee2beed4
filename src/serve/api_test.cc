#include "serve/api.h"

#include <gtest/gtest.h>

#include <boost/json/parse.hpp>

#include "serve/approvals.h"
#include "serve/counters.h"
#include "serve/mcp_endpoints.h"
#include "serve/slots.h"
#include "serve/terminals.h"
#include "serve/workplaces.h"
#include "tests/serve/fake_sandboxes.h"
#include "tests/support/files_here.h"
#include "tests/support/raw_client.h"
#include "tests/tree.h"

namespace cordon::serve {
namespace {

namespace json = boost::json;
using test::RawAnswer;

class Recorder final : public audit::Recorder {
 public:
  Result<std::uint64_t> Append(const audit::Record& record, audit::Durability) override {
    const std::lock_guard lock(mutex_);
    events.emplace_back(audit::EventName(record.event));
    return events.size();
  }
  std::mutex mutex_;
  std::vector<std::string> events;
};

class ApiTest : public ::testing::Test {
 protected:
  void SetUp() override {
    tree_.File("w/a", "inside").File("secret", "outside");
    driver_->files = {provision::FileAccess::Way::kDirectory, tree_.At("w")};
    auto store = store::Store::Open(":memory:");
    ASSERT_TRUE(store.has_value()) << store.error().detail;
    context_.store = std::move(*store);
    context_.sandboxes = sandboxes_;
    context_.recorder = recorder_;
    context_.now = [] { return store::Time{1'700'000'000'000}; };
    context_.tokens = std::make_shared<TokenCheck>(context_.store, context_.now);
    context_.approvals = std::make_shared<ApprovalBoard>(context_.now);
    context_.workplaces = std::make_shared<Workplaces>(
        Workplaces::Parts{sandboxes_, recorder_, context_.approvals, {}});
    context_.mcp = std::make_shared<McpEndpoints>(context_.workplaces, "1");
    context_.streams = std::make_shared<Slots>(Slots::Limits{8, 2});
    context_.terminals = std::make_shared<Terminals>();
    context_.counters = std::make_shared<Counters>();
    ApiOptions options;
    options.address.host = "127.0.0.1";
    options.version = "1";
    auto api = Api::Start(context_, options);
    ASSERT_TRUE(api.has_value());
    api_ = std::move(*api);
    ann_ = TokenOf("ann", AllScopes());
    bob_ = TokenOf("bob", AllScopes());
  }
  void TearDown() override {
    context_.approvals->Close();
    api_.reset();
  }

  std::string TokenOf(const std::string& name, const std::vector<std::string>& scopes) {
    const auto user = EnsureUser(*context_.store, name, 1);
    const auto token = CreateToken(*context_.store, {user->id, "", scopes, {}}, 1);
    EXPECT_TRUE(token.has_value());
    return token->secret;
  }
  RawAnswer Ask(std::string_view method, std::string_view path, std::string_view body = "",
                std::string_view token = "ann") {
    std::string text(method);
    text.append(" ").append(path).append(" HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ");
    text.append(token == "ann" ? ann_ : token == "bob" ? bob_ : token);
    text.append("\r\nContent-Length: ").append(std::to_string(body.size())).append("\r\n\r\n");
    text.append(body);
    const std::string url = api_->url();
    test::RawClient client(static_cast<std::uint16_t>(std::stoi(url.substr(url.rfind(':') + 1))));
    return client.Ask(text);
  }
  std::string Sandbox() {
    const RawAnswer made = Ask("POST", "/v1/sandboxes", "{}");
    EXPECT_EQ(made.status, 202) << made.body;
    return made.Field("Location");
  }

  testing::Tree tree_;
  std::shared_ptr<test::FakeDriver> driver_ = std::make_shared<test::FakeDriver>();
  std::shared_ptr<test::FakeSandboxes> sandboxes_ = std::make_shared<test::FakeSandboxes>(driver_);
  std::shared_ptr<Recorder> recorder_ = std::make_shared<Recorder>();
  Context context_;
  std::unique_ptr<Api> api_;
  std::string ann_, bob_;
};

TEST_F(ApiTest, StrangersLearnNothing) {
  std::set<std::string> answers;
  for (const std::string& token : {std::string("x"), ann_ + "0", ann_.substr(1), std::string()}) {
    for (const char* path : {"/v1/sandboxes", "/v1/nothing", "/metrics"}) {
      const RawAnswer answer = Ask("GET", path, "", token);
      EXPECT_EQ(answer.status, 401);
      answers.insert(answer.body);
    }
  }
  EXPECT_EQ(answers.size(), 1U);
  EXPECT_EQ(Ask("GET", "/healthz", "", "x").status, 200);
}

TEST_F(ApiTest, TokensExpireAndAreRevoked) {
  const auto user = EnsureUser(*context_.store, "ann", 1);
  const auto old = CreateToken(*context_.store, {user->id, "", {"admin"}, context_.now() - 1}, 1);
  EXPECT_EQ(Ask("GET", "/v1/sandboxes", "", old->secret).status, 401);
  const auto gone = CreateToken(*context_.store, {user->id, "", {"admin"}, {}}, 1);
  EXPECT_EQ(Ask("GET", "/v1/sandboxes", "", gone->secret).status, 200);
  EXPECT_EQ(Ask("DELETE", "/v1/tokens/" + gone->record.id).status, 204);
  EXPECT_EQ(Ask("GET", "/v1/sandboxes", "", gone->secret).status, 401);
}

TEST_F(ApiTest, ScopesHold) {
  const std::string reader = TokenOf("ann", {"sandboxes:read"});
  EXPECT_EQ(Ask("GET", "/v1/sandboxes", "", reader).status, 200);
  EXPECT_EQ(Ask("POST", "/v1/sandboxes", "{}", reader).status, 403);
  EXPECT_EQ(Ask("GET", "/v1/users", "", reader).status, 403);
}

TEST_F(ApiTest, KnowsMethodsAndPaths) {
  const RawAnswer wrong = Ask("PUT", "/v1/sandboxes");
  EXPECT_EQ(wrong.status, 405);
  EXPECT_EQ(wrong.Field("Allow"), "GET, POST");
  EXPECT_EQ(Ask("GET", "/v1/nothing").status, 404);
}

TEST_F(ApiTest, WhatIsAnothersIsAsIfItWereNotThere) {
  const std::string mine = Sandbox();
  const std::string nobody = "/v1/sandboxes/" + std::string(26, 'a');
  for (const char* rest : {"", "/stats", "/files/a", "/terminals", "/logs"}) {
    const RawAnswer answer = Ask("GET", mine + rest, "", "bob");
    const RawAnswer missing = Ask("GET", nobody + rest, "", "bob");
    EXPECT_EQ(answer.status, 404) << rest;
    EXPECT_EQ(answer.body, missing.body);
  }
  EXPECT_EQ(Ask("GET", mine).status, 200);
}

TEST_F(ApiTest, AConversationThatFailsLeavesNothing) {
  Error error;
  error.code = ErrorCode::kIoError;
  sandboxes_->failure = error;
  EXPECT_EQ(Ask("POST", "/v1/conversations", "{}").status, 503);
  error.code = ErrorCode::kSandboxRequired;
  sandboxes_->failure = error;
  EXPECT_EQ(Ask("POST", "/v1/conversations", "{}").status, 409);
  error.code = ErrorCode::kLimitExceeded;
  sandboxes_->failure = error;
  EXPECT_EQ(Ask("POST", "/v1/conversations", "{}").status, 429);
  sandboxes_->failure.reset();
  EXPECT_EQ(Ask("POST", "/v1/conversations", R"({"sandbox": {"x": 1}})").status, 400);
  const json::value list = json::parse(Ask("GET", "/v1/conversations").body);
  EXPECT_TRUE(list.at("conversations").as_array().empty());
  EXPECT_EQ(sandboxes_->count(), 0U);
  const RawAnswer made = Ask("POST", "/v1/conversations", R"({"title": "t"})");
  EXPECT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(json::parse(made.body).at("sandboxStatus"), "ready");
  EXPECT_EQ(Ask("DELETE", made.Field("Location")).status, 204);
  EXPECT_EQ(Ask("GET", made.Field("Location")).status, 404);
}

TEST_F(ApiTest, FilesAreKnownByBothNamesAndNothingElseIs) {
  const std::string at = Sandbox() + "/files/";
  for (const char* path : {"a", "/workspace/a", "%2Fworkspace%2Fa", "./a"}) {
    EXPECT_EQ(Ask("GET", at + path).body, "inside") << path;
  }
  for (const char* path : {"../secret", "%2e%2e/secret", "/workspace/../secret", "/etc/passwd"}) {
    EXPECT_EQ(Ask("GET", at + path).status, 403) << path;
    EXPECT_EQ(Ask("PUT", at + path, "x").status, 403) << path;
  }
  EXPECT_EQ(Ask("GET", at + "%00").status, 400);
  EXPECT_EQ(Ask("PUT", at + "new/file", "text").status, 201);
  EXPECT_EQ(tree_.Read("w/new/file"), "text");
}

TEST_F(ApiTest, FilesThatAreOnlyInsideAreReachedFromInside) {
  driver_->files.way = provision::FileAccess::Way::kInside;
  driver_->tools = [this]() -> Result<std::unique_ptr<provision::ToolStream>> {
    return std::unique_ptr<provision::ToolStream>(
        std::make_unique<testing::FilesHere>(tree_.At("w")));
  };
  const std::string at = Sandbox();
  for (const char* path : {"a", "/workspace/a", "./a"}) {
    EXPECT_EQ(Ask("GET", at + "/files/" + path).body, "inside") << path;
  }
  for (const char* path : {"../secret", "%2e%2e/secret", "/etc/passwd"}) {
    EXPECT_EQ(Ask("GET", at + "/files/" + path).status, 403) << path;
    EXPECT_EQ(Ask("PUT", at + "/files/" + path, "x").status, 403) << path;
  }
  EXPECT_EQ(Ask("PUT", at + "/files/new/file", "text").status, 201);
  EXPECT_EQ(tree_.Read("w/new/file"), "text");
  const RawAnswer edited = Ask(
      "POST", at + "/tools/edit_file",
      R"({"path": "/workspace/new/file", "edits": [{"old_text": "text", "new_text": "other"}]})");
  EXPECT_EQ(edited.status, 200) << edited.body;
  EXPECT_EQ(tree_.Read("w/new/file"), "other") << edited.body;
  const RawAnswer found = Ask("POST", at + "/tools/grep", R"({"pattern": "oth.r"})");
  EXPECT_NE(found.body.find("new/file"), std::string::npos) << found.body;
}

TEST_F(ApiTest, ASandboxWhoseToolsDoNotStartIsAnError) {
  driver_->files.way = provision::FileAccess::Way::kInside;
  const std::string at = Sandbox();
  EXPECT_EQ(Ask("GET", at + "/files/a").status, 501);
  const RawAnswer read = Ask("POST", at + "/tools/read_file", R"({"path": "a"})");
  EXPECT_NE(read.body.find("\"success\":false"), std::string::npos) << read.body;
}

TEST_F(ApiTest, ToolsWorkInTheSandboxOrNotAtAll) {
  const std::string mine = Sandbox();
  const std::string call = mine + "/tools/";
  const RawAnswer read = Ask("POST", call + "read_file", R"({"path": "/workspace/a"})");
  EXPECT_NE(read.body.find("inside"), std::string::npos) << read.body;
  const RawAnswer run = Ask("POST", call + "bash", R"({"command": "make all"})");
  EXPECT_NE(run.body.find("ran make all in /workspace"), std::string::npos) << run.body;
  std::set<std::string> answers;
  const std::string nobody = "/v1/sandboxes/" + std::string(26, 'a') + "/tools/";
  for (const std::string& path : {call, nobody, std::string("/v1/sandboxes/x/tools/")}) {
    const RawAnswer answer = Ask("POST", path + "bash", R"({"command": "true"})", "bob");
    EXPECT_EQ(answer.status, 409);
    answers.insert(answer.body);
  }
  answers.insert(Ask("POST", "/v1/tools/bash", R"({"command": "true"})").body);
  ASSERT_EQ(answers.size(), 1U);
  EXPECT_NE(answers.begin()->find("This operation requires a sandbox environment. Please refresh "
                                  "and try again."),
            std::string::npos);
  EXPECT_EQ(driver_->started, 1);
}

TEST_F(ApiTest, ProgramsAreRecorded) {
  const std::string at = Sandbox();
  const RawAnswer done = Ask("POST", at + "/exec", R"({"command": "ls"})");
  EXPECT_EQ(json::parse(done.body).at("stdout"), "ran ls in ");
  EXPECT_EQ(recorder_->events, (std::vector<std::string>{"command.exec", "command.exec"}));
}

}  // namespace
}  // namespace cordon::serve
