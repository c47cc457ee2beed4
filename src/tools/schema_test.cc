#include "tools/schema.h"

#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <set>

#include "tools/registry.h"

namespace cordon::tools {
namespace {

namespace json = boost::json;

TEST(Schema, SaysWhatIsDeclared) {
  static constexpr std::string_view kColours[] = {"red", "green"};
  static constexpr Field kInner[] = {{"old", FieldType::kText, Need::kRequired, ""}};
  static constexpr Field kFields[] = {
      {"path", FieldType::kPath, Need::kRequired, "Where."},
      {"count", FieldType::kInteger, Need::kOptional, "", {}, 1, 10},
      {"colour", FieldType::kText, Need::kOptional, "", kColours},
      {"edits", FieldType::kObjectList, Need::kOptional, "", {}, {}, 5, kInner},
  };
  EXPECT_EQ(InputSchema(kFields), json::parse(R"({
    "type": "object",
    "properties": {
      "path": {"type": "string", "description": "Where."},
      "path_encoding": {"type": "string", "enum": ["percent"],
        "description": "Set when the name is not UTF-8 and stands percent-encoded."},
      "count": {"type": "integer", "minimum": 1, "maximum": 10},
      "colour": {"type": "string", "enum": ["red", "green"]},
      "edits": {"type": "array", "maxItems": 5, "items": {
        "type": "object", "properties": {"old": {"type": "string"}}, "required": ["old"],
        "additionalProperties": false}}},
    "required": ["path"],
    "additionalProperties": false})"));
}

TEST(Schema, OutputsAreHeldAgainstIt) {
  static constexpr Field kFields[] = {
      {"path", FieldType::kPath, Need::kRequired, ""},
      {"count", FieldType::kInteger, Need::kOptional, ""},
  };
  const auto check = [](const char* text) {
    return CheckOutput(kFields, json::parse(text).as_object()).has_value();
  };
  EXPECT_TRUE(check(R"({"path": "x"})"));
  EXPECT_TRUE(check(R"({"path": "%FF", "path_encoding": "percent", "count": 1})"));
  EXPECT_FALSE(check(R"({"count": 1})"));
  EXPECT_FALSE(check(R"({"path": "x", "count": "1"})"));
  EXPECT_FALSE(check(R"({"path": "x", "more": 1})"));
}

// What clients need to show and to call a tool.
TEST(Schema, EveryToolIsWhole) {
  std::set<std::string_view> names;
  for (const Tool* const tool : AllTools()) {
    EXPECT_TRUE(names.insert(tool->name).second) << tool->name << " is there twice";
    EXPECT_EQ(FindTool(tool->name), tool);
    EXPECT_FALSE(tool->title.empty()) << tool->name;
    EXPECT_GT(tool->description.size(), 40u) << tool->name;
    EXPECT_NE(tool->run, nullptr) << tool->name;
    EXPECT_EQ(tool->effect == Effect::kNone, tool->kind == policy::ToolKind::kRead) << tool->name;
    const json::object object = ToolObject(*tool);
    EXPECT_EQ(object.at("annotations").at("readOnlyHint").as_bool(), tool->effect == Effect::kNone);
    for (const Field& field : tool->input) {
      EXPECT_FALSE(field.description.empty()) << tool->name << " " << field.name;
    }
  }
  EXPECT_EQ(FindTool("format_disk"), nullptr);
  EXPECT_EQ(UnknownTool("format_disk").code, ErrorCode::kUnknownTool);
}

}  // namespace
}  // namespace cordon::tools
