// The handshake era over real sockets.
#include <gtest/gtest.h>

#include "tests/support/http_fake.h"

namespace cordon::mcp {
namespace {

using test::HttpText;
using test::LastEventId;
using test::MessagesIn;
using test::RawAnswer;
using test::RawClient;
namespace json = boost::json;

class HttpHandshakeTest : public test::HttpTest {
 protected:
  HttpHandshakeTest() { Start(); }
};

TEST_F(HttpHandshakeTest, MakesASession) {
  const std::string id = Initialize();
  ASSERT_EQ(id.size(), 64U);
  EXPECT_NE(Initialize(), id);
  EXPECT_EQ(Ask(InSession(id), R"({"jsonrpc":"2.0","method":"notifications/initialized"})").status,
            202);
  const RawAnswer answer =
      Ask(InSession(id) + "MCP-Protocol-Version: 2025-11-25\r\n", Call("echo"));
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.Field("Content-Type"), "application/json");
  EXPECT_FALSE(json::parse(answer.body).at("result").as_object().contains("resultType"));
}

TEST_F(HttpHandshakeTest, WantsItsSession) {
  const std::string id = Initialize();
  EXPECT_EQ(Ask("", Call("echo")).status, 400);
  EXPECT_EQ(Ask(InSession("x"), Call("echo")).status, 404);
  EXPECT_EQ(Ask(InSession(id) + InSession(id), Call("echo")).status, 400);
  EXPECT_EQ(Ask(InSession(id) + "MCP-Protocol-Version: 1999-01-01\r\n", Call("echo")).status, 400);
  EXPECT_EQ(Ask(InSession("x"), R"({"jsonrpc":"2.0","method":"notifications/initialized"})").status,
            404);
  EXPECT_EQ(Ask(InSession("x") + "Accept: text/event-stream\r\n", "", "GET").status, 404);
  EXPECT_EQ(Ask(InSession("x"), "", "DELETE").status, 404);
  EXPECT_EQ(service_.calls, 0);
}

TEST_F(HttpHandshakeTest, TellsFailuresInTheMessage) {
  const std::string id = Initialize();
  RawAnswer answer = Ask(InSession(id), Body("no/such", ""));
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(CodeIn(answer.body), -32601);
  // A failed start leaves no session.
  answer = Ask("", Body("initialize", ""));
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(CodeIn(answer.body), -32602);
  EXPECT_EQ(answer.Field("Mcp-Session-Id"), "");
}

TEST_F(HttpHandshakeTest, EndsWhenTheClientSaysSo) {
  const std::string id = Initialize();
  RawClient running(port_);
  running.Say(HttpText("POST", "/mcp", InSession(id), Call("wait")));
  ASSERT_TRUE(Eventually([&] { return service_.waiting == 1; }));
  EXPECT_EQ(Ask(InSession(id), "", "DELETE").status, 200);
  EXPECT_TRUE(Eventually([&] { return service_.cancelled == 1; }));
  EXPECT_EQ(Ask(InSession(id), Call("echo")).status, 404);
  EXPECT_EQ(Ask(InSession(id), "", "DELETE").status, 404);
}

TEST_F(HttpHandshakeTest, AsksOnTheStreamOfTheRequest) {
  const std::string id = Initialize("2025-06-18", R"({"elicitation":{}})");
  RawClient client(port_);
  client.Say(HttpText("POST", "/mcp", InSession(id), Call("ask")));
  ASSERT_TRUE(client.HearUntil("elicitation/create"));
  ASSERT_TRUE(client.HearUntil("\n\n"));
  const std::string answer =
      R"({"jsonrpc":"2.0","id":1,"result":{"action":"accept","content":{"n":"Ann"}}})";
  EXPECT_EQ(Ask(InSession(id), answer).status, 202);
  const RawAnswer whole = client.Answer();
  const auto messages = MessagesIn("\n" + whole.body);
  ASSERT_EQ(messages.size(), 2U);
  EXPECT_EQ(messages[0].at("id"), 1);
  EXPECT_NE(json::serialize(messages[1]).find("Ann"), std::string::npos);
  EXPECT_EQ(whole.body.find("data:\n"), std::string::npos);  // older clients take it for a message
}

TEST_F(HttpHandshakeTest, AConnectionThatBreaksCancelsNothing) {
  const std::string id = Initialize();
  RawClient client(port_);
  client.Say(HttpText("POST", "/mcp", InSession(id), Call("wait")));
  ASSERT_TRUE(Eventually([&] { return service_.waiting == 1; }));
  client.Close();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(service_.waiting, 1);
  EXPECT_EQ(Ask(InSession(id),
                R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}})")
                .status,
            202);
  EXPECT_TRUE(Eventually([&] { return service_.cancelled == 1; }));
}

