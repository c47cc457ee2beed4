// A client's roots narrow what it can reach, and never widen it.
#include <filesystem>

#include "tests/mcp_tools/service_fixture.h"

namespace cordon::testing {
namespace {

namespace json = boost::json;
using ::testing::HasSubstr;

class ClientRoots : public ServiceTest {
 protected:
  ClientRoots() {
    WriteFile(At("w/sub/b"), "below");
    std::filesystem::create_directory(At("w/sub/deep"));
    WriteFile(At("w/sub/deep/c"), "deep");
    WriteFile(At("w/sub/.env"), "secret");
  }
  // A client that gives these roots whenever it is asked.
  std::unique_ptr<WaitingExchange> WithRoots(std::vector<std::string> uris) {
    uris_ = std::move(uris);
    auto exchange = std::make_unique<WaitingExchange>(
        [this](std::string_view method, const json::object&) -> ClientAnswer {
          if (method != "roots/list") return Accepted("once");
          if (!answers_) return tl::make_unexpected(mcp::AskFailure::kTimeout);
          json::array roots;
          for (const std::string& uri : uris_) roots.push_back(json::object{{"uri", uri}});
          return json::object{{"roots", std::move(roots)}};
        });
    exchange->client_.capabilities["roots"] = json::object();
    exchange->attachment_ = service_->Join(*exchange);
    return exchange;
  }
  std::string Reads(mcp::Exchange& exchange, const std::string& path) {
    const auto result = Call(exchange, "read_file", R"({"path": ")" + path + "\"}");
    EXPECT_TRUE(result);
    std::string text(result->content.at(0).at("text").as_string());
    if (result->ending == mcp::ToolResult::Ending::kSuccess) return text;
    return text.substr(text.rfind('['));
  }

