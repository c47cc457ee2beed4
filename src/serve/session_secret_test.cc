#include "serve/session_secret.h"

#include <gtest/gtest.h>

namespace cordon::serve {
namespace {

net::HttpRequest Request(net::HttpFields fields) {
  net::HttpRequest request;
  request.method = "GET";
  request.path = "/v1/session";
  request.fields = std::move(fields);
  return request;
}

TEST(SessionSecret, NeedsBothHalves) {
  EXPECT_EQ(SessionSecretOf(Request(
                {{"Host", "a:1"}, {"Cordon-Key", "id.key"}, {"Cookie", "x=1; cordon_id=half"}})),
            SessionSecret("half", "id.key"));
  EXPECT_FALSE(SessionSecretOf(Request({{"Host", "a:1"}, {"Cookie", "cordon_id=half"}})));
  EXPECT_FALSE(SessionSecretOf(Request({{"Host", "a:1"}, {"Cordon-Key", "id.key"}})));
  EXPECT_FALSE(SessionSecretOf(
      Request({{"Host", "a:1"}, {"Cordon-Key", "id.key"}, {"Cookie", "cordon_other=half"}})));
  EXPECT_FALSE(SessionSecretOf(
      Request({{"Host", "a:1"}, {"Cordon-Key", "nodot"}, {"Cookie", "cordon_nodot=half"}})));
}

TEST(SessionSecret, RefusesWhatCouldBeReadInTwoWays) {
  EXPECT_FALSE(SessionSecretOf(Request(
      {{"Host", "a:1"}, {"Cordon-Key", "id.key"}, {"Cookie", "cordon_id=half; cordon_id=other"}})));
  EXPECT_FALSE(SessionSecretOf(Request({{"Host", "a:1"},
                                        {"Cordon-Key", "id.key"},
                                        {"Cookie", "cordon_id=half"},
                                        {"Cookie", "cordon_id=half"}})));
  EXPECT_FALSE(SessionSecretOf(Request({{"Host", "a:1"},
                                        {"Cordon-Key", "id.key"},
                                        {"Cordon-Key", "id.key"},
                                        {"Cookie", "cordon_id=half"}})));
}

TEST(SessionSecret, IsOfOurOwnPage) {
  const auto from = [](const std::string& name, const std::string& value) {
    return SessionSecretOf(Request({{"Host", "a:1"},
                                    {"Cordon-Key", "id.key"},
                                    {"Cookie", "cordon_id=half"},
                                    {name, value}}))
        .has_value();
  };
  EXPECT_TRUE(from("Origin", "http://a:1"));
  EXPECT_TRUE(from("Origin", "https://A:1"));
  EXPECT_FALSE(from("Origin", "http://a:2"));
  EXPECT_FALSE(from("Origin", "http://a:1.evil.example"));
  EXPECT_FALSE(from("Origin", "null"));
  EXPECT_TRUE(from("Sec-Fetch-Site", "same-origin"));
  EXPECT_FALSE(from("Sec-Fetch-Site", "same-site"));
  EXPECT_FALSE(from("Sec-Fetch-Site", "none"));
}

TEST(SessionSecret, WebSocketsSayWhereTheyComeFrom) {
  const auto upgrade = [](net::HttpFields more) {
    net::HttpFields fields = {{"Host", "a:1"},
                              {"Connection", "Upgrade"},
                              {"Upgrade", "websocket"},
                              {"Sec-WebSocket-Version", "13"},
                              {"Sec-WebSocket-Key", "AAAAAAAAAAAAAAAAAAAAAA=="},
                              {"Cookie", "cordon_id=half"}};
    for (const auto& [name, value] : more.all()) fields.Add(name, value);
    return SessionSecretOf(Request(std::move(fields)));
  };
  const std::string offered = "cordon.terminal.v1, cordon.key.id.key";
  EXPECT_EQ(upgrade({{"Origin", "http://a:1"}, {"Sec-WebSocket-Protocol", offered}}),
            SessionSecret("half", "id.key"));
  EXPECT_FALSE(upgrade({{"Sec-WebSocket-Protocol", offered}}));
  EXPECT_FALSE(upgrade({{"Origin", "http://b"}, {"Sec-WebSocket-Protocol", offered}}));
  EXPECT_FALSE(
      upgrade({{"Origin", "http://a:1"}, {"Sec-WebSocket-Protocol", "cordon.terminal.v1"}}));
  // A plain request cannot show the key like this.
  EXPECT_FALSE(SessionSecretOf(Request(
      {{"Host", "a:1"}, {"Cookie", "cordon_id=half"}, {"Sec-WebSocket-Protocol", offered}})));
}

TEST(SessionSecret, AParentIsNoScope) {
  EXPECT_EQ(ParentOf(ParentScope("tok_1")), "tok_1");
  EXPECT_FALSE(ParentOf("admin"));
}

}  // namespace
}  // namespace cordon::serve
