#include "mcp/http_headers.h"

#include <gtest/gtest.h>

#include <boost/json/parse.hpp>

#include "mcp/event_text.h"

namespace cordon::mcp {
namespace {

namespace json = boost::json;

TEST(DecodeHeader, DecodesWhatSaysSo) {
  EXPECT_EQ(DecodeHeader("plain"), "plain");
  EXPECT_EQ(DecodeHeader(""), "");
  EXPECT_EQ(DecodeHeader("=?base64?w6Q=?="), "\xc3\xa4");
  EXPECT_EQ(DecodeHeader("=?base64?"
                         "?="),
            "");
  EXPECT_EQ(DecodeHeader("=?base64?w6Q=?"), "=?base64?w6Q=?");  // not of the form
  EXPECT_EQ(DecodeHeader("=?base64?="), "=?base64?=");
  for (const char* bad :
       {"=?base64?w6Q?=", "=?base64?!!!!?=", "=?base64?w6Q= ?=", "=?base64?/w==?="}) {
    EXPECT_EQ(DecodeHeader(bad), std::nullopt) << bad;
  }
}

TEST(CheckParameterHeaders, ComparesValuesOfEveryKind) {
  const json::object schema = json::parse(R"({"properties":{
      "n":{"type":"integer","x-mcp-header":"N"},"b":{"type":"boolean","x-mcp-header":"B"},
      "o":{"type":"object","properties":{"s":{"type":"string","x-mcp-header":"S"}}},
      "list":{"items":{"properties":{"x":{"x-mcp-header":"X"}}}}}})")
                                  .as_object();
  const auto good = [&](net::HttpFields fields, const char* arguments) {
    return !CheckParameterHeaders(fields, schema, json::parse(arguments).as_object());
  };
  EXPECT_TRUE(good({}, "{}"));
  EXPECT_TRUE(good({{"Mcp-Param-N", "042"}}, R"({"n":42})"));
  EXPECT_TRUE(good({{"Mcp-Param-N", "42"}}, R"({"n":42.0})"));
  EXPECT_FALSE(good({{"Mcp-Param-N", "42"}}, R"({"n":42.5})"));
  EXPECT_FALSE(good({{"Mcp-Param-N", "42x"}}, R"({"n":42})"));
  EXPECT_FALSE(good({}, R"({"n":42})"));
  EXPECT_TRUE(good({{"mcp-param-b", "true"}}, R"({"b":true})"));
  EXPECT_FALSE(good({{"Mcp-Param-B", "True"}}, R"({"b":true})"));
  EXPECT_TRUE(good({{"Mcp-Param-S", "x"}}, R"({"o":{"s":"x"}})"));
  EXPECT_FALSE(good({{"Mcp-Param-S", "x"}}, R"({"o":{}})"));
  EXPECT_FALSE(good({{"Mcp-Param-S", "x"}, {"Mcp-Param-S", "x"}}, R"({"o":{"s":"x"}})"));
  EXPECT_FALSE(good({{"Mcp-Param-S", "=?base64?x?="}}, R"({"o":{"s":"x"}})"));
  EXPECT_TRUE(
      good({{"Mcp-Param-X", "x"}}, R"({"list":[{"x":"y"}]})"));  // not reached by properties
}

TEST(EventText, IdsComeBackAsTheyWere) {
  const auto id = ParseEventId(EventIdText({3, 17}));
  ASSERT_TRUE(id.has_value());
  EXPECT_EQ(id->stream, 3U);
  EXPECT_EQ(id->number, 17U);
  for (const char* bad :
       {"", "-", "3", "3-", "-17", "3-17x", "3 -17", "+3-17", "3-17-1", "99999999999999999999-1"}) {
    EXPECT_FALSE(ParseEventId(bad).has_value()) << bad;
  }
  EXPECT_EQ(EventText({1, 2}, "{}"), "id: 1-2\nevent: message\ndata: {}\n\n");
}

}  // namespace
}  // namespace cordon::mcp
