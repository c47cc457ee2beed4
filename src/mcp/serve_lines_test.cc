// The handshake era as a client on a line stream sees it.
#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <chrono>
#include <cstdint>
#include <set>
#include <string>
#include <thread>

#include "tests/support/lines_fake.h"

namespace cordon::mcp::testing {
namespace {

using std::chrono_literals::operator""ms;

TEST_F(ServeLinesTest, NegotiatesARevision) {
  EXPECT_EQ(Initialize("2025-06-18").at("protocolVersion"), "2025-06-18");
}

TEST_F(ServeLinesTest, OffersItsNewestHandshakeForAnythingElse) {
  const json::object result = Initialize("2026-07-28");
  EXPECT_EQ(result.at("protocolVersion"), "2025-11-25");
  EXPECT_FALSE(result.at("capabilities").as_object().contains("extensions"));
}

TEST_F(ServeLinesTest, WantsInitializeFirst) {
  Send(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})");
  EXPECT_EQ(CodeOf(Receive()), -32600);
  Send(R"({"jsonrpc":"2.0","id":2,"method":"server/discover"})");
  EXPECT_EQ(CodeOf(Receive()), -32601);
  Send(R"({"jsonrpc":"2.0","id":3,"method":"ping"})");
  EXPECT_TRUE(Receive().at("result").as_object().empty());
}

TEST_F(ServeLinesTest, TakesWhatIsTooNewOutOfOldRevisions) {
  Initialize("2024-11-05");
  Send(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})");
  const json::object listed = Receive();
  const json::object& tool = listed.at("result").at("tools").at(0).as_object();
  for (const char* const gone : {"title", "annotations", "outputSchema"}) {
    EXPECT_FALSE(tool.contains(gone)) << gone;
  }
  Call("2", "echo");
  EXPECT_EQ(Receive().at("method"), "notifications/message");
  const json::object called = Receive();
  EXPECT_FALSE(called.at("result").as_object().contains("structuredContent"));
  EXPECT_EQ(called.at("result").at("content").at(1).at("type"), "text");
}

TEST_F(ServeLinesTest, TellsProgressOnlyWhereItIsWanted) {
  Initialize("2025-11-25");
  Send(R"({"jsonrpc":"2.0","id":9,"method":"logging/setLevel","params":{"level":"error"}})");
  Receive();
  Call("1", "echo");
  EXPECT_TRUE(Receive().contains("result"));
  Call("2", "echo", R"(,"_meta":{"progressToken":"p"})");
  const json::object notice = Receive();
  EXPECT_EQ(notice.at("method"), "notifications/progress");
  EXPECT_EQ(notice.at("params").at("progressToken"), "p");
  EXPECT_TRUE(Receive().contains("result"));
}

TEST_F(ServeLinesTest, AsksAndWaitsInTheHandshakeEra) {
  Initialize("2025-11-25", R"({"elicitation":{}})");
  Call("1", "ask");
  const json::object question = Receive();
  EXPECT_EQ(question.at("method"), "elicitation/create");
  Send(R"({"jsonrpc":"2.0","id":99,"result":{"action":"decline"}})");  // to nothing asked
  Send(R"({"jsonrpc":"2.0","id":)" + json::serialize(question.at("id")) +
       R"(,"result":{"action":"accept"}})");
  const json::object reply = Receive();
  EXPECT_EQ(reply.at("result").at("content").at(0).at("text"), R"({"action":"accept"})");
}

TEST_F(ServeLinesTest, DoesNotAskWhoCannotBeAsked) {
  Initialize("2025-11-25");
  Call("1", "ask");
  const json::value incapable(std::to_string(static_cast<int>(AskFailure::kIncapable)));
  EXPECT_EQ(Receive().at("result").at("content").at(0).at("text"), incapable);
}

TEST_F(ServeLinesTest, AsksForRootsBeforeTheFirstCallAndAfterAChange) {
  Initialize("2025-11-25", R"({"roots":{"listChanged":true}})");
  for (int round = 1; round <= 2; ++round) {
    Call("1", "ask");
    const json::object question = Receive();
    ASSERT_EQ(question.at("method"), "roots/list");
    Send(R"({"jsonrpc":"2.0","id":)" + json::serialize(question.at("id")) +
         R"(,"result":{"roots":[)" + (round == 1 ? "{}" : "{},{}") + "]}}");
    EXPECT_TRUE(Receive().contains("result"));
    EXPECT_EQ(service_.roots, round);
    Send(R"({"jsonrpc":"2.0","method":"notifications/roots/list_changed"})");
  }
  EXPECT_EQ(service_.joined, 1);
  EXPECT_EQ(service_.roots_changed, 1);
}

TEST_F(ServeLinesTest, CancelledRequestsStopAndAreNotAnswered) {
  Initialize("2025-11-25");
  Call("1", "wait");
  Call("2", "wait", "," + Meta());
  while (service_.waiting < 2) std::this_thread::sleep_for(1ms);
  Send(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})");
  Send(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}})");
  Send(R"({"jsonrpc":"2.0","id":3,"method":"ping"})");
  EXPECT_EQ(Receive().at("id"), 3);
  EXPECT_TRUE(wire_.quiet());
  EXPECT_EQ(service_.cancelled, 2);
}

TEST_F(ServeLinesTest, AnswersAreNotKeptBehindARequestThatTakesLong) {
  Initialize("2025-11-25");
  Send(R"({"jsonrpc":"2.0","id":1,"method":"ping"})"
       "\n"
       R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"wait"}})"
       "\n"
       R"({"jsonrpc":"2.0","id":3,"method":"ping"})");
  std::set<std::int64_t> answered;
  for (int i = 0; i < 2; ++i) answered.insert(Receive().at("id").as_int64());
  EXPECT_EQ(answered, (std::set<std::int64_t>{1, 3}));
  Send(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}})");
}

