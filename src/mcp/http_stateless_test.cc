// The stateless era over real sockets.
#include <gtest/gtest.h>

#include "tests/support/http_fake.h"

namespace cordon::mcp {
namespace {

using test::HttpText;
using test::MessagesIn;
using test::RawAnswer;
using test::RawClient;
namespace json = boost::json;

class HttpStatelessTest : public test::HttpTest {
 protected:
  HttpStatelessTest() { Start(); }
};

TEST_F(HttpStatelessTest, AnswersWithJson) {
  const RawAnswer answer = RawClient(port_).Ask(Tool("echo"));
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.Field("Content-Type"), "application/json");
  EXPECT_EQ(answer.Field("Mcp-Session-Id"), "");
  const json::value body = json::parse(answer.body);
  EXPECT_EQ(body.at("id"), 7);
  EXPECT_EQ(body.at("result").at("resultType"), "complete");
}

TEST_F(HttpStatelessTest, Discovers) {
  const RawAnswer answer = Ask(Headers("server/discover"), Body("server/discover", Meta()));
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(json::parse(answer.body).at("result").at("supportedVersions").as_array().size(), 1U);
}

TEST_F(HttpStatelessTest, StreamsWhenThereIsMoreToSay) {
  const std::string meta =
      R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
      R"("io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/logLevel":"info"})";
  RawClient client(port_);
  const RawAnswer answer = client.Ask(HttpText("POST", "/mcp", Headers("tools/call", "noisy"),
                                               Body("tools/call", R"("name":"noisy",)" + meta)));
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.Field("Content-Type"), "text/event-stream");
  EXPECT_EQ(answer.Field("X-Accel-Buffering"), "no");
  EXPECT_TRUE(answer.whole);
  const auto messages = MessagesIn("\n" + answer.body);
  ASSERT_EQ(messages.size(), 2U);
  EXPECT_EQ(messages[0].at("method"), "notifications/message");
  EXPECT_EQ(messages[1].at("id"), 7);
  EXPECT_EQ(answer.body.find("id: "), std::string::npos);  // nothing to be resumed
  EXPECT_EQ(client.Ask(Tool("echo")).status, 200);         // on the same connection
}

TEST_F(HttpStatelessTest, TellsFailuresByStatus) {
  const auto ask = [&](const std::string& headers, const std::string& body) {
    const RawAnswer answer = Ask(headers, body);
    EXPECT_EQ(json::parse(answer.body).at("id"), 7) << answer.body;
    return std::pair(answer.status, CodeIn(answer.body));
  };
  using Told = std::pair<int, int>;
  EXPECT_EQ(ask(Headers("no/such"), Body("no/such", Meta())), Told(404, -32601));
  for (const std::string gone : {"initialize", "ping", "logging/setLevel", "resources/subscribe"}) {
    EXPECT_EQ(ask(Headers(gone), Body(gone, Meta())), Told(404, -32601)) << gone;
  }
  EXPECT_EQ(ask("MCP-Protocol-Version: 1900-01-01\r\nMcp-Method: tools/list\r\n",
                Body("tools/list", Meta("{}", "1900-01-01"))),
            Told(400, -32022));
  EXPECT_EQ(ask(Headers("tools/list"), Body("tools/list", "")), Told(400, -32602));
  EXPECT_EQ(ask(Headers("tools/list"),
                Body("tools/list",
                     R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"})")),
            Told(400, -32602));
  EXPECT_EQ(
      ask(Headers("tools/call", "nothing"), Body("tools/call", R"("name":"nothing",)" + Meta())),
      Told(200, -32602));
}