TEST_F(HttpHandshakeTest, AStreamThatBreaksIsResumed) {
  const std::string id = Initialize("2025-11-25", R"({"elicitation":{}})");
  RawClient client(port_);
  client.Say(HttpText("POST", "/mcp", InSession(id), Call("ask")));
  ASSERT_TRUE(client.HearUntil("elicitation/create"));
  ASSERT_TRUE(client.HearUntil("\n\n"));
  const std::string events = client.received();
  ASSERT_NE(events.find("data:\n\n"), std::string::npos);  // the first tells an id alone
  const std::string last = LastEventId(events);
  client.Close();
  EXPECT_EQ(Ask(InSession(id), R"({"jsonrpc":"2.0","id":1,"result":{"action":"decline"}})").status,
            202);
  ASSERT_TRUE(Eventually([&] { return service_.calls == 1 && service_.waiting == 0; }));
  const std::string get = "Accept: text/event-stream\r\n" + InSession(id) + "Last-Event-ID: ";
  RawAnswer rest = Ask(get + last + "\r\n", "", "GET");
  auto messages = MessagesIn("\n" + rest.body);
  ASSERT_EQ(messages.size(), 1U) << rest.body;
  EXPECT_EQ(messages[0].at("id"), 7);
  // From its beginning: the question is there again, too.
  rest = Ask(get + last.substr(0, last.find('-')) + "-0\r\n", "", "GET");
  EXPECT_EQ(MessagesIn("\n" + rest.body).size(), 2U) << rest.body;
  EXPECT_EQ(Ask(get + "77-0\r\n", "", "GET").status, 400);
  EXPECT_EQ(Ask(get + "x\r\n", "", "GET").status, 400);
  EXPECT_EQ(Ask(get + "1-999999\r\n", "", "GET").status, 400);
}

TEST_F(HttpHandshakeTest, TellsChangesOnAStreamOfTheirOwn) {
  const std::string id = Initialize();
  hub_.Tell({Change::Kind::kTools});  // before anybody listens
  const std::string get =
      HttpText("GET", "/mcp", "Accept: text/event-stream\r\n" + InSession(id), "");
  RawClient client(port_);
  client.Say(get);
  ASSERT_TRUE(client.HearUntil("list_changed"));
  RawClient second(port_);
  second.Say(get);
  ASSERT_TRUE(second.HearUntil("\n\n"));
  EXPECT_TRUE(client.HearUntil("0\r\n\r\n"));  // ended: a message goes one way only
  hub_.Tell({Change::Kind::kTools});
  ASSERT_TRUE(second.HearUntil("list_changed"));
  EXPECT_EQ(MessagesIn(second.received()).size(), 1U);
  EXPECT_EQ(Ask(InSession(id) + "Accept: application/json\r\n", "", "GET").status, 406);
  // What is said while nobody listens is found later.
  const std::string last = LastEventId(second.received());
  second.Close();
  hub_.Tell({Change::Kind::kTools});
  hub_.Tell({Change::Kind::kTools});
  RawClient third(port_);
  third.Say(HttpText("GET", "/mcp",
                     "Accept: text/event-stream\r\nLast-Event-ID: " + last + "\r\n" + InSession(id),
                     ""));
  EXPECT_TRUE(Eventually([&] {
    third.Hear(std::chrono::milliseconds(20));
    return MessagesIn(third.received()).size() == 2;
  }));
}