// Others take over what was read with it, also while they have enough to read themselves.
TEST_F(ServeLinesTest, NothingWaitsForARequestThatTakesLong) {
  Initialize("2025-11-25");
  constexpr int kPings = 300;
  std::string lines =
      R"({"jsonrpc":"2.0","id":"w","method":"tools/call","params":{"name":"wait"}})";
  for (int i = 0; i < kPings; ++i) {
    lines +=
        "\n"
        R"({"jsonrpc":"2.0","method":"ping","id":)" +
        std::to_string(i) + "}";
  }
  Send(lines);
  std::set<std::int64_t> answered;
  for (int i = 0; i < kPings; ++i) {
    const json::object reply = Receive();
    ASSERT_TRUE(reply.contains("result")) << json::serialize(reply) << " after " << i;
    answered.insert(reply.at("id").as_int64());
  }
  EXPECT_EQ(answered.size(), kPings);
  EXPECT_EQ(service_.waiting, 1);
  Send(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"w"}})");
}

TEST_F(ServeLinesTest, WhatComesTogetherIsAnsweredTogether) {
  Initialize("2025-11-25");
  constexpr int kPings = 60;
  std::string pings;
  for (int i = 0; i < kPings; ++i) {
    pings += R"({"jsonrpc":"2.0","method":"ping","id":)" + std::to_string(i) + "}\n";
  }
  pings.pop_back();
  const int before = wire_.writes();
  Send(pings);
  std::set<std::int64_t> answered;
  for (int i = 0; i < kPings; ++i) answered.insert(Receive().at("id").as_int64());
  EXPECT_EQ(answered.size(), kPings);
  EXPECT_LT(wire_.writes() - before, kPings / 4);
}

TEST_F(ServeLinesTest, SomebodyAlwaysReads) {
  Initialize("2025-11-25");
  for (int i = 0; i < 4; ++i) Call(std::to_string(i), "wait");
  while (service_.waiting < 4) std::this_thread::sleep_for(1ms);
  for (int i = 4; i < 12; ++i) Call(std::to_string(i), "wait");  // these wait
  Call("12", "wait");                                            // and this is too many
  EXPECT_EQ(Receive().at("id"), 12);
  for (int i = 0; i < 12; ++i) {
    Send(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)" +
         std::to_string(i) + "}}");
  }
  Send(R"({"jsonrpc":"2.0","id":"p","method":"ping"})");
  EXPECT_EQ(Receive().at("id"), "p");
}

TEST_F(ServeLinesTest, RefusesAnIdThatIsInUse) {
  Initialize("2025-11-25");
  Call("1", "wait");
  Call("1", "echo");
  EXPECT_EQ(CodeOf(Receive()), -32600);
  Send(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})");
}

TEST_F(ServeLinesTest, OldBatchesOnlyWhereTheyWereNegotiated) {
  const std::string batch =
      R"([{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"x"},{"jsonrpc":"2.0","id":2,"method":"ping"}])";
  Send(batch);
  EXPECT_EQ(CodeOf(Receive()), -32600);
  Initialize("2025-06-18");
  Send(batch);
  EXPECT_EQ(CodeOf(Receive()), -32600);
}

TEST_F(ServeLinesTest, RefusesLinesThatAreTooLongAndGoesOn) {
  Send(std::string(300'000, 'x'));
  EXPECT_EQ(CodeOf(Receive()), -32600);
  Send("not json");
  EXPECT_EQ(CodeOf(Receive()), -32700);
  Send("  ");
  Send(R"({"jsonrpc":"2.0","id":1,"method":"ping"})");
  EXPECT_EQ(Receive().at("id"), 1);
}

TEST_F(ServeLinesTest, TellsChangesOfSubscribedResourcesInTheHandshakeEra) {
  Initialize("2025-11-25");
  Send(R"({"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"file:///a"}})");
  EXPECT_TRUE(Receive().contains("result"));
  Send(R"({"jsonrpc":"2.0","id":2,"method":"resources/subscribe","params":{"uri":"file:///b"}})");
  EXPECT_EQ(CodeOf(Receive()), -32002);
  hub_.Tell({Change::Kind::kResource, "file:///a"});
  EXPECT_EQ(Receive().at("method"), "notifications/resources/updated");
  Send(R"({"jsonrpc":"2.0","id":3,"method":"resources/unsubscribe","params":{"uri":"file:///a"}})");
  Receive();
  hub_.Tell({Change::Kind::kResource, "file:///a"});
  EXPECT_TRUE(wire_.quiet());
}

TEST(ServeLines, AnswersWhatCameBeforeTheEnd) {
  Fake service;
  Hub hub;
  Wire wire;
  wire.Send(R"({"jsonrpc":"2.0","id":1,"method":"ping"})");
  wire.Send(R"({"jsonrpc":"2.0","id":2,"method":"ping"})");
  wire.Close();
  EXPECT_TRUE(ServeLines(service, hub, wire));
  EXPECT_TRUE(wire.Receive().contains("result"));
  EXPECT_TRUE(wire.Receive().contains("result"));
}

TEST(ServeLines, BatchesOf20250326AreAnsweredTogether) {
  Fake service;
  Hub hub;
  Wire wire;
  wire.Send(
      R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{}}})");
  wire.Send(
      R"([{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"x"},{"jsonrpc":"2.0","id":2,"method":"ping"}])");
  wire.Close();
  EXPECT_TRUE(ServeLines(service, hub, wire));
  EXPECT_EQ(wire.Receive().at("id"), 0);
  EXPECT_THROW(wire.Receive(), std::exception) << "an array, not an object";
}

}  // namespace
}  // namespace cordon::mcp::testing