TEST_F(HttpStatelessTest, HeadersMustSayWhatTheMessageSays) {
  const auto code = [&](const std::string& headers, const std::string& body) {
    const RawAnswer answer = Ask(headers, body);
    const int found = CodeIn(answer.body);
    EXPECT_EQ(answer.status, found == -32020 ? 400 : 200) << answer.body;
    return found;
  };
  const std::string call = Body("tools/call", R"("name":"echo",)" + Meta());
  const std::string version = "MCP-Protocol-Version: 2026-07-28\r\n";
  EXPECT_EQ(code(version + "mcp-method:  tools/call \r\nMCP-NAME:\techo\r\n", call), 0);
  EXPECT_EQ(code(version + "Mcp-Method: tools/call\r\nMcp-Name: =?base64?ZWNobw==?=\r\n", call), 0);
  EXPECT_EQ(code(version + "Mcp-Method: tools/call\r\nMcp-Name: =?base64?ZWNob?=\r\n", call),
            -32020);
  EXPECT_EQ(code(version + "Mcp-Method: tools/call\r\nMcp-Name: Echo\r\n", call), -32020);
  EXPECT_EQ(code(version + "Mcp-Method: tools/call\r\n", call), -32020);
  EXPECT_EQ(code(version + "Mcp-Name: echo\r\n", call), -32020);
  EXPECT_EQ(code(version + "Mcp-Method: tools/list\r\nMcp-Name: echo\r\n", call), -32020);
  EXPECT_EQ(code("Mcp-Method: tools/call\r\nMcp-Name: echo\r\n", call), -32020);
  EXPECT_EQ(code("MCP-Protocol-Version: 2025-11-25\r\nMcp-Method: tools/call\r\nMcp-Name: echo\r\n",
                 call),
            -32020);
  EXPECT_EQ(code(Headers("tools/call", "echo") + "Mcp-Name: echo\r\n", call), -32020);
  const std::string read = Body("resources/read", R"("uri":"file:///ä",)" + Meta());
  EXPECT_EQ(code(Headers("resources/read", "=?base64?ZmlsZTovLy/DpA==?="), read), 0);
  EXPECT_EQ(code(Headers("resources/read", "file:///a"), read), -32020);
}

TEST_F(HttpStatelessTest, MarkedParametersAreRepeatedInHeaders) {
  const auto status = [&](const std::string& more, const std::string& arguments) {
    return Ask(Headers("tools/call", "region") + more,
               Body("tools/call", R"("name":"region","arguments":)" + arguments + "," + Meta()))
        .status;
  };
  EXPECT_EQ(status("Mcp-Param-Region: north\r\n", R"({"where":"north"})"), 200);
  EXPECT_EQ(status("Mcp-Param-Region: south\r\n", R"({"where":"north"})"), 400);
  EXPECT_EQ(status("", R"({"where":"north"})"), 400);
  EXPECT_EQ(status("", R"({"where":null})"), 200);
  EXPECT_EQ(status("Mcp-Param-Region: north\r\n", "{}"), 400);
  EXPECT_EQ(status("Mcp-Param-Other: x\r\n", "{}"), 200);
}

TEST_F(HttpStatelessTest, HasNothingButPost) {
  for (const char* method : {"GET", "DELETE", "PUT"}) {
    const RawAnswer answer =
        Ask("MCP-Protocol-Version: 2026-07-28\r\nMcp-Session-Id: x\r\n", "", method);
    EXPECT_EQ(answer.status, 405) << method;
    EXPECT_EQ(answer.Field("Allow"), "POST");
  }
  EXPECT_EQ(Ask("", "", "GET").status, 405);
  const std::string version = "MCP-Protocol-Version: 2026-07-28\r\n";
  EXPECT_EQ(Ask(version,
                R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}})")
                .status,
            202);
  EXPECT_EQ(Ask(version, R"({"jsonrpc":"2.0","id":7,"result":{}})").status, 400);
}

TEST_F(HttpStatelessTest, AClientThatGoesHasCancelled) {
  RawClient client(port_);
  client.Say(Tool("wait"));
  ASSERT_TRUE(Eventually([&] { return service_.waiting == 1; }));
  client.Close();
  EXPECT_TRUE(Eventually([&] { return service_.cancelled == 1; }));
}

TEST_F(HttpStatelessTest, TellsChangesUntilTheClientGoes) {
  RawClient client(port_);
  client.Say(HttpText(
      "POST", "/mcp", Headers("subscriptions/listen"),
      Body("subscriptions/listen", R"("notifications":{"toolsListChanged":true},)" + Meta())));
  ASSERT_TRUE(client.HearUntil("notifications/subscriptions/acknowledged"));
  hub_.Tell({Change::Kind::kTools});
  ASSERT_TRUE(client.HearUntil("notifications/tools/list_changed"));
  client.Close();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  hub_.Tell({Change::Kind::kTools});  // to nobody
  EXPECT_EQ(RawClient(port_).Ask(Tool("echo")).status, 200);
}

TEST_F(HttpStatelessTest, AsksByItsReply) {
  const std::string able = R"({"elicitation":{"form":{}}})";
  const RawAnswer answer =
      Ask(Headers("tools/call", "ask"), Body("tools/call", R"("name":"ask",)" + Meta(able)));
  ASSERT_EQ(answer.status, 200);
  const json::value result = json::parse(answer.body).at("result");
  EXPECT_EQ(result.at("resultType"), "input_required");
  const std::string again = Body(
      "tools/call", R"("name":"ask","requestState":)" + json::serialize(result.at("requestState")) +
                        R"(,"inputResponses":{"name":{"action":"accept","content":{"n":"Ann"}}},)" +
                        Meta(able));
  const RawAnswer second = Ask(Headers("tools/call", "ask"), again);
  EXPECT_NE(second.body.find("Ann"), std::string::npos) << second.body;
}

