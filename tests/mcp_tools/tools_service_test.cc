// Tools as an MCP client sees them.
#include "tests/mcp_tools/service_fixture.h"

namespace cordon::testing {
namespace {

namespace json = boost::json;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

class ToolsOverMcp : public ServiceTest {
 protected:
  std::vector<std::string> Names(mcp::Exchange& exchange) {
    std::vector<std::string> names;
    const auto page = service_->ListTools(exchange, std::nullopt);
    EXPECT_TRUE(page);
    for (const json::value& tool : page->items) names.emplace_back(tool.at("name").as_string());
    return names;
  }
};

TEST_F(ToolsOverMcp, AreDeclaredInOneOrder) {
  Serve();
  const auto client = Joined();
  const auto page = service_->ListTools(*client, std::nullopt);
  ASSERT_TRUE(page);
  EXPECT_FALSE(page->next);
  EXPECT_EQ(page->items.at(0).at("name").as_string(), "read_file");
  for (const char* key : {"title", "description", "annotations", "inputSchema", "outputSchema"}) {
    EXPECT_TRUE(page->items.at(0).as_object().contains(key)) << key;
  }
  EXPECT_EQ(page->items, service_->ListTools(*client, std::nullopt)->items);
  EXPECT_EQ(service_->ListTools(*client, "x").error().code, mcp::RpcCode::kInvalidParams);
}

TEST_F(ToolsOverMcp, TellTextAndData) {
  Serve();
  const auto client = Joined();
  const auto result = Call(*client, "read_file", R"({"path": "a"})");
  ASSERT_TRUE(result);
  EXPECT_EQ(result->ending, mcp::ToolResult::Ending::kSuccess);
  ASSERT_EQ(result->content.size(), 1u);
  EXPECT_EQ(result->content.at(0), (json::value{{"type", "text"}, {"text", "inside"}}));
  ASSERT_TRUE(result->structured);
  EXPECT_EQ(result->structured->at("content").as_string(), "inside");
}

TEST_F(ToolsOverMcp, TellOfFailuresAsResults) {
  Serve();
  const auto client = Joined();
  const auto result = Call(*client, "read_file", R"({"path": "../o/f"})");
  ASSERT_TRUE(result);
  EXPECT_EQ(result->ending, mcp::ToolResult::Ending::kError);
  EXPECT_FALSE(result->structured) << "it would not be what outputSchema says";
  EXPECT_THAT(std::string(result->content.at(0).at("text").as_string()),
              HasSubstr("[PATH_OUTSIDE_PROJECT]"));
  EXPECT_EQ(Call(*client, "no_tool", "{}").error().code, mcp::RpcCode::kInvalidParams);
}

TEST_F(ToolsOverMcp, ReadOnlyOffersNoChange) {
  settings_.read_only = true;
  Serve({mcp_tools::Offer::kReadOnly, "1"});
  const auto client = Joined();
  EXPECT_THAT(Names(*client), Contains("read_file"));
  for (const char* name : {"write_file", "edit_file", "delete_path", "undo"}) {
    EXPECT_THAT(Names(*client), Not(Contains(name)));
    EXPECT_EQ(Call(*client, name, R"({"path": "a", "content": "x"})").error().code,
              mcp::RpcCode::kInvalidParams);
  }
  EXPECT_EQ(ReadFile(At("w/a")), "inside");
}

TEST_F(ToolsOverMcp, ScopesLimitWhoMayDoWhat) {
  Serve();
  const auto client = Joined();
  client->client_.principal.scopes = "files:read";
  EXPECT_THAT(Names(*client), Not(Contains("write_file")));
  EXPECT_TRUE(Call(*client, "read_file", R"({"path": "a"})"));
  const auto refused = Call(*client, "write_file", R"({"path": "a", "content": "x"})");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, mcp::RpcCode::kInsufficientScope);
  EXPECT_EQ(refused.error().data.at("scope").as_string(), "files:read files:write");
  client->client_.principal.scopes = "other";
  EXPECT_TRUE(Names(*client).empty());
  EXPECT_EQ(Call(*client, "read_file", R"({"path": "a"})").error().code,
            mcp::RpcCode::kInsufficientScope);
  EXPECT_EQ(service_->ListResources(*client, std::nullopt).error().code,
            mcp::RpcCode::kInsufficientScope);
  EXPECT_EQ(service_->ReadResource(*client, "file://" + At("w/a")).error().code,
            mcp::RpcCode::kInsufficientScope);
  EXPECT_EQ(ReadFile(At("w/a")), "inside");
}

TEST_F(ToolsOverMcp, WhatIsCutCanBeReadWhole) {
  std::string long_text;
  for (int i = 0; i < 3000; ++i) long_text += "line\n";
  WriteFile(At("w/long file"), long_text);
  Serve();
  const auto client = Joined();
  const auto result = Call(*client, "read_file", R"({"path": "long file"})");
  ASSERT_TRUE(result);
  ASSERT_EQ(result->content.size(), 2u);
  const json::object& link = result->content.at(1).as_object();
  EXPECT_EQ(link.at("type").as_string(), "resource_link");
  EXPECT_EQ(link.at("uri").as_string(), "file://" + At("w/long%20file"));
  const auto whole = service_->ReadResource(*client, link.at("uri").as_string());
  ASSERT_TRUE(whole) << whole.error().message;
  EXPECT_EQ(whole->at(0).at("text").as_string(), long_text);
}

TEST_F(ToolsOverMcp, ContentThatIsNoText) {
  WriteFile(At("w/p.png"), std::string("\x89PNG\r\n\x1a\n\0\0", 10));
  WriteFile(At("w/b.bin"), std::string("\0\1\2\3", 4));
  Serve();
  const auto client = Joined();
  const auto image = Call(*client, "read_file", R"({"path": "p.png"})");
  ASSERT_TRUE(image);
  ASSERT_EQ(image->content.size(), 2u);
  EXPECT_EQ(image->content.at(1).at("type").as_string(), "image");
  EXPECT_EQ(image->content.at(1).at("mimeType").as_string(), "image/png");
  const auto other = Call(*client, "read_file", R"({"path": "b.bin"})");
  ASSERT_TRUE(other);
  ASSERT_EQ(other->content.size(), 2u) << json::serialize(other->content);
  EXPECT_EQ(other->content.at(1).at("type").as_string(), "resource");
  EXPECT_EQ(other->content.at(1).at("resource").at("uri").as_string(), "file://" + At("w/b.bin"));
  EXPECT_EQ(other->content.at(1).at("resource").at("blob").as_string(), "AAECAw==");
}

TEST_F(ToolsOverMcp, EveryMenuIsServed) {
  for (const tools::Menu* const menu : tools::AllMenus()) {
    Serve({}, *menu);
    const auto client = Joined();
    EXPECT_FALSE(Names(*client).empty()) << menu->name();
  }
}

TEST_F(ToolsOverMcp, ClientsAskWhoeverUsesThem) {
  settings_.profile = policy::Profile::kInteractive;
  Serve();
  const auto client =
      Joined([](std::string_view, const json::object&) { return Accepted("once"); });
  EXPECT_EQ(Told(*client, "read_file", R"({"path": ")" + At("o/f") + "\"}"), "outside");
  EXPECT_EQ(client->methods, std::vector<std::string>{"elicitation/create"});
  const auto read = service_->ReadResource(*client, "file://" + At("o/g"));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->at(0).at("text").as_string(), "other");
  EXPECT_EQ(client->methods.size(), 2u);
}

