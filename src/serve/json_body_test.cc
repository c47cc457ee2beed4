#include "serve/json_body.h"

#include <gtest/gtest.h>

namespace cordon::serve {
namespace {

Result<JsonBody> Parse(std::string text) {
  net::HttpRequest request;
  request.body = std::move(text);
  return JsonBody::Parse(request);
}

TEST(JsonBody, ReadsFieldsOfEachType) {
  auto body = Parse(R"({"a": "x", "b": 3, "c": true, "d": ["y"], "e": {}, "f": null, "g": 1.5})");
  ASSERT_TRUE(body.has_value());
  EXPECT_EQ(body->Text("a"), "x");
  EXPECT_EQ(body->Number("b", 10), 3U);
  EXPECT_EQ(body->Flag("c"), true);
  EXPECT_EQ(body->Texts("d"), std::vector<std::string>{"y"});
  EXPECT_TRUE(body->Object("e").has_value());
  EXPECT_EQ(body->Text("f"), std::nullopt);
  EXPECT_EQ(body->Decimal("g", 2), 1.5);
  EXPECT_TRUE(body->Check().has_value());
}

TEST(JsonBody, SaysWhichFieldIsWrong) {
  auto body = Parse(R"({"a": 1, "b": -1, "c": ["x", 2]})");
  ASSERT_TRUE(body.has_value());
  EXPECT_EQ(body->Text("a"), std::nullopt);
  EXPECT_EQ(body->Number("b", 10), std::nullopt);
  EXPECT_EQ(body->Texts("c"), std::nullopt);
  const Status checked = body->Check();
  ASSERT_FALSE(checked.has_value());
  EXPECT_EQ(checked.error().component, "a");
}

TEST(JsonBody, RefusesFieldsNobodyAskedFor) {
  auto body = Parse(R"({"a": "x", "surprise": 1})");
  ASSERT_TRUE(body.has_value());
  body->Text("a");
  const Status checked = body->Check();
  ASSERT_FALSE(checked.has_value());
  EXPECT_EQ(checked.error().component, "surprise");
}

TEST(JsonBody, RefusesWhatIsNoObject) {
  for (const char* text : {"[", "[]", "1", "{\"a\":1", "{} {}", "\xff"}) {
    EXPECT_FALSE(Parse(text).has_value()) << text;
  }
  EXPECT_FALSE(Parse(std::string(100'000, '[')).has_value());
  EXPECT_EQ(Parse(std::string(JsonBody::kMostBytes + 1, ' ')).error().code, ErrorCode::kTooLarge);
  EXPECT_TRUE(Parse("").has_value());
}

}  // namespace
}  // namespace cordon::serve