TEST_F(HttpStatelessTest, RefusesWhatIsNoMessage) {
  const auto ask = [&](const std::string& body) {
    const RawAnswer answer = Ask("", body);
    EXPECT_EQ(answer.status, 400) << answer.body;
    return CodeIn(answer.body);
  };
  EXPECT_EQ(ask(""), -32700);
  EXPECT_EQ(ask("{"), -32700);
  EXPECT_EQ(ask(R"({"jsonrpc":"2.0","id":1,"method":"a","params":{"x":")" + std::string("\xff") +
                R"("}})"),
            -32700);
  EXPECT_EQ(ask(std::string(100'000, '[')), -32700);
  EXPECT_EQ(ask("[]"), -32600);
  EXPECT_EQ(ask("[" + Body("tools/list", Meta()) + "]"), -32600);
  EXPECT_EQ(ask(R"({"id":1})"), -32600);
  EXPECT_EQ(ask(Body("tools/list", "")), -32600);  // of neither era
}

TEST_F(HttpStatelessTest, WantsTheRightTypes) {
  const std::string list = Body("tools/list", Meta());
  EXPECT_EQ(Ask("Content-Type: text/plain\r\n" + Headers("tools/list"), list).status, 415);
  EXPECT_EQ(
      Ask("Content-Type: application/JSON; charset=utf-8\r\n" + Headers("tools/list"), list).status,
      200);
  EXPECT_EQ(Ask("Accept: application/json\r\n" + Headers("tools/list"), list).status, 406);
  EXPECT_EQ(Ask("Accept: text/event-stream;q=1\r\n" + Headers("tools/list"), list).status, 406);
  EXPECT_EQ(Ask("Accept: */*\r\n" + Headers("tools/list"), list).status, 200);
  EXPECT_EQ(Ask("Accept: text/*, application/*;q=0.5\r\n" + Headers("tools/list"), list).status,
            200);
}

TEST_F(HttpStatelessTest, ReadsLargeMessagesElsewhere) {
  std::string large(200'000, 'x');
  const RawAnswer answer =
      Ask(Headers("tools/call", "echo"),
          Body("tools/call", R"("name":"echo","arguments":{"t":")" + large + R"("},)" + Meta()));
  EXPECT_EQ(answer.status, 200);
  EXPECT_NE(answer.body.find(large), std::string::npos);
}

class HttpBusyTest : public test::HttpTest {
 protected:
  HttpBusyTest() {
    HttpOptions options;
    options.work = {1, 1};
    options.pulse = std::chrono::milliseconds(40);
    Start(options);
  }
};

TEST_F(HttpBusyTest, SaysSoWhenThereIsNoRoom) {
  RawClient running(port_);
  running.Say(Tool("wait"));
  ASSERT_TRUE(Eventually([&] { return service_.waiting == 1; }));
  RawClient waiting(port_);
  waiting.Say(Tool("echo"));
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  const RawAnswer refused = RawClient(port_).Ask(Tool("echo"));
  EXPECT_EQ(refused.status, 503);
  EXPECT_EQ(CodeIn(refused.body), -32603);
  service_.Release();
  EXPECT_EQ(waiting.Answer().status, 200);
}

TEST_F(HttpBusyTest, TellsThatItIsStillThere) {
  RawClient client(port_);
  client.Say(Tool("wait"));
  ASSERT_TRUE(client.HearUntil(":\n\n"));
  service_.Release();
  const RawAnswer answer = client.Answer();
  EXPECT_EQ(answer.Field("Content-Type"), "text/event-stream");
  EXPECT_EQ(MessagesIn("\n" + answer.body).size(), 1U);
}

class HttpDeafTest : public test::HttpTest {
 protected:
  HttpDeafTest() {
    HttpOptions options;
    options.limits.unsent = 1000;
    options.pulse = std::chrono::milliseconds(20);
    Start(options);
  }
};

TEST_F(HttpDeafTest, WhoDoesNotListenHoldsUpNobody) {
  RawClient deaf(port_);
  deaf.Say(HttpText("POST", "/mcp", Headers("subscriptions/listen"),
                    Body("subscriptions/listen",
                         R"("notifications":{"resourceSubscriptions":["file:///a"]},)" + Meta())));
  ASSERT_TRUE(deaf.HearUntil("acknowledged"));
  const std::string id = Initialize();
  RawClient other(port_);
  other.Say(HttpText("GET", "/mcp", "Accept: text/event-stream\r\n" + InSession(id), ""));
  ASSERT_TRUE(other.HearUntil("\n\n"));
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < 60'000; ++i) hub_.Tell({Change::Kind::kResource, "file:///a"});
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(8));
  while (deaf.Hear(std::chrono::milliseconds(500))) {
  }
  EXPECT_TRUE(deaf.IsClosed());
  EXPECT_FALSE(deaf.received().ends_with("0\r\n\r\n"));  // it must notice
  EXPECT_EQ(RawClient(port_).Ask(Tool("echo")).status, 200);
}

TEST_F(HttpBusyTest, EndsWhileSomethingRuns) {
  RawClient client(port_);
  client.Say(Tool("wait"));
  ASSERT_TRUE(Eventually([&] { return service_.waiting == 1; }));
  server_.reset();
  EXPECT_EQ(service_.cancelled, 1);
  EXPECT_TRUE(client.IsClosed());
}

}  // namespace
}  // namespace cordon::mcp