TEST_F(HttpHandshakeTest, TakesBatchesOnlyWhereTheyWereAgreedOn) {
  const std::string batch = "[" + Call("echo", 1) + "," + Call("nothing", 2) +
                            R"(,{"jsonrpc":"2.0","method":"notifications/initialized"},{"bad":1}])";
  EXPECT_EQ(Ask(InSession(Initialize("2025-06-18")), batch).status, 400);
  const std::string id = Initialize("2025-03-26");
  const RawAnswer answer = Ask(InSession(id), batch);
  EXPECT_EQ(answer.status, 200);
  EXPECT_TRUE(answer.whole);
  EXPECT_EQ(MessagesIn("\n" + answer.body).size(), 3U) << answer.body;
  EXPECT_EQ(
      Ask(InSession(id), R"([{"jsonrpc":"2.0","method":"notifications/initialized"}])").status,
      202);
  EXPECT_EQ(Ask(InSession(id), "[]").status, 400);
  EXPECT_EQ(Ask("", batch).status, 400);
}

TEST_F(HttpHandshakeTest, BothErasLiveSideBySide) {
  const std::string id = Initialize();
  RawClient client(port_);
  EXPECT_EQ(client.Ask(HttpText("POST", "/mcp", InSession(id), Call("echo"))).status, 200);
  const RawAnswer modern = client.Ask(Tool("echo", InSession(id)));
  EXPECT_TRUE(json::parse(modern.body).at("result").as_object().contains("resultType"));
}

TEST_F(HttpHandshakeTest, LongAnswersComeWhole) {
  const std::string id = Initialize();
  const RawAnswer answer = Ask(InSession(id), Call("huge"));
  EXPECT_TRUE(answer.whole);
  EXPECT_GT(answer.body.size(), std::size_t{3} << 20);
}

class HttpSessionsTest : public test::HttpTest {};

TEST_F(HttpSessionsTest, TheLongestUnusedGoes) {
  HttpOptions options;
  options.sessions = 3;
  Start(options);
  const std::string first = Initialize();
  const std::string second = Initialize();
  const std::string third = Initialize();
  EXPECT_EQ(Ask(InSession(first), Call("echo")).status, 200);
  RawClient listening(port_);  // in use as long as this is open
  listening.Say(HttpText("GET", "/mcp", "Accept: text/event-stream\r\n" + InSession(second), ""));
  ASSERT_TRUE(listening.HearUntil("\r\n\r\n"));
  Initialize();
  EXPECT_EQ(Ask(InSession(third), Call("echo")).status, 404);
  EXPECT_EQ(Ask(InSession(first), Call("echo")).status, 200);
  EXPECT_EQ(Ask(InSession(second), Call("echo")).status, 200);
}

TEST_F(HttpSessionsTest, WithAllInUseThereIsNoRoom) {
  HttpOptions options;
  options.sessions = 1;
  Start(options);
  const std::string id = Initialize();
  RawClient running(port_);
  running.Say(HttpText("POST", "/mcp", InSession(id), Call("wait")));
  ASSERT_TRUE(Eventually([&] { return service_.waiting == 1; }));
  EXPECT_EQ(
      Ask("", Body("initialize", R"("protocolVersion":"2025-11-25","capabilities":{})")).status,
      503);
  service_.Release();
  EXPECT_EQ(running.Answer().status, 200);
}

TEST_F(HttpSessionsTest, IdleOnesEnd) {
  HttpOptions options;
  options.session_idle = std::chrono::seconds(0);
  options.pulse = std::chrono::milliseconds(20);
  Start(options);
  const std::string id = Initialize();
  EXPECT_TRUE(Eventually([&] { return Ask(InSession(id), Call("echo")).status == 404; }));
}

TEST_F(HttpSessionsTest, StreamsAreKeptAlive) {
  HttpOptions options;
  options.pulse = std::chrono::milliseconds(20);
  Start(options);
  const std::string id = Initialize();
  RawClient client(port_);
  client.Say(HttpText("GET", "/mcp", "Accept: text/event-stream\r\n" + InSession(id), ""));
  EXPECT_TRUE(client.HearUntil(":\n\n"));
}

}  // namespace
}  // namespace cordon::mcp