TEST_F(ToolsOverMcp, WhoSaysNoIsNotAskedAgain) {
  settings_.profile = policy::Profile::kInteractive;
  Serve();
  const auto client =
      Joined([](std::string_view, const json::object&) { return Accepted("deny"); });
  const std::string arguments = R"({"path": ")" + At("o/f") + R"(", "content": "x"})";
  EXPECT_THAT(Told(*client, "write_file", arguments), HasSubstr("[CONSENT_DENIED]"));
  EXPECT_EQ(client->asked.size(), 1u);
  EXPECT_EQ(ReadFile(At("o/f")), "outside");
}

TEST_F(ToolsOverMcp, SessionsAreKeptApart) {
  settings_.profile = policy::Profile::kInteractive;
  Serve();
  const auto agreeing =
      Joined([](std::string_view, const json::object&) { return Accepted("directory"); });
  const auto refusing =
      Joined([](std::string_view, const json::object&) { return Said("decline"); });
  const std::string arguments = R"({"path": ")" + At("o/f") + "\"}";
  EXPECT_EQ(Told(*agreeing, "read_file", arguments), "outside");
  EXPECT_THAT(Told(*refusing, "read_file", arguments), HasSubstr("[CONSENT_DENIED]"));
  EXPECT_EQ(Told(*agreeing, "read_file", R"({"path": ")" + At("o/g") + "\"}"), "other");
  EXPECT_EQ(agreeing->asked.size(), 1u);
}