  std::vector<std::string> uris_;
  bool answers_ = true;
};

constexpr const char* kOutside = "[PATH_OUTSIDE_PROJECT]";

TEST_F(ClientRoots, NarrowTheOperators) {
  Serve();
  const auto client = WithRoots({"file://" + At("w/sub")});
  EXPECT_EQ(Reads(*client, "b"), "below") << "relative paths are below what remains";
  EXPECT_EQ(Reads(*client, At("w/sub/deep/c")), "deep");
  EXPECT_EQ(Reads(*client, At("w/a")), kOutside);
  EXPECT_EQ(Reads(*client, "../a"), kOutside);
  EXPECT_EQ(Reads(*client, ".env"), "[PATH_DENIED]");
  EXPECT_EQ(Reads(*client, At("o/f")), kOutside);
  const auto read = service_->ReadResource(*client, "file://" + At("w/a"));
  EXPECT_FALSE(read);
}

TEST_F(ClientRoots, NeverWiden) {
  Serve();
  for (const std::string& uri :
       {std::string("file:///"), "file://" + At(""), "file://" + At("w")}) {
    const auto client = WithRoots({uri});
    EXPECT_EQ(Reads(*client, "a"), "inside") << uri;
    EXPECT_EQ(Reads(*client, At("o/f")), kOutside) << uri;
  }
  const auto both = WithRoots({"file://" + At("o"), "file://" + At("w/sub")});
  EXPECT_EQ(Reads(*both, At("o/f")), kOutside);
  EXPECT_EQ(Reads(*both, "b"), "below");
}

TEST_F(ClientRoots, LinksLeadNowhereElse) {
  std::filesystem::create_directory_symlink(At("o"), At("w/out"));
  std::filesystem::create_directory_symlink("sub", At("w/in"));
  std::filesystem::create_symlink(At("w/a"), At("w/sub/up"));
  Serve();
  EXPECT_EQ(Reads(*WithRoots({"file://" + At("w/out")}), At("o/f")), kOutside);
  const auto through = WithRoots({"file://" + At("w/in")});
  EXPECT_EQ(Reads(*through, At("w/in/b")), "below");
  EXPECT_EQ(Reads(*through, At("w/sub/b")), "below");
  EXPECT_EQ(Reads(*through, "up"), kOutside);
}

TEST_F(ClientRoots, NoneThatLieInsideLeaveNothing) {
  Serve();
  for (const std::string& uri :
       {"file://" + At("o"), std::string("http://x/"), "file://host" + At("w"),
        "file://" + At("w/none"), "file://" + At("w/a"), std::string("nonsense")}) {
    const auto client = WithRoots({uri});
    const auto result = Call(*client, "read_file", R"({"path": "a"})");
    ASSERT_TRUE(result);
    EXPECT_EQ(result->ending, mcp::ToolResult::Ending::kError);
    EXPECT_THAT(std::string(result->content.at(0).at("text").as_string()),
                HasSubstr("none of the client's roots"))
        << uri;
    EXPECT_FALSE(service_->ListResources(*client, std::nullopt));
    EXPECT_FALSE(service_->ReadResource(*client, "file://" + At("w/a")));
  }
}

TEST_F(ClientRoots, AnEmptyListAndNoAnswerNarrowNothing) {
  Serve();
  EXPECT_EQ(Reads(*WithRoots({}), "a"), "inside");
  answers_ = false;
  EXPECT_EQ(Reads(*WithRoots({"file://" + At("w/sub")}), "a"), "inside");
}

TEST_F(ClientRoots, AChangeHoldsForTheNextCall) {
  Serve();
  const auto client = WithRoots({"file://" + At("w")});
  EXPECT_EQ(Reads(*client, "a"), "inside");
  uris_ = {"file://" + At("w/sub")};
  service_->RootsChanged(*client);
  EXPECT_EQ(Reads(*client, At("w/a")), kOutside);
  answers_ = false;
  service_->RootsChanged(*client);
  EXPECT_EQ(Reads(*client, At("w/a")), kOutside) << "what held before holds";
  answers_ = true;
  uris_ = {};
  service_->RootsChanged(*client);
  EXPECT_EQ(Reads(*client, "a"), "inside");
}

TEST_F(ClientRoots, OthersAreNotNarrowed) {
  Serve();
  const auto narrow = WithRoots({"file://" + At("w/sub")});
  const auto wide = Joined();
  EXPECT_EQ(Reads(*wide, "a"), "inside");
  EXPECT_EQ(Reads(*narrow, At("w/a")), kOutside);
  RoundExchange stateless;
  stateless.client_.capabilities["roots"] = json::object();
  EXPECT_EQ(Reads(stateless, "a"), "inside");
  EXPECT_TRUE(stateless.pending.empty());
}

TEST_F(ClientRoots, NobodyIsAskedAboutWhatTheyLeaveOut) {
  settings_.profile = policy::Profile::kInteractive;
  Serve();
  const auto client = WithRoots({"file://" + At("w/sub")});
  client->methods.clear();
  EXPECT_EQ(Reads(*client, At("w/a")), kOutside);
  EXPECT_EQ(Reads(*client, "../a"), kOutside);
  EXPECT_TRUE(client->methods.empty());
  EXPECT_EQ(Reads(*client, At("o/f")), "outside") << "asked about as ever";
  EXPECT_EQ(client->methods.size(), 1u);
}

TEST_F(ClientRoots, RulesOfTheOperatorsRootHoldInAPart) {
  policy::DenyRule rule;
  rule.pattern = "/sub/deep/c";
  settings_.deny.push_back(rule);
  settings_.read_only_roots = {At("w/sub/deep")};
  Serve();
  const auto client = WithRoots({"file://" + At("w/sub")});
  EXPECT_EQ(Reads(*client, "deep/c"), "[PATH_DENIED]");
  EXPECT_EQ(Reads(*client, "b"), "below");
  const auto written = Call(*client, "write_file", R"({"path": "deep/new", "content": "x"})");
  ASSERT_TRUE(written);
  EXPECT_EQ(written->ending, mcp::ToolResult::Ending::kError);
  EXPECT_FALSE(Exists(At("w/sub/deep/new")));
}

}  // namespace
}  // namespace cordon::testing
