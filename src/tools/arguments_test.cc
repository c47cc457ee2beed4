#include "tools/arguments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/parse.hpp>

namespace cordon::tools {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kColours[] = {"red", "green"};
constexpr Field kInner[] = {{"old", FieldType::kText, Need::kRequired, ""},
                            {"all", FieldType::kFlag, Need::kOptional, ""}};
constexpr Field kFields[] = {
    kPathField,
    {"count", FieldType::kInteger, Need::kOptional, "", {}, 1, 10},
    {"loud", FieldType::kFlag, Need::kOptional, ""},
    {"colour", FieldType::kText, Need::kOptional, "", kColours},
    {"names", FieldType::kTextList, Need::kOptional, "", {}, {}, 2},
    {"edits", FieldType::kObjectList, Need::kOptional, "", {}, {}, 2, kInner},
};

Result<Arguments> Parse(std::string_view text) {
  return Arguments::Parse(kFields, boost::json::parse(std::string(text)).as_object());
}

std::string WhyNot(std::string_view text) {
  const auto parsed = Parse(text);
  if (parsed) return "taken";
  EXPECT_EQ(parsed.error().code, ErrorCode::kInvalidArguments);
  return parsed.error().detail;
}

TEST(Arguments, Aliases) {
  for (const char* name : {"path", "file_path", "absolute_path", "dir_path", "filename"}) {
    const auto parsed = Parse("{\"" + std::string(name) + "\": \"x\"}");
    ASSERT_TRUE(parsed) << name;
    EXPECT_EQ(parsed->Text("path"), "x");
  }
  EXPECT_EQ(WhyNot(R"({"path": "a", "file_path": "b"})"), "\"path\" is given twice");
}

TEST(Arguments, WhatIsNotDeclaredIsRefusedOrIgnored) {
  const auto given = boost::json::parse(R"({"path": "x", "other": [1], "colour": "red"})");
  const auto ignored = Arguments::Parse(kFields, given.as_object(), Others::kIgnored);
  ASSERT_TRUE(ignored) << ignored.error().detail;
  EXPECT_EQ(ignored->Text("colour"), "red");
  EXPECT_FALSE(ignored->Has("other"));
  EXPECT_THAT(WhyNot(R"({"path": "x", "other": [1]})"), HasSubstr("no argument \"other\""));
}

TEST(Arguments, WhatModelsVaryIn) {
  const auto parsed =
      Parse(R"({"path": "x", "count": "7", "loud": "true", "colour": null, "names": "one"})");
  ASSERT_TRUE(parsed) << parsed.error().detail;
  EXPECT_EQ(parsed->Integer("count"), 7);
  EXPECT_TRUE(parsed->Says("loud"));
  EXPECT_FALSE(parsed->Denies("loud"));
  EXPECT_FALSE(parsed->Has("colour"));
  EXPECT_EQ(parsed->Texts("names"), std::vector<std::string>{"one"});
  EXPECT_EQ(Parse(R"({"path": "x", "count": 3.0})")->Integer("count"), 3);
}

TEST(Arguments, WhatIsWrongIsNamed) {
  EXPECT_EQ(WhyNot("{}"), "\"path\" must be given");
  EXPECT_EQ(WhyNot(R"({"path": null})"), "\"path\" must be given");
  EXPECT_EQ(WhyNot(R"({"path": 1})"), "\"path\" must be a text");
  EXPECT_EQ(WhyNot(R"({"path": "x", "cuont": 1})"),
            "there is no argument \"cuont\"; those there are: path, count, loud, colour, names, "
            "edits");
  EXPECT_EQ(WhyNot(R"({"path": "x", "count": 0})"), "\"count\" must be at least 1 and at most 10");
  for (const char* count : {"1.5", "\"1x\"", "\"\"", "[]", "1e300", "9223372036854775808"}) {
    EXPECT_EQ(WhyNot(R"({"path": "x", "count": )" + std::string(count) + "}"),
              "\"count\" must be a whole number")
        << count;
  }
  EXPECT_EQ(WhyNot(R"({"path": "x", "loud": "yes"})"), "\"loud\" must be true or false");
  EXPECT_EQ(WhyNot(R"({"path": "x", "colour": "blue"})"), "\"colour\" must be one of: red, green");
  EXPECT_EQ(WhyNot(R"({"path": "x", "names": ["a", 1]})"), "\"names\" must be a list of texts");
  EXPECT_EQ(WhyNot(R"({"path": "x", "names": ["a", "b", "c"]})"),
            "\"names\" has more than 2 entries");
}

TEST(Arguments, ObjectsInLists) {
  const auto parsed = Parse(R"({"path": "x", "edits": [{"old": "a", "all": true}, {"old": "b"}]})");
  ASSERT_TRUE(parsed);
  ASSERT_EQ(parsed->Objects("edits").size(), 2u);
  EXPECT_TRUE(parsed->Objects("edits")[0].Says("all"));
  EXPECT_EQ(parsed->Objects("edits")[1].Text("old"), "b");
  EXPECT_THAT(WhyNot(R"({"path": "x", "edits": [{"old": "a"}, {"odl": "b"}]})"),
              HasSubstr("in \"edits\" 2: there is no argument \"odl\""));
}

TEST(Arguments, PathsAreBytes) {
  const auto parsed = Parse(R"({"path": "a%FF%25", "path_encoding": "percent"})");
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->Text("path"), "a\xFF%");
  EXPECT_EQ(Parse(R"({"path": "a%FF"})")->Text("path"), "a%FF");
  EXPECT_EQ(WhyNot(R"({"path": "a", "path_encoding": "base64"})"),
            "\"path_encoding\" can only be \"percent\"");
  EXPECT_NE(WhyNot(R"({"path": "a%F", "path_encoding": "percent"})"), "taken");
}

}  // namespace
}  // namespace cordon::tools