TEST_F(ToolsOverMcp, PrincipalsOfTheStatelessEraAreKeptApart) {
  settings_.profile = policy::Profile::kInteractive;
  Serve();
  const std::string arguments = R"({"path": ")" + At("o/f") + "\"}";
  RoundExchange first;
  first.client_.principal.id = "one";
  EXPECT_THAT(Told(first, "read_file", arguments), HasSubstr("call again"));
  RoundExchange second = first.Next(Accepted("directory"));
  EXPECT_EQ(Told(second, "read_file", arguments), "outside");
  RoundExchange later;
  later.client_.principal.id = "one";
  EXPECT_EQ(Told(later, "read_file", arguments), "outside");
  RoundExchange other;
  other.client_.principal.id = "two";
  Told(other, "read_file", arguments);
  EXPECT_EQ(other.pending.size(), 1u);
}

// Calls until nothing is asked any more, agreeing to everything once; gives how often.
int RoundsOf(const std::function<void(mcp::Exchange&)>& call) {
  RoundExchange round;
  for (int rounds = 1; rounds < 20; ++rounds) {
    call(round);
    if (round.pending.empty()) return rounds;
    round = round.Next(Accepted("once"));
  }
  return -1;
}

TEST_F(ToolsOverMcp, AllThatMustBeAskedIsAskedBeforeAnythingIsDone) {
  settings_.profile = policy::Profile::kInteractive;
  WriteFile(At("w/b"), "second");
  Serve();
  const std::string arguments =
      R"({"patch": "*** Begin Patch\n*** Delete File: a\n*** Delete File: b\n)"
      R"(*** Add File: c\n+third\n*** End Patch\n"})";
  RoundExchange first;
  Told(first, "apply_patch", arguments);
  EXPECT_EQ(first.pending.size(), 3u);
  EXPECT_TRUE(Exists(At("w/a")) && Exists(At("w/b")) && !Exists(At("w/c")));
  RoundExchange second = first.Next(Accepted("once"));
  const std::string told = Told(second, "apply_patch", arguments);
  EXPECT_TRUE(second.pending.empty()) << told;
  EXPECT_TRUE(!Exists(At("w/a")) && !Exists(At("w/b")) && Exists(At("w/c"))) << told;
}

TEST_F(ToolsOverMcp, WhatIsMadeOnTheWayDoesNotAskForEver) {
  settings_.profile = policy::Profile::kInteractive;
  Serve();
  for (const std::string& place : {At("o/new/file"), std::string("made/here/file")}) {
    const std::string arguments = R"({"path": ")" + place + R"(", "content": "x"})";
    const int rounds =
        RoundsOf([&](mcp::Exchange& round) { Told(round, "write_file", arguments); });
    EXPECT_GT(rounds, 1) << place;  // the tool looks around first, and each look is asked about
    EXPECT_EQ(ReadFile(place.starts_with('/') ? place : At("w/" + place)), "x");
  }
}

TEST_F(ToolsOverMcp, WhatWasDoneBeforeAQuestionIsTakenBack) {
  settings_.profile = policy::Profile::kInteractive;
  settings_.tools.push_back({"write", policy::ToolLevel::kAllow, "test"});
  WriteFile(At("w/b"), "second");
  settings_.tools.push_back({"delete", policy::ToolLevel::kAlways, "test"});
  Serve();
  const std::string arguments =
      R"({"patch": "*** Begin Patch\n*** Update File: a\n@@\n-inside\n+changed\n)"
      R"(*** Delete File: b\n*** End Patch\n"})";
  RoundExchange first;
  Told(first, "apply_patch", arguments);
  EXPECT_EQ(first.pending.size(), 1u);
  EXPECT_EQ(ReadFile(At("w/a")), "inside");
  EXPECT_TRUE(Exists(At("w/b")));
  RoundExchange second = first.Next(Accepted("once"));
  const std::string told = Told(second, "apply_patch", arguments);
  EXPECT_TRUE(second.pending.empty()) << told;
  EXPECT_THAT(ReadFile(At("w/a")), HasSubstr("changed")) << told;
  EXPECT_FALSE(Exists(At("w/b"))) << told;
}

TEST_F(ToolsOverMcp, ARefusedPartLeavesTheRestUndone) {
  settings_.profile = policy::Profile::kInteractive;
  WriteFile(At("w/b"), "second");
  Serve();
  const std::string arguments =
      R"({"patch": "*** Begin Patch\n*** Delete File: a\n*** Delete File: b\n*** End Patch\n"})";
  RoundExchange first;
  Told(first, "apply_patch", arguments);
  RoundExchange second = first.Next(Said("decline"));
  Told(second, "apply_patch", arguments);
  EXPECT_TRUE(second.pending.empty());
  EXPECT_TRUE(Exists(At("w/a")) && Exists(At("w/b")));
}

}  // namespace
}  // namespace cordon::testing
