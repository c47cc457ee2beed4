// The stateless era as a client on a line stream sees it.
#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <string>

#include "tests/support/lines_fake.h"

namespace cordon::mcp::testing {
namespace {

class StatelessLinesTest : public ServeLinesTest {};

TEST_F(StatelessLinesTest, DiscoversAndChecksWhatEachRequestMustSay) {
  Send(R"({"jsonrpc":"2.0","id":1,"method":"server/discover","params":{)" + Meta() + "}}");
  const json::object found = Receive();
  EXPECT_EQ(found.at("result").at("resultType"), "complete");
  EXPECT_EQ(found.at("result").at("supportedVersions").at(0), "2026-07-28");
  EXPECT_TRUE(found.at("result").as_object().contains("ttlMs"));
  Send(
      R"({"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"1900-01-01"}}})");
  EXPECT_EQ(CodeOf(Receive()), -32022);
  Send(
      R"({"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}})");
  EXPECT_EQ(CodeOf(Receive()), -32602);
  for (const char* const gone : {"initialize", "ping", "logging/setLevel", "resources/subscribe"}) {
    Send(std::string(R"({"jsonrpc":"2.0","id":4,"method":")") + gone + R"(","params":{)" + Meta() +
         "}}");
    EXPECT_EQ(CodeOf(Receive()), -32601) << gone;
  }
}

TEST_F(StatelessLinesTest, AsksByItsReplyInTheStatelessEra) {
  const std::string meta = "," + Meta(R"({"elicitation":{}})");
  Call("1", "ask", meta);
  const json::object asked = Receive().at("result").as_object();
  EXPECT_EQ(asked.at("resultType"), "input_required");
  EXPECT_EQ(asked.at("inputRequests").at("name").at("method"), "elicitation/create");
  const std::string state =
      R"(,"requestState":)" + json::serialize(asked.at("requestState")) + R"(,"inputResponses":)";
  // Without the answer it is asked again; the state is used up by that.
  Call("2", "ask", meta + state + "{}");
  const json::object again = Receive().at("result").as_object();
  EXPECT_EQ(again.at("resultType"), "input_required");
  Call("3", "ask", meta + state + R"({"name":{"action":"accept"}})");
  EXPECT_EQ(CodeOf(Receive()), -32602);
  const std::string fresh =
      R"(,"requestState":)" + json::serialize(again.at("requestState")) + R"(,"inputResponses":)";
  Call("4", "ask", meta + fresh + R"({"name":{"action":"accept"},"other":{}})");
  const json::object done = Receive().at("result").as_object();
  EXPECT_EQ(done.at("resultType"), "complete");
  EXPECT_EQ(done.at("structuredContent").at("round"), 1);
}

TEST_F(StatelessLinesTest, StreamsChangesInTheStatelessEra) {
  Send(R"({"jsonrpc":"2.0","id":"l","method":"subscriptions/listen","params":{)" + Meta() +
       R"(,"notifications":{"toolsListChanged":true,"promptsListChanged":true,)"
       R"("resourceSubscriptions":["file:///a","file:///b"]}}})");
  const json::object acknowledged = Receive();
  EXPECT_EQ(acknowledged.at("method"), "notifications/subscriptions/acknowledged");
  const json::object& honoured = acknowledged.at("params").at("notifications").as_object();
  EXPECT_FALSE(honoured.contains("promptsListChanged"));
  EXPECT_EQ(honoured.at("resourceSubscriptions").as_array().size(), 1U);
  hub_.Tell({Change::Kind::kResource, "file:///b"});
  hub_.Tell({Change::Kind::kPrompts});
  hub_.Tell({Change::Kind::kResource, "file:///a"});
  EXPECT_EQ(Receive().at("params").at("uri"), "file:///a");
  Send(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"l"}})");
  Send(R"({"jsonrpc":"2.0","id":1,"method":"server/discover","params":{)" + Meta() + "}}");
  EXPECT_EQ(Receive().at("id"), 1);
  hub_.Tell({Change::Kind::kTools});
  EXPECT_TRUE(wire_.quiet());
}

}  // namespace
}  // namespace cordon::mcp::testing
