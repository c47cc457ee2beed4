#include "mcp/json_text.h"

#include <gtest/gtest.h>

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <limits>
#include <random>
#include <string>

namespace cordon::mcp {
namespace {

namespace json = boost::json;

std::string TextOf(const json::value& value) {
  std::string text = "before";
  AppendJson(text, value);
  return text.substr(6);
}

TEST(JsonText, EveryByteAtEveryPlaceOfAWord) {
  for (int byte = 0; byte < 256; ++byte) {
    for (std::size_t place = 0; place < 20; ++place) {
      std::string string(20, 'x');
      string[place] = static_cast<char>(byte);
      ASSERT_EQ(TextOf(json::value(string)), json::serialize(json::value(string))) << byte;
    }
  }
}

TEST(JsonText, LongTextsWithOddBytesAnywhere) {
  std::mt19937 random(2);
  for (int round = 0; round < 300; ++round) {
    std::string string(random() % 3000, 'x');
    for (int odd = 0; odd < round % 50 && !string.empty(); ++odd) {
      string[random() % string.size()] = "\x1f\"\\\n"[random() % 4];
    }
    ASSERT_EQ(TextOf(json::value(string)), json::serialize(json::value(string)));
  }
  const std::string all(2000, '\x01');
  EXPECT_EQ(TextOf(json::value(all)), json::serialize(json::value(all)));
}

TEST(JsonText, AnyBytesInARow) {
  std::mt19937 random(1);
  for (int round = 0; round < 20'000; ++round) {
    std::string string(random() % 40, '\0');
    // Mostly those next to the borders of what is plain.
    for (char& c : string) c = "\x1f\x20\x21\x22\x23\x5b\x5c\x5d\x7f\x80\xff\n\t\0a"[random() % 15];
    ASSERT_EQ(TextOf(json::value(string)), json::serialize(json::value(string)));
  }
}

TEST(JsonText, AllKindsOfValues) {
  const json::value value = {
      {"null", nullptr},
      {"flags", {true, false}},
      {"numbers",
       {0, -1, std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::uint64_t>::max(),
        0.5, -1e300}},
      {"empty", {json::array(), json::object(), ""}},
      {"a \"key\"\n", {{"inner", {1, {2, {{"deep", "er"}}}}}}},
  };
  EXPECT_EQ(TextOf(value), json::serialize(value));
}

}  // namespace
}  // namespace cordon::mcp
