#include "mcp/message.h"

#include <gtest/gtest.h>

#include <string>

namespace cordon::mcp {
namespace {

const Malformed& MalformedIn(const Message& message) {
  static const Malformed kNone{};
  const Malformed* const found = std::get_if<Malformed>(&message);
  EXPECT_NE(found, nullptr);
  return found == nullptr ? kNone : *found;
}

TEST(ParseMessage, TellsTheKindsApart) {
  const Message request = ParseMessage(R"({"jsonrpc":"2.0","id":1,"method":"ping"})");
  ASSERT_TRUE(std::holds_alternative<Request>(request));
  EXPECT_EQ(std::get<Request>(request).method, "ping");
  EXPECT_TRUE(std::get<Request>(request).params.empty());
  EXPECT_TRUE(std::holds_alternative<Notification>(
      ParseMessage(R"({"jsonrpc":"2.0","method":"notifications/initialized"})")));
  const Message answer = ParseMessage(R"({"jsonrpc":"2.0","id":"a","result":{"x":1}})");
  ASSERT_TRUE(std::holds_alternative<Response>(answer));
  EXPECT_TRUE(std::get<Response>(answer).result.has_value());
  const Message refusal =
      ParseMessage(R"({"jsonrpc":"2.0","id":"a","error":{"code":-32601,"message":"no"}})");
  ASSERT_TRUE(std::holds_alternative<Response>(refusal));
  EXPECT_EQ(std::get<Response>(refusal).result.error().code, RpcCode::kMethodNotFound);
}

TEST(ParseMessage, RefusesIdsThatAreNone) {
  for (const char* const id : {"null", "1.5", "true", "[]", "{}"}) {
    const std::string text = std::string(R"({"jsonrpc":"2.0","method":"ping","id":)") + id + "}";
    const Message message = ParseMessage(text);
    EXPECT_EQ(MalformedIn(message).error.code, RpcCode::kInvalidRequest) << id;
    EXPECT_FALSE(MalformedIn(message).id) << id;
  }
}

TEST(ParseMessage, KeepsIdsAsTheyCame) {
  for (const char* const id : {"0", "-7", "18446744073709551615", "\"\"", "\"1\"", "\"\\u00e4\""}) {
    const std::string text = std::string(R"({"jsonrpc":"2.0","method":"ping","id":)") + id + "}";
    const Message message = ParseMessage(text);
    ASSERT_TRUE(std::holds_alternative<Request>(message)) << id;
    const std::string reply = ResultText(std::get<Request>(message).id, {});
    EXPECT_EQ(ParseMessage(reply).index(), 2U) << reply;
  }
  EXPECT_NE(Id(std::string("1")), Id(std::int64_t{1}));
}

TEST(ParseMessage, RefusesWhatIsNoMessage) {
  for (const char* const text :
       {"[]", "1", "\"x\"", "null", R"({"method":"ping","id":1})",
        R"({"jsonrpc":"1.0","method":"ping","id":1})", R"({"jsonrpc":"2.0","id":1})",
        R"({"jsonrpc":"2.0","method":5})", R"({"jsonrpc":"2.0","method":"x","params":[]})",
        R"({"jsonrpc":"2.0","id":1,"result":{},"error":{}})", R"({"jsonrpc":"2.0","result":{}})",
        R"([{"jsonrpc":"2.0","id":1,"method":"ping"}])"}) {
    EXPECT_EQ(MalformedIn(ParseMessage(text)).error.code, RpcCode::kInvalidRequest) << text;
  }
  for (const std::string& text :
       {std::string(), std::string("{"), std::string("{}x"), std::string("\xff\xfe"),
        std::string(R"({"jsonrpc":"2.0","method":")") + "\xc3\x28\"}"}) {
    EXPECT_EQ(MalformedIn(ParseMessage(text)).error.code, RpcCode::kParseError) << text;
  }
}

TEST(ParseMessage, RefusesDepthAndMasses) {
  const std::string deep(100'000, '[');
  EXPECT_EQ(MalformedIn(ParseMessage(deep)).error.code, RpcCode::kParseError);
  std::string many = R"({"jsonrpc":"2.0","id":1,"method":"x","params":{"a":[)";
  for (int i = 0; i < 2'000'000; ++i) many += "0,";
  many += "0]}}";
  EXPECT_EQ(MalformedIn(ParseMessage(many)).error.code, RpcCode::kParseError);
}

std::string Repeated(const std::string& one, std::size_t bytes) {
  std::string text = R"({"jsonrpc":"2.0","id":1,"method":"x","params":{"a":[)";
  text.reserve(bytes + 100);
  while (text.size() < bytes) text += one + ",";
  return text + one + "]}}";
}

TEST(ParseMessage, TakesManyValuesWhateverTheSize) {
  const std::string edit = R"({"old_string":"a","new_string":"b"})";
  for (const std::size_t size : {10'000U, 65'000U, 66'000U, 350'000U, 5'000'000U, 64U << 20}) {
    for (const std::string& one :
         {std::string(R"("ab")"), std::string(R"("a")"), std::string(R"("\n\n")"), edit}) {
      EXPECT_TRUE(std::holds_alternative<Request>(ParseMessage(Repeated(one, size))))
          << one << " " << size;
    }
  }
  for (const char* const one : {"1", "\"\"", "[]", "{}", "null"}) {
    EXPECT_TRUE(std::holds_alternative<Request>(ParseMessage(Repeated(one, 170'000)))) << one;
  }
}

TEST(ParseMessage, RefusesMoreValuesThanItsSizeIsWorth) {
  for (const char* const one : {"1", "[]", "[[]]", R"({"":""})", "[1]"}) {
    const Message message = ParseMessage(Repeated(one, 20'000'000));
    EXPECT_EQ(MalformedIn(message).error.message, "too many values for its size") << one;
  }
}

TEST(ParseMessage, TakesTextsOfNothingButSeparators) {
  for (const char* const one : {",", ":", ",\\n", "{\\\"a\\\":[1,"}) {
    std::string text = R"({"jsonrpc":"2.0","id":1,"method":"x","params":{"a":")";
    while (text.size() < 20'000'000) text += one;
    EXPECT_TRUE(std::holds_alternative<Request>(ParseMessage(text + "\"}}"))) << one;
  }
}

TEST(ParseMessage, TakesLongTexts) {
  const std::string text = R"({"jsonrpc":"2.0","id":1,"method":"x","params":{"a":")" +
                           std::string(20'000'000, 'a') + "\"}}";
  EXPECT_TRUE(std::holds_alternative<Request>(ParseMessage(text)));
}

TEST(ParseBatch, IsForArraysOnly) {
  EXPECT_FALSE(ParseBatch(R"({"jsonrpc":"2.0","id":1,"method":"ping"})"));
  EXPECT_FALSE(ParseBatch("[]"));
  const auto batch = ParseBatch(R"([{"jsonrpc":"2.0","id":1,"method":"ping"},7])");
  ASSERT_TRUE(batch);
  EXPECT_TRUE(std::holds_alternative<Request>(batch->at(0)));
  EXPECT_TRUE(std::holds_alternative<Malformed>(batch->at(1)));
}

TEST(ParseMessage, LongIdsAreNone) {
  const auto with_id = [](std::size_t size) {
    return ParseMessage(R"({"jsonrpc":"2.0","method":"ping","id":")" + std::string(size, 'x') +
                        "\"}");
  };
  EXPECT_TRUE(std::holds_alternative<Request>(with_id(1024)));
  const Message refused = with_id(1025);
  ASSERT_TRUE(std::holds_alternative<Malformed>(refused));
  EXPECT_EQ(std::get<Malformed>(refused).error.code, RpcCode::kInvalidRequest);
  EXPECT_FALSE(std::get<Malformed>(refused).id.has_value());
}

}  // namespace
}  // namespace cordon::mcp
